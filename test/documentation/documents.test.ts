// OpenAPI documents: what declarations become in them, and what stays out.
import { application, collectionOf, endpoint, header, inherit, mediaType, problemEncoder, route, t } from 'edict'
import { describe, expect, it, vi } from 'vitest'
import { attributeRules } from '../../src/design/attribute-rules.ts'
import type { OpenapiDocument, Operation, Parameter } from '../../src/openapi/types.ts'
import { Half, Hidden, Locked, Things } from '../support/documents/kitchen-sink.ts'
import { operationsOf } from '../support/documents/requests.ts'
import { stub } from '../support/documents/stubs.ts'

const { app } = stub([Things, Locked, Hidden, Half])
const document: OpenapiDocument = JSON.parse(JSON.stringify(app.openapi('1.0')))

const operation = (line: string, of: OpenapiDocument = document): Operation => {
  const [verb = '', path = ''] = line.split(' ')
  const found = of.paths[path]?.[verb.toLowerCase()]
  if (found === undefined) throw new Error(`There is no ${line} among ${Object.keys(of.paths).join(' ')}`)
  return found
}
const parameter = (line: string, name: string): Parameter =>
  operation(line).parameters?.find((one) => one.name === name) as Parameter
const schema = (name: string): any => document.components.schemas[name]

describe('[DOC-01] a document is made from the declarations', () => {
  it('with what the application says of itself', () => {
    expect(document.info).toEqual({ title: 'Stub', version: '1.0' })
    expect(app.openapi()['info']).toEqual({ title: 'Stub', version: 'unversioned' })
    expect(() => app.openapi('9')).toThrow("There is no document of the version '9'; there is: '1.0', no version")
  })

  it('[DEF-02] [ACT-03] with the descriptions of endpoints and actions, markdown and HTML untouched', () => {
    expect(document.tags).toEqual([
      { name: 'Things', description: 'All **things**, <em>rendered</em>.' },
      { name: 'Locked', description: 'Only for some.' },
    ])
    const { summary, description, tags } = operation('GET /things')
    expect({ summary, description, tags }).toEqual({
      summary: 'All things',
      description: 'All things. Some of them.',
      tags: ['Things'],
    })
    expect(operation('GET /things/mine')).toMatchObject({ summary: 'Show your thing' })
  })

  it('when it is requested, and not before', () => {
    let asked = 0
    const paramNotes = () => {
      asked++
      return {}
    }
    const spy = { name: 'spy', paramNotes }
    const Small = endpoint('Small', { actions: { show: { routing: route.get('/'), responses: { noContent: true } } } })
    const small = application({
      plugins: [spy],
      controllers: [Small.implement({ show: (_, { reply }) => reply.noContent() })],
    })
    expect(asked).toBe(0)
    small.openapi()
    expect(asked).toBe(1)
  })
})

describe('[DOC-03] what is marked nodoc stays out', () => {
  it('and ANY is not shown with a verb that a hidden action answers', () => {
    const Any = endpoint('Any', {
      actions: {
        all: { routing: route.any('/:key'), params: { key: t.string() }, responses: { noContent: true } },
        hidden: {
          nodoc: true,
          routing: route.delete('/:id'),
          params: { id: t.string() },
          responses: { noContent: true },
        },
      },
    })
    const own = application({
      controllers: [
        Any.implement({ all: (_, { reply }) => reply.noContent(), hidden: (_, { reply }) => reply.noContent() }),
      ],
    })
    const paths = own.openapi().paths
    expect(Object.entries(paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ['/any/{key}', ['get', 'post', 'put', 'patch']],
    ])
  })

  it('and so does a verb that a hidden action answers first, though another declares it too', () => {
    const Put = endpoint('Put', {
      actions: {
        hidden: {
          nodoc: true,
          routing: route.put('/:id(.:ext)?'),
          params: { id: t.string(), ext: t.string() },
          responses: { noContent: true },
        },
        shown: {
          routing: [route.put('/:key'), route.get('/:key')],
          params: { key: t.string() },
          responses: { noContent: true },
        },
      },
    })
    const own = application({
      controllers: [
        Put.implement({ hidden: (_, { reply }) => reply.noContent(), shown: (_, { reply }) => reply.noContent() }),
      ],
    })
    const paths = own.openapi().paths
    expect(Object.entries(paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([['/put/{key}', ['get']]])
  })

  const text = JSON.stringify([document, app.openapi()])

  it('[DEF-11] an endpoint with all that only it uses', () => {
    expect(text).not.toMatch(/hidden/i)
    expect(text).not.toContain('Secret')
  })

  it('[ACT-05] an action with the types of its params and payload, and nothing else of its endpoint', () => {
    expect(Object.keys(app.openapi().paths)).toEqual(['/half/shown'])
    expect(Object.keys(app.openapi().components.schemas)).toEqual(['Owner', 'Problem'])
  })

  it('a version that has nothing else has no document', () => {
    expect(stub([Hidden]).app.versions).toEqual([])
  })
})

describe('paths', () => {
  it('are written once for every form, with ids of their own', () => {
    const ids = operationsOf(document).flatMap(({ path, verb, operation: { operationId } }) =>
      operationId.startsWith('Things.show') ? [`${verb} ${path} ${operationId}`] : [],
    )
    expect(ids).toEqual([
      'get /things/{id} Things.show',
      'get /t/{id}.{format} Things.show.short',
      'get /t/{id} Things.show.short2',
      'get /things/{id}/parts/{piece} Things.show.get',
      'get /things/{id}/parts Things.show.get2',
      'get /things/{id}/pieces/{piece} Things.show.get3',
      'get /things/{id}/pieces Things.show.get4',
    ])
  })

  it('keep a separator that is encoded, and the server responds there', async () => {
    const Odd = endpoint('Odd', {
      actions: {
        show: { routing: route.get('/a%2Fb%3F%23/:id'), params: { id: t.string() }, responses: { ok: 'text/plain' } },
      },
    })
    const app = application({ controllers: [Odd.implement({ show: ({ id }) => id })] })
    expect(Object.keys(app.openapi().paths)).toEqual(['/odd/a%2Fb%3F%23/{id}'])
    expect((await app.fetch(new Request('http://localhost/odd/a%2Fb%3F%23/7'))).status).toBe(200)
    expect((await app.fetch(new Request('http://localhost/odd/a/b%3F%23/7'))).status).toBe(404)
  })

  it('that differ in names only are one', () => {
    expect(Object.keys(document.paths['/things/{id}'] ?? {})).toEqual(['get', 'put'])
    expect(operation('PUT /things/{id}').parameters?.[0]).toMatchObject({ name: 'id', in: 'path', required: true })
  })

  it('say what captures take', () => {
    expect(parameter('GET /things/{id}', 'id')).toMatchObject({
      schema: { type: 'integer' },
      example: expect.any(Number),
    })
    expect(parameter('GET /t/{id}.{format}', 'format')).toMatchObject({
      schema: { enum: ['json', 'txt'] },
      example: 'json',
    })
    expect(parameter('GET /things/{id}/parts/{piece}', 'piece')).toMatchObject({
      schema: { pattern: '^(?:[a-z]{3})$' },
    })
    expect(parameter('GET /things/{id}/parts', 'piece')).toMatchObject({ in: 'query' })
    expect(parameter('DELETE /things/any/{rest}', 'rest')).toMatchObject({ description: 'May have slashes.' })
  })

  it('of ANY have every verb that nobody else has, and HEAD goes without saying', () => {
    const item = document.paths['/things/any/{rest}'] ?? {}
    expect(Object.keys(item).sort()).toEqual(['delete', 'get', 'patch', 'post', 'put'])
    expect(item['post']?.operationId).toBe('Things.own')
    expect(document.paths['/things']).not.toHaveProperty('head')
    expect(document.paths).toHaveProperty(['/things/odd%20name/%C3%BC', 'get'])
  })
})

describe('parameters', () => {
  it('are flat, deep or written out', () => {
    expect(parameter('GET /things', 'query')).toMatchObject({ style: 'deepObject', description: 'A time' })
    expect(parameter('GET /things', 'list')).toMatchObject({ style: 'form', explode: true })
    const nested = operation('GET /things').parameters?.flatMap(({ name }) => (name.startsWith('nested') ? [name] : []))
    expect(nested).toEqual(['nested[a][b]', 'nested[list]'])
    expect(parameter('GET /things', 'nested[a][b]').description).toBe('Required where `nested[a]` is sent.')
  })

  it('have their defaults, and are required where nothing stands in for them', () => {
    expect(parameter('GET /things', 'flag')).toMatchObject({ schema: { type: 'boolean', default: true } })
    expect(parameter('GET /things', 'flag')).not.toHaveProperty('required')
    expect(parameter('GET /things', 'text')).toMatchObject({ required: true, description: 'A *short* text.' })
  })

  it('of lists say fields, operators, defaults and limits in tables, after their own words', () => {
    expect(parameter('GET /things', 'filters').description).toBe(
      [
        'Which',
        '',
        '| Field | Operators | Example |',
        '| --- | --- | --- |',
        '| `text` | `=` `!=` `<` `<=` `>` `>=` `!` `!!`, `*` for any text | `text=Lagoon Winte` |',
        '| `whole` | `>` `<` | `whole>8` |',
      ].join('\n'),
    )
    const order = parameter('GET /things', 'order')
    expect(order.description).toContain('At most 16 fields. Default: `-text`.\n\n| Field | Ascending | Descending |')
    expect(order.description).toContain('| `whole` | `whole` | `-whole` |\n\nFurther fields may follow')
    expect(order.example).toBe('-text')
    const pagination = parameter('GET /things', 'pagination')
    expect(pagination.description).toMatch(/Default: `page=1,items=5`\.\n\n\| Key \| Value \|\n/)
    expect(pagination.description).toContain('| `items` | the size of the page, at most 7: more are refused |')
    expect(pagination.description).not.toContain('`by`')
    expect(pagination.example).toBe('page=1,items=7')
    expect(parameter('GET /things', 'fields').description).toContain(
      '| `owner` | `id` `name` `thing` | `owner{id,name}` |',
    )
  })

  it('are headers in all of their forms', () => {
    const headers = operation('POST /things').parameters?.filter((one) => one.in === 'header')
    expect(
      headers?.map(({ name, required = false, schema }) => [name, required, schema?.['type'], schema?.['enum']]),
    ).toEqual([
      ['X-Plain', true, 'string', undefined],
      ['X-Described', false, 'string', undefined],
      ['X-Number', false, 'integer', undefined],
      ['X-Pattern', false, 'string', undefined],
      ['X-Fixed', true, 'string', ['yes']],
      ['X-List', false, 'array', undefined],
      ['X-General', false, ['string', 'null'], undefined],
      ['X-Api-Version', false, 'string', undefined],
    ])
  })
})

describe('bodies of requests', () => {
  it('inherit attributes of media types', () => {
    const Base = mediaType('Base', { attributes: { text: t.string({ required: true, max: 9 }) } })
    const Bases = endpoint('Bases', {
      mediaType: Base,
      actions: {
        create: {
          routing: route.post('/'),
          payload: { text: inherit({ required: false }) },
          responses: { created: true },
        },
      },
    })
    const made = stub([Bases]).app.openapi()
    const { requestBody } = operation('POST /bases', made)
    expect(requestBody?.required).toBe(false)
    const { $ref } = requestBody?.content['application/json']?.schema ?? {}
    expect($ref).toBe('#/components/schemas/CreateBasesPayload')
    expect(made.components.schemas['CreateBasesPayload']).toEqual({
      type: 'object',
      properties: { text: { type: 'string', maxLength: 9 } },
      additionalProperties: false,
    })
  })

  it('have a form for each content type', () => {
    const types = (line: string) => Object.keys(operation(line).requestBody?.content ?? {})
    expect(types('PUT /things/{id}/picture')).toEqual(['multipart/form-data'])
    expect(operation('PUT /things/{id}/picture').requestBody?.content['multipart/form-data']?.encoding).toEqual({
      picture: { contentType: 'image/png, image/jpeg' },
      more: { contentType: 'application/octet-stream' },
      about: { style: 'deepObject', explode: true },
    })
    expect(operation('PUT /things/{id}/raw').requestBody).toEqual({
      description: 'The picture. At most 2048 bytes.',
      required: true,
      content: { 'image/png': {} },
    })
    expect(types('PUT /things/{id}/text')).toEqual(['text/*', 'application/json'])
    expect(types('PUT /things')).toEqual(['application/json'])
    expect(types('POST /things')).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ])
  })
})

describe('answers', () => {
  it('have their media types, and no content where there never is any', () => {
    const { responses } = operation('GET /things/{id}')
    expect(Object.keys(responses)).toEqual(['200', '304', '400', '404', '406', 'default'])
    expect(Object.keys(responses['200']?.content ?? {})).toEqual([
      'application/vnd.thing+json',
      'application/vnd.owner+json',
      'text/csv',
      'image/png',
    ])
    expect(responses['304']).toEqual({ description: 'Not Modified' })
    expect(responses['404']?.description).toBe('There is no such thing.')
    expect(operation('PUT /things/{id}').responses['204']).toEqual({ description: 'No Content' })
    expect(operation('POST /things/whole').responses['205']).not.toHaveProperty('content')
  })

  it('have their headers; those of lists too', () => {
    const headers = operation('GET /things').responses['200']?.headers
    expect(headers).toMatchObject({
      Link: { schema: { type: 'string' } },
      'Total-Count': { schema: { type: 'integer' } },
    })
    expect(operation('GET /things/{id}').responses['200']?.headers).toEqual({
      ETag: { required: true, schema: { type: 'string' } },
      'X-Any': { required: true, schema: { type: 'string' } },
    })
  })

  it('of one status are put together, and required is what all of them have', () => {
    const created = operation('POST /things').responses['201']
    expect(created?.description).toBe('Created')
    expect(created?.headers).toEqual({
      Location: { required: false, schema: { type: 'string', pattern: '^\\/things\\/\\d+$' } },
      'X-Count': { description: 'How many.', required: false, schema: { type: 'integer' } },
      'X-Maybe': { required: false, schema: { type: 'string' } },
      'X-Same': {
        required: true,
        schema: {
          anyOf: [
            { type: 'string', const: 'same' },
            { type: 'string', const: 'other' },
          ],
        },
      },
    })
    expect(Object.keys(operation('POST /things').responses['400']?.content ?? {})).toEqual([
      'application/problem+json',
      'application/vnd.owner-input+json',
    ])
  })

  it('with a selection of fields may have any of them', () => {
    const ok = operation('GET /things').responses['200']?.content?.['application/vnd.thing+json;type=collection']
    expect(ok?.schema).toEqual({
      anyOf: [
        { type: 'array', items: { $ref: '#/components/schemas/Thing-a-b' } },
        { type: 'array', items: { $ref: '#/components/schemas/Thing-a-bFields' } },
      ],
    })
    expect(schema('Thing-a-bFields')).not.toHaveProperty('required')
    expect(schema('Thing-a-bFields').properties.owner.$ref).toBe('#/components/schemas/OwnerFields')
  })

  it('that fail are problems, also in the words of the application', () => {
    expect(operation('GET /things').responses['400']?.content).toMatchObject({
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example: { code: 'validation' } },
    })
    const encodeProblem = problemEncoder('application/vnd.no+json', ({ title }) => ({ body: { title } }))
    const own = stub([Things], { encodeProblem, validation: { status: 422 } }).app.openapi('1.0')
    expect(operation('GET /things', own).responses['422']?.content).toEqual({
      'application/vnd.no+json': { schema: {}, example: { title: 'The request is invalid' } },
    })
    expect(own.components.schemas).not.toHaveProperty('Problem')
  })
})

describe('schemas', () => {
  it('have names that collide with nothing', () => {
    const names = Object.keys(document.components.schemas)
    for (const name of names) expect(name).toMatch(/^[\w.-]+$/)
    expect(names).toEqual(
      expect.arrayContaining(['Owner', 'Owner2', 'OwnerInput', 'OwnerInput2', 'Thing-a-bFull', 'Tree', 'TreeInput']),
    )
  })

  it('tell null from absent, and variants by what they are called', () => {
    const { properties, required } = schema('Thing-a-b')
    expect(required).toEqual(['id', 'text', 'moment'])
    expect(properties.chosen).toEqual({ type: ['string', 'null'], enum: ['red', 'green', null] })
    expect(properties.shape).toEqual({
      oneOf: [{ $ref: '#/components/schemas/Circle' }, { $ref: '#/components/schemas/ASquare' }],
      discriminator: {
        propertyName: 'kind',
        mapping: { circle: '#/components/schemas/Circle', 'a square': '#/components/schemas/ASquare' },
      },
    })
    expect(schema('Tree').properties.children.items).toEqual({ $ref: '#/components/schemas/Tree' })
  })
})

describe('versions and security', () => {
  const carried = (versionWith: ('path' | 'header' | 'query')[]) => {
    const made = stub([Things], { versionWith, basePath: '/api' }).app.openapi('1.0')
    const named = operation('GET /things/mine', made).parameters?.map((one) => [
      one.name,
      one.in,
      one.required ?? false,
    ])
    return [made.servers.map(({ url }) => url), named ?? []]
  }

  it('say how the version is sent', () => {
    expect(carried(['path'])).toEqual([['/api/v1.0'], []])
    expect(carried(['header'])).toEqual([['/api'], [['X-Api-Version', 'header', true]]])
    expect(carried(['query'])).toEqual([['/api'], [['api_version', 'query', true]]])
    expect(carried(['path', 'header'])).toEqual([['/api/v1.0', '/api'], [['X-Api-Version', 'header', false]]])
  })

  it('say who may call', () => {
    const of = (name: string) => operation(`${name === 'scopes' ? 'POST' : 'GET'} /locked/${name}`).security
    expect(of('token')).toEqual([{ token: [] }])
    expect(of('either')).toEqual([{ 'a-password': [] }, { key: [] }])
    expect(of('cookie')).toEqual([{ key2: [] }])
    expect(of('header')).toEqual([{ 'header-key': [] }, {}])
    expect(of('scopes')).toEqual([{ grants: ['things:write'] }])
    expect(of('open')).toEqual([])
    expect(of('old')).toEqual([{ Authorization: [] }])
    expect(document.components.securitySchemes).toMatchObject({
      token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A token.' },
      key: { type: 'apiKey', in: 'query', name: 'api_key' },
      key2: { type: 'apiKey', in: 'cookie', name: 'session' },
      connect: { type: 'openIdConnect', openIdConnectUrl: 'https://example.com/openid' },
    })
    expect(operation('GET /locked/token').responses['401']?.headers).toHaveProperty('WWW-Authenticate')
  })
})

describe('a large API', () => {
  it('has a document for which each attribute of an action is described a few times only', () => {
    const Row = mediaType('Row', {
      attributes: { id: t.integer({ required: true }), name: t.string(), tags: t.array(t.string()) },
    })
    const endpoints = Array.from({ length: 40 }, (_, i) =>
      endpoint(`Rows${i}`, {
        mediaType: Row,
        actions: {
          index: { routing: route.get('/'), params: { q: t.string() }, responses: { ok: collectionOf(Row) } },
          show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Row, notFound: true } },
          create: {
            routing: route.post('/'),
            headers: { 'X-A': header() },
            payload: { name: inherit, tags: inherit },
            responses: { created: true },
          },
          update: {
            routing: route.patch('/:id'),
            params: { id: t.integer() },
            payload: { name: inherit },
            responses: { ok: true },
          },
          remove: { routing: route.delete('/:id'), params: { id: t.integer() }, responses: { noContent: true } },
        },
      }),
    )
    const large = stub(endpoints as never).app
    const described = vi.spyOn(attributeRules, 'buildSchema')
    expect(operationsOf(large.openapi())).toHaveLength(200)
    const { length } = described.mock.calls
    described.mockRestore()
    expect(length).toBeLessThan(200 * 5)
  })
})
