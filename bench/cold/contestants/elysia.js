// Elysia on its adapter for Node, with TypeBox schemas for params, bodies and responses.
import { node } from '@elysiajs/node'
import { Elysia, t } from 'elysia'
import { answering } from '../answering.js'
import { answerOf, eachRoute, pathOf } from '../routes.js'

const app = new Elysia({ adapter: node() })
eachRoute((a, b, payload) => {
  const schema = {
    params: t.Object({ id: t.Integer({ minimum: 1 }), part: t.Integer({ minimum: 1 }) }),
    response: t.Object({ id: t.Integer(), part: t.Integer(), name: t.String(), count: t.Integer() }),
  }
  const body = t.Object({
    name: t.String({ minLength: 1, maxLength: 100 }),
    count: t.Optional(t.Integer({ minimum: 0 })),
  })
  const answer = ({ params, body }) => answerOf(params.id, params.part, body)
  if (payload) app.post(pathOf(a, b), answer, { ...schema, body })
  else app.get(pathOf(a, b), answer, schema)
})
// Its callback comes before the socket listens.
app.listen({ port: 0, hostname: '127.0.0.1' }, ({ raw }) => {
  const { server } = raw.node
  server.once('listening', () => answering(server.address().port))
})
