// Params and headers: what a request says without a body, given back as it was understood.
import { endpoint, header, Responses, route, t } from 'edict'

const Searches = endpoint('Searches', {
  actions: {
    search: {
      routing: route.get('/:shelf'),
      params: {
        shelf: t.string(),
        author: t.object({ id: t.integer(), name: t.string() }),
        tags: t.array(t.string()),
        limit: t.integer({ min: 1, max: 100, default: 50 }),
        draft: t.boolean(),
      },
      ignore: ['utm_*'],
      responses: { ok: t.any() },
    },
  },
})

const Doors = endpoint('Doors', {
  actions: {
    open: {
      routing: route.get('/'),
      headers: { 'X-Attempt': t.integer(), 'X-Key': header('brass', { required: true }) },
      responses: { ok: t.any() },
    },
    cookies: { routing: route.get('/cookies'), responses: { ok: true } },
    large: { routing: route.get('/large'), responses: { ok: 'text/plain' } },
  },
})

/** Gives params back. */
export const searches = Searches.implement({ search: (params, { reply }) => reply.ok(params) })

/** Gives headers back, and sends some of its own. */
export const doors = Doors.implement({
  open: (_, { request, reply }) => reply.ok(request.headers),
  cookies: () => new Responses.Ok({ body: 'two', headers: { 'Set-Cookie': ['a=1; Path=/', 'b=2; HttpOnly'] } }),
  large: (_, { reply }) => reply.ok('fine', { headers: { 'X-Large': 'x'.repeat(6000) } }),
})
