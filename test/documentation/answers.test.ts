// Documents of actions put together from every part: which answers they list, what becomes of two answers of one status, of
// two actions at one path, of selections, and how inputs are written.
import { atLeastOne, collectionOf, endpoint, header, mediaType, route, security, t } from 'edict'
import { FieldSelector } from 'edict/mapper'
import { mock } from 'edict/mock'
import { describe, expect, it } from 'vitest'

const Book = mediaType('Book', {
  attributes: {
    id: t.integer({ required: true }),
    tags: t.array(t.string(), { min: 1, max: 3 }),
    scores: t.record(t.integer(), { min: 2, max: 4 }),
    parts: t.array(t.object({ at: t.dateTime({ required: true }) }), { max: 5 }),
  },
})
const token = security.bearer('token')

/** The document of some actions, and each of its operations by the name of the action. */
function documentOf(actions: object, options: object = {}, more: object = {}) {
  const Things = endpoint('Things', { ...more, actions } as never)
  const document = mock([Things] as never, options as never).openapi() as any
  const operations = Object.values(document.paths).flatMap((item: any) => Object.values(item) as any[])
  const byName = Object.fromEntries(operations.map((one) => [one.operationId.split('.')[1], one]))
  return { document, operations: byName as Record<string, any> }
}

const ok = { noContent: true } as const

describe('the responses that a document lists', () => {
  const parts = {
    params: { params: { colour: t.string() } },
    headers: { headers: { 'X-Size': t.integer() } },
    payload: { payload: { name: t.string() } },
    security: { security: token },
    several: { responses: { ok: { mediaType: [Book, 'text/csv'] } } },
    ignored: { ignore: ['*'] },
  }
  const names = Object.keys(parts) as (keyof typeof parts)[]
  const combinations = Array.from({ length: 2 ** names.length }, (_, bits) =>
    names.filter((_, i) => (bits & (2 ** i)) !== 0),
  )

  it('are those that can happen, for every combination of what an action declares', () => {
    const actions = combinations.map((chosen, i) => {
      const declared = Object.assign({ responses: ok }, ...chosen.map((name) => parts[name]))
      return [`a${i}`, { ...declared, routing: route.post(`/${i}`) }]
    })
    for (const status of [400, 422] as const) {
      const { operations } = documentOf(Object.fromEntries(actions), { validation: { status } })
      for (const [i, chosen] of combinations.entries()) {
        const has = (name: keyof typeof parts): boolean => chosen.includes(name)
        const inputs = has('params') || has('headers') || has('payload')
        const expected = [
          has('several') ? '200' : '204',
          ...(inputs || !has('ignored') ? [String(status)] : []),
          ...(has('security') ? ['401', '403'] : []),
          ...(has('several') ? ['406'] : []),
          ...(has('payload') ? ['413', '415'] : []),
          'default',
        ]
        const { responses, security: needs } = operations[`a${i}`]
        expect([chosen, Object.keys(responses).sort()]).toEqual([chosen, expected.sort()])
        expect(needs).toEqual(has('security') ? [{ token: [] }] : [])
        if (has('security')) expect(responses['401'].headers['WWW-Authenticate'].required).toBe(true)
        for (const [name, { content }] of Object.entries<any>(responses)) {
          const example = content?.['application/problem+json']?.example
          if (example !== undefined) expect(String(example.status)).toBe(name)
        }
      }
    }
  })

  it('are both where two have one status: what only one has is not required, and texts distinguish them', () => {
    const one = { description: 'One.', status: 409, headers: { 'X-A': true, 'X-B': t.integer({ required: true }) } }
    const other = { description: 'Other.', status: 409, headers: { 'X-A': 'a', 'X-B': t.integer(), 'X-C': /c/ } }
    for (const responses of [
      { ok: Book, one, other },
      { ok: Book, other, one },
    ]) {
      const { get } = documentOf({ get: { routing: route.get('/'), responses } }).operations
      const { headers, description } = get.responses['409']
      const required = Object.entries<any>(headers).map(([name, header]) => [name, header.required === true])
      expect(Object.fromEntries(required)).toEqual({ 'X-A': true, 'X-B': false, 'X-C': false })
      expect(description.split(' Or: ').sort()).toEqual(['One.', 'Other.'])
      expect(headers['X-A'].schema.anyOf).toHaveLength(2)
    }
  })

  it('may show what was selected where they succeed, and what they declare where they fail', () => {
    const responses = {
      ok: collectionOf(Book),
      accepted: Book,
      conflict: Book,
      gone: { mediaType: collectionOf(Book) },
    }
    const { document, operations } = documentOf({
      get: { routing: route.get('/'), params: { fields: FieldSelector.for(Book) }, responses },
    })
    const schemaOf = (status: number): any => Object.values<any>(operations['get'].responses[status].content)[0].schema
    const plain = { $ref: '#/components/schemas/Book' }
    expect([schemaOf(409), schemaOf(410)]).toEqual([plain, { type: 'array', items: plain }])
    const [whole, selected] = schemaOf(202).anyOf
    expect(whole).toEqual(plain)
    const shown = document.components.schemas[selected.$ref.split('/').at(-1)]
    expect(shown).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 },
        scores: { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 2, maxProperties: 4 },
        parts: {
          type: 'array',
          items: { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } },
          maxItems: 5,
        },
      },
    })
    expect(schemaOf(200).anyOf).toEqual([
      { type: 'array', items: plain },
      { type: 'array', items: selected },
    ])
  })
})

describe('two actions at one path', () => {
  const digits = { capture: /\d+/ }
  const pair = (one: object, other: object) => {
    const { operations } = documentOf({
      one: { routing: route.post('/:id', digits), params: { id: t.string() }, responses: ok, ...one },
      other: { routing: route.post('/:id'), params: { id: t.string() }, responses: ok, ...other },
    })
    return operations['one']
  }
  const needed = { payload: t.object({ name: t.string({ required: true }) }, { required: true }) }
  const loose = { payload: { size: t.integer() } }

  it('need a body only where both do, of either form', () => {
    expect(pair(needed, needed).requestBody.required).toBe(true)
    for (const [one, other] of [
      [needed, loose],
      [loose, needed],
      [loose, loose],
      [needed, {}],
      [{}, needed],
    ] as const)
      expect(pair(one, other).requestBody.required).toBe(false)
    expect(pair(needed, loose).requestBody.content['application/json'].schema.anyOf).toHaveLength(2)
    expect(pair({}, {}).requestBody).toBe(undefined)
  })

  it('are open where one of them is, and closed where both are', () => {
    expect(pair({ security: token }, { security: token }).security).toEqual([{ token: [] }])
    expect(pair({ security: token }, {}).security).toEqual([{ token: [] }, {}])
    expect(pair({}, { security: token }).security).toEqual([{}, { token: [] }])
    expect(pair({}, {}).security).toEqual([])
  })

  it('have the inputs of both, required where both require them', () => {
    const size = (options: object) => ({ params: { id: t.string(), size: t.integer(options) } })
    const required = (one: object, other: object): unknown =>
      pair(one, other).parameters.find(({ name }: any) => name === 'size')?.required === true
    expect(required(size({ required: true }), size({ required: true }))).toBe(true)
    expect(required(size({ required: true }), size({}))).toBe(false)
    expect(required(size({}), size({ required: true }))).toBe(false)
    expect(required(size({ required: true }), {})).toBe(false)
    expect(required({}, size({ required: true }))).toBe(false)
  })
})

describe('inputs in a document', () => {
  const parametersOf = (params: object, more: object = {}): Record<string, any> => {
    const { get } = documentOf({ get: { routing: route.get('/'), params, responses: ok, ...more } }).operations
    return Object.fromEntries(get.parameters.map(({ name, ...rest }: any) => [name, rest]))
  }

  it('say how lists are written, and whether a part has to be there', () => {
    const inner = { from: t.integer({ required: true }), to: t.object({ day: t.date({ required: true }) }) }
    const parameters = parametersOf({
      plain: t.array(t.string()),
      commas: t.array(t.string(), { delimiter: ',' }),
      spaces: t.array(t.string(), { delimiter: ' ' }),
      pipes: t.array(t.string(), { delimiter: '|' }),
      flat: t.object({ a: t.string() }),
      listing: t.object({ of: t.array(t.string()), by: t.record(t.string()) }),
      deep: t.object(inner),
      needed: t.object(inner, { required: true }),
      certain: t.integer({ required: true }),
      usual: t.integer({ default: 1 }),
    })
    const style = (name: string): unknown[] => [parameters[name].style, parameters[name].explode]
    expect(['plain', 'commas', 'spaces', 'pipes', 'flat'].map(style)).toEqual([
      ['form', true],
      ['form', false],
      ['spaceDelimited', false],
      ['pipeDelimited', false],
      ['deepObject', true],
    ])
    expect([style('listing[of]'), style('listing[by]')]).toEqual([
      ['form', true],
      ['deepObject', true],
    ])
    const required = Object.keys(parameters).filter((name) => parameters[name].required === true)
    expect(required).toEqual(['needed[from]', 'certain'])
    expect(parameters['deep[from]'].description).toBe('Required where `deep` is sent.')
    expect(parameters['deep[to][day]'].description).toContain('Required where')
    expect(parameters['needed[from]'].description).toBe(undefined)
  })

  it('are named with their rules, and headers without those that bodies and security describe', () => {
    const { get } = documentOf({
      get: {
        description: 'Finds things. By any of these!',
        routing: route.get('/'),
        params: { a: t.string(), b: t.string(), c: t.string() },
        requires: { params: [atLeastOne('a', 'b')] },
        headers: { Authorization: header(), accept: header(), 'CONTENT-type': header(), 'X-Own': header() },
        responses: ok,
      },
    }).operations
    expect(get.summary).toBe('Finds things')
    expect(get.description).toMatch(/^Finds things\. By any of these!\n\nThe params must have .*a.*b.*\.$/)
    expect(get['x-requires']).toEqual([{ atLeastOne: ['a', 'b'] }])
    expect(get.parameters.filter((one: any) => one.in === 'header').map(({ name }: any) => name)).toEqual(['X-Own'])
    expect(get.security).toEqual([{ Authorization: [] }])
  })

  it('need a declared Authorization whichever way in is taken', () => {
    const securityOf = (needs: unknown, required: boolean): unknown =>
      documentOf({
        get: {
          routing: route.get('/'),
          headers: { Authorization: t.string({ required }) },
          ...(needs !== undefined && { security: needs }),
          responses: ok,
        },
      }).operations['get'].security
    const header = { Authorization: [] }
    expect(securityOf(undefined, true)).toEqual([header])
    expect(securityOf(undefined, false)).toEqual([{}, header])
    expect(securityOf([token, 'none'], true)).toEqual([{ token: [] }, header])
    expect(securityOf([token, 'none'], false)).toEqual([{ token: [] }, {}])
    expect(securityOf(token, true)).toEqual([{ token: [] }])
  })

  it('have bodies with their limit, their types, and examples that their type can carry', () => {
    const FORM = 'application/x-www-form-urlencoded'
    const note = t.string({ nullable: true, required: true, example: null })
    const bodyOf = (action: object): any =>
      documentOf({ put: { routing: route.put('/'), responses: ok, ...action } }).operations['put'].requestBody
    expect(bodyOf({ payload: { a: t.string() }, bodyLimit: 9000 }).description).toBe('At most 9000 bytes.')
    expect(bodyOf({ payload: t.file({ max: 70 }), bodyLimit: 9000 }).description).toBe('At most 70 bytes.')
    expect(bodyOf({ payload: t.file(), bodyLimit: 9000 }).description).toBe('At most 9000 bytes.')
    expect(bodyOf({ payload: t.string({ max: 7 }), bodyLimit: 9000 }).description).toBe('At most 9000 bytes.')
    const both = bodyOf({ payload: { note }, consumes: ['application/json', FORM] }).content
    expect([both['application/json'].example, both[FORM].example]).toEqual([{ note: null }, undefined])
    const ranged = bodyOf({ payload: { a: t.string() }, consumes: ['application/*+json', 'application/json', FORM] })
    expect(Object.keys(ranged.content)).toEqual(['application/json', FORM])
    expect(Object.keys(bodyOf({ payload: { a: t.string() }, consumes: ['application/*+json'] }).content)).toEqual([
      'application/*+json',
    ])
    const files = bodyOf({
      payload: {
        image: t.file({ types: ['image/png', 'image/gif'] }),
        any: t.file(),
        rest: t.object({ a: t.string() }),
      },
    })
    expect(files.content['multipart/form-data'].encoding).toEqual({
      image: { contentType: 'image/png, image/gif' },
      any: { contentType: 'application/octet-stream' },
      rest: { style: 'deepObject', explode: true },
    })
  })

  it('carry the version where versions are, escaped in the path', () => {
    const actions = { get: { routing: route.get('/'), responses: ok } }
    const versioned = (versioning?: object) => {
      const Things = endpoint('Things', { version: '1/β', actions } as never)
      return (mock([Things] as never, { basePath: '/api', ...versioning } as never) as any).openapi('1/β')
    }
    const { servers, paths } = versioned()
    expect(servers.map(({ url }: any) => url)).toContain('/api/v1%2F%CE%B2')
    for (const { schema, required } of paths['/things'].get.parameters ?? [])
      expect([schema.const, required]).toEqual(['1/β', undefined])
  })

  it('have examples of paths that their routes take, as their schema has them', () => {
    const capture = { code: /[A-Z]\d/, kind: ['a', 'b'], uid: /[0-9a-f-]{36}/, count: /\d{3}/, even: ['2', '4'] }
    const params = {
      code: t.string(),
      kind: t.string(),
      uid: t.string({ format: 'uuid' }),
      count: t.integer(),
      even: t.integer(),
      plain: t.string(),
    }
    const path = `/${Object.keys(params)
      .map((one) => `:${one}`)
      .join('/')}`
    const { get } = documentOf({
      get: { routing: route.get(path, { capture } as never), params, responses: ok },
    }).operations
    const shown = Object.fromEntries(get.parameters.map(({ name, schema, example }: any) => [name, [schema, example]]))
    expect(shown['code']).toEqual([{ type: 'string', pattern: expect.any(String) }, expect.stringMatching(/^[A-Z]\d$/)])
    expect(shown['kind']).toEqual([{ type: 'string', enum: ['a', 'b'] }, 'a'])
    expect(shown['uid'][0]).toEqual({ type: 'string', format: 'uuid' })
    expect(shown['count'][0]).toEqual({ type: 'integer' })
    // A number that the route does not take is no example, nor is a text in the place of a number.
    for (const [name, fits] of [
      ['count', /^\d{3}$/],
      ['even', /^[24]$/],
    ] as const) {
      const [, example] = shown[name]
      if (example !== undefined) expect([typeof example, fits.test(String(example))]).toEqual(['number', true])
    }
    expect(shown['plain'][0]).toEqual({ type: 'string', minLength: 1 })
  })

  it('have examples of bodies that a request can bring: what a media type hides is completed, however deep', () => {
    const Deep = mediaType('Deep', {
      attributes: { shown: t.string({ required: true }), secret: t.integer({ required: true }), free: t.integer() },
      views: { default: ['shown'] },
    })
    const FORM = 'application/x-www-form-urlencoded'
    const { put } = documentOf({
      put: {
        routing: route.put('/'),
        payload: { one: Deep, list: t.array(Deep, { min: 1 }), byName: t.record(Deep, { min: 1 }) },
        responses: ok,
      },
    }).operations
    const { example } = put.requestBody.content['application/json']
    const whole = { shown: expect.any(String), secret: expect.any(Number) }
    expect(example.one).toEqual(whole)
    expect(example.list).toEqual(example.list.map(() => whole))
    expect(Object.values(example.byName)).toEqual(Object.keys(example.byName).map(() => whole))
    expect([example.list.length > 0, Object.keys(example.byName).length > 0]).toEqual([true, true])
    const { form } = documentOf({
      form: { routing: route.post('/'), payload: { a: t.string({ example: 'x' }) }, consumes: [FORM], responses: ok },
    }).operations
    expect(form.requestBody.content[FORM]).toEqual({ schema: expect.any(Object), example: { a: 'x' } })
  })
})

describe('a document', () => {
  it('says of every failure what it has, and nothing of verbs that it cannot name', () => {
    const { document } = documentOf({
      get: { routing: [route.get('/a.b\\{c'), route.connect('/tunnel')], responses: ok },
    } as never)
    const { properties } = document.components.schemas.Problem
    const types = (of: object) => Object.fromEntries(Object.entries<any>(of).map(([name, { type }]) => [name, type]))
    expect(types(properties)).toEqual({
      type: 'string',
      title: 'string',
      status: 'integer',
      detail: 'string',
      instance: 'string',
      code: 'string',
      errors: 'array',
      errorCount: 'integer',
      requestId: 'string',
    })
    expect(types(properties.errors.items.properties)).toEqual({
      in: 'string',
      pointer: 'string',
      code: 'string',
      message: 'string',
    })
    expect(Object.keys(document.paths)).toEqual(['/things/a.b%7Bc'])
    expect(Object.keys(document.paths['/things/a.b%7Bc'])).toEqual(['get'])
  })

  it('names the places where each version is served', () => {
    const actions = { get: { routing: route.get('/'), responses: ok } }
    const Things = endpoint('Things', { version: '1', actions } as never)
    const { servers } = (mock([Things] as never) as any).openapi('1')
    expect(servers).toEqual([
      { url: '/v1', description: 'The version in the path' },
      { url: '/', description: 'The version in a header or a parameter' },
    ])
  })
})
