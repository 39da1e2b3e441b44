// Keys whose values differ from their form in JSON, such as ids with a prefix: every convention names elements by that form.
import { type Attribute, application, controller, endpoint, mediaType, type Options, route, t } from 'edict'
import { client } from 'edict/client'
import { attribute, applyOptions as described, type Kind } from 'edict/extend'
import { mapper, memoryDatastore, one, resource } from 'edict/mapper'
import { jsonApi, pagination, stripe } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { ask, mistakesOf } from '../../support/ask.ts'

const kind: Kind<string> = {
  name: 'prefixed id',
  scalar: 'integer',
  loader: (prefix) => {
    const form = new RegExp(`^${prefix}_(\\d{1,9})$`)
    return (value, loading) => {
      const [, digits] = (typeof value === 'string' && form.exec(value)) || []
      return digits === undefined ? loading.fail('type', { expected: `an id such as ${prefix}_1` }) : Number(digits)
    }
  },
  dumper: (prefix) => (value, dumping) =>
    typeof value === 'number' ? `${prefix}_${value}` : dumping.fail('type', { expected: 'a number' }),
  jsonSchema: (prefix, options) => described({ type: 'string', pattern: `^${prefix}_[0-9]{1,9}$` }, options),
  example: () => 1,
}
const prefixed = (prefix: string, options: Options<number> = {}): Attribute<number, true> =>
  attribute<string, number, true>(kind, prefix, { ...options, required: true })

const Owner = mediaType('Owner', { attributes: { id: prefixed('own'), name: t.string() } })
const Thing = mediaType('Thing', {
  attributes: { id: prefixed('thg'), rank: t.integer(), owner: Owner },
  views: { full: ['id', 'rank', 'owner'] },
})
const ranked = stripe.for(Thing, { order: ['-rank'] })
const linked = stripe.for(Thing, { headers: { link: true } })
const objects = jsonApi.for(Thing.view('full'), { orderBy: ['rank'] })
const Things = endpoint('Things', {
  actions: {
    ranked: { routing: route.get('/ranked'), params: ranked.params, responses: { ok: ranked.body } },
    linked: { routing: route.get('/linked'), params: linked.params, responses: { ok: linked.body } },
    objects: { routing: route.get('/objects'), params: objects.params, responses: { ok: objects.body } },
  },
})

const datastore = memoryDatastore({
  owners: { columns: { id: { kind: 'integer' }, name: { kind: 'text' } }, key: ['id'], rows: [{ id: 9, name: 'Ada' }] },
  things: {
    columns: { id: { kind: 'integer' }, rank: { kind: 'integer' }, owner_id: { kind: 'integer' } },
    key: ['id'],
    rows: [1, 2, 3, 4, 5].map((id) => ({ id, rank: id % 2, owner_id: 9 })),
  },
})
const owners = resource(datastore, Owner, { table: 'owners' })
const things = resource(datastore, Thing, { table: 'things', attributes: { owner: one(owners, { owner_id: 'id' }) } })
const app = application({
  environment: 'test',
  plugins: [mapper({ resources: { owners, things } }), pagination()],
  controllers: [
    controller(Things, {
      ranked: async (_, { request, reply }) => reply.ok(ranked.answer(request, await things.list(request))),
      linked: async (_, { request, reply }) => reply.ok(linked.answer(request, await things.list(request))),
      objects: async (_, { request, reply }) => reply.ok(objects.answer(request, await things.list(request))),
    }),
  ],
})

describe('keys with a form of their own', () => {
  it('[LST-02] are the ids of JSON:API, of elements and of those that they are related to', async () => {
    const { json } = await ask(app, 'GET /things/objects?page[size]=1&sort=-rank')
    expect(json.data).toEqual([
      {
        type: 'thing',
        id: 'thg_5',
        attributes: { rank: 1 },
        relationships: { owner: { data: { type: 'owner', id: 'own_9' } } },
      },
    ])
  })

  it('[LST-02] are in the links of lists that are continued by keys', async () => {
    const { headers } = await ask(app, 'GET /things/linked?limit=2&starting_after=thg_2')
    expect(headers['link']).toContain('</things/linked?limit=2&starting_after=thg_4>; rel="next"')
    expect(headers['link']).toContain('</things/linked?limit=2&ending_before=thg_3>; rel="prev"')
  })

  it('[LST-02] let clients read a list to its end', async () => {
    const api = client({ Things }, { baseUrl: 'http://things', fetch: (request) => app.fetch(request) })
    const read = async (elements: AsyncIterable<{ readonly id: unknown }>): Promise<unknown[]> => {
      const ids: unknown[] = []
      for await (const { id } of elements) ids.push(id)
      return ids
    }
    expect(await read(api.Things.ranked.all({ limit: 2 }))).toEqual([5, 3, 1, 4, 2])
    expect(await read(api.Things.linked.all({ limit: 2 }))).toEqual([1, 2, 3, 4, 5])
  })

  it('[LST-02] JSON:API does not boot with a relation to elements without an id', () => {
    const Place = mediaType('Place', { attributes: { code: t.string() } })
    const Shelf = mediaType('Shelf', {
      attributes: { id: t.integer({ required: true }), place: Place },
      views: { full: ['id', 'place'] },
    })
    const list = jsonApi.for(Shelf.view('full'))
    const Shelves = endpoint('Shelves', {
      actions: { index: { routing: route.get('/'), params: list.params, responses: { ok: list.body } } },
    })
    const mistakes = mistakesOf(() =>
      application({
        plugins: [pagination()],
        controllers: [Shelves.implement({ index: (_, { request, reply }) => reply.ok(list.answer(request, [])) })],
      }),
    )
    expect(mistakes.map(({ problem }) => problem)).toEqual([
      'JSON:API names related elements by their id, and Place has none',
    ])
  })
})
