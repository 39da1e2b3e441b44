// Wrong options: each is one mistake that names the setting, the problem and a remedy.
import {
  type Application,
  application,
  collectionOf,
  controller,
  DefinitionError,
  endpoint,
  inherit,
  mediaType,
  response,
  route,
  security,
  t,
  verifier,
} from 'edict'
import { docs } from 'edict/docs'
import { mapper } from 'edict/mapper'
import { mock } from 'edict/mock'
import { serve } from 'edict/node'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { mistakesOf } from '../../support/ask.ts'

const Book = mediaType('Book', { attributes: { id: t.integer(), title: t.string() } })
const wrong = (value: unknown): never => value as never

/** The application of one action with these settings. */
const made = (action: object = {}, options: object = {}, more: object = {}): Application =>
  application({
    plugins: [mapper(), pagination()],
    controllers: [
      endpoint('Books', {
        ...more,
        actions: { list: { routing: route.get('/'), responses: { ok: true }, ...action } },
      } as never).implement({ list: () => '' } as never),
    ],
    ...options,
  })

/** The mistakes as lines: the setting, the problem, the remedy. */
const lines = (boot: () => unknown): string[] =>
  mistakesOf(boot).map(({ setting, problem, remedy }) => `${setting}: ${problem}; ${remedy}`)

const param = (params: object): string[] => lines(() => made({ params }))

describe('a mistake that boot took without a word', () => {
  it.each<readonly [string, () => string[], string]>([
    [
      "enforceFor: 'last'",
      () => param({ order: OrderingParams.for(Book, { enforceFor: wrong('last') }) }),
      "params.order: enforceFor is 'last'; give 'first' or 'all'",
    ],
    [
      'a default that is a page and a field',
      () => param({ pagination: PaginationParams.for(Book, { default: wrong({ by: 'id', page: 1 }) }) }),
      'params.pagination: default is an object, which must be a page or a field; write { page: 1 } or { by: … }',
    ],
    [
      'an unknown option of a route',
      () => lines(() => made({ routing: route.get('/', wrong({ nmae: 'x' })) })),
      'routing.nmae: there is no such setting; did you mean name? If not, use one of: name, params, capture, except',
    ],
    [
      'a prefix with two slashes',
      () => lines(() => made({ routing: [route.prefix('//other'), route.get('/')] })),
      "routing[0].prefix: it is '//other'; give a path such as '/blogs', or '//' alone for no prefix",
    ],
    [
      'the same of an endpoint',
      () => lines(() => made({}, {}, { prefix: '//other' })),
      "prefix: it is '//other'; give a path such as '/blogs', or '//' alone for no prefix",
    ],
    [
      'a misspelt option of the application',
      () => lines(() => made({}, { basepath: '/api' })),
      expect.stringContaining('basepath: there is no such setting; did you mean basePath?'),
    ],
    [
      'settings of a plugin that is misspelt',
      () => lines(() => made({}, { config: { paginaton: {} } })),
      'config.paginaton: there is no plugin of this name; did you mean pagination?',
    ],
    [
      'a body of an answer that never has one',
      () => lines(() => made({ responses: { ok: true, noContent: Book } })),
      'responses.noContent: a response with the status 204 never has a body, but a media type is named for it; ' +
        'leave the media type out, or list a response that has a body, such as ok',
    ],
    [
      'a header whose pattern cannot be matched in linear time',
      () => lines(() => made({ responses: { ok: { location: /^(.)\1$/ } } })),
      expect.stringMatching(/^responses\.ok\.location: .* is not supported; the back-reference \\1 cannot be matched/),
    ],
    [
      'security that names nothing',
      () => lines(() => made({ security: [] })),
      "security: it names no scheme; name one, or write 'none' to admit everybody",
    ],
  ])('%s', (_, boot, expected) => {
    expect(boot()).toEqual([expected])
  })
})

describe('a mistake that ended in a bare TypeError, or in misleading words', () => {
  it.each<readonly [string, () => string[], string]>([
    [
      'an order of no media type',
      () => param({ order: OrderingParams.for(wrong(Number)) }),
      'params.order: it is declared for the function Number; declare it for a media type',
    ],
    [
      'pagination of no media type',
      () => param({ pagination: PaginationParams.for(wrong(String)) }),
      'params.pagination: it is declared for the function String; declare it for a media type',
    ],
    [
      'values that are no list',
      () => param({ a: t.string({ values: wrong(3) }) }),
      'params.a: values is 3; give a list, each element a text',
    ],
    [
      'a variant that is an attribute',
      () => param({ a: t.union('type', { one: wrong(t.object({})) }) }),
      'params.a: variants.one is an attribute; give attributes by their names: { id: t.integer() }',
    ],
    [
      'an attribute that is a function nobody called',
      () => param({ a: wrong(t.string) }),
      'params.a: it is the function string, not an attribute; declare it with t, for example t.string(), or inherit',
    ],
    [
      'a plugin that is a function nobody called',
      () => lines(() => made({}, { plugins: [docs] })),
      'plugins[0]: it is the function docs, not a plugin; call it: docs()',
    ],
    [
      'an endpoint among the controllers',
      () => {
        const Books = endpoint('Books', { actions: { list: { routing: route.get('/'), responses: { ok: true } } } })
        return lines(() => application({ controllers: [wrong(Books)] }))
      },
      'controllers[0]: it is an endpoint, not a controller; implement it: controller(Books, { … })',
    ],
    [
      'a response name in other letters',
      () => lines(() => made({ responses: { ok: true, notfound: true } })),
      'responses.notfound: it is not a built-in response and has no status; did you mean notFound? If not, give it a status, such as { status: 429 }',
    ],
    [
      'a scheme with a misspelt option',
      () => {
        const Key = security.apiKey('Key', wrong({ in: 'header', nmae: 'X-Key', name: 'X-Key' }))
        return lines(() => made({ security: Key }, { verifiers: [verifier(Key, () => 'x')] }))
      },
      'security.nmae: there is no such setting; did you mean name? If not, use one of: description, in, name, crossSite, scheme',
    ],
    [
      'a list of no media type',
      () => lines(() => made({ responses: { ok: collectionOf(wrong(Number)) } })),
      expect.stringContaining('responses.ok.mediaType: it is a list of a media type; give'),
    ],
  ])('%s', (_, boot, expected) => {
    expect(boot()).toEqual([expected])
  })

  it('inherit where there is nothing to inherit from', () => {
    const Nested = mediaType('Nested', { attributes: { id: t.integer(), inner: wrong(t.object({ a: inherit })) } })
    const boots = [
      () => made({ responses: { ok: Nested } }),
      () => made({ responses: { ok: { headers: { 'X-A': t.object({ a: inherit }) } } } }),
      () => made({ responses: { ok: t.object({ a: inherit }) } }),
    ]
    for (const boot of boots)
      expect(mistakesOf(boot)).toMatchObject([
        { setting: expect.stringMatching(/\.a$/), problem: 'there is nothing here that it could inherit from' },
      ])
  })

  it('a view that is not there', () => {
    expect(() => Book.view(wrong('nope'))).toThrow(DefinitionError)
    expect(() => collectionOf(Book, wrong({ veiw: 'short' }))).toThrow(/did you mean view/)
  })

  it('[DEF-12] all of them are told together, also those that the declaring functions have seen', () => {
    const Odd = mediaType(wrong(3), wrong({ identifer: 'x', attributes: { a: 3 } }))
    const boot = () =>
      application({
        controllers: [
          controller(
            endpoint(
              'Books',
              wrong({
                mediaType: Odd,
                descripton: '',
                actions: {
                  list: { routing: route.get(wrong(3)), responses: { quiet: response('quiet', wrong(null)) } },
                },
              }),
            ),
            wrong(null),
          ).before(wrong(3)),
        ],
        plugins: wrong(3),
        titel: 'x',
      } as never)
    expect(
      mistakesOf(boot)
        .map(({ setting }) => setting)
        .sort(),
    ).toEqual(
      [
        'MediaType',
        'MediaType',
        'MediaType.a',
        'before',
        'controller',
        'descripton',
        'plugins',
        'responses.quiet',
        'responses.quiet',
        'routing.path',
        'titel',
      ].sort(),
    )
  })
})

describe('functions that do not declare anything throw at once', () => {
  it('mock names its own options and what is to be mocked', () => {
    expect(() => mock(wrong(3))).toThrow('mock: there is 3 to be mocked: give an application, endpoints')
    expect(() => mock([], wrong({ rosw: 3 }))).toThrow(/^mock: rosw: there is no such setting: did you mean rows\?/)
  })

  it('serve names every option that does not fit', async () => {
    const options = wrong({ prot: 80, timeouts: { headers: 'x' } })
    await expect(serve(made(), options)).rejects.toThrow(
      /^serve: prot: there is no such setting: did you mean port\?.*; timeouts\.headers is 'x': give a time/,
    )
  })
})
