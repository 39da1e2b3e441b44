// The files of a generated resource: its design, its controller and its test; and its table, which is added to the others.
import { column, declaration, type GivenAttribute } from './attributes.ts'
import type { Names } from './names.ts'

/** The files of a resource, by their paths in the project. */
export function resourceFiles(names: Names, attributes: readonly GivenAttribute[]): Record<string, string> {
  return {
    [`src/design/${names.file}.ts`]: design(names, attributes),
    [`src/controllers/${names.file}.ts`]: controller(names),
    [`test/${names.file}.test.ts`]: test(names, attributes),
  }
}

/** The table of a resource. */
export function tableText({ many, value, table }: Names, attributes: readonly GivenAttribute[]): string {
  return `
/** The ${many}. */
export const ${value} = sqliteTable('${table}', (t) => ({
  id: t.integer().primaryKey(),
${lines(attributes, '  ', (attribute) => `${attribute.name}: ${column(attribute)}`)}
}))
`
}

// Commas belong to the lines, so that a list may be empty.
const lines = (
  attributes: readonly GivenAttribute[],
  indent: string,
  line: (attribute: GivenAttribute) => string,
): string => attributes.map((attribute) => `${indent}${line(attribute)},`).join('\n')

const isText = ({ kind }: GivenAttribute): boolean => kind.type === 'string'

function design({ one, many, mediaType, endpoint }: Names, attributes: readonly GivenAttribute[]): string {
  const filter = (attribute: GivenAttribute) => `${attribute.name}: ${isText(attribute) ? '{ wildcards: true }' : '{}'}`
  const fields = ['id', ...attributes.map(({ name }) => name)].map((name) => `'${name}'`).join(', ')
  const [first] = attributes
  return `// What ${article(one)} is, and what can be done with ${many}. Nothing here knows a server or a database.
import { collectionOf, endpoint, inherit, mediaType, route, t } from 'edict'
import { FieldSelector, FilteringParams } from 'edict/mapper'
import { OrderingParams, PaginationParams } from 'edict/pagination'

/** ${capital(article(one))}, as clients see it. */
export const ${mediaType} = mediaType('${mediaType}', {
  attributes: {
    id: t.integer({ required: true }),
${lines(attributes, '    ', (attribute) => `${attribute.name}: ${declaration(attribute)}`)}
  },
})

// What lists can be ordered by, and cut into parts by. An index of the table for each of them keeps long lists fast.
const byFields = [${fields}] as const

/** What can be done with ${many}. */
export const ${endpoint} = endpoint('${endpoint}', {
  description: 'Everything about ${many}.',
  mediaType: ${mediaType},
  actions: {
    index: {
      description: 'All ${many}, or those that match.',
      routing: route.get('/'),
      params: {
        // Which of them: \`filters=${first?.name}=…\`. A wildcards text may begin or end with \`*\`.
        filters: FilteringParams.for(${mediaType}, {
${lines(attributes, '          ', filter)}
        }),
        // In which order: \`order=-${first?.name},id\`.
        order: OrderingParams.for(${mediaType}, { byFields }),
        // Which part: \`pagination=page=2,items=5\`, or \`pagination=by=id,items=5\` and then from link to link.
        pagination: PaginationParams.for(${mediaType}, { byFields }),
        // And what of each: \`fields=id,${first?.name}\`.
        fields: FieldSelector.for(${mediaType}),
      },
      responses: { ok: collectionOf(${mediaType}) },
    },
    show: {
      description: 'One ${one}.',
      routing: route.get('/:id'),
      params: { id: t.integer() },
      responses: { ok: ${mediaType}, notFound: true },
    },
    create: {
      description: 'Adds ${article(one)}.',
      routing: route.post('/'),
      // \`inherit\` takes an attribute over from the media type, with its options.
      payload: {
${lines(attributes, '        ', ({ name }) => `${name}: inherit`)}
      },
      responses: { created: { location: /\\/${'\\d+$/'} } },
    },
    update: {
      description: 'Changes the attributes that are sent.',
      routing: route.patch('/:id'),
      params: { id: t.integer() },
      payload: {
${lines(attributes, '        ', ({ name, nullable }) => `${name}: inherit${nullable ? '' : '({ required: false })'}`)}
      },
      responses: { noContent: true, notFound: true },
    },
    remove: {
      description: 'Removes ${article(one)}.',
      routing: route.delete('/:id'),
      params: { id: t.integer() },
      responses: { noContent: true, notFound: true },
    },
  },
})
`
}

function controller({ one, many, endpoint, value, file }: Names): string {
  return `// What happens when somebody asks for ${many}. Params, payloads and replies have the types that the design declares.
import { controller } from 'edict'
import { ${endpoint} } from '../design/${file}.ts'
import type { Resources } from '../resources.ts'

/** Implements ${endpoint}. */
export const ${value} = ({ ${value} }: Resources) =>
  controller(${endpoint}, {
    // Filters, order, pagination and fields of the request become one query.
    index: async (_, { request, reply }) => reply.ok(await ${value}.list(request)),

    async show({ id }, { request, reply }) {
      const found = await ${value}.find(id, request)
      return found ? reply.ok(found) : reply.notFound(\`There is no ${one} \${id}.\`)
    },

    async create(_, { request, reply, href }) {
      const { id } = await ${value}.create(request.payload)
      return reply.created(undefined, { location: href(${endpoint}, { id }) })
    },

    async update({ id }, { request, reply }) {
      // Only what was sent is in the payload, so that nothing else is overwritten.
      const found = await ${value}.update(id, request.payload)
      return found ? reply.noContent() : reply.notFound(\`There is no ${one} \${id}.\`)
    },

    async remove({ id }, { reply }) {
      const found = await ${value}.delete(id)
      return found ? reply.noContent() : reply.notFound(\`There is no ${one} \${id}.\`)
    },
  })
`
}

function test({ one, many, endpoint, table }: Names, attributes: readonly GivenAttribute[]): string {
  const sample = (which: 0 | 1) => attributes.map(({ name, kind }) => `${name}: ${kind.values[which]}`).join(', ')
  const first = attributes[0] as GivenAttribute
  return `// ${endpoint}, asked as a client would, over a database in memory.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { Application } from 'edict'
import { createApi } from '../src/api.ts'
import { type Database, openDatabase } from '../src/database.ts'
import { ask } from './ask.ts'

const first = { ${sample(0)} }
const second = { ${sample(1)} }

describe('${endpoint}', () => {
  let database: Database
  let app: Application

  beforeEach(async () => {
    database = openDatabase(':memory:')
    await database.prepare()
    app = createApi(database)
  })

  afterEach(() => database.close())

  it('adds ${article(one)}, shows, changes and removes it', async () => {
    const { status, headers } = await ask(app, 'POST /${table}', first)
    assert.deepEqual([status, headers.get('location')], [201, '/${table}/1'])
    assert.deepEqual((await ask(app, 'GET /${table}/1')).body, { id: 1, ...first })
    assert.equal((await ask(app, 'PATCH /${table}/1', { ${first.name}: second.${first.name} })).status, 204)
    assert.equal((await ask(app, 'GET /${table}/1')).body.${first.name}, second.${first.name})
    assert.equal((await ask(app, 'DELETE /${table}/1')).status, 204)
    assert.equal((await ask(app, 'GET /${table}/1')).status, 404)
  })

  it('lists ${many} in parts, in an order, filtered, with the fields that are wanted', async () => {
    for (const sent of [first, second]) await ask(app, 'POST /${table}', sent)
    const { body, headers } = await ask(app, 'GET /${table}?order=-id&pagination=items=1,total_count=true&fields=id')
    assert.deepEqual(body, [{ id: 2 }])
    assert.equal(headers.get('total-count'), '2')
    assert.match(headers.get('link') ?? '', /rel="next"/)
    const filters = encodeURIComponent(\`${first.name}=\${first.${first.name}}\`)
    assert.deepEqual((await ask(app, \`GET /${table}?filters=\${filters}\`)).body, [{ id: 1, ...first }])
  })

  it('refuses what does not match its declaration', async () => {
    const { status, body } = await ask(app, 'POST /${table}', { ...first, ${first.name}: ${first.kind.wrong} })
    assert.deepEqual([status, body.errors[0].pointer], [400, '/${first.name}'])
    assert.equal((await ask(app, 'GET /${table}?colour=red')).status, 400)
  })
})
`
}

const article = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`

const capital = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`
