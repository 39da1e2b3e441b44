// Routes that differ only in what their captures take are one path to OpenAPI, whose operation has to be true of each.
// Answers are held to it by the guard (test/support/guard).
import { type Application, application, endpoint, mediaType, route, t } from 'edict'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'

const Book = mediaType('Book', {
  identifier: 'application/vnd.book+json',
  attributes: { id: t.integer({ required: true }) },
})
const Author = mediaType('Author', {
  identifier: 'application/vnd.author+json',
  attributes: { name: t.string({ required: true }) },
})
const digits = { capture: /\d+/ }

const Things = endpoint('Things', {
  actions: {
    book: {
      routing: route.get('/:id', digits),
      params: { id: t.integer({ required: true }), copy: t.integer({ default: 1 }) },
      responses: { ok: Book },
    },
    author: {
      description: 'An author.',
      routing: route.get('/:name', { capture: /[a-z]+/ }),
      params: { name: t.string({ required: true }), century: t.integer() },
      responses: { ok: Author, found: { location: /\/things.*/ } },
    },
    rest: {
      routing: route.any('/:other'),
      params: { other: t.string({ required: true }) },
      responses: { ok: { mediaType: 'text/plain' }, accepted: true },
    },
  },
})

const app: Application = application({
  controllers: [
    Things.implement({
      book: ({ id }, { reply }) => reply.ok({ id }),
      author: ({ name }, { reply }) =>
        name === 'moved' ? reply.found(undefined, { headers: { Location: '/things/ada' } }) : reply.ok({ name }),
      rest: (_, { reply }) => reply.accepted(),
    }),
  ],
})

describe('routes of one path to OpenAPI', () => {
  it('answer what their operation says, whichever takes the request', async () => {
    expect((await ask(app, 'GET /things/12')).json).toEqual({ id: 12 })
    expect((await ask(app, 'GET /things/ada')).json).toEqual({ name: 'ada' })
    expect((await ask(app, 'GET /things/moved')).status).toBe(302)
    expect((await ask(app, 'GET /things/A-1')).status).toBe(202)
    expect((await ask(app, 'PUT /things/A-1')).status).toBe(202)
  })

  it('have the inputs and responses of all of them', () => {
    const { get, put } = app.openapi().paths['/things/{id}'] as never as Record<string, any>
    expect(Object.keys(get.responses).sort()).toEqual(['200', '202', '302', '400', 'default'])
    expect(Object.keys(get.responses['200'].content).sort()).toEqual([
      'application/vnd.author+json',
      'application/vnd.book+json',
      'text/plain',
    ])
    expect(get.parameters.map(({ name, required }: any) => [name, required === true])).toEqual([
      ['id', true],
      ['century', false],
      ['copy', false],
    ])
    expect(get.description).toContain('Where the path has another form, it is Things.author.\n\nAn author.')
    expect(Object.keys(put.responses).sort()).toEqual(['200', '202', '400', 'default'])
  })

  it('say of a wildcard that it may have slashes, whichever is declared first', async () => {
    const Deep = endpoint('Deep', {
      actions: {
        one: { routing: route.get('/:id'), params: { id: t.string() }, responses: { noContent: true } },
        all: { routing: route.get('/*rest'), params: { rest: t.string() }, responses: { accepted: true } },
      },
    })
    const deep = application({
      controllers: [
        Deep.implement({ one: (_, { reply }) => reply.noContent(), all: (_, { reply }) => reply.accepted() }),
      ],
    })
    expect((await ask(deep, 'GET /deep/a/b')).status).toBe(202)
    const { get } = deep.openapi().paths['/deep/{id}'] as never as Record<string, any>
    expect(get.parameters[0].description).toContain('May have slashes.')
  })

  it('[RTE-03] ANY has no operation for a verb that another route takes, wherever and however it does', () => {
    const act = (verb: 'get' | 'post' | 'any', path: string, more: object = {}) => {
      const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, t.string()]))
      const splat = path.includes('*') ? { splat: t.array(t.string()) } : {}
      return { routing: route[verb](path as never), params: { ...params, ...splat }, responses: { ok: true }, ...more }
    }
    const verbsOf = (any: string, other: object): string[] => {
      const Things = endpoint('Things', { actions: { all: act('any', any), other } } as never)
      const shown = application({
        controllers: [Things.implement({ all: () => '', other: () => '' } as never)],
      }).openapi()
      return Object.values(shown.paths).flatMap((item) =>
        Object.keys(item).filter((verb) => item[verb]?.operationId.startsWith('Things.all')),
      )
    }
    const all = ['get', 'post', 'put', 'patch', 'delete']
    const others = ['head', ...all.filter((verb) => verb !== 'get')]
    for (const path of ['/new', '/:id', '/*', '/n:rest'])
      for (const more of [{}, { nodoc: true }]) expect(verbsOf('/new', act('get', path, more)), path).toEqual(others)
    expect(verbsOf('/:id', act('get', '/*'))).toEqual(others)
    expect(verbsOf('/:id', act('get', '/new'))).toEqual(all)
    expect(verbsOf('/:id/x', act('get', '/a/:id'))).toEqual(all)
    expect(verbsOf('/*', act('get', '/:id', { nodoc: true }))).toEqual(all)
    expect(verbsOf('/*', act('post', '/*', { nodoc: true }))).toEqual(all.filter((verb) => verb !== 'post'))
    const limited = { ...act('get', '/:id'), routing: route.get('/:id', { capture: /\d+/ }) }
    expect(verbsOf('/12', limited)).toEqual(others)
    expect(verbsOf('/new', limited)).toEqual(all)
  })

  it('are not mixed where a verb of its own takes every path', () => {
    const Plain = endpoint('Plain', {
      actions: {
        one: { routing: route.get('/:id'), params: { id: t.string() }, responses: { noContent: true } },
        all: { routing: route.any('/:id'), params: { id: t.string() }, responses: { accepted: true } },
      },
    })
    const plain = application({
      controllers: [
        Plain.implement({ one: (_, { reply }) => reply.noContent(), all: (_, { reply }) => reply.accepted() }),
      ],
    })
    const { get, put } = plain.openapi().paths['/plain/{id}'] as never as Record<string, any>
    expect(Object.keys(get.responses)).not.toContain('202')
    expect(Object.keys(put.responses)).toContain('202')
  })
})
