// The snippets of docs/guide/visibility.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

// #region smallest
import { application, collectionOf, endpoint, inherit, mediaType, route, security, t, verifier } from 'edict'
import { audience, members, visibility, visibleTo } from 'edict/visibility'

interface User {
  readonly name: string
  readonly role: 'staff' | 'guest'
}

const Token = security.bearer<User>('Token')
const Staff = audience<User>('staff')

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    title: t.string({ required: true }),
    cost: visibleTo(Staff, t.integer({ required: true, description: 'What we paid, in cents' })),
  },
})

const Books = endpoint('Books', {
  mediaType: Book,
  actionDefaults: { security: [Token, 'none'] },
  actions: {
    index: { routing: route.get('/'), responses: { ok: collectionOf(Book) } },
    create: { routing: route.post('/'), payload: { title: inherit, cost: inherit }, responses: { created: Book } },
  },
})

const books = Books.implement({
  index: (_, { reply }) => reply.ok([{ id: 1, title: 'Emma', cost: 450 }]),
  create: (_, { request, reply }) => reply.created({ id: 2, cost: 0, ...request.payload }),
})

const users: Record<string, User> = { ann: { name: 'Ann', role: 'staff' }, eve: { name: 'Eve', role: 'guest' } }

export const app = application({
  controllers: [books],
  verifiers: [verifier(Token, (token) => users[token])],
  plugins: [visibility([members(Staff, (user) => user.role === 'staff')])],
})
// #endregion

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })

/** The answers that the page shows. */
export const shown: Shown = {
  answers: () =>
    answers(app, [
      ['GET /books', as('ann')],
      ['GET /books', as('eve')],
      ['GET /books', {}],
      ['POST /books', { ...as('eve'), body: { title: 'Ulysses' } }],
      ['POST /books', { ...as('eve'), body: { title: 'Ulysses', cost: 1 } }],
      ['POST /books', { ...as('ann'), body: { title: 'Ulysses' } }],
    ]),
  document() {
    const { schemas } = app.openapi().components as { schemas: Record<string, { properties: Record<string, object> }> }
    return JSON.stringify(schemas['Book']?.properties['cost'], null, 2)
  },
}
