// Declarations for readers of documents: titles, groups, links, operation ids, and facts about the API.
import { type ApplicationOptions, application, DefinitionError, endpoint, route } from 'edict'
import { describe, expect, it } from 'vitest'
import { type ActionSpec, diffContracts, type EndpointSpec } from '../../src/index.ts'
import type { OpenapiDocument } from '../../src/openapi/types.ts'
import { isOpenapi, lint } from '../support/documents/judges.ts'
import { operationsOf } from '../support/documents/requests.ts'

type Said = Partial<Omit<ActionSpec, 'routing'>>

const books = (name: string, actions: Readonly<Record<string, Said>>, spec: Partial<EndpointSpec> = {}) => {
  const declared = Object.fromEntries(
    Object.entries(actions).map(([action, said]) => [
      action,
      { routing: route.get(`/${action}`), responses: { noContent: true as const }, ...said },
    ]),
  )
  const made = endpoint(name, { ...spec, actions: declared } as never)
  return made.implement(
    Object.fromEntries(Object.keys(actions).map((action) => [action, () => undefined])) as never,
  ) as never
}

const served = (controllers: readonly unknown[], options: Partial<ApplicationOptions> = {}) =>
  application({ ...options, controllers: controllers as never })

const documentOf = (controllers: readonly unknown[], options: Partial<ApplicationOptions> = {}): OpenapiDocument =>
  served(controllers, options).openapi()

const mistakesOf = (controllers: readonly unknown[], options: Partial<ApplicationOptions> = {}): string[] => {
  try {
    served(controllers, options)
    return []
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error
    return error.message.split('\n').slice(1)
  }
}

const operation = (document: OpenapiDocument, id: string) =>
  operationsOf(document).find(({ operation }) => operation.operationId === id)?.operation

describe('[DOC-01] actions', () => {
  it('have a title apart from their description, or its first sentence without the full stop', () => {
    const document = documentOf([
      books('Books', {
        titled: { summary: 'List books', description: 'All of them. A page at a time.' },
        described: { description: 'All of them. A page at a time.' },
        asked: { description: 'Which ones? These.' },
        bare: {},
      }),
    ])
    const titles = ['titled', 'described', 'asked', 'bare'].map((name) => {
      const { summary, description } = operation(document, `Books.${name}`) ?? {}
      return [summary, description]
    })
    expect(titles).toEqual([
      ['List books', 'All of them. A page at a time.'],
      ['All of them', 'All of them. A page at a time.'],
      ['Which ones?', 'Which ones? These.'],
      ['Show the bare of books', undefined],
    ])
  })

  it('have links to more documentation, groups of their own, and operation ids of their own', () => {
    const externalDocs = { url: 'https://example.com/books', description: 'A page.' }
    const document = documentOf([
      books('Books', { index: { externalDocs, tags: ['Shelf', 'Lists'], operationId: 'listBooks' }, show: {} }),
    ])
    expect(operation(document, 'listBooks')).toMatchObject({ externalDocs, tags: ['Shelf', 'Lists'] })
    expect(operation(document, 'Books.show')).toMatchObject({ tags: ['Books'] })
    expect(document.tags.map(({ name }) => name)).toEqual(['Shelf', 'Lists', 'Books'])
  })

  it('with several routes have an id for each, and none that another action declares', () => {
    const routing = [route.get('/all', { name: 'all' }), route.get('/every')]
    const document = documentOf([
      books('Books', { list: { routing, operationId: 'list' } as never, other: { operationId: 'list.all' }, get: {} }),
    ])
    const ids = operationsOf(document).map(({ operation: { operationId }, path }) => `${path} ${operationId}`)
    expect(ids).toEqual(['/books/all list', '/books/every list.get', '/books/other list.all', '/books/get Books.get'])
    const named = [route.get('/a', { name: 'x' }), route.get('/b', { name: 'all' })]
    const second = documentOf([
      books('Books', { list: { routing: named, operationId: 'list' } as never, other: { operationId: 'list.all' } }),
    ])
    expect(operationsOf(second).map(({ operation: { operationId } }) => operationId)).toEqual([
      'list',
      'list.all2',
      'list.all',
    ])
  })

  it('are told at boot when an operation id is no name, or that of another action of the version', () => {
    expect(
      mistakesOf([
        books('Books', {
          a: { operationId: 'list' },
          b: { operationId: 'list' },
          c: { operationId: 'Books.d' },
          d: {},
        }),
      ]),
    ).toEqual([
      "  - Books › b › operationId: 'list' is the id of Books.a already. Remedy: give each action of a version its own.",
      "  - Books › c › operationId: 'Books.d' is the id of Books.d already. Remedy: give each action of a version its own.",
    ])
    const [mistake] = mistakesOf([books('Books', { a: { operationId: 'all books' } })])
    expect(mistake).toContain("Books › a › operationId: it is 'all books'. Remedy: give a name such as 'listBooks'")
  })

  it('may share an operation id where no document has both', () => {
    const action = { a: { operationId: 'list' } }
    expect(
      mistakesOf([
        books('Books', action, { version: '1' }),
        books('Books', action, { version: '2' }),
        books('Shelves', action),
        books('Hidden', action, { nodoc: true }),
      ]),
    ).toEqual([])
  })

  it('break generated clients with another operation id, and only documents with another title', () => {
    const contract = (said: Said) => served([books('Books', { a: said })]).contract()
    const changes = diffContracts(contract({ summary: 'One' }), contract({ summary: 'Two', operationId: 'list' }))
    expect(changes.map(({ kind, location: place, rule }) => [kind, place, rule])).toEqual([
      ['breaking', 'Books.a', 'operation-id-changed'],
      ['documentation', 'Books.a', 'summary-changed'],
    ])
  })
})

describe('[DOC-01] groups', () => {
  it('are the endpoints, with their titles, descriptions and links', () => {
    const externalDocs = { url: '/about/books' }
    const document = documentOf([
      books('Books', { a: {} }, { summary: 'All books', description: 'Here.', externalDocs }),
      books('Shelves', { a: {} }, { description: 'There.', tags: ['Books'] }),
      books('Rooms', { a: {} }),
    ])
    expect(document.tags).toEqual([
      { name: 'Books', 'x-displayName': 'All books', description: 'Here.\n\nThere.', externalDocs },
      { name: 'Rooms' },
    ])
  })

  it('are those of the application first, in its order and its words', () => {
    const document = documentOf([books('Books', { a: {} }, { description: 'Here.' }), books('Rooms', { a: {} })], {
      tags: [{ name: 'Rooms', summary: 'The rooms', description: 'Large ones.' }, { name: 'Books' }],
    })
    expect(document.tags).toEqual([
      { name: 'Rooms', 'x-displayName': 'The rooms', description: 'Large ones.' },
      { name: 'Books', description: 'Here.' },
    ])
  })

  it('that nothing uses, or that are there twice, are told at boot', () => {
    expect(
      mistakesOf([books('Books', { a: {} })], { tags: [{ name: 'Boks' }, { name: 'Books' }, { name: 'Books' }] }),
    ).toEqual([
      "  - application › tags[0]: no endpoint or action has the tag 'Boks'. Remedy: did you mean Books? If not, use one of: Books.",
      "  - application › tags[2]: there are two tags 'Books'. Remedy: keep one of them.",
    ])
  })
})

describe('[DOC-01] applications', () => {
  const about = {
    title: 'Library',
    description: 'Books.',
    termsOfService: 'https://example.com/terms',
    contact: { name: 'Ada', url: 'https://example.com', email: 'ada@example.com' },
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    externalDocs: { url: 'https://example.com/docs', description: 'The manual.' },
  } satisfies Partial<ApplicationOptions>

  it('say who answers for them, under which terms, and where more is written', () => {
    const { info, externalDocs } = documentOf([books('Books', { a: {} })], about)
    const { externalDocs: link, ...facts } = about
    expect(info).toEqual({ ...facts, version: 'unversioned' })
    expect(externalDocs).toEqual(link)
  })

  it('name their servers, to which the base path and the version belong', () => {
    const servers = [
      { url: 'https://api.library.dev/', description: 'Production' },
      { url: 'https://test.library.dev/v0' },
    ]
    const app = served([books('Books', { a: {} }, { version: '1.0' }), books('Rooms', { a: {} })], {
      basePath: '/api',
      servers,
      versionWith: ['path'],
    })
    expect(app.openapi('1.0').servers).toEqual([
      { url: 'https://api.library.dev/api/v1.0', description: 'Production' },
      { url: 'https://test.library.dev/v0/api/v1.0' },
    ])
    expect(app.openapi().servers.map(({ url }) => url)).toEqual([
      'https://api.library.dev/api',
      'https://test.library.dev/v0/api',
    ])
    const [, second] = served([books('Books', { a: {} }, { version: '1.0' })], { servers }).openapi('1.0').servers
    expect(second).toEqual({ url: 'https://test.library.dev/v0/v1.0', description: 'The version in the path' })
  })

  it('have documents that others accept', { timeout: 60_000 }, async () => {
    const document = documentOf(
      [books('Books', { a: { operationId: 'a', externalDocs: { url: '/x' }, tags: ['Shelf'] } }, { summary: 'B' })],
      {
        ...about,
        servers: [{ url: 'https://api.library.dev' }],
        tags: [{ name: 'Shelf', summary: 'S', description: 'D' }],
      },
    )
    expect(await isOpenapi(document)).toBe(true)
    expect(await lint({ metadata: document })).toEqual([])
  })

  it.each([
    [{ contact: { email: 'nobody' } }, 'contact.email'],
    [{ contact: { phone: '1' } }, 'contact.phone'],
    [{ license: { identifier: 'MIT' } }, 'license.name'],
    [{ license: { name: 'MIT', identifier: 'MIT', url: 'https://example.com' } }, 'license.url'],
    [{ servers: [{ url: '/api' }] }, 'servers[0].url'],
    [{ servers: [{ url: 'https://example.com?x=1' }] }, 'servers[0].url'],
    [{ termsOfService: 'javascript:alert(1)' }, 'termsOfService'],
    [{ externalDocs: { description: 'no url' } }, 'externalDocs.url'],
    [{ tags: ['Books'] }, 'tags[0]'],
  ])('are refused with %j', (options, setting) => {
    expect(mistakesOf([books('Books', { a: {} })], options as never)[0]).toContain(`application › ${setting}: `)
  })
})
