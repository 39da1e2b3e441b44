// An API with every kind of attribute, header, payload, response, route and scheme, for its documents.
import {
  type Attribute,
  type Attributes,
  collectionOf,
  endpoint,
  exactlyOne,
  header,
  inherit,
  mediaType,
  route,
  security,
  t,
} from 'edict'
import { FieldSelector, FilteringParams } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'
import * as v from 'valibot'
import { z } from 'zod'

const Colour = z.string().regex(/^#[0-9a-f]{6}$/)
// A foreign schema with definitions of its own, one of which refers to itself.
const Category: z.ZodType = z.object({
  name: z.string(),
  get children() {
    return z.array(Category).optional()
  },
})

interface Tree {
  label: string
  children?: Tree[]
}

const Tree: Attribute<Tree> = t.object({
  label: t.string({ required: true }),
  children: t.array(t.ref((): Attribute<Tree> => Tree, { name: 'Tree' })),
}) as never

/** Every kind of attribute that JSON can carry, in most of its forms. */
const everyKind = {
  text: t.string({ required: true, min: 2, max: 12, description: 'A *short* text.' }),
  pattern: t.string({ pattern: /[a-z]{2,4}-\d+/ }),
  unportable: t.string({ pattern: /[a-z]+/i }),
  chosen: t.string({ values: ['red', 'green'], nullable: true }),
  uuid: t.string({ format: 'uuid' }),
  uri: t.string({ format: 'uri' }),
  email: t.string({ format: 'email', example: 'grace@example.com' }),
  whole: t.integer({ min: 3, max: 9 }),
  number: t.number({ min: 0.25, max: 0.75 }),
  rating: t.integer({ values: [1, 2, 3], nullable: true }),
  step: t.number({ values: [0.5, 1, 1.5], default: 1 }),
  size: t.bigint({ values: [1n, 2n ** 64n] }),
  large: t.bigint({ min: 0n, nullable: true }),
  price: t.decimal({ precision: 10, scale: 2, min: '0', nullable: true, example: '12.5' }),
  flag: t.boolean({ default: true }),
  day: t.date({ nullable: true, example: '2024-02-29' }),
  moment: t.dateTime({ required: true }),
  clock: t.time({ default: '08:30' }),
  anything: t.any({ nullable: true }),
  something: t.any(),
  list: t.array(t.integer({ nullable: true }), { min: 2, max: 3 }),
  ids: t.array(t.integer(), { delimiter: ',', max: 4 }),
  words: t.array(t.string({ max: 9 }), { delimiter: '|' }),
  lists: t.array(t.array(t.string())),
  asText: t.json(t.object({ a: t.integer({ required: true }), b: t.array(t.date()) }), { nullable: true }),
  names: t.record(t.number(), { min: 1, max: 4, nullable: true }),
  part: t.object(
    { inner: t.string({ required: true }), deeper: t.object({ deepest: t.boolean() }) },
    { nullable: true },
  ),
  reach: t.object({ email: t.string(), phone: t.string() }, { requires: [exactlyOne('email', 'phone')] }),
  shape: t.union('kind', { circle: { radius: t.number({ required: true }) }, 'a square': { side: t.integer() } }),
  tree: Tree,
  colour: t.standard(Colour),
  category: t.standard(Category),
  plain: t.standard(v.string()),
  late: t.ref((): Attribute<string | null> => t.string({ nullable: true }), { name: 'Late', nullable: true }),
} as const satisfies Attributes

const Owner = mediaType('Owner', {
  description: 'Who has something.',
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ required: true }),
    thing: t.ref((): Attribute<unknown> => Thing),
  },
})

/** A name that components cannot have, and views. */
const Thing = mediaType('Thing: a/b', {
  identifier: 'application/vnd.thing+json',
  attributes: { id: t.integer({ required: true }), ...everyKind, owner: Owner, owners: t.array(Owner) },
  views: { full: ['id', 'text', 'moment', 'owner', 'owners', 'shape', 'tree'], tiny: ['id'] },
})

/** Two media types of one name. */
const OtherOwner = mediaType('Owner', { attributes: { key: t.string({ required: true }) } })
/** One that is called as the input of another is. */
const OwnerInput = mediaType('OwnerInput', { attributes: { own: t.boolean() } })

const token = security.bearer<string>('token', { format: 'JWT', description: 'A token.' })
const password = security.basic<string>('a password')
const inQuery = security.apiKey<string>('key', { in: 'query', name: 'api_key' })
const inCookie = security.apiKey<string>('key', { in: 'cookie', name: 'session' })
const inHeader = security.apiKey<string>('header key', { in: 'header', name: 'X-Key' })
const grants = security.oauth2<string>('grants', {
  flows: { clientCredentials: { tokenUrl: 'https://example.com/token', scopes: { 'things:write': 'Write things' } } },
})
const connect = security.openIdConnect<string>('connect', { url: 'https://example.com/openid' })

export const Things = endpoint('Things', {
  description: 'All **things**, <em>rendered</em>.',
  mediaType: Thing,
  version: '1.0',
  actions: {
    index: {
      description: 'All things. Some of them.',
      routing: route.get('/'),
      params: {
        ...everyKind,
        query: t.object({ from: t.date({ required: true }), to: t.date() }, { description: 'A time' }),
        nested: t.object({ a: t.object({ b: t.integer({ required: true }) }), list: t.array(t.string()) }),
        free: t.record(t.string()),
        filters: FilteringParams.for(
          Thing,
          { text: { wildcards: true }, whole: { operators: ['>', '<'] } },
          { description: 'Which' },
        ),
        order: OrderingParams.for(Thing, { byFields: ['text', 'whole'], default: ['-text'] }),
        pagination: PaginationParams.for(Thing, { maxItems: 7, disallow: 'cursor', pageSize: 5 }),
        fields: FieldSelector.for(Thing),
      },
      responses: { ok: collectionOf(Thing) },
    },
    show: {
      description: 'One thing.',
      routing: [
        route.get('/:id', { name: 'thing', capture: { id: /\d+/ } }),
        route.get('//t/:id(.:format)?', { name: 'short', capture: { format: ['json', 'txt'] } }),
        route.get('/:id/(parts|pieces)(/:piece)?'),
      ],
      params: { id: t.integer(), format: t.string(), piece: t.string({ pattern: /[a-z]{3}/ }) },
      responses: {
        ok: {
          mediaType: [Thing.view('full'), Owner, 'text/csv', 'image/png'],
          headers: { ETag: /".*"/i, 'X-Any': true },
        },
        notModified: true,
        notFound: { description: 'There is no such thing.' },
      },
    },
    // Another name at the place of `:id`, and a word that comes before both.
    rename: {
      routing: route.put('/:name'),
      params: { name: t.string() },
      payload: { text: inherit },
      responses: { noContent: true },
    },
    mine: { routing: route.get('/mine'), responses: { ok: Thing.view('tiny') } },
    search: {
      routing: route.get('/~:word'),
      params: { word: t.string() },
      responses: { ok: collectionOf(Thing, { view: 'tiny' }) },
    },
    create: {
      routing: route.post('/'),
      headers: {
        'X-Plain': header(),
        'X-Described': header({ description: 'Said *well*.', max: 40, required: false }),
        'X-Number': header(t.integer({ description: 'A number' })),
        'X-Pattern': header(/^[a-z]+$/),
        'X-Fixed': header('yes', { required: true }),
        'X-List': t.array(t.integer(), { max: 3 }),
        'X-General': t.string({ default: 'x', nullable: true }),
      },
      payload: {
        ...everyKind,
        text: inherit({ required: false }),
        moment: inherit,
        owner: t.ref(Owner, { nullable: true }),
      },
      consumes: ['application/json', 'application/*+json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
      responses: {
        created: {
          location: /^\/things\/\d+$/,
          headers: {
            'X-Count': t.integer({ required: true, description: 'How many.' }),
            'X-Maybe': t.string(),
            'X-Same': 'same',
          },
        },
        alsoCreated: { status: 201, mediaType: OtherOwner, headers: { 'X-Same': 'other' } },
        badRequest: { mediaType: OwnerInput, description: 'Wrong in another way' },
        conflict: true,
      },
    },
    upload: {
      routing: route.put('/:id/picture'),
      params: { id: t.integer() },
      payload: {
        picture: t.file({ required: true, types: ['image/png', 'image/jpeg'], max: 1024 }),
        more: t.array(t.file()),
        note: t.string(),
        about: t.object({ by: t.string() }),
      },
      responses: { noContent: true },
    },
    raw: {
      routing: route.put('/:id/raw'),
      params: { id: t.integer() },
      payload: t.file({ required: true, types: ['image/png'], max: 2048, description: 'The picture' }),
      bodyLimit: 4096,
      responses: { noContent: true },
    },
    write: {
      routing: route.put('/:id/text'),
      params: { id: t.integer() },
      payload: t.string({ min: 3 }),
      responses: { noContent: true },
    },
    replace: {
      routing: route.put('/'),
      payload: t.array(Owner, { required: true, max: 3 }),
      responses: { ok: t.record(t.integer()), accepted: 'application/json' },
    },
    whole: { routing: route.post('/whole'), payload: Thing, responses: { resetContent: true } },
    any: {
      routing: route.any('/any/*'),
      params: { splat: t.array(t.string()) },
      ignore: ['*'],
      responses: { gone: true },
    },
    own: { routing: route.post('/any/*rest'), params: { rest: t.string() }, responses: { noContent: true } },
    braces: { routing: route.get('/odd name/ü'), responses: { ok: 'text/plain' } },
    head: { routing: route.head('/:id/head'), params: { id: t.integer() }, responses: { ok: true } },
  },
})

export const Locked = endpoint('Locked', {
  description: 'Only for some.',
  version: '1.0',
  actionDefaults: { security: token },
  actions: {
    token: { routing: route.get('/token'), responses: { noContent: true, unauthorized: true } },
    either: { routing: route.get('/either'), security: [password, inQuery], responses: { noContent: true } },
    cookie: { routing: route.get('/cookie'), security: inCookie, responses: { noContent: true } },
    header: { routing: route.get('/header'), security: [inHeader, 'none'], responses: { noContent: true } },
    scopes: { routing: route.post('/scopes'), security: grants.scopes('things:write'), responses: { noContent: true } },
    connect: { routing: route.get('/connect'), security: connect, responses: { noContent: true } },
    open: { routing: route.get('/open'), security: 'none', responses: { noContent: true } },
    old: {
      routing: route.get('/old'),
      security: 'none',
      headers: { Authorization: header() },
      responses: { noContent: true },
    },
  },
})

const Secret = mediaType('Secret', { attributes: { hidden: t.string() } })

/** An endpoint that documents leave out. */
export const Hidden = endpoint('Hidden', {
  nodoc: true,
  version: '1.0',
  actions: {
    show: { routing: route.get('/'), security: security.bearer('hidden'), responses: { ok: Secret } },
  },
})

export const Half = endpoint('Half', {
  actions: {
    shown: { routing: route.get('/shown'), responses: { ok: Owner } },
    hidden: {
      nodoc: true,
      routing: route.post('/hidden'),
      params: { deep: t.union('a', { secret: { x: t.integer() } }) },
      payload: Secret,
      responses: { ok: Secret },
    },
  },
})
