// Connections of Relay in their published form: the Cursor Connections specification, over HTTP.
import { endpoint, route } from 'edict'
import { client } from 'edict/client'
import { relay } from 'edict/pagination'
import { describe, expect, it } from 'vitest'
import { askFetch } from '../../../support/ask.ts'
import { askBooks, Book, expectKnown, expectRefused, rows, serveBooks } from './shelf.ts'

const list = relay
  .with({ maxItems: 100 })
  .for(Book, { order: ['title'], orderBy: ['title', 'year'], filterBy: { title: {} } })
const app = serveBooks(list)

const get = async (query: string) => (await askFetch(app, `GET /books?${query}`)).json

interface Edge {
  readonly node: { readonly id: number }
  readonly cursor: string
}

const idsOf = ({ edges }: { readonly edges: readonly Edge[] }): readonly number[] => edges.map(({ node }) => node.id)
/** The books in the order of the list. */
const ORDERED = [5, 2, 4, 1, 3]

describe('[FOR-08] connections of Relay', () => {
  it('[FOR-08] have edges with a node and a cursor each, and pageInfo', async () => {
    const { edges, pageInfo, ...rest } = await askBooks(app, 'first=2')
    const [botchan, emma] = [rows[4], rows[1]].map((row) => ({ id: row?.id, title: row?.title, year: row?.year }))
    expect(rest).toEqual({})
    expect(edges).toEqual([
      { node: botchan, cursor: expect.stringMatching(/^[\w-]+$/) },
      { node: emma, cursor: expect.stringMatching(/^[\w-]+$/) },
    ])
    expect(pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: edges[0].cursor,
      endCursor: edges[1].cursor,
    })
  })

  it('[FOR-08] go on after the cursor of any edge, and back before one', async () => {
    const { edges } = await askBooks(app, 'first=5')
    for (const [i, { cursor }] of (edges as Edge[]).entries()) {
      const after = await askBooks(app, `first=2&after=${cursor}`)
      expect([idsOf(after), after.pageInfo.hasNextPage]).toEqual([ORDERED.slice(i + 1, i + 3), i + 3 < 5])
      const before = await askBooks(app, `last=2&before=${cursor}`)
      expect([idsOf(before), before.pageInfo.hasPreviousPage]).toEqual([ORDERED.slice(Math.max(0, i - 2), i), i > 2])
    }
  })

  it('[FOR-08] begin at the end with last alone', async () => {
    const last = await askBooks(app, 'last=2')
    expect(idsOf(last)).toEqual([1, 3])
    expect(last.pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: true,
      startCursor: last.edges[0].cursor,
      endCursor: last.edges[1].cursor,
    })
    expect((await askBooks(app, 'last=5')).pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false })
    expect(idsOf(await askBooks(app, 'last=2&orderBy=-year'))).toEqual([5, 4])
  })

  it('[FOR-08] end at the other cursor, in both directions', async () => {
    for (const orderBy of ['title', '-year', 'year,-title']) {
      const { edges } = (await askBooks(app, `first=5&orderBy=${orderBy}`)) as { readonly edges: readonly Edge[] }
      const ordered = idsOf({ edges })
      for (const from of [-1, 0, 1, 2, 3, 4])
        for (const to of [0, 1, 2, 3, 4, 5])
          for (const size of [1, 2, 5]) {
            const within = ordered.slice(from + 1, Math.max(from + 1, to))
            const sent = [
              `orderBy=${orderBy}`,
              ...(from < 0 ? [] : [`after=${edges[from]?.cursor}`]),
              ...(to > 4 ? [] : [`before=${edges[to]?.cursor}`]),
            ].join('&')
            const first = await get(`first=${size}&${sent}`)
            expect([sent, idsOf(first)]).toEqual([sent, within.slice(0, size)])
            expect([sent, first.pageInfo.hasNextPage]).toEqual([sent, within.length > size])
            const last = await get(`last=${size}&${sent}`)
            expect([sent, idsOf(last)]).toEqual([sent, within.slice(Math.max(0, within.length - size))])
            expect([sent, last.pageInfo.hasPreviousPage]).toEqual([sent, within.length > size])
            if (within.length === 0) continue
            expect(first.pageInfo.hasPreviousPage).toBe(from >= 0)
            expect(last.pageInfo.hasNextPage).toBe(to <= 4)
          }
    }
  })

  it('[FOR-08] are read by the client up to the other cursor', async () => {
    const { edges } = (await askBooks(app, 'first=5')) as { readonly edges: readonly Edge[] }
    const Books = endpoint('Books', {
      actions: { index: { routing: route.get('/'), params: list.params, responses: { ok: list.body } } },
    })
    const { index } = client({ Books }, { baseUrl: 'http://x.test', fetch: (one) => app.fetch(one) }).Books
    const all = async (params: object) => {
      const found: number[] = []
      for await (const { node } of index.all(params)) found.push(node.id)
      return found
    }
    expect(await all({ first: 1, before: edges[3]?.cursor as string })).toEqual([5, 2, 4])
    expect(await all({ last: 1, after: edges[1]?.cursor as string })).toEqual([3, 1, 4])
  })

  it('[FOR-08] may be empty, without cursors', async () => {
    const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null }
    expect(await askBooks(app, 'title=none')).toEqual({ edges: [], pageInfo })
    expect((await askBooks(app, 'first=0')).edges).toEqual([])
    expect((await askBooks(app, 'last=0')).edges).toEqual([])
  })

  it('[FOR-08] refuse two directions, negative numbers and foreign cursors', async () => {
    const { cursor } = (await askBooks(app, 'first=1')).edges[0]
    await expectRefused(app, [
      ['first=1&last=1', "The parameter 'last' must not be sent together with 'first'"],
      [`first=1&after=${cursor}&before=x`, "The parameter 'before' is not a cursor of this list"],
      [`last=1&before=${cursor}&after=x`, "The parameter 'after' is not a cursor of this list"],
      ['first=-1', "The parameter 'first' must be at least 0"],
      ['last=-1', "The parameter 'last' must be at least 0"],
      ['first=101', "The parameter 'first' must request at most 100 items"],
      ['last=101', "The parameter 'last' must request at most 100 items"],
      ['after=YXJyYXljb25uZWN0aW9uOjA=', "The parameter 'after' is not a cursor of this list"],
      [`before=${cursor}&title=Emma`, "The parameter 'before' is not a cursor of this list"],
    ])
  })

  it('[FOR-08] are known to clients, mocks, documents, contracts and the test kit', { timeout: 60_000 }, async () => {
    await expectKnown(list, { first: 2 })
    await expectKnown(list, { last: 2 })
  })
})
