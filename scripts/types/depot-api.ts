// Generates a realistic API: numbered endpoints of a depot with resources, controllers, the application, and a client with
// calls. budget.ts measures its cost for the compiler, and the editor benchmark opens it. Names and values differ between
// endpoints, so that the compiler cannot reuse results.

/** The files of a generated project, keyed by path. */
export type Files = Record<string, string>

/** The number of actions per endpoint. */
export const ACTIONS_EACH = 5

const nouns = ['Crate', 'Pallet', 'Truck', 'Driver', 'Carton', 'Seal', 'Permit', 'Claim', 'Rack', 'Gate']

interface Names {
  readonly n: number
  /** The media type: `Crate20`. */
  readonly type: string
  /** The endpoint: `Depot20Crates`. */
  readonly endpoint: string
  /** The name of its files and values: `crate20`. */
  readonly file: string
  /** The neighbour that elements refer to, if there is one. */
  readonly neighbour: Names | undefined
  /** The param that a child inherits from its parent; empty without a parent. */
  readonly parentParam: string
}

/** Returns the names of endpoint number `n`. Four of five refer to the previous one; the fifth is also its child. */
function createNames(n: number): Names {
  const noun = nouns[n % nouns.length]!
  const neighbour = n % 5 === 0 ? undefined : createNames(n - 1)
  return {
    n,
    type: `${noun}${n}`,
    endpoint: `Depot${n}${noun}s`,
    file: `${noun.toLowerCase()}${n}`,
    neighbour,
    parentParam: neighbour !== undefined && n % 5 === 4 ? getParentParam(n, neighbour) : '',
  }
}

// Every other child renames the param of its parent.
const isRenamed = (n: number): boolean => n % 10 === 9
const getParentParam = (n: number, { type }: Names): string =>
  isRenamed(n) ? `holder${n}` : `depot${n - 1}_${type.replace(/\d+$/, '').toLowerCase()}_id`

const schemes = `import { security } from 'edict'

export interface Clerk {
  readonly number: number
  readonly rights: readonly string[]
}
export interface Device {
  readonly serial: string
}
export const Badge = security.bearer<Clerk>('Badge')
export const Scanner = security.apiKey<Device>('Scanner', { in: 'header', name: 'X-Scanner' })
`

const person = `import { mediaType, t } from 'edict'

export const Person = mediaType('Person', {
  attributes: {
    id: t.integer({ required: true }),
    name: t.string({ required: true, max: 90 }),
    mail: t.string({ format: 'email' }),
    hired_at: t.dateTime(),
  },
  views: { badge: ['id', 'name'] },
})
`

function renderMediaType({ n, type, neighbour }: Names): string {
  return `/** One ${type} of the depot. */
export const ${type} = mediaType('${type}', {
  identifier: 'application/vnd.depot.${type.toLowerCase()}+json',
  description: 'One **${type}** of the depot.',
  attributes: {
    /** The number on the plate. */
    id: t.integer({ required: true }),
    /** The text on the label. */
    caption: t.string({ required: true, max: ${90 + n}, description: 'The text on the label.' }),
    state${n}: t.string({ required: true, values: ['new${n}', 'open${n}', 'closed'] }),
    weight: t.number({ min: 0, required: true }),
    pieces${n}: t.integer({ min: 0, default: ${n} }),
    fragile: t.boolean(),
    keywords: t.array(t.string({ max: 30 }), { max: 12 }),
    place: t.object({
      hall: t.string({ required: true }),
      row: t.string({ required: true }),
      spot: t.object({ x: t.number({ required: true }), y: t.number({ required: true }) }),
    }),
    marks: t.record(t.string()),
    arrived_at: t.dateTime({ required: true }),
    remark: t.string({ nullable: true }),
    keeper: Person.view('badge'),${neighbour === undefined ? '' : `\n    beside: ${neighbour.type}.view('plate'),`}
  },
  views: {
    plate: ['id', 'caption', 'state${n}'],
    sheet: ['id', 'caption', 'state${n}', 'weight', 'place', 'arrived_at', 'keeper'],
  },
})
`
}

function renderListParams({ n, type }: Names): string {
  return `{
        fields: FieldSelector.for(${type}),
        filters: FilteringParams.for(${type}, {
          caption: { wildcards: true },
          state${n}: {},
          weight: { operators: ['=', '<', '>'] },
          'keeper.id': {},
        }),
        order: OrderingParams.for(${type}, {
          byFields: ['id', 'caption', 'arrived_at', 'weight'],
          default: ['-arrived_at'],
        }),
        pagination: PaginationParams.for(${type}, { byFields: ['id', 'caption', 'arrived_at'], maxItems: ${50 + n} }),
        near${n}: t.string({ max: 60 }),
      }`
}

function renderActions(names: Names): string {
  const { n, type } = names
  return `{
    /** Lists what is there. */
    index: {
      routing: route.get('/'),
      security: [Badge, 'none'],
      params: ${renderListParams(names)},
      responses: { ok: collectionOf(${type}, { view: 'sheet' }) },
    },
    /** Shows one of them. */
    show: {
      routing: route.get('/:id', { name: 'single' }),
      params: { id: t.integer({ min: 1 }), fields: FieldSelector.for(${type}) },
      responses: { ok: ${type}, notFound: true },
    },
    create: {
      routing: route.post('/'),
      security: [Badge.scopes('enter'), Scanner],
      payload: {
        caption: inherit,
        state${n}: inherit,
        weight: inherit,
        pieces${n}: inherit,
        place: inherit({ required: true }),
        keywords: inherit,
        announce: t.boolean({ default: true }),
      },
      responses: {
        created: { location: /.*\\d+/, mediaType: ${type} },
        conflict: true,
        full${n}: { status: 429, headers: { 'Retry-After': /^\\d+$/ } },
      },
    },
    update: {
      routing: [route.patch('/:id'), route.put('/:id')],
      security: Badge.scopes('enter'),
      params: { id: t.integer({ min: 1 }) },
      headers: { 'If-Match': header() },
      payload: {
        caption: inherit({ required: false }),
        weight: inherit({ required: false }),
        fragile: inherit,
        remark: inherit,
        keywords: inherit,
      },
      responses: { ok: ${type}.view('plate'), notFound: true, preconditionFailed: true },
    },
    remove: {
      routing: route.delete('/:id'),
      security: Badge.scopes('enter'),
      params: { id: t.integer({ min: 1 }), cause${n}: t.string() },
      responses: { noContent: true, notFound: true },
    },
  }`
}

function renderDesign(names: Names): string {
  const { n, type, endpoint, neighbour, parentParam } = names
  const isChild = parentParam !== ''
  const imported = [neighbour?.type, isChild ? neighbour?.endpoint : undefined].filter((one) => one !== undefined)
  const parent = isRenamed(n) ? `childOf(${neighbour?.endpoint}, { id: '${parentParam}' })` : neighbour?.endpoint
  return `import { ${isChild && isRenamed(n) ? 'childOf, ' : ''}collectionOf, endpoint, header, inherit, mediaType, route, t } from 'edict'
import { FieldSelector, FilteringParams } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'
import { Person } from './person.ts'
import { Badge, Scanner } from './schemes.ts'
${neighbour === undefined ? '' : `import { ${imported.join(', ')} } from './${neighbour.file}.ts'\n`}
${renderMediaType(names)}
/** Everything about each ${type}. */
export const ${endpoint} = endpoint('${endpoint}', {
  description: 'Everything about each ${type}.',
  mediaType: ${type},
  version: '${n % 3 === 2 ? '2.0' : '1.0'}',${isChild ? `\n  parent: ${parent},` : ''}
  actionDefaults: {
    security: Badge,
    params: { rehearsal: t.boolean({ default: false }) },
    headers: { 'X-Trace': header(/^[0-9a-f]+$/) },
    responses: { forbidden: true },
  },
  actions: ${renderActions(names)},
})
`
}

function renderResource({ type, file, neighbour }: Names): string {
  return `import { one, resource } from 'edict/mapper'
import { datastore } from '../datastore.ts'
import { ${type} } from '../design/${file}.ts'
import { people } from './people.ts'
${neighbour === undefined ? '' : `import { ${neighbour.file}s } from './${neighbour.file}.ts'\n`}
export const ${file}s = resource(datastore, ${type}, {
  table: '${file}s',
  attributes: {
    place: { hall: 'hall', row: 'row', spot: false },
    keywords: 'keywords_json',
    keeper: one(people, { keeper_id: 'id' }),${neighbour === undefined ? '' : `\n    beside: one(${neighbour.file}s, { beside_id: 'id' }),`}
  },
})
`
}

function renderController({ n, endpoint, file, parentParam }: Names): string {
  const also = parentParam && `, ${parentParam}`
  return `import { controller, has } from 'edict'
import { ${endpoint} } from '../design/${file}.ts'
import { ${file}s } from '../resources/${file}.ts'

export const ${file}Controller = controller(${endpoint}, {
  async index({ near${n}, rehearsal${also} }, { request, reply, principal }) {
    if (rehearsal && principal === undefined) return reply.forbidden('Show your badge.')${parentParam && `\n    if (${parentParam} === 0) return reply.ok([])`}
    return reply.ok(await ${file}s.list(request, near${n} === undefined ? {} : { caption: near${n} }))
  },
  async show({ id${also} }, { request, reply, principal }) {
    const found = await ${file}s.find(id, request)
    if (found !== undefined) return reply.ok(found)
    const trace = request.headers['X-Trace'] ?? 'none'
    return reply.notFound(\`No \${id}${parentParam && ` of \${${parentParam}}`} for \${principal.number}, trace \${trace}.\`)
  },
  async create({ rehearsal${also} }, { request, reply, principal }) {
    const { announce, ...values } = request.payload
    const isHeavy = 'number' in principal && values.weight > principal.number
    if (isHeavy) return reply.full${n}(undefined, { headers: { 'Retry-After': '30' } })
    if (values.state${n} === 'new${n}' && values.pieces${n} > 5 && announce && rehearsal) return reply.conflict('Too many.')
    const { id } = await ${file}s.create({ ...values, arrived_at: new Date() })
    const { caption, state${n}, weight } = values
    const body = { id, caption, state${n}, weight, pieces${n}: values.pieces${n}, arrived_at: new Date() }
    return reply.created(body, { location: ${endpoint}.toHref({ id${also} }) })
  },
  async update({ id }, { request, reply }) {
    const { payload, headers } = request
    if (headers['If-Match'] === '"0"') return reply.preconditionFailed()
    if (has(payload, 'caption') && payload.caption.length > 5 && payload.remark === null) return reply.notFound()
    if (!(await ${file}s.update(id, payload))) return reply.notFound()
    return reply.ok({ id, caption: payload.caption ?? '', state${n}: 'closed' })
  },
  async remove({ id, cause${n} }, { reply }) {
    const isGone = await ${file}s.delete(id)
    return isGone ? reply.noContent() : reply.notFound(cause${n})
  },
})
`
}

function renderCalls({ n, endpoint, parentParam }: Names): string {
  const also = parentParam && `${parentParam}: 1, `
  const found = `\`\${each.caption} \${each.arrived_at.getFullYear()} \${each.keeper?.name}\``
  return `import { api } from './api.ts'

export async function walk${endpoint}(): Promise<string[]> {
  const lines: string[] = []
  const list = await api.${endpoint}.index({ ${also}near${n}: 'a', order: '-arrived_at', pagination: 'by=id,items=3' })
  if (list.name === 'ok') for (const each of list.body) lines.push(${found})
  const single = await api.${endpoint}.show({ ${also}id: 1 })
  if (single.name === 'ok') lines.push(single.body.caption, single.body.state${n}, single.body.place?.hall ?? '')
  else if (single.name === 'notFound') lines.push('none')
  const payload = { caption: 'a', state${n}: 'closed', weight: 1, place: { hall: 'a', row: 'b' } } as const
  const made = await api.${endpoint}.create({ ${also}}, { payload })
  if (made.name === 'created') lines.push(String(made.body.id), made.headers.get('Location') ?? '')
  const changed = await api.${endpoint}.update({ ${also}id: 1 }, { payload: { remark: null }, headers: { 'If-Match': '"1"' } })
  if (changed.name === 'ok') lines.push(changed.body.caption)
  const removed = await api.${endpoint}.remove({ ${also}id: 1, cause${n}: 'lost' })
  if (removed.name === 'failure') lines.push(removed.problem?.detail ?? '')
  for await (const each of api.${endpoint}.index.all({ ${also}})) lines.push(each.caption)
  return lines
}
`
}

function renderDatastore(all: readonly Names[]): string {
  const tables = all.map(({ n, file }) => `  ${file}s: { columns: columns(${n}), key: ['id'] },`)
  return `import { memoryDatastore } from 'edict/mapper'

const text = { kind: 'text' } as const
const integer = { kind: 'integer' } as const
const columns = (n: number) =>
  ({
    id: { kind: 'integer', nullable: false },
    caption: { kind: 'text', nullable: false },
    [\`state\${n}\`]: text,
    weight: { kind: 'number', nullable: false },
    [\`pieces\${n}\`]: integer,
    fragile: { kind: 'boolean' },
    keywords_json: { kind: 'json' },
    hall: text,
    row: text,
    marks: { kind: 'json' },
    arrived_at: { kind: 'dateTime', nullable: false },
    remark: text,
    keeper_id: integer,
    beside_id: integer,
  }) as const
export const datastore = memoryDatastore({
  people: { columns: { id: integer, name: text, mail: text, hired_at: { kind: 'dateTime' } }, key: ['id'] },
${tables.join('\n')}
})
`
}

function renderApplication(all: readonly Names[]): string {
  const imports = all.flatMap(({ file }) => [
    `import { ${file}Controller } from './controllers/${file}.ts'`,
    `import { ${file}s } from './resources/${file}.ts'`,
  ])
  return `import { application, forbidden, verifier } from 'edict'
import { mapper } from 'edict/mapper'
import { pagination } from 'edict/pagination'
import { Badge, Scanner } from './design/schemes.ts'
import { people } from './resources/people.ts'
${imports.join('\n')}

export const app = application({
  title: 'Depot',
  basePath: '/depot',
  verifiers: [
    verifier(Badge, (number, { scopes }) => {
      if (number === '') return undefined
      return scopes.length > 5 ? forbidden : { number: 1, rights: scopes }
    }),
    verifier(Scanner, (serial) => ({ serial })),
  ],
  plugins: [mapper({ resources: [people, ${all.map(({ file }) => `${file}s`).join(', ')}] }), pagination({ maxItems: 500 })],
  controllers: [${all.map(({ file }) => `${file}Controller`).join(', ')}],
})
`
}

// Imports the module as a namespace: an editor then checks only the parts that a file calls.
const clientSource = `import { client } from 'edict/client'
import * as design from '../design/index.ts'

export const api = client(design, { baseUrl: 'http://localhost:3000/depot' })
`

const renderModules = (all: readonly Names[]): string =>
  all.map(({ file }) => `export * from './${file}.ts'\n`).join('')

/** Returns the files of an API with the given number of endpoints. */
export function depotApi(endpoints: number): Files {
  const all = Array.from({ length: endpoints }, (_, n) => createNames(n))
  const files: Files = {
    'design/schemes.ts': schemes,
    'design/index.ts': renderModules(all),
    'design/person.ts': person,
    'datastore.ts': renderDatastore(all),
    'resources/people.ts': `import { resource } from 'edict/mapper'
import { datastore } from '../datastore.ts'
import { Person } from '../design/person.ts'

export const people = resource(datastore, Person, { table: 'people' })
`,
    'app.ts': renderApplication(all),
    'client/api.ts': clientSource,
  }
  for (const names of all) {
    files[`design/${names.file}.ts`] = renderDesign(names)
    files[`resources/${names.file}.ts`] = renderResource(names)
    files[`controllers/${names.file}.ts`] = renderController(names)
    files[`client/${names.file}.ts`] = renderCalls(names)
  }
  return files
}
