// Documents that are broken or mean harm: each is refused in one sentence, or imported without running any of its texts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { importDocument } from '../../src/cli/import/import.ts'
import { runs } from '../support/runs.ts'
import { compareDocuments, untold } from './compare.ts'
import { compiled, load, type Made, made, removed, write } from './made.ts'

vi.setConfig({ testTimeout: 120_000 })

const folders: Made[] = []
afterEach(() => folders.splice(0).forEach(removed))

async function imported(document: object | string): Promise<Made> {
  const one = await made(typeof document === 'string' ? document : JSON.stringify(document), 'openapi.json')
  folders.push(one)
  return one
}

const ok = {
  200: { description: 'OK', content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } },
}
const withSchemas = (schemas: object, more: object = {}): object => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: { '/a': { get: { responses: ok } } },
  components: { schemas },
  ...more,
})

describe('a document that cannot be imported', () => {
  const ref = (to: string): object => withSchemas({ A: { $ref: to } })
  it.each([
    [
      'Swagger 2.0',
      { swagger: '2.0', paths: {} },
      /Swagger 2\.0; OpenAPI 3\.0 and 3\.1 are imported.*\nRemedy: convert/s,
    ],
    ['OpenAPI 4', { openapi: '4.0.0', paths: {} }, /OpenAPI 4\.0\.0; OpenAPI 3\.0 and 3\.1/],
    ['no version', { paths: {} }, /has no version of OpenAPI/],
    ['a list', [1], /has no version of OpenAPI/],
    ['no operations', { openapi: '3.1.0', paths: {} }, /has no operations/],
    [
      'a reference to nothing',
      ref('#/components/schemas/Nope'),
      /refers to #\/components\/schemas\/Nope, which does not exist/,
    ],
    ['a reference to itself', ref('#/components/schemas/A'), /leads to itself/],
    ['a reference to another host', ref('https://example.com/a.json#/A'), /nothing from a network/],
    ['a reference to a host without a scheme', ref('//example.com/a.json'), /nothing from a network/],
    ['a reference to a file by its URL', ref('file:///etc/passwd'), /nothing from a network/],
    ['a reference to no file', ref('./nowhere.json#/A'), /There is no file .*nowhere\.json/],
    ['an inherited name', ref('#/components/schemas/constructor'), /does not exist/],
    ['an unknown security scheme', withSchemas({ A: {} }, { security: [{ Nobody: [] }] }), /names a security scheme/],
  ])('is refused: %s', async (_, document, message) => {
    await expect(imported(document as object)).rejects.toThrow(message)
    await expect(imported(document as object)).rejects.toMatchObject({ name: 'CommandError' })
  })

  it.each([
    ['no YAML', '{ "openapi": "3.1.0", '],
    ['tags that would run', 'openapi: !!js/function "function () { return 1 }"\npaths: {}'],
    [
      'aliases without an end',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
        .split('')
        .map((name, i) => `${name}: &${name} [${`*${'abcdefgh'[i]},`.repeat(9)}]`)
        .join('\n')}`,
    ],
    ['nesting', `{"openapi":"3.1.0","paths":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ])('is refused: %s', async (_, text) => {
    await expect(imported(text)).rejects.toMatchObject({ name: 'CommandError' })
  })
})

describe('texts of a document', () => {
  const nasty = [
    "'); process.exit(1); ('",
    '*/ process.exit(1) /*',
    `\`$${'{'}process.exit(1)}\``,
    'line\nbreak\r\u2028\u2029\0\u0007',
    'it\'s "both"',
    '\\',
    `$${'{'}1}`,
    '</script>',
    '\ud800',
    '__proto__',
    'constructor',
    'toString',
    'class',
    'await',
    '1st',
    'ü',
    '日本',
    '',
    ' ',
  ]

  it('are never code: names, descriptions, values, paths and tags', { timeout: 240_000 }, async () => {
    const text = fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'binary', maxLength: 12 }))
    const documents = fc.sample(fc.tuple(text, text, text, text), { numRuns: runs(12, 200), seed: 4 })
    const made: Made[] = []
    for (const [a, b, c, d] of documents)
      made.push(
        await imported({
          openapi: '3.1.0',
          info: { title: a, description: b, version: c },
          tags: [{ name: d, description: a }],
          paths: {
            [`/${encodeURIComponent(/\p{Cs}/u.test(a) ? 'x' : a)}/{${b.replace(/[{}/]/g, '') || 'id'}}`]: {
              post: {
                tags: [d],
                summary: a,
                description: b,
                operationId: c,
                parameters: [
                  {
                    name: c,
                    in: 'query',
                    description: d,
                    schema: { type: 'string', enum: [a, b, `${c}!`], default: a },
                  },
                  { name: d, in: 'header', schema: { type: 'string', pattern: c } },
                ],
                requestBody: {
                  description: d,
                  content: {
                    'application/json': {
                      schema: { type: 'object', properties: { [a]: { type: 'string', description: b, example: c } } },
                    },
                  },
                },
                responses: {
                  200: {
                    description: c,
                    content: { 'application/json': { schema: { $ref: '#/components/schemas/X' } } },
                  },
                },
                security: [{ S: [b] }],
              },
            },
          },
          components: {
            schemas: {
              X: {
                title: a,
                description: b,
                properties: { [c]: { const: d }, [`${d}2`]: { $ref: '#/components/schemas/X' } },
              },
            },
            securitySchemes: { S: { type: 'http', scheme: 'bearer', bearerFormat: a, description: b } },
          },
        }),
      )
    expect(await compiled(made.map(({ folder }) => folder))).toBe('')
    for (const one of made) {
      const app = await load(one)
      expect(app.openapi().paths).toBeTypeOf('object')
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    }
  })

  it('stay what they are', async () => {
    const description = nasty.slice(0, 8).join('|')
    const one = await imported(
      withSchemas({ A: { type: 'object', description, properties: { x: { const: description } } } }),
    )
    const schema = (await load(one)).openapi().components.schemas['A'] as any
    expect(
      (await load(one)).openapi().paths['/a']!['get']!.responses['200']!.content!['application/json']!.schema,
    ).toMatchObject({ description })
    expect(schema.properties.x.enum).toEqual([description])
  })

  it('are in the list as they are, in one line and without markup', async () => {
    const one = await imported(withSchemas({ A: { type: 'string', format: 'a`\n# <b>x' } }))
    const report = one.files.get('IMPORT.md') as string
    expect(report.split('\n').filter((line) => line.startsWith('# '))).toHaveLength(1)
    expect(report).not.toContain('<b>')
  })
})

describe('schemas', () => {
  it('may contain themselves and each other, in every way', async () => {
    const self = { $ref: '#/components/schemas/A' }
    const one = await imported(
      withSchemas({
        A: {
          type: 'object',
          required: ['id'],
          properties: {
            id: { type: 'integer' },
            parent: { oneOf: [{ type: 'null' }, self] },
            children: { type: 'array', items: self },
            byName: { type: 'object', additionalProperties: self },
            inline: {
              type: 'object',
              properties: { deep: { type: 'array', items: { type: 'object', properties: { a: self } } } },
            },
            list: { $ref: '#/components/schemas/List' },
            shape: { $ref: '#/components/schemas/Shape' },
            all: { allOf: [self, { description: 'again' }] },
          },
        },
        List: { type: 'array', items: self },
        Shape: {
          oneOf: [{ $ref: '#/components/schemas/Group' }, { $ref: '#/components/schemas/Point' }],
          discriminator: {
            propertyName: 'kind',
            mapping: { group: '#/components/schemas/Group', point: '#/components/schemas/Point' },
          },
        },
        Group: {
          type: 'object',
          required: ['kind'],
          properties: {
            kind: { type: 'string' },
            of: { type: 'array', items: { $ref: '#/components/schemas/Shape' } },
            owner: self,
          },
        },
        Point: {
          type: 'object',
          required: ['kind', 'x'],
          properties: { kind: { type: 'string' }, x: { type: 'number' } },
        },
      }),
    )
    expect(await compiled([one.folder])).toBe('')
    const { components } = (await load(one)).openapi()
    const a = components.schemas['A'] as any
    expect(a.properties.parent).toMatchObject({ anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] })
    expect(a.properties.children.items).toMatchObject({ $ref: '#/components/schemas/A' })
    expect(a.properties.list.items).toMatchObject({ $ref: '#/components/schemas/A' })
    expect(a.properties.shape.discriminator.mapping).toEqual({
      group: expect.stringMatching(/^#\/components\/schemas\/Group\d?$/),
      point: expect.stringMatching(/^#\/components\/schemas\/Point\d?$/),
    })
    const group = components.schemas['Group'] as any
    expect(group.properties.of.items.$ref).toBeDefined()
  })

  it('may be a chain that is longer than any stack', async () => {
    const length = 6000
    const chain = Array.from({ length }, (_, i) => [
      `S${i}`,
      { type: 'object', properties: i + 1 < length ? { next: { $ref: `#/components/schemas/S${i + 1}` } } : {} },
    ])
    const one = await imported(withSchemas({ A: { $ref: '#/components/schemas/S0' }, ...Object.fromEntries(chain) }))
    expect(one.files.get('design/a.ts')).toContain('export const S5999 = mediaType(')
  })

  it('are combined to a limit only', async () => {
    const chain = Array.from({ length: 500 }, (_, i) => [
      `S${i}`,
      { allOf: [{ $ref: `#/components/schemas/S${i + 1}` }, { type: 'object', properties: { [`p${i}`]: {} } }] },
    ])
    const document = withSchemas({
      A: { $ref: '#/components/schemas/S0' },
      ...Object.fromEntries(chain),
      S500: { type: 'object' },
    })
    await expect(imported(document)).rejects.toThrow(/combined of more than 100 levels/)
  })

  it('may stand in other files, which may refer back', async () => {
    const root = withSchemas({
      A: { $ref: './parts/a.yml#/A' },
      B: { type: 'object', properties: { a: { $ref: 'parts/a.yml#/A' } } },
    })
    const first = await imported(withSchemas({ A: { type: 'string' } }))
    mkdirSync(join(first.folder, 'spec/parts'), { recursive: true })
    writeFileSync(join(first.folder, 'spec/openapi.json'), JSON.stringify(root))
    writeFileSync(
      join(first.folder, 'spec/parts/a.yml'),
      "A:\n  type: object\n  properties:\n    b: { $ref: '../openapi.json#/components/schemas/B' }\n    c: { $ref: '#/C' }\nC: { type: string, format: email }\n",
    )
    const { files } = await importDocument(join(first.folder, 'spec/openapi.json'), first.folder, 'openapi.json')
    write(first.folder, files)
    expect(await compiled([first.folder])).toBe('')
    const { schemas } = (await load(first)).openapi().components as any
    expect(schemas.A.properties.c).toEqual({ type: 'string', format: 'email' })
    expect(schemas.A.properties.b.$ref).toBe('#/components/schemas/B')
    expect(schemas.B.properties.a.$ref).toBe('#/components/schemas/A')
  })

  it('keep names that objects inherit, but for the one that no object can have', async () => {
    const one = await imported(
      `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"post":{"operationId":"constructor","parameters":[{"name":"constructor","in":"query","schema":{"type":"integer"}},{"name":"__proto__","in":"query","schema":{"type":"string"}}],"responses":${JSON.stringify(ok)}}}},"components":{"schemas":{"A":{"type":"object","required":["toString"],"properties":{"__proto__":{"type":"object"},"constructor":{"type":"string"},"toString":{"type":"string"}}}}}}`,
    )
    expect(await compiled([one.folder])).toBe('')
    const document = (await load(one)).openapi() as any
    expect(Object.keys(document.components.schemas.A.properties)).toEqual(['constructor', 'toString'])
    expect(document.paths['/a'].post.parameters.map(({ name }: { name: string }) => name)).toEqual(['constructor'])
    expect(one.unsupported.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['a property named `__proto__`', 'a parameter with a name that no param can have']),
    )
  })
})

describe('security of a document', () => {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    app: { type: 'apiKey', in: 'query', name: 'app' },
    token: { type: 'http', scheme: 'bearer' },
    digest: { type: 'http', scheme: 'digest' },
    mutual: { type: 'mutualTLS' },
    path: { type: 'apiKey', in: 'path', name: 'x' },
    odd: { type: 'other' },
  }
  const way = fc
    .uniqueArray(fc.constantFrom(...Object.keys(securitySchemes)), { minLength: 1, maxLength: 3 })
    .map((names) => Object.fromEntries(names.map((name) => [name, []])))
  const ways = fc.array(way, { minLength: 1, maxLength: 3 })

  it('lets nobody in whom the document keeps out', async () => {
    const asked = fc.sample(ways, { numRuns: runs(40, 200), seed: 5 })
    const paths = Object.fromEntries(asked.map((security, i) => [`/p${i}`, { get: { security, responses: ok } }]))
    const one = await imported(
      withSchemas(
        { A: { type: 'object' } },
        { paths, components: { schemas: { A: { type: 'object' } }, securitySchemes } },
      ),
    )
    expect(await compiled([one.folder])).toBe('')
    const app = await load(one)
    const operations = app.openapi().paths
    for (const [i, security] of asked.entries()) {
      expect((await app.fetch(new Request(`http://localhost/p${i}`))).status).toBe(401)
      const said = operations[`/p${i}`]?.['get']?.security ?? []
      const known = security.map((each) => {
        const names = Object.keys(each).filter((name) => ['key', 'app', 'token', 'digest'].includes(name))
        // A request has one header Authorization: the first scheme of it is kept.
        const carried = names.filter((name) => ['token', 'digest'].includes(name))
        return names.filter((name) => !carried.slice(1).includes(name))
      })
      // Each way asks for all that it names, and edict knows.
      for (const [at, names] of known.entries())
        if (said.length === security.length) expect(Object.keys(said[at] ?? {})).toEqual(expect.arrayContaining(names))
    }
  })

  it('takes the defaults of the variables of servers', async () => {
    const variables = { place: { default: 'eu' }, base: { default: 'v2' } }
    const servers = [{ url: 'https://{place}.example.test/{base}/', variables }]
    const one = await imported(withSchemas({ A: { type: 'object' } }, { servers }))
    expect((await load(one)).openapi().servers).toEqual([{ url: 'https://eu.example.test/v2' }])
  })

  it('keeps classes of Unicode in patterns', async () => {
    const A = { type: 'object', properties: { name: { type: 'string', pattern: '^\\p{Lu}+$', maxLength: 9 } } }
    const one = await imported(withSchemas({ A }))
    expect(await compiled([one.folder])).toBe('')
    expect(JSON.stringify((await load(one)).openapi())).toContain('"^(?:\\\\p{Lu}+)$"')
  })
})

describe('a document with parts that fit together badly', () => {
  const json = (schema: object): object => ({ content: { 'application/json': { schema } } })
  const said = (code: string, one: object): object => ({ responses: { [code]: { description: 'D', ...one } } })
  const number = { type: 'integer', default: 3 }
  const document = {
    ...withSchemas({}),
    paths: {
      '/a': { get: said('200', {}), put: said('200', { headers: { 'X-A': { schema: { type: 'string' } } } }) },
      '/b': { get: said('207', json({ type: 'string' })), put: said('207', json({ type: 'integer' })) },
      '/c': { get: said('default', json({ type: 'array', items: { type: 'string' } })), put: said('default', {}) },
      '/d': { get: said('100', {}), put: {} },
      '/e/{id}/of/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: said('204', {}),
      },
      '/f?kind=1': { get: said('204', {}) },
      '/f#two': { get: said('204', {}) },
      '/g': {
        parameters: [
          { name: 'n', in: 'query', required: true, schema: number },
          { name: 'file', in: 'query', schema: { type: 'string', format: 'binary' } },
          { name: 'none', in: 'query', schema: { allOf: [{ type: 'string' }, { type: 'integer' }] } },
          { name: 'all', in: 'query', schema: { type: 'object', properties: { x: number, y: { type: 'string' } } } },
        ],
        post: {
          requestBody: json({ type: 'object', properties: { bytes: { type: 'string', format: 'binary' } } }),
          ...said('200', {}),
        },
      },
    },
  }

  it('is imported whole, and differs only in what is listed', async () => {
    const one = await imported(document)
    expect(await compiled([one.folder])).toBe('')
    const app = await load(one)
    expect(one.actions).toBe(12)
    const differences = compareDocuments(one.document, app.openapi() as never)
    expect(untold(differences, new Set(one.unsupported.map(({ pointer: place }) => place)))).toEqual([])
    const ask = async (path: string): Promise<number> =>
      (await app.fetch(new Request(`http://localhost${path}`))).status
    expect(await Promise.all(['/e/1/of/2', '/e/1/of/x', '/g'].map(ask))).toEqual([501, 400, 405])
  })
})
