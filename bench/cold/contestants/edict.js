// edict: two params, payloads and a media type for every resource.
import { application, controller, endpoint, mediaType, route, t } from 'edict'
import { serve } from 'edict/node'
import { answering } from '../answering.js'
import { answerOf, pathOf, RESOURCES, ROUTES, takesPayload } from '../routes.js'

const controllers = Array.from({ length: RESOURCES }, (_, a) => {
  const Thing = mediaType(`Thing${a}`, {
    identifier: 'application/json',
    attributes: {
      id: t.integer({ required: true }),
      part: t.integer({ required: true }),
      name: t.string({ required: true }),
      count: t.integer({ required: true }),
    },
  })
  const actions = {}
  const functions = {}
  for (let b = 0; b < ROUTES; b++) {
    const path = pathOf(a, b)
    const params = { id: t.integer({ min: 1 }), part: t.integer({ min: 1 }) }
    const responses = { ok: Thing }
    actions[`part${b}`] = takesPayload(a, b)
      ? {
          routing: route.post(`/${path}`),
          params,
          payload: { name: t.string({ required: true, min: 1, max: 100 }), count: t.integer({ min: 0 }) },
          responses,
        }
      : { routing: route.get(`/${path}`), params, responses }
    functions[`part${b}`] = ({ id, part }, { request, reply }) => reply.ok(answerOf(id, part, request.payload))
  }
  return controller(endpoint(`Things${a}`, { mediaType: Thing, actions }), functions)
})
const app = application({ environment: 'production', controllers })
const logger = { info() {}, warn() {}, error() {} }
const { port } = await serve(app, { port: 0, host: '127.0.0.1', signals: false, logger })
answering(port)
