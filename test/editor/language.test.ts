// An API in an editor: definitions, references, renames, completions and hovers, from both language servers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CinemaFile, Questions, servers } from './questions.ts'

type Spot = readonly [file: CinemaFile, marked: string]

/** Answers that the types do not give, by title: no language server renames a name in a list of texts. */
const waiting: ReadonlySet<string> = new Set([
  'EDT-01 the rename of an attribute in orders',
  'EDT-01 the rename of an attribute in views',
  'EDT-06 a hover of at most 300 characters: reply',
  'EDT-06 a hover of at most 300 characters: a resource',
  'EDT-06 a hover of at most 300 characters: a controller',
  'EDT-06 a hover of at most 300 characters: a media type',
  'EDT-06 a hover of at most 300 characters: an endpoint',
  'EDT-06 a hover of at most 300 characters: an action',
  'EDT-06 a hover of at most 300 characters: a client',
  'EDT-06 a hover of at most 300 characters: the calls of a definition',
  'EDT-06 a hover of at most 300 characters: a call',
])

// A second try of what is expected to fail only takes time.
const check = (title: string, ask: () => Promise<void>): void =>
  waiting.has(title) ? it.fails(title, { retry: 0 }, ask) : it(title, ask)

const show = 'design.ts: show: {'
const ofTitle = 'design.ts: title: t.string({ required: true, max: 100 }),'
const ofPayload = 'design.ts: payload: { title: inherit, genre: inherit, year: inherit, studio: inherit },'
const ofShowParams = 'design.ts: params: { id: t.integer(), fields: FieldSelector.for(Film) },'

/** Where a word leads: to the lines that declare it, and nowhere else. */
const definitions: Readonly<Record<string, readonly [...Spot, string, string?]>> = {
  "a controller's function": ['server.ts', 'async |show(', show],
  'a call of a client': ['client.ts', 'api.Films.|show(', show],
  'a list that a client walks': ['client.ts', 'api.Films.|index.all', 'design.ts: index: {'],
  'a reply': ['server.ts', 'reply.|notFound(principal', 'design.ts: notFound: true,'],
  'a reply of the defaults': [
    'server.ts',
    'reply.|forbidden(',
    'design.ts: actionDefaults: { params: { locale: t.string() }, responses: { forbidden: true } },',
  ],
  'a param': ['server.ts', 'async show({ |id }', ofShowParams],
  'a param of a call': ['client.ts', 'api.Films.show({ |id', ofShowParams],
  'an attribute of a payload': ['server.ts', 'const { |title, genre }', ofPayload, ofTitle],
  'an attribute of a payload that is sent': ['client.ts', 'payload: { |title', ofPayload, ofTitle],
  'an inherited attribute': ['design.ts', 'payload: { |title: inherit, genre', ofPayload, ofTitle],
  'a header': ['server.ts', "headers['|If-Match']", "design.ts: headers: { 'If-Match': header() },"],
  'an attribute of a body': ['client.ts', 'shown.body.|title', ofTitle],
  'an attribute of an element': ['client.ts', 'film.|title, film', ofTitle],
  'an attribute of a view below another': [
    'client.ts',
    'director?.|name',
    'design.ts: name: t.string({ required: true }),',
  ],
  'a member of the principal': ['server.ts', 'principal.|nickname', 'design.ts: readonly nickname: string'],
}

/** The documentation of a word. */
const docs: Readonly<Record<string, readonly [...Spot, string]>> = {
  "a controller's function": ['server.ts', 'async |show(', 'Shows one film.'],
  'a call of a client': ['client.ts', 'api.Films.|create(', 'Adds a film.'],
  'a reply': ['server.ts', 'reply.|ok(film)', 'The film as it stands in the catalogue.'],
  'an attribute of a body': ['client.ts', 'shown.body.|title', 'The name on the poster.'],
  'an attribute of an element': ['client.ts', 'film.|title, film', 'The name on the poster.'],
  'an attribute of a payload': ['server.ts', 'const { |title, genre }', 'The name on the poster.'],
}

/** Words that stand for one thing: a rename of any of them changes these lines. */
const ofAction = [
  show,
  'server.ts: async show({ id }, { request, reply, principal }) {',
  "client.ts: const shown = await api.Films.show({ id: 1 }, { headers: { 'X-Trace': 'a' } })",
]
const ofResponse = [
  'design.ts: notFound: true,',
  'server.ts: if (film === undefined) return reply.notFound(principal.nickname)',
]
const renames: Readonly<Record<string, readonly [...Spot, readonly string[]]>> = {
  'an action, where it is declared': ['design.ts', '|show: {\n      routing: route.get(', ofAction],
  'an action, in the controller': ['server.ts', 'async |show(', ofAction],
  'an action, in the client': ['client.ts', 'api.Films.|show(', ofAction],
  'a response, where it is declared': ['design.ts', '|notFound: true,\n      },', ofResponse],
  'a response, in the controller': ['server.ts', 'reply.|notFound(principal', ofResponse],
}

/** Lines of other kinds that follow the name of an attribute. */
const ofAttribute: Readonly<Record<string, readonly string[]>> = {
  'bodies, elements and replies': [
    ofTitle,
    "client.ts: if (shown.name === 'ok') lines.push(shown.body.title)",
    'client.ts: for await (const film of api.Films.index.all({})) lines.push(film.title)',
    "server.ts: return reply.ok({ id, title: has(payload, 'title') ? payload.title : '' })",
  ],
  'inherited attributes': [ofPayload, 'design.ts: payload: { title: inherit({ required: false }), tags: inherit },'],
  payloads: [
    'server.ts: const { title, genre } = request.payload',
    "client.ts: const made = await api.Films.create({}, { payload: { title: 'Alice', genre: 'drama' } })",
  ],
  filters: ["design.ts: filters: FilteringParams.for(Film, { title: {}, year: {}, 'director.name': {} }),"],
  orders: ["design.ts: order: OrderingParams.for(Film, { byFields: ['id', 'title', 'director.name'] }),"],
  views: ["design.ts: views: { poster: ['id', 'title'], page: ['id', 'title', 'year', 'studio', 'director'] },"],
}

const statuses = ['ok', 'created', 'noContent', 'notFound', 'unprocessableContent', 'tooManyRequests']
const paths = ['id', 'title', 'studio', 'studio.city', 'director.name']

/** The completions at the bar, once a text of a file is replaced by the other one. */
const completions: Readonly<Record<string, readonly [CinemaFile, readonly [string, string], readonly string[]]>> = {
  'names of responses': ['design.ts', ['responses: { noContent: true }', 'responses: { | }'], statuses],
  'names of responses of the defaults': ['design.ts', ['responses: { forbidden: true }', 'responses: { | }'], statuses],
  replies: ['server.ts', ['reply.notFound(principal', 'reply.|notFound(principal'], ['forbidden', 'notFound', 'ok']],
  'fields of an order': ['design.ts', ["byFields: ['id', 'title', 'd", "byFields: ['|id', 'title', 'd"], paths],
  'fields of pages': ['design.ts', ["byFields: ['id', 'title'] }", "byFields: ['|id'] }"], paths],
  'fields of filters': ['design.ts', ["{ title: {}, year: {}, 'director.name': {} }", '{ | }'], paths],
  'fields that a client selects': ['client.ts', ["order: '-title'", "fields: ['|']"], paths],
  'attributes of a view': [
    'design.ts',
    ["poster: ['id', 'title']", "poster: ['|id', 'title']"],
    ['id', 'title', 'director'],
  ],
  'names of views': ['design.ts', ["Film.view('poster')", "Film.view('|poster')"], ['poster', 'page']],
  'settings of an action': [
    'design.ts',
    ['/** Adds a film. */\n    create: {', 'create: { |'],
    ['params', 'security', 'needs'],
  ],
  'settings of an endpoint': [
    'design.ts',
    ['  mediaType: Film,\n  actionDefaults', '  |\n  actionDefaults'],
    ['mediaType', 'parent'],
  ],
  'options of an attribute': [
    'design.ts',
    ['t.integer({ min: 1 })', 't.integer({ | })'],
    ['required', 'min', 'default'],
  ],
  'attributes to inherit': [
    'design.ts',
    ['payload: { title: inherit, genre', 'payload: { |, genre'],
    ['title', 'rating', 'tags'],
  ],
  'attributes of a body': ['server.ts', ['reply.created({ id, title', 'reply.created({ |, title'], ['id', 'year']],
  'params of an action': ['server.ts', ['async show({ id }', 'async show({ | }'], ['id', 'locale', 'fields']],
  'actions of a controller': [
    'server.ts',
    ['remove: (_, { reply }) => reply.noContent(),', 'rem| // the last one'],
    ['remove'],
  ],
  'calls of a client': [
    'client.ts',
    ['api.Films.show(', 'api.Films.|show('],
    ['index', 'show', 'create', 'update', 'remove'],
  ],
  'attributes of a payload that is sent': [
    'client.ts',
    ["payload: { title: 'Alice', genre: 'drama' }", 'payload: { | }'],
    ['title', 'genre', 'year'],
  ],
  'values of an attribute': ['client.ts', ["genre: 'drama'", "genre: '|'"], ['drama', 'comedy']],
  'names of an answer': [
    'client.ts',
    ["shown.name === 'ok'", "shown.name === '|ok'"],
    ['ok', 'notFound', 'forbidden', 'failure'],
  ],
}

/** Words to hover over. */
const hovers: Readonly<Record<string, Spot>> = {
  'params in a pattern': ['server.ts', 'async show({ |id }'],
  params: ['server.ts', 'index: async (|_, '],
  payload: ['server.ts', 'const { |payload, headers }'],
  'a payload that is read': ['server.ts', 'genre } = request.|payload'],
  headers: ['server.ts', 'const { payload, |headers }'],
  request: ['server.ts', 'async show({ id }, { |request'],
  reply: ['server.ts', 'async show({ id }, { request, |reply'],
  principal: ['server.ts', 'request, reply, |principal'],
  'a reply with a body': ['server.ts', 'reply.|ok(film)'],
  'a reply without a body': ['server.ts', 'reply.|notFound(principal'],
  'a reply with a view': ['server.ts', 'return reply.|ok({ id, title: has'],
  'an element that was found': ['server.ts', 'const |film = await'],
  'a resource': ['server.ts', 'const |films = resource'],
  'a controller': ['server.ts', 'const |filmsController'],
  'an application': ['server.ts', 'const |app'],
  'a media type': ['design.ts', 'const |Film = mediaType'],
  'an endpoint': ['design.ts', 'const |Films = endpoint'],
  'an action': ['design.ts', '|show: {\n      routing: route.get('],
  'a client': ['client.ts', 'const |api'],
  'the calls of a definition': ['client.ts', 'api.|Films.create'],
  'a call': ['client.ts', 'api.Films.|create('],
  'a list of a client': ['client.ts', 'const |list ='],
  'an answer': ['client.ts', 'const |shown ='],
  'an element of a list': ['client.ts', 'for (const |film of'],
  'a body': ['client.ts', 'shown.|body'],
  'a body of a list': ['client.ts', 'list.|body'],
  'an element below another': ['client.ts', 'film.|director?.name'],
  'a thrown error': ['client.ts', 'lines.push(|error.response'],
  'the response of a thrown error': ['client.ts', 'error.|response'],
  'the key of an element': ['server.ts', 'const { |id } = await films.create'],
}

/** Words whose hover may be longer, but has no declaration in it: users wrote that elsewhere. */
const plainHovers: Readonly<Record<string, Spot>> = {
  reply: hovers['reply']!,
  'a call': ['client.ts', 'api.Films.|create('],
  'a call that selects': ['client.ts', 'api.Films.|show('],
  'a call of a list': ['client.ts', 'api.Films.|index({'],
  'a walk along a list': ['client.ts', 'index.|all({'],
  'a call that throws': ['client.ts', 'remove.|ok('],
  'the question who threw': ['client.ts', 'remove.|threw('],
}

/** The most characters of a hover. */
const HOVER = 300
/** How a declaration is printed. */
const declaration = /\b(?:Attribute|MediaType|View|Collection|Endpoint)</
/** Types that no user wrote: an alias that a hover does not resolve says nothing. */
const internal = /\b(?:ViewOf|Filled|SentOf|Sent|ParamsInput|ByName|Bodies|DeclaredOf|BodyOf|Inherit|Over|Pick|Omit)</

for (const [server, start] of Object.entries(servers)) {
  describe(server, () => {
    let editor: Questions

    beforeAll(async () => {
      editor = new Questions(start)
      for (const file of ['design.ts', 'server.ts', 'client.ts'] as const) expect(await editor.errors(file)).toEqual([])
    }, 120_000)
    afterAll(() => editor.close())

    for (const [of, [file, marked, ...expected]] of Object.entries(definitions))
      check(`EDT-01 the definition of ${of}`, async () => {
        expect([...(await editor.definitions(file, marked))].sort()).toEqual([...expected].sort())
      })

    // TypeScript 7.0 shows no JSDoc through mapped types, not even through `{ [K in keyof T]: T[K] }`.
    for (const [of, [file, marked, expected]] of server === 'TypeScript 5.9' ? Object.entries(docs) : [])
      check(`EDT-01 the documentation of ${of}`, async () => {
        expect((await editor.hover(file, marked)).docs).toBe(expected)
      })

    for (const [of, [file, marked, expected]] of Object.entries(renames))
      check(`EDT-01 references and the rename of ${of}`, async () => {
        expect(await editor.references(file, marked)).toEqual([...expected].sort())
        expect(await editor.renames(file, marked)).toEqual([...expected].sort())
      })

    for (const [of, expected] of Object.entries(ofAttribute))
      check(`EDT-01 the rename of an attribute in ${of}`, async () => {
        const found = await editor.renames('design.ts', '|title: t.string({ required: true, max')
        expect(found).toEqual(expect.arrayContaining([...expected]))
      })

    for (const [of, [file, edit, expected]] of Object.entries(completions))
      check(`EDT-02 completions: ${of}`, async () => {
        const offered = await editor.completions(file, edit)
        expect(offered).toEqual(expect.arrayContaining([...expected]))
        expect(offered).not.toContain('globalThis')
      })

    for (const [of, [file, marked]] of Object.entries(hovers))
      check(`EDT-06 a hover of at most 300 characters: ${of}`, async () => {
        const { text } = await editor.hover(file, marked)
        expect(text).not.toBe('')
        expect(text).not.toMatch(internal)
        expect(text.length, text).toBeLessThanOrEqual(HOVER)
      })

    for (const [of, [file, marked]] of Object.entries(plainHovers))
      check(`EDT-06 a hover without the declaration: ${of}`, async () => {
        const { text } = await editor.hover(file, marked)
        expect(text).not.toBe('')
        expect(text).not.toMatch(internal)
        expect(text).not.toMatch(declaration)
      })
  })
}
