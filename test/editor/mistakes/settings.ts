// Mistakes in the settings of endpoints, actions, media types, attributes and applications.
import { action, applicationWith, endpointWith, type Mistakes } from './snippets.ts'

const ok = "responses: { ok: 'text/plain' },"

export const settings: Mistakes = {
  'misspelt setting of an action': action(`«parms|params»: { page: t.integer() },\n      ${ok}`),
  'misspelt routing of an action': `export default endpoint('Shelves', {
  actions: { list: { «rooting|routing»: route.get('/'), ${ok} } },
})
`,
  'unknown setting of an action': action(`${ok}\n      «cache: 60,|»`),
  'misspelt description of an action': action(`${ok}\n      «descripton|description»: 'All of them.',`),
  'misspelt rules between inputs': action(
    `params: { a: t.string(), b: t.string() },\n      requires: { «parms|params»: [atMostOne('a', 'b')] },\n      ${ok}`,
  ),
  'misspelt setting of an endpoint': endpointWith('«mediatype|mediaType»: Film,'),
  'unknown setting of an endpoint': endpointWith("«path: '/shelves',|prefix: '/shelves',»"),
  'misspelt actions': `export default endpoint('Shelves', {
  «action|actions»: { list: { routing: route.get('/'), ${ok} } },
})
`,
  'misspelt setting of the defaults': endpointWith('actionDefaults: { «param|params»: { page: t.integer() } },'),
  'route in the defaults': endpointWith("actionDefaults: { «routing: route.get('/')|» },"),
  'canonical path of no action': endpointWith("«canonicalPath»: «'display'|'list'»,"),
  'setting of a wrong type': endpointWith("«nodoc»: «'yes'|true»,"),
  'version that is a number': endpointWith("«version»: «1|'1.0'»,"),
  'misspelt setting of a media type': `export default mediaType('Thing', { «attribtues|attributes»: { id: t.integer() } })\n`,
  'unknown setting of a media type': `export default mediaType('Thing', { attributes: { id: t.integer() }, «view: ['id']|» })\n`,
  'attribute that is a plain value': `const Thing = mediaType('Thing', { attributes: { id: «'integer'|t.integer()» } })
export default endpoint('Things', { «mediaType»: Thing, actions: { list: { routing: route.get('/'), responses: { ok: true } } } })
`,
  'attribute that was not called': `const Thing = mediaType('Thing', { attributes: { id: «t.integer|t.integer()» } })
export default endpoint('Things', { «mediaType»: Thing, actions: { list: { routing: route.get('/'), responses: { ok: true } } } })
`,
  'view of an unknown attribute': `export default mediaType('Thing', {
  attributes: { id: t.integer(), label: t.string() },
  views: { short: ['id', «'lable'|'label'»] },
})
`,
  'unknown view': `export default Film.view(«'postre'|'poster'»)\n`,
  'unknown view of a list': `export default collectionOf(Film, { «view»: «'postre'|'poster'» })\n`,
  'misspelt option of a text': `export default t.string({ «requried|required»: true, max: 3 })\n`,
  'misspelt option of a number': `export default t.integer({ «minimum|min»: 1 })\n`,
  'option of another kind': `export default t.boolean({ «max: 3|» })\n`,
  'misspelt option of a list': `export default t.array(t.string(), { «maxx|max»: 3 })\n`,
  'misspelt option of a structure': `export default t.object({ a: t.string() }, { «nulable|nullable»: true })\n`,
  'misspelt option of a header': `export default header(/^a/, { «requred|required»: true })\n`,
  'misspelt option of inherit': action(`payload: { title: inherit({ «requried|required»: false }) },\n      ${ok}`),
  'default of a wrong type': `export default t.integer({ «default»: «'ten'|10» })\n`,
  'default outside values': `export default t.string({ values: ['a', 'b'], «default»: «'c'|'b'» })\n`,
  'default number outside values': `export default t.integer({ values: [1, 2], «default»: «3|2» })\n`,
  'example outside values': `export default t.string({ values: ['a', 'b'], «example»: «'c'|'b'» })\n`,
  'unknown format': `export default t.string({ «format»: «'e-mail'|'email'» })\n`,
  'unknown kind of attribute': `export default t.«text|string»({ max: 3 })\n`,
  'inherited attribute that does not exist': action(
    `payload: { title: inherit, «colour|genre»: inherit },\n      ${ok}`,
  ),
  'inherited param that does not exist': action(`params: { «titel|title»: inherit },\n      ${ok}`),
  'inherited attribute without a media type': `export default endpoint('Shelves', {
  actions: { add: { routing: route.post('/'), payload: { «title: inherit|title: t.string()» }, ${ok} } },
})
`,
  'capture that is no param': `export default endpoint('Shelves', {
  actions: { show: { «routing»: route.get('/:id'), params: { «code|id»: t.integer() }, ${ok} } },
})
`,
  'unknown verb': `export default endpoint('Shelves', { actions: { list: { routing: route.«fetch|get»('/'), ${ok} } } })\n`,
  'misspelt option of a route': `export default endpoint('Shelves', {
  actions: { list: { routing: route.get('/', { «nmae|name»: 'all' }), ${ok} } },
})
`,
  'parent that is a media type': endpointWith('«parent»: «Film|Films»,'),
  'renamed param that the parent does not have': endpointWith("parent: childOf(Films, { «ide|id»: 'film' }),"),
  'misspelt scopes of a scheme': action(`security: Card.«scope|scopes»('write'),\n      ${ok}`),
  'scheme by its name': action(`«security»: «'Card'|Card»,\n      ${ok}`),
  'misspelt policies': action(`«polices|policies»: [],\n      ${ok}`),
  'misspelt needs': action(`«need|needs»: { clock: need(() => 1) },\n      ${ok}`),
  'need that is a plain function': action(`needs: { «clock»: «() => 1|need(() => 1)» },\n      ${ok}`),
  'misspelt setting of the application': applicationWith("«basepath|basePath»: '/api',"),
  'misspelt limit of the application': applicationWith('limits: { «bdoy|body»: 1000 },'),
  'plugin that was not called': `export default application({
  controllers: [filmsController],
  plugins: [«mapper|mapper()», pagination()],
  verifiers: [verifier(Card, (nickname) => ({ nickname }))],
})
`,
  'misspelt option of a plugin': `export default application({
  controllers: [filmsController],
  plugins: [mapper(), pagination({ «maxItem|maxItems»: 10 })],
  verifiers: [verifier(Card, (nickname) => ({ nickname }))],
})
`,
  'endpoint in place of its controller': `export default application({
  controllers: [«Screenings|screeningsController»],
  plugins: [mapper(), pagination()],
})
`,
  'plugin that a param needs': {
    text: `export default application({
  controllers: [filmsController],
  plugins: [mapper()«|, pagination()»],
  verifiers: [verifier(Card, (nickname) => ({ nickname }))],
})
`,
    left: 'plugins are values: which names they answer to is known when they run',
  },
  'scheme without its verifier': {
    text: `export default application({
  controllers: [filmsController],
  plugins: [mapper(), pagination()],
  verifiers: [«|verifier(Card, (nickname) => ({ nickname }))»],
})
`,
    left: 'a list of verifiers may be put together anywhere, and plugins bring some',
  },
  'two endpoints of one name and version': {
    text: `const actions = { list: { routing: route.get('/'), responses: { ok: 'text/plain' } } } as const
const A = endpoint('Shelves', { version: '1.0', actions })
const B = endpoint('Shelves', { version: «'1.0'|'2.0'», actions })
export default application({ controllers: [A.implement({ list: () => 'a' }), B.implement({ list: () => 'b' })] })
`,
    left: 'controllers may come in any order from any file: their routes are compared when they are together',
  },
}
