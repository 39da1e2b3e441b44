// Fields that a default view hides: without a declaration, lists do not filter, order or select by them, and links hide them.
import { type Attribute, application, collectionOf, endpoint, type MediaType, mediaType, route, t } from 'edict'
import { FieldSelector, FilteringParams, mapper, memoryDatastore, one, resource } from 'edict/mapper'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askFetch as ask, mistakesOf } from '../../support/ask.ts'

const NAMES = ['a', 'b', 'c', 'd'] as const
const VALUES = Object.fromEntries(NAMES.map((name) => [name, `value-of-${name}-`]))

/** Which attributes the default views of the elements and of their owners show, and whether elements show their owner. */
interface Shown {
  readonly own: readonly string[]
  readonly owner: readonly string[]
  readonly related: boolean
}

const someNames = fc.subarray([...NAMES])
const shownViews: fc.Arbitrary<Shown> = fc.record({ own: someNames, owner: someNames, related: fc.boolean() })

function lists({ own, owner, related }: Shown, params: (of: MediaType) => Record<string, Attribute> = everything) {
  const texts = Object.fromEntries(NAMES.map((name) => [name, t.string()]))
  const attributes = { id: t.integer({ required: true }), ...texts }
  const Owner = mediaType('Owner', { attributes, views: { default: ['id', ...owner] as never } })
  const Item = mediaType('Item', {
    attributes: { ...attributes, owner: Owner },
    views: { default: ['id', ...own, ...(related ? ['owner'] : [])] as never },
  })
  const columns = Object.fromEntries(NAMES.map((name) => [name, { kind: 'text' as const }]))
  const id = { kind: 'integer', generated: true } as const
  const row = (at: number) => Object.fromEntries(NAMES.map((name) => [name, `${VALUES[name]}${at}`]))
  const store = memoryDatastore({
    owners: { columns: { id, ...columns }, key: ['id'], rows: [1, 2, 3].map((at) => row(at + 10)) },
    items: {
      columns: { id, owner_id: { kind: 'integer' }, ...columns },
      key: ['id'],
      rows: [1, 2, 3].map((at) => ({ ...row(at), owner_id: at })),
    },
  })
  const owners = resource(store, Owner, { table: 'owners' })
  const items = resource(store, Item, {
    table: 'items',
    attributes: { owner: one(owners, { owner_id: 'id' }) },
  } as never)
  const Items = endpoint('Items', {
    actions: {
      index: { routing: route.get('/'), params: params(Item as never), responses: { ok: collectionOf(Item) } },
    },
  })
  const index = async (_: unknown, { request, reply }: any) => reply.ok(await items.list(request))
  return application({
    plugins: [mapper({ resources: [owners, items] }), pagination()],
    controllers: [Items.implement({ index } as never)],
  })
}

const everything = (of: MediaType): Record<string, Attribute> => ({
  filters: FilteringParams.for(of),
  order: OrderingParams.for(of),
  pagination: PaginationParams.for(of),
  fields: FieldSelector.for(of),
})

const isShown = ({ own, owner, related }: Shown, path: string): boolean => {
  const [name = '', inner] = path.split('.')
  return inner === undefined ? own.includes(name) : related && owner.includes(inner)
}

const paths = fc.constantFrom(...NAMES, ...NAMES.map((name) => `owner.${name}`))

/** Everything that the links of an answer say, places in clear. */
function linked(link: string): string {
  const places = [...link.matchAll(/(?:after|before)%3D([\w-]+)/g)].map(([, place = '']) =>
    Buffer.from(place, 'base64url').toString(),
  )
  return [decodeURIComponent(decodeURIComponent(link)), ...places].join(' ')
}

describe('lists without a list of fields', () => {
  it('filter, order and select by what the default view shows, and refuse the rest without naming it', async () => {
    await fc.assert(
      fc.asyncProperty(shownViews, paths, async (shown, path) => {
        const app = lists(shown)
        const [name, inner] = path.split('.')
        const asked = [
          `filters=${path}>x`,
          `order=${path}`,
          `order=id,-${path}`,
          `pagination=by=${path}`,
          `fields=${inner === undefined ? name : `${name}{${inner}}`}`,
        ]
        for (const query of asked) {
          const { status, text } = await ask(app, `GET /items?${query}`)
          expect([query, status]).toEqual([query, isShown(shown, path) ? 200 : 400])
          if (status !== 400) continue
          const suggested = (JSON.parse(text).errors[0].message as string).split(';').at(-1) ?? ''
          for (const other of NAMES)
            if (!shown.own.includes(other) && !shown.owner.includes(other))
              expect(suggested).not.toMatch(new RegExp(`\\b${other}\\b`))
        }
      }),
      { numRuns: 40 },
    )
  }, 30_000)

  it('have links that hold no value which the default view hides', async () => {
    await fc.assert(
      fc.asyncProperty(shownViews, fc.uniqueArray(paths, { minLength: 1 }), async (shown, order) => {
        const fields = order.filter((path) => isShown(shown, path))
        const query =
          fields.length === 0 ? 'pagination=by=id,items=1' : `order=${fields}&pagination=by=${fields[0]},items=1`
        const { status, headers } = await ask(lists(shown), `GET /items?${query}`)
        expect(status).toBe(200)
        const said = linked(headers['link'] ?? '')
        for (const name of NAMES) {
          const seen = shown.own.includes(name) || (shown.related && shown.owner.includes(name))
          if (!seen) expect(said).not.toContain(VALUES[name])
        }
      }),
      { numRuns: 30 },
    )
  }, 30_000)
})

describe('a hidden attribute', () => {
  const hidden: Shown = { own: ['a'], owner: ['a'], related: false }

  it('is filtered, ordered and selected by where it is named', async () => {
    const app = lists(hidden, (of) => ({
      filters: FilteringParams.for(of, { b: {}, 'owner.b': {} } as never),
      order: OrderingParams.for(of, { byFields: ['b', 'owner.b'] } as never),
      pagination: PaginationParams.for(of, { byFields: ['b'] } as never),
      fields: FieldSelector.for(of.view('default')),
    }))
    for (const query of ['filters=b>x', 'filters=owner.b>x', 'order=b,owner.b', 'order=b,a', 'pagination=by=b'])
      expect([query, (await ask(app, `GET /items?${query}`)).status]).toEqual([query, 200])
    for (const query of ['filters=c>x', 'order=c', 'order=b,c', 'pagination=by=c', 'fields=b', 'fields=owner{a}'])
      expect([query, (await ask(app, `GET /items?${query}`)).status]).toEqual([query, 400])
  })

  it('is no default order, as links would show its values', () => {
    const boot = (settings: object) => () =>
      lists(hidden, (of) => ({
        order: OrderingParams.for(of, settings as never),
        pagination: PaginationParams.for(of),
      }))
    expect(mistakesOf(boot({ default: ['-b'] })).map(({ problem }) => problem)).toEqual([
      "the default orders by 'b', which the default view of Item hides, and links would show its values: name it in byFields if clients may know them",
    ])
    expect(boot({ default: ['-b'], byFields: ['b'] })).not.toThrow()
  })

  it('is no key of a list with cursors, unless it is named', () => {
    const Item = mediaType('Item', { attributes: { id: t.integer(), a: t.string() }, views: { default: ['a'] } })
    const boot = (settings: object) => () => {
      const params = { pagination: PaginationParams.for(Item, settings) }
      const Items = endpoint('Items', {
        actions: { index: { routing: route.get('/'), params, responses: { ok: collectionOf(Item) } } },
      })
      const index = (_: unknown, { reply }: any) => reply.ok([])
      return application({ plugins: [mapper(), pagination()], controllers: [Items.implement({ index })] })
    }
    expect(mistakesOf(boot({})).map(({ setting, problem }) => [setting, problem])).toEqual([
      ['index.params.pagination', "its links would show the key 'id', which the default view of Item hides"],
    ])
    expect(boot({ key: ['id'] })).not.toThrow()
    expect(boot({ disallow: 'cursor' })).not.toThrow()
  })
})
