// The snippets of docs/migrating/nestjs.md.
import type { Shown } from '../../scripts/snippets.ts'
import { answers } from './support/http.ts'

// #region declaration
import { endpoint, inherit, mediaType, route, security, t } from 'edict'

const Review = mediaType('Review', {
  attributes: {
    id: t.integer({ required: true }),
    text: t.string({ required: true, max: 500 }),
    stars: t.integer({ required: true, min: 1, max: 5 }),
  },
})
const Token = security.bearer<{ readonly name: string }>('Token')

const Reviews = endpoint('Reviews', {
  mediaType: Review,
  actionDefaults: { security: Token },
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Review, notFound: true } },
    create: {
      routing: route.post('/'),
      payload: { text: inherit, stars: inherit },
      responses: { created: Review },
    },
  },
})
// #endregion

// #region controller
import { application, controller, verifier } from 'edict'

class ReviewService {
  readonly reviews = new Map([[1, { id: 1, text: 'Witty.', stars: 5 }]])
}

// Dependencies are arguments.
const reviewsOf = ({ reviews }: ReviewService) =>
  controller(Reviews, {
    show({ id }, { reply }) {
      const review = reviews.get(id)
      return review ? reply.ok(review) : reply.notFound(`There is no review ${id}.`)
    },
    create(_, { request, reply }) {
      const review = { id: reviews.size + 1, ...request.payload }
      reviews.set(review.id, review)
      return reply.created(review)
    },
  })

const app = application({
  controllers: [reviewsOf(new ReviewService())],
  verifiers: [verifier(Token, (sent) => (sent === 'ada' ? { name: 'Ada' } : undefined))],
})
// #endregion

const headers = { Authorization: 'Bearer ada' }

/** The answers that the page shows. */
export const shown: Shown = {
  edict: () =>
    answers(app, [
      'GET /reviews/1',
      ['GET /reviews/1', { headers }],
      ['GET /reviews/one', { headers }],
      ['POST /reviews', { headers, body: { text: 'Dull.', stars: 9, colour: 'red' } }],
      ['POST /reviews', { headers, body: { text: 'Dull.', stars: 2 } }],
    ]),
}
