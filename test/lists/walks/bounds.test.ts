// The bound of Link: whatever query a list accepts, the head of the answer is one that clients take, and its links work.
import { application, collectionOf, endpoint, mediaType, route, t } from 'edict'
import { OrderingParams, PaginationParams, paginate, pagination } from 'edict/pagination'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, urlOf } from '../../support/ask.ts'
import { runs } from '../../support/runs.ts'

const Book = mediaType('Book', {
  attributes: { id: t.integer({ required: true }), title: t.string({ required: true }) },
})
const Books = endpoint('Books', {
  prefix: '/',
  actions: {
    index: {
      routing: [route.get('/books'), route.get('/shelf/*rest'), route.post('/books')],
      params: {
        pagination: PaginationParams.for(Book),
        order: OrderingParams.for(Book),
        rest: t.string(),
        long: t.integer({ default: 1 }),
      },
      responses: { ok: collectionOf(Book) },
    },
  },
})
let read = 0
const app = application({
  ignore: ['utm_*'],
  plugins: [pagination()],
  controllers: [
    Books.implement({
      index: ({ long }, { request, reply }) => {
        read++
        return reply.ok(
          paginate(
            request,
            [1, 2, 3, 4].map((id) => ({ id, title: `${'é'.repeat(long)}${id}` })),
          ),
        )
      },
    }),
  ],
})

/** The head of an answer that Node's own fetch still takes. */
const HEAD = 16 * 1024

interface Walk {
  readonly statuses: number[]
  readonly ids: number[]
}

/** Follows `next` with Node's own fetch, which refuses heads that are too large; every link leads to a page. */
async function walk(target: string): Promise<Walk> {
  const base = await urlOf(app)
  const seen: Walk = { statuses: [], ids: [] }
  for (let at: string | undefined = target; at !== undefined; ) {
    const answer: Response = await fetch(new URL(at, base))
    seen.statuses.push(answer.status)
    const head = [...answer.headers].reduce((size, [name, value]) => size + name.length + value.length + 4, 0)
    expect(head).toBeLessThan(HEAD)
    if (answer.status !== 200) return seen
    seen.ids.push(...((await answer.json()) as { id: number }[]).map(({ id }) => id))
    const link: string = answer.headers.get('link') as string
    for (const [, to] of link.matchAll(/<([^>]*)>/g))
      expect((await fetch(new URL(to as string, base))).status).toBe(200)
    at = /<([^>]*)>; rel="next"/.exec(link)?.[1]
  }
  return seen
}

const filling = fc.constantFrom('a', '%C3%A9', '%20', '"', '&utm_b=c')
const query = fc
  .tuple(
    filling,
    fc.nat(14_000),
    fc.constantFrom('page=1,items=1', 'by=id,items=1', 'by=title,items=1,total_count=true'),
  )
  .map(([sign, size, text]) => `pagination=${text}&utm_a=${sign.repeat(Math.floor(size / sign.length))}`)

describe('Link', () => {
  it('works to the end, or the request is refused before anything is read', async () => {
    await fc.assert(
      fc.asyncProperty(query, fc.nat(900), async (one, extra) => {
        read = 0
        const { statuses, ids } = await walk(`/shelf/${'a'.repeat(extra)}?${one}`)
        if (statuses[0] === 200)
          expect([statuses, ids]).toEqual([
            [200, 200, 200, 200],
            [1, 2, 3, 4],
          ])
        else {
          expect(statuses).toEqual([expect.toSatisfy((status: number) => [400, 414, 431].includes(status))])
          expect(read).toBe(0)
        }
      }),
      { numRuns: runs(30, 200) },
    )
  }, 60_000)

  it('led to pages whose own links did not fit, where places are long', async () => {
    await fc.assert(
      fc.asyncProperty(query, fc.nat(9000), async (one, long) => {
        read = 0
        const { statuses, ids } = await walk(`/books?${one.replace('by=id', 'by=title')}&long=${long}`)
        if (statuses[0] === 200) expect([statuses.length, ids]).toEqual([4, [1, 2, 3, 4]])
        else {
          expect(statuses).toEqual([expect.toSatisfy((status: number) => [400, 414, 431].includes(status))])
          expect(read).toBe(0)
        }
      }),
      { numRuns: runs(30, 200) },
    )
  }, 60_000)

  it('to a long place is refused once its element is gone, and where another list wrote it', async () => {
    const { headers } = await ask(app, 'GET /books?pagination=by=title,items=2&long=3000')
    const next = /<([^>]*)>; rel="next"/.exec(headers['link'] as string)?.[1] as string
    expect((await ask(app, `GET ${next}`)).json).toMatchObject([{ id: 3 }, { id: 4 }])
    for (const long of [2999, 3001]) {
      const other = await ask(app, `GET ${next.replace('long=3000', `long=${long}`)}`)
      expect([other.status, other.json.errors[0].code]).toEqual([400, 'pagination-continuation'])
    }
  })

  it('of twelve kilobytes of query is not made: the request is refused', async () => {
    read = 0
    const { status, json, headers } = await ask(app, `GET /books?utm_a=${'a'.repeat(12_000)}`)
    expect([status, json.code, headers['link'], read]).toEqual([414, 'uri-too-long', undefined, 0])
    expect((await ask(app, `POST /books?utm_a=${'a'.repeat(12_000)}`)).status).toBe(414)
    expect(read).toBe(0)
  })

  it('drops the last and the first page where they do not fit, and no other', async () => {
    const relations = async (size: number): Promise<string[]> => {
      const { headers } = await ask(
        app,
        `GET /books?pagination=page=2,items=1,total_count=true&utm_a=${'a'.repeat(size)}`,
      )
      return [...(headers['link'] as string).matchAll(/rel="(\w+)"/g)].map(([, relation]) => relation as string)
    }
    expect(await relations(3200)).toEqual(['first', 'prev', 'next', 'last'])
    expect(await relations(3500)).toEqual(['first', 'prev', 'next'])
    expect(await relations(4800)).toEqual(['prev', 'next'])
  })
})
