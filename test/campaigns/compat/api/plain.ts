// An application with no settings at all, for the defaults of a server.
import { type Application, application, endpoint, route, t } from 'edict'
import { docs } from 'edict/docs'

const Things = endpoint('Things', {
  actions: {
    show: { routing: route.get('/'), params: { tags: t.any(), name: t.string() }, responses: { ok: 'text/plain' } },
    create: { routing: route.post('/'), payload: t.any({ required: true }), responses: { ok: 'text/plain' } },
    form: {
      routing: route.post('/form'),
      payload: { title: t.string({ required: true }), file: t.file({ max: 10 }) },
      responses: { ok: 'text/plain' },
    },
    named: { routing: route.get('/named/:name'), params: { name: t.string() }, responses: { ok: 'text/plain' } },
    remove: { routing: route.delete('/'), responses: { noContent: true } },
    thrown: { routing: route.get('/thrown'), responses: { ok: 'text/plain' } },
    split: { routing: route.get('/split'), params: { value: t.string() }, responses: { ok: 'text/plain' } },
  },
})

const things = Things.implement({
  show: () => 'fine',
  create: () => 'taken',
  form: () => 'taken',
  named: ({ name }) => name,
  remove: (_, { reply }) => reply.noContent(),
  thrown() {
    throw new Error('the password is swordfish')
  },
  split: ({ value }, { reply }) => reply.ok('fine', { headers: { 'X-Value': String(value) } }),
})

/** Makes it. */
export const plainApplication = (): Application => application({ controllers: [things], plugins: [docs()] })
