// Step 1: an endpoint that is its own controller, served.
import { application, endpoint, route, t } from 'edict'
import { serve } from 'edict/node'

const hello = endpoint('Hello', {
  actions: {
    show: { routing: route.get('/:name'), params: { name: t.string() }, responses: { ok: 'text/plain' } },
  },
}).implement({ show: ({ name }) => `Hello, ${name}!` })

const app = application({ title: 'Library', controllers: [hello] })
const { url } = await serve(app)
console.log(`The library is at ${url}`)
