// An application with that package: asked over a socket and through fetch, it prints what it saw as JSON.
import { application, controller, endpoint, route, t } from 'edict'
import { serve } from 'edict/node'
import { type Counts, cardNeeded, cards, counter } from '../src/index.js'

const Books = endpoint('Books', {
  actionDefaults: { policies: [cardNeeded('lib-')] },
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
    create: { routing: route.post('/'), payload: { title: t.string() }, responses: { noContent: true } },
  },
})

const counts: Counts = new Map()
const app = application({
  controllers: [
    controller(Books, {
      show: ({ id }, { reader }) => `${id} for ${reader.card}`,
      create: (_, { reply }) => reply.noContent(),
    }),
  ],
  plugins: [counter(counts), cards()],
  limits: { body: 100 },
})

const card = { 'X-Card': 'lib-7' }
const asked: readonly [path: string, init: RequestInit][] = [
  ['/books/1', { headers: card }],
  ['/books/1', {}],
  ['/books/x', { headers: card }],
  ['/books', { method: 'PUT' }],
  ['/books', { method: 'OPTIONS' }],
  [
    '/books',
    {
      method: 'POST',
      headers: { ...card, 'Content-Type': 'application/json' },
      body: `{"title":"${'x'.repeat(200)}"}`,
    },
  ],
  ['/nowhere', {}],
  ['/ping', {}],
]

async function answersOf(base: string, fetch: (request: Request) => Promise<Response>): Promise<unknown[]> {
  const seen: unknown[] = []
  for (const [path, init] of asked) {
    const answer = await fetch(new Request(base + path, init))
    const text = await answer.text()
    seen.push([answer.status, answer.headers.get('X-Counted'), answer.status < 300 ? text : JSON.parse(text).code])
  }
  return seen
}

const byFetch = await answersOf('http://localhost', app.fetch)
const server = await serve(app, { port: 0, host: '127.0.0.1', signals: false })
const bySocket = await answersOf(server.url, (request) => fetch(request))
const long = await fetch(`${server.url}/books/1`, { headers: { 'X-Long': 'x'.repeat(20_000) } })
await long.text()
await server.close()
const operation = app.openapi().paths['/books/{id}']?.['get']
process.stdout.write(
  JSON.stringify({
    byFetch,
    bySocket,
    long: [long.status, long.headers.get('X-Counted')],
    counts: Object.fromEntries(counts),
    documented: Object.keys(operation?.responses ?? {}),
    steps: app.explain('Books.show').flatMap(({ points }) => points.map(({ steps }) => steps)),
  }),
)
