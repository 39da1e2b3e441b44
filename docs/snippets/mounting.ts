// The snippets of docs/guide/mounting.md.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Shown } from '../../scripts/snippets.ts'

// #region application
import { application, endpoint, route, t } from 'edict'

const Books = endpoint('Books', {
  actions: {
    show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } },
    create: {
      routing: route.post('/'),
      payload: { title: t.string({ required: true }) },
      responses: { created: true },
    },
  },
})

export const app = application({
  basePath: '/api',
  controllers: [
    Books.implement({
      show: ({ id }) => `Book ${id}`,
      create: (_, { href, reply }) => reply.created(undefined, { location: href(Books, { id: 7 }) }),
    }),
  ],
})
// #endregion

// #region express
import { listener } from 'edict/node'
import express from 'express'

const site = express()
site.use('/api', listener(app, { fallthrough: true }))
site.use(express.json()) // for the routes of the site
site.use((_, response) => void response.status(404).send('The site has no such page.'))
// #endregion

// #region raw
export const parsed = express()
parsed.use(
  express.json({
    verify: (request, _, bytes) => Object.assign(request, { rawBody: bytes }),
  }),
)
parsed.use(listener(app))
// #endregion

// #region fastify
import { fastifyPlugin } from 'edict/node'
import fastify from 'fastify'

const service = fastify()
service.addHook('onRequest', async (_, reply) => void reply.header('X-Service', 'library'))
await service.register(fastifyPlugin(app, { fallthrough: true }))
// #endregion

// #region hono
import { Hono } from 'hono'

const worker = new Hono()
worker.use('/api/*', (context, next) => (app.knows(context.req.url) ? app.fetch(context.req.raw) : next()))
// #endregion

async function asked(host: string, ask: (path: string, init?: RequestInit) => Promise<Response>): Promise<string> {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"title":"Emma"}' }
  const [shown, created, unknown] = [await ask('/api/books/7'), await ask('/api/books', json), await ask('/api/x')]
  return `${host}  ${await shown.text()}  ${created.status} ${created.headers.get('location')}  ${unknown.status} ${(await unknown.text()).slice(0, 30)}`
}

async function listening(name: string, handle: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const line = await asked(name, (path, init) => fetch(base + path, init))
  server.closeAllConnections()
  server.close()
  return line
}

/** The answers that the page shows. */
export const shown: Shown = {
  answers: async () => {
    await service.ready()
    return [
      await listening('Express', site),
      await listening('Fastify', (request, response) => service.routing(request, response)),
      await asked('Hono   ', async (path, init) => worker.request(path, init)),
    ].join('\n')
  },
}
