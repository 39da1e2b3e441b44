// Mistakes in declared responses, and in what controllers return.
import { action, controllerWith, type Mistakes } from './snippets.ts'

const made = (response: string, reply: string): string => `const Shelves = endpoint('Shelves', {
  mediaType: Film,
  actions: { list: { routing: route.get('/'), responses: { ${response} } } },
})
export default Shelves.implement({
  list: (_, { reply }) => ${reply},
})
`

export const responses: Mistakes = {
  'misspelt response name': action('responses: { ok: Film, «notfound|notFound»: true },'),
  'response name of another framework': action(
    'responses: { ok: Film, «unprocessableEntity|unprocessableContent»: true },',
  ),
  'response name in the defaults': `export default endpoint('Shelves', {
  actionDefaults: { responses: { «forbiden|forbidden»: true } },
  actions: { list: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})
`,
  'own response without a status': action('responses: { ok: Film, «busy»: {«| status: 429 »} },'),
  'misspelt setting of a response': action('responses: { ok: { «mediatype|mediaType»: Film } },'),
  'unknown setting of a response': action('responses: { ok: { mediaType: Film, «schema: Film|» } },'),
  'misspelt description of a response': action(
    "responses: { ok: { mediaType: Film, «descripton|description»: 'All.' } },",
  ),
  'response that is false': action('responses: { ok: Film, «notFound»: «false|true» },'),
  'response by its status': action('responses: { «200|ok»: Film },'),
  'response that was not declared': controllerWith({ show: 'show: (_, { reply }) => reply.«gone|notFound»(),' }),
  'misspelt reply': controllerWith({ show: 'show: (_, { reply }) => reply.«notfond|notFound»(),' }),
  'required attribute that is missing': controllerWith({
    show: "show: (_, { reply }) => reply.ok(«{ id: 1 }|{ id: 1, title: 'a' }»),",
  }),
  'attribute of a wrong type': controllerWith({
    show: "show: (_, { reply }) => reply.ok({ id: 1, «title: 7|title: 'a'» }),",
  }),
  'attribute that the media type does not have': controllerWith({
    show: "show: (_, { reply }) => reply.ok({ id: 1, title: 'a', «titel: 'a'|» }),",
  }),
  'value outside values': controllerWith({
    show: "show: (_, { reply }) => reply.ok({ id: 1, title: 'a', «genre: 'horror'|genre: 'drama'» }),",
  }),
  'attribute of a structure that is missing': controllerWith({
    show: "show: (_, { reply }) => reply.ok({ id: 1, title: 'a', «studio: { city: 'b' }|studio: { name: 'a', city: 'b' }» }),",
  }),
  'attribute of an element that is missing': controllerWith({
    index: "index: (_, { reply }) => reply.ok([«{ id: 1 }|{ id: 1, title: 'a' }»]),",
  }),
  'one element for a list': controllerWith({
    index: "index: (_, { reply }) => reply.ok(«{ id: 1, title: 'a' }|[{ id: 1, title: 'a' }]»),",
  }),
  'attribute that a view does not show and nobody has': controllerWith({
    update: "update: (_, { reply }) => reply.ok({ id: 1, title: 'a', «colour: 'red'|» }),",
  }),
  'text as a structured body': controllerWith({
    show: "show: (_, { reply }) => reply.ok(«'a film'|{ id: 1, title: 'a' }»),",
  }),
  'text returned for a structured body': controllerWith({
    show: "«show»: () => «'a film'|new Responses.Ok({ body: { id: 1, title: 'a' } })»,",
  }),
  'structure returned without a response': controllerWith({
    show: "«show»: (_, { reply }) => «({ id: 1, title: 'a' })|reply.ok({ id: 1, title: 'a' })»,",
  }),
  'text from an asynchronous action': controllerWith({
    show: "«show»: async () => «'a film'|new Responses.Ok({ body: { id: 1, title: 'a' } })»,",
  }),
  'return that was forgotten': controllerWith({
    show: '«show»(_, { reply }) {\n    «|return »reply.notFound()\n  },',
  }),
  'return that was forgotten in one branch': controllerWith({
    show: '«show»({ id }, { reply }) {\n    if (id > 1) return reply.notFound()\n    «|return »reply.forbidden()\n  },',
  }),
  'undefined from an action': controllerWith({
    show: '«show»: (_, { reply }) => «undefined|reply.notFound()»,',
  }),
  'body where none is declared': made('ok: Film, noContent: true', 'reply.noContent(«{ id: 1 }|»)'),
  'body that is left out': controllerWith({
    show: "show: (_, { reply }) => reply.«ok»(«|{ id: 1, title: 'a' }»),",
  }),
  'required Location that is missing': controllerWith({
    create: "create: (_, { reply }) => reply.«created»({ id: 1, title: 'a' }«|, { location: '/films/1' }»),",
  }),
  'required Location without a body': made(
    'created: { location: /x/ }',
    "reply.«created»(«|undefined, { location: 'x' }»)",
  ),
  'required header that is missing': controllerWith({
    update: "update: (_, { reply }) => reply.«tooMany»(«|undefined, { headers: { 'Retry-After': '5' } }»),",
  }),
  'required header that is misspelt': controllerWith({
    update: "update: (_, { reply }) => reply.tooMany(undefined, { headers: { «'Retry-Atfer'|'Retry-After'»: '5' } }),",
  }),
  'misspelt setting of a reply': controllerWith({
    create: "create: (_, { reply }) => reply.created({ id: 1, title: 'a' }, { «locaton|location»: '/films/1' }),",
  }),
  'response class that was not declared': controllerWith({
    show: 'show: () => «new» Responses.«Gone|NotFound»(),',
  }),
  'response class with a wrong body': controllerWith({
    show: "«show»: () => «new» Responses.Ok({ «body»: «{ id: 1 }|{ id: 1, title: 'a' }» }),",
  }),
}
