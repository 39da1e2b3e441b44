// A small application that runs anywhere, for the recipes.
import { application, endpoint, route, t } from 'edict'
import { health } from 'edict/health'

const Name = t.object({ name: t.string({ required: true }) })
const Notes = endpoint('Notes', {
  actions: {
    create: {
      routing: route.post('/'),
      payload: { text: t.string({ required: true }) },
      responses: { created: { location: /^\/notes\/\d+$/ } },
    },
    seen: {
      routing: route.get('/seen'),
      headers: { 'x-request-id': t.string(), 'x-forwarded-for': t.string() },
      responses: { ok: Name },
    },
    slow: { routing: route.get('/slow'), responses: { ok: Name } },
    show: { routing: route.get('/:name'), params: { name: t.string() }, responses: { ok: Name } },
  },
})

/** Makes the application. */
export const createApp = () =>
  application({
    controllers: [
      Notes.implement({
        create: (_, { reply }) => reply.created(undefined, { location: '/notes/1' }),
        seen: (_, { request, reply }) =>
          reply.ok({ name: `${request.headers['x-request-id']} ${request.headers['x-forwarded-for']}` }),
        async slow(_, { reply }) {
          await new Promise((resolve) => setTimeout(resolve, 1500))
          return reply.ok({ name: 'slow' })
        },
        show: ({ name }, { reply }) => reply.ok({ name }),
      }),
    ],
    plugins: [health()],
  })

/** One of them, as recipes import it. */
export const app = createApp()
