// A small API on a socket, which tells its CPU time when asked: the other side of the measurement of connections.
import { serve } from '../../src/adapters/node/index.ts'
import { application, controller, endpoint, mediaType, route, t } from '../../src/index.ts'

const Thing = mediaType('Thing', {
  attributes: { id: t.integer({ required: true }), name: t.string(), limit: t.integer() },
})
const Things = endpoint('Things', {
  mediaType: Thing,
  actions: {
    show: {
      routing: route.get('/:id'),
      params: { id: t.integer({ min: 1 }), limit: t.integer({ default: 10 }) },
      responses: { ok: Thing },
    },
  },
})
const things = controller(Things, { show: ({ id, limit }, { reply }) => reply.ok({ id, limit, name: 'a thing' }) })
const logger = { info() {}, warn() {}, error() {} }
const app = application({ environment: 'production', controllers: [things], logger })
const { port } = await serve(app, { port: 0, host: '127.0.0.1', signals: false })
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system })
})
process.on('disconnect', () => process.exit())
process.send?.({ port })
