// The snippets of docs/migrating/ts-rest.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

// #region declaration
import { endpoint, route, t } from 'edict'
import { z } from 'zod'

const Reviews = endpoint('Reviews', {
  actions: {
    create: {
      routing: route.post('/'),
      payload: t.standard(z.object({ book: z.number().int(), stars: z.number().min(1).max(5) }), { required: true }),
      responses: { created: t.standard(z.object({ id: z.number() })), conflict: true },
    },
  },
})
// #endregion

// #region server
import { application } from 'edict'

const reviews = Reviews.implement({
  create: (_, { request, reply }) =>
    request.payload.book === 1 ? reply.created({ id: 7 }) : reply.conflict('There is no such book.'),
})

const app = application({ controllers: [reviews] })
// #endregion

// #region client
import { client } from 'edict/client'

async function review(fetch: typeof app.fetch, book: number): Promise<string> {
  const api = client({ Reviews }, { baseUrl: 'http://localhost:3000', fetch })
  const answer = await api.Reviews.create(undefined, { payload: { book, stars: 5 } })
  return answer.name === 'created' ? `review ${answer.body.id}` : `${answer.status} ${answer.name}`
}
// #endregion

const post = (body: unknown) => ['POST /reviews', { body }] as const

/** The answers that the page shows. */
export const shown: Shown = {
  answers: () => answers(app, [post({ book: 1, stars: 5 }), post({ book: 2, stars: 5 }), post({ stars: 9 })]),
  client: async () => `${await review(app.fetch, 1)}\n${await review(app.fetch, 2)}`,
}
