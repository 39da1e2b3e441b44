// The options of pagination: where they come from, what they decide, and contradictions that do not boot.
import { type ApplicationOptions, application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import {
  OrderingParams,
  type PaginationOptions,
  PaginationParams,
  type PaginationParamsSettings,
  paginate,
  pagination,
} from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { type Answered, ask, mistakesOf } from '../support/ask.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), name: t.string(), year: t.integer() },
})
const list = Array.from({ length: 120 }, (_, i) => ({ id: i + 1, name: `n${i % 3}`, year: 2000 - i }))

/** The controller of books whose parameters have these settings. */
function books(settings: PaginationParamsSettings<'id' | 'name' | 'year'> = {}, enforceFor?: 'first' | 'all') {
  const Books = endpoint('Books', {
    actions: {
      index: {
        routing: route.get('/'),
        params: {
          pagination: PaginationParams.for(Book, settings),
          order: OrderingParams.for(Book, { byFields: ['id', 'name'], ...(enforceFor && { enforceFor }) }),
        },
        responses: { ok: collectionOf(Book) },
      },
    },
  })
  return Books.implement({ index: (_, { request, reply }) => reply.ok(paginate(request, list)) })
}
const made = (options: PaginationOptions, rest: Partial<ApplicationOptions> = {}) =>
  application({ plugins: [pagination(options)], controllers: [books()], ...rest })
type App = ReturnType<typeof made>
const get = (app: App, paging?: string, rest = '') =>
  ask(app, `GET /books?${paging === undefined ? '' : `pagination=${paging}`}${rest}`)
const ids = ({ json }: Answered): number[] => json.map(({ id }: { id: number }) => id)
const size = async (app: App, paging?: string): Promise<number> => (await get(app, paging)).json.length
const codes = ({ status, json }: Answered): unknown => [status, json.errors?.map(({ code }: { code: string }) => code)]
const messages = ({ json }: Answered): string => json.errors[0].message
const problems = (boot: () => unknown): string[] => mistakesOf(boot).map((mistake) => JSON.stringify(mistake))

describe('options', () => {
  it('[PLG-01] maxItems is the ceiling of items; without it there is none', async () => {
    const app = made({ maxItems: 30, defaultPageSize: 20 })
    expect(await size(app, 'items=30')).toBe(30)
    for (const paging of ['items=31', 'by=id,items=31', 'page=1,items=9007199254740991'])
      expect(codes(await get(app, paging)), paging).toEqual([400, ['pagination-items']])
    expect(messages(await get(app, 'items=31'))).toBe("The parameter 'pagination' must request at most 30 items")
    expect(await size(made({}), 'items=100000')).toBe(120)
  })

  it('[PLG-01] onExceed clamp gives as many as there may be, and links that do the same', async () => {
    const app = made({ maxItems: 30, defaultPageSize: 20, onExceed: 'clamp' })
    const first = await get(app, 'items=500')
    expect(first.json).toHaveLength(30)
    const next = /<([^>]*)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1]
    expect(ids(await ask(app, `GET ${next}`))).toEqual(list.slice(30, 60).map(({ id }) => id))
  })

  it('[PLG-02] defaultPageSize, 100 unless set', async () => {
    expect(await size(made({}))).toBe(100)
    expect(await size(made({ defaultPageSize: 7 }))).toBe(7)
    expect(await size(made({ defaultPageSize: 7 }), 'by=id')).toBe(7)
  })

  it('[PLG-03] disallowPagingByDefault refuses page=', async () => {
    const app = made({ disallowPagingByDefault: true, pagingDefaultMode: { by: 'year' } })
    expect(codes(await get(app, 'page=1'))).toEqual([400, ['pagination-disallowed']])
    expect(messages(await get(app, 'page=1'))).toBe("The parameter 'pagination' must not use page here")
    expect(ids(await get(app, 'by=id,items=1'))).toEqual([1])
    expect(ids(await get(app, 'items=2'))).toEqual([120, 119])
  })

  it('[PLG-04] disallowCursorByDefault refuses by= and from=', async () => {
    const app = made({ disallowCursorByDefault: true })
    for (const paging of ['by=id', 'by=id,from=3', 'from=3', 'after=x', 'before=x'])
      expect(codes(await get(app, paging)), paging).toEqual([400, ['pagination-disallowed']])
    expect(await size(app, 'page=2')).toBe(20)
  })

  it('[PLG-05] pagingDefaultMode is what a request without a mode gets, page 1 unless set', async () => {
    expect(ids(await get(made({}), 'items=1'))).toEqual([1])
    expect(ids(await get(made({ pagingDefaultMode: { page: 2 } })))).toEqual(list.slice(100).map(({ id }) => id))
    const byYear = made({ pagingDefaultMode: { by: 'year' } })
    expect(ids(await get(byYear, 'items=2'))).toEqual([120, 119])
    expect(ids(await get(byYear, 'from=1885,items=2'))).toEqual([115, 114])
    expect(ids(await get(byYear, 'page=2,items=2'))).toEqual([3, 4])
    const next = /<([^>]*)>; rel="next"/.exec((await get(byYear)).headers['link'] ?? '')?.[1]
    expect(ids(await ask(byYear, `GET ${next}`))[0]).toBe(20)
  })

  it('[PLG-06] sorting.enforceAllFields, false unless set', async () => {
    expect((await get(made({}), undefined, '&order=id,year')).status).toBe(200)
    const strict = made({ sorting: { enforceAllFields: true } })
    expect(codes(await get(strict, undefined, '&order=id,year'))).toEqual([400, ['order-field']])
    expect((await get(strict, undefined, '&order=id,name')).status).toBe(200)
    const own = made({ sorting: { enforceAllFields: true } }, { controllers: [books({}, 'first')] })
    expect((await get(own, undefined, '&order=id,year')).status).toBe(200)
  })
})

describe('where options come from', () => {
  const config = (options: unknown) => ({ config: { pagination: options } })

  it('[PLG-07] registration, then the config of the application; without any, the defaults', async () => {
    expect(await size(made({}))).toBe(100)
    expect(await size(made({ defaultPageSize: 5 }))).toBe(5)
    expect(await size(made({}, config({ defaultPageSize: 6 })))).toBe(6)
    expect(await size(made({ defaultPageSize: 5 }, config({ defaultPageSize: 6 })))).toBe(6)
    const both = made({ defaultPageSize: 5, maxItems: 8 }, config({ defaultPageSize: 6, sorting: {} }))
    expect([await size(both), codes(await get(both, 'items=9'))]).toEqual([6, [400, ['pagination-items']]])
    expect(await size(made({ defaultPageSize: 5 }, { config: { other: 1 } }))).toBe(5)
  })

  it('[PLG-09] defaults stand below a registration, wherever they are listed', async () => {
    const low = pagination.defaults({ defaultPageSize: 3, maxItems: 50 })
    const app = (plugins: ApplicationOptions['plugins'], rest = {}) =>
      application({ plugins: plugins ?? [], controllers: [books()], ...rest })
    expect(await size(app([low]))).toBe(3)
    for (const plugins of [
      [low, pagination({ defaultPageSize: 4 })],
      [pagination({ defaultPageSize: 4 }), low],
    ]) {
      expect(await size(app(plugins))).toBe(4)
      expect(codes(await get(app(plugins), 'items=51'))).toEqual([400, ['pagination-items']])
      expect((await get(app(plugins))).headers['link']?.match(/rel="next"/g)).toHaveLength(1)
    }
    expect(await size(app([low], config({ defaultPageSize: 9 })))).toBe(9)
  })

  it('[PLG-07] the settings of a parameter stand above all', async () => {
    const controllers = [books({ pageSize: 2, maxItems: 4, disallow: 'none', default: { by: 'year' } })]
    const options = { maxItems: 50, defaultPageSize: 20, disallowCursorByDefault: true }
    const app = made(options, { controllers, ...config({ defaultPageSize: 30 }) })
    expect(ids(await get(app))).toEqual([120, 119])
    expect(codes(await get(app, 'items=5'))).toEqual([400, ['pagination-items']])
    expect(ids(await get(app, 'by=id,items=1'))).toEqual([1])
    const pages = made({}, { controllers: [books({ disallow: 'cursor' })] })
    expect(codes(await get(pages, 'by=id'))).toEqual([400, ['pagination-disallowed']])
    const cursors = made({}, { controllers: [books({ disallow: 'paging', default: { by: 'id' } })] })
    expect(codes(await get(cursors, 'page=1'))).toEqual([400, ['pagination-disallowed']])
    const more = made({ maxItems: 5, defaultPageSize: 5 }, { controllers: [books({ maxItems: 110 })] })
    expect(await size(more, 'items=110')).toBe(110)
  })

  it('[PLG-10] two applications of one controller may differ', async () => {
    const controllers = [books()]
    const [small, large] = [made({ defaultPageSize: 1 }, { controllers }), made({ maxItems: 110 }, { controllers })]
    expect([await size(small), await size(large), await size(small)]).toEqual([1, 100, 1])
    expect([(await get(small, 'items=111')).status, (await get(large, 'items=111')).status]).toEqual([200, 400])
  })
})

describe('what does not boot', () => {
  it('[PLG-08] the types without the plugin', () => {
    const found = problems(() => application({ controllers: [books()] }))
    expect(found).toHaveLength(2)
    for (const one of found) expect(one).toMatch(/needs the plugin pagination, which is not registered/)
    expect(found.join()).toMatch(/params\.pagination.*params\.order/)
  })

  it('the types anywhere but in params', () => {
    const Lost = endpoint('Lost', {
      actions: {
        find: { routing: route.post('/'), payload: { order: OrderingParams.for(Book) }, responses: { ok: true } },
      },
    })
    const found = problems(() =>
      application({ plugins: [pagination()], controllers: [Lost.implement({ find: () => '' })] }),
    )
    expect(found.join()).toMatch(/payload\.order.*looks at params only/)
  })

  it.each<[string, unknown, RegExp]>([
    ['a page size above maxItems', { maxItems: 10, defaultPageSize: 100 }, /page size 100 is above maxItems, 10/],
    ['a page size of 0', { defaultPageSize: 0 }, /defaultPageSize is 0/],
    ['half an element', { maxItems: 1000.5 }, /maxItems is 1000\.5/],
    ['no element at all', { maxItems: -1, defaultPageSize: 1 }, /maxItems is -1/],
    ['both modes disallowed', { disallowPagingByDefault: true, disallowCursorByDefault: true }, /both modes/],
    ['a default mode that is disallowed', { disallowPagingByDefault: true }, /is a mode that is disallowed/],
    [
      'the same of cursors',
      { disallowCursorByDefault: true, pagingDefaultMode: { by: 'id' } },
      /mode that is disallowed/,
    ],
    ['a default page of 0', { pagingDefaultMode: { page: 0 } }, /pagingDefaultMode\.page is 0/],
    ['two default modes', { pagingDefaultMode: { page: 1, by: 'id' } }, /a page or a field/],
    ['no default mode', { pagingDefaultMode: {} }, /a page or a field/],
    ['a default field that there is not', { pagingDefaultMode: { by: 'title' } }, /'title', which is not a field/],
    ['an unknown option', { max_items: 5 }, /max_items: there is no such setting/],
    ['a number as text', { maxItems: '5' }, /maxItems is .*5/],
    ['a flag as text', { disallowPagingByDefault: 'false' }, /disallowPagingByDefault is/],
    ['a mode as text', { pagingDefaultMode: 'page' }, /pagingDefaultMode is/],
    ['no mode', { pagingDefaultMode: null }, /pagingDefaultMode is null/],
    ['an unknown way to exceed', { onExceed: 'ignore' }, /onExceed is/],
    ['sorting as a flag', { sorting: true }, /sorting is true/],
    ['a flag of sorting as text', { sorting: { enforceAllFields: 'yes' } }, /enforceAllFields is/],
    ['a config that is a list', ['maxItems'], /is a list/],
  ])('[PLG-07] %s, from the registration or the config', (_, options, problem) => {
    for (const boot of [() => made(options as never), () => made({}, { config: { pagination: options } })]) {
      const found = problems(boot)
      expect(found.join()).toMatch(problem)
      expect(found.length).toBeLessThan(3)
    }
  })

  it.each<[string, PaginationParamsSettings<any>, RegExp]>([
    ['sizes', { pageSize: 10, maxItems: 5 }, /page size 10 is above maxItems, 5/],
    ['the default mode', { disallow: 'paging' }, /default is a mode that is disallowed/],
    ['the default field', { byFields: ['id'], default: { by: 'year' } }, /'year', which is not/],
    ['an unknown field', { byFields: ['title'] }, /'title', which is not an attribute of Book/],
    ['an unknown key', { key: ['isbn'] }, /no field 'isbn' to identify elements/],
    ['no field', { byFields: [] }, /byFields is empty/],
    ['no key', { key: [] }, /the key is empty/],
    ['a default page of 0', { default: { page: 0 } }, /default\.page is 0/],
  ])('[PLG-07] a parameter that contradicts itself or the options: %s', (_, settings, problem) => {
    expect(problems(() => made({}, { controllers: [books(settings)] })).join()).toMatch(problem)
  })

  it('[PLG-07] the parameter under another name', () => {
    const Named = endpoint('Named', {
      actions: {
        index: { routing: route.get('/'), params: { paging: PaginationParams.for(Book) }, responses: { ok: true } },
      },
    })
    const controllers = [Named.implement({ index: () => '' })]
    expect(problems(() => made({}, { controllers })).join()).toMatch(/name it pagination/)
  })

  it('[PLG-07] the plugin twice', () => {
    expect(problems(() => made({}, { plugins: [pagination(), pagination()] })).join()).toMatch(/registered twice/)
  })
})
