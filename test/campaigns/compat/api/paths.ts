// Paths, verbs and versions: captures, a splat, several verbs on one path, and a count of who came by.
import { endpoint, route, t } from 'edict'

const Paths = endpoint('Paths', {
  actions: {
    root: { routing: route.get('/'), responses: { ok: 'text/plain' } },
    capture: {
      routing: route.get('/captures/:id/:name'),
      params: { id: t.integer(), name: t.string() },
      responses: { ok: t.any() },
    },
    splat: { routing: route.get('/files/*'), params: { splat: t.array(t.string()) }, responses: { ok: t.any() } },
    remove: { routing: route.delete('/things/:id'), params: { id: t.integer() }, responses: { noContent: true } },
    put: { routing: route.put('/things/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
    visit: { routing: route.any('/visits/:name'), params: { name: t.string() }, responses: { ok: 'text/plain' } },
    visits: { routing: route.get('/visits'), responses: { ok: t.any() } },
  },
})

const versioned = (version: '1.0' | '2.0') =>
  endpoint('Editions', {
    version,
    actions: { show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } } },
  })
const [First, Second] = [versioned('1.0'), versioned('2.0')]

/** Tells what a path was taken for. */
export const paths = () => {
  const visits: string[] = []
  return Paths.implement({
    root: () => 'root',
    capture: (params, { reply }) => reply.ok(params),
    splat: ({ splat }, { reply }) => reply.ok(splat),
    remove: (_, { reply }) => reply.noContent(),
    put: ({ id }) => `put ${id}`,
    visit({ name }, { request }) {
      // A request that a proxy recognised has a header of its own; bytes that it took for something else have none.
      visits.push(`${name} through ${request.env.headers['x-through'] ?? 'nobody'}`)
      return `visited ${name}`
    },
    visits: (_, { reply }) => reply.ok(visits),
  })
}

/** Two versions of one endpoint. */
export const editions = [
  First.implement({ show: ({ id }, { href }) => `first ${id} at ${href(First, { id })}` }),
  Second.implement({ show: ({ id }, { href }) => `second ${id} at ${href(Second, { id })}` }),
]
