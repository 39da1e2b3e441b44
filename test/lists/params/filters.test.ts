// The parameter `filters` over HTTP: what a query string carries, and how it is refused.
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { FilteringParams, mapper } from 'edict/mapper'
import { describe, expect, it } from 'vitest'
import { ask, mistakesOf } from '../../support/ask.ts'

const Author = mediaType('Author', { attributes: { id: t.integer({ required: true }) } })
const Blog = mediaType('Blog', {
  attributes: { id: t.integer({ required: true }), title: t.string(), created_at: t.dateTime(), author: Author },
})
const Blogs = endpoint('Blogs', {
  actions: {
    list: {
      routing: route.get('/'),
      params: {
        filters: FilteringParams.for(Blog, {
          title: { operators: ['=', '!='], wildcards: true },
          created_at: {},
          'author.id': { operators: ['='] },
        }),
      },
      responses: { ok: t.any() },
    },
  },
})
const plugins = [mapper()]
const app = application({
  plugins,
  controllers: [Blogs.implement({ list: ({ filters }, { reply }) => reply.ok(filters ?? 'none') })],
})
const filtered = (text: string) => ask(app, `GET /blogs?filters=${encodeURIComponent(text)}`)

describe('filters in a query string', () => {
  it('may be absent', async () => {
    expect((await ask(app, 'GET /blogs')).json).toBe('none')
  })

  it('are decoded once, and their values once more', async () => {
    const plain = await ask(app, 'GET /blogs?filters=title=a%2526b*%26author.id=1,2')
    expect(plain.json).toEqual({
      op: 'and',
      of: [
        { op: '=', field: 'title', any: [{ pattern: { text: 'a&b', before: false, after: true } }] },
        { op: '=', field: 'author.id', any: [{ value: 1 }, { value: 2 }] },
      ],
    })
    expect((await filtered('title=a%26b*&author.id=1,2')).json).toEqual(plain.json)
    expect((await filtered('created_at>2024-01-01T00:00:00+01:00')).json).toMatchObject({
      op: '>',
      field: 'created_at',
    })
  })

  it.each([
    ['filter-syntax', 'title=a&'],
    ['filter-operator', 'title<a'],
    ['filter-field', 'id=1'],
    ['filter-field', '__proto__=1'],
    ['filter-field', 'constructor.name=1'],
    ['filter-value', 'author.id=1 OR 1'],
    ['filter-value', "author.id=1'; DROP TABLE blogs;--"],
    ['filter-wildcard', 'author.id=1*'],
    ['filter-list', 'created_at<2024-01-01T00:00:00Z,'],
    ['encoding', 'title=%E0%A4'],
    ['depth', '('.repeat(4000)],
    ['filter-values', `author.id=${'1,'.repeat(1000)}1`],
    ['filter-conditions', 'title!=a|'.repeat(200)],
    ['max-length', 'x'.repeat(5000)],
  ])('are refused: %s', async (code, text) => {
    const { status, json } = await filtered(text)
    expect([status, json.errors]).toEqual([400, [expect.objectContaining({ code })]])
  })

  it('must be sent once, and as a text', async () => {
    const codes = async (query: string) =>
      (await ask(app, `GET /blogs?${query}`)).json.errors.map((one: any) => one.code)
    expect(await codes('filters=title=a&filters=title=b')).toEqual(['repeated'])
    expect((await ask(app, 'GET /blogs?filters[title]=a')).status).toBe(400)
  })
})

describe('an application with filters', () => {
  const fields = { title: { operators: ['<', '~'] }, nope: {} }
  const Wrong = endpoint('Wrong', {
    actions: {
      list: {
        routing: route.get('/'),
        params: { filters: FilteringParams.for(Blog, fields as never) },
        responses: { ok: collectionOf(Blog) },
      },
    },
  })
  const controllers = [Wrong.implement({ list: (_, { reply }) => reply.ok([]) })]

  it('does not boot with mistakes in their declaration', () => {
    expect(mistakesOf(() => application({ plugins, controllers })).map(({ problem }) => problem)).toEqual([
      "operators of 'title' names ~, but its operators are = != < <= > >= ! !! ~= !~= @=",
      "it names 'nope', which is not an attribute of Blog",
    ])
  })

  it('does not boot without the mapper', () => {
    const booting = () => application({ controllers: [Blogs.implement({ list: (_, { reply }) => reply.ok(1) })] })
    expect(mistakesOf(booting).map(({ problem }) => problem)).toEqual([
      'it needs the plugin mapper, which is not registered',
    ])
  })
})
