// Aggregates over relations: number, existence, sum, least and greatest, for a caller, in every datastore. Lists show it,
// and are filtered, ordered and walked by it, as a reference in plain JavaScript says.
import { mediaType, t } from 'edict'
import { type AnyResource, count, type Datastore, exists, many, max, min, one, resource, sum } from 'edict/mapper'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../support/runs.ts'
import { contents, everyBed, type Row, type Rows } from './bed.ts'

const id = t.integer({ required: true })
const total = t.integer({ required: true })
const Writer = mediaType('Writer', {
  attributes: {
    id,
    name: t.string({ nullable: true }),
    postsCount: total,
    discussedCount: total,
    topStars: t.integer(),
  },
})
const Remark = mediaType('Remark', {
  attributes: {
    id,
    post_id: t.integer(),
    author_id: t.integer(),
    stars: t.integer(),
    text: t.string(),
    writer: t.ref(Writer),
  },
})
const Note = mediaType('Note', {
  attributes: {
    id,
    title: t.string({ nullable: true }),
    likes: t.integer({ nullable: true }),
    writer: t.ref(Writer, { nullable: true }),
    remarksCount: total,
    remarked: t.boolean({ required: true }),
    isMine: t.boolean({ required: true }),
    starsSum: total,
    worst: t.integer({ nullable: true }),
    best: t.integer(),
    firstText: t.string({ nullable: true }),
    lastText: t.string({ nullable: true }),
    namedCount: total,
    writersDiscussed: total,
    remarks: t.array(Remark),
  },
})

/** A caller: who it is, and whose remarks it does not see. */
interface Caller {
  readonly id: number | undefined
  readonly hides: number
}

function resourcesIn(datastore: Datastore<string>) {
  const writers = resource(datastore, Writer, {
    table: 'authors',
    attributes: {
      postsCount: count(many((): AnyResource => notes, { id: 'author_id' })),
      discussedCount: count(
        many((): AnyResource => notes, { id: 'author_id' }, { through: { table: 'comments', on: { post_id: 'id' } } }),
      ),
      topStars: max(
        many((): AnyResource => remarks, { id: 'author_id' }),
        'stars',
      ),
    },
  })
  const remarks = resource(datastore, Remark, {
    table: 'comments',
    scope: ({ hides }: Caller) => ({ id: { '!=': hides } }),
    attributes: { writer: one(writers, { author_id: 'id' }) },
  })
  const all = many(remarks, { id: 'post_id' })
  const notes = resource(datastore, Note, {
    table: 'posts',
    attributes: {
      writer: one(writers, { author_id: 'id' }),
      remarksCount: count(all),
      remarked: exists(all),
      isMine: exists(
        many(remarks, { id: 'post_id' }, { where: ({ id }: Caller) => id !== undefined && { author_id: id } }),
      ),
      starsSum: sum(all, 'stars'),
      worst: min(all, 'stars'),
      best: max(all, 'stars'),
      firstText: min(all, 'text'),
      lastText: max(many(remarks, { id: 'post_id' }, { where: { stars: { '>=': 2 } } }), 'text'),
      namedCount: count(many(remarks, { id: 'post_id' }, { where: { 'writer.name': ['a', 'b', 'A'] } })),
      writersDiscussed: sum(all, 'writer.discussedCount'),
      remarks: many(remarks, { id: 'post_id' }, { order: ['id'] }),
    },
  })
  return { writers, remarks, notes }
}

type Known = Readonly<Record<string, string | number | boolean | null>>

const extreme = <V extends string | number>(values: readonly V[], sign: 1 | -1): V | null =>
  values.reduce<V | null>((best, one) => (best === null || (one > best ? sign : -sign) > 0 ? one : best), null)

/** The aggregates of each note for a caller, computed from the rows. */
function knownIn(rows: Rows, caller: Caller): Map<unknown, Known> {
  const seen = rows.comments.filter((one) => one['id'] !== caller.hides)
  const values = (of: readonly Row[], column: string) => of.map((one) => one[column]).filter((one) => one !== null)
  const writerOf = (row: Row): Row | undefined => rows.authors.find((one) => one['id'] === row['author_id'])
  const discussed = (writer: Row | undefined): number =>
    rows.comments.filter(
      (one) => one['author_id'] === writer?.['id'] && rows.posts.some((post) => post['id'] === one['post_id']),
    ).length
  return new Map(
    rows.posts.map((post) => {
      const own = seen.filter((one) => one['post_id'] === post['id'])
      const writer = writerOf(post)
      const numbers = values(own, 'stars') as number[]
      return [
        post['id'],
        {
          id: post['id'] as number,
          title: post['title'] as string | null,
          remarksCount: own.length,
          remarked: own.length > 0,
          isMine: caller.id !== undefined && own.some((one) => one['author_id'] === caller.id),
          starsSum: numbers.reduce((all, one) => all + one, 0),
          worst: extreme(numbers, -1),
          best: extreme(numbers, 1),
          firstText: extreme(values(own, 'text') as string[], -1),
          lastText: extreme(
            values(
              own.filter((one) => Number(one['stars'] ?? 0) >= 2),
              'text',
            ) as string[],
            1,
          ),
          namedCount: own.filter((one) => ['a', 'b', 'A'].includes(String(writerOf(one)?.['name'] ?? ''))).length,
          writersDiscussed: own.reduce((all, one) => {
            const by = writerOf(one)
            return all + (by === undefined ? 0 : discussed(by))
          }, 0),
          'writer.postsCount':
            writer === undefined ? null : rows.posts.filter((one) => one['author_id'] === writer['id']).length,
          'writer.topStars':
            writer === undefined
              ? null
              : extreme(
                  values(
                    seen.filter((one) => one['author_id'] === writer['id']),
                    'stars',
                  ) as number[],
                  1,
                ),
        },
      ]
    }),
  )
}

function compared(a: Known[string], b: Known[string]): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (a === b) return 0
  return a < b ? -1 : 1
}

const FIELDS = [
  'remarksCount',
  'remarked',
  'isMine',
  'starsSum',
  'worst',
  'best',
  'firstText',
  'lastText',
  'namedCount',
  'writersDiscussed',
  'writer.postsCount',
  'writer.topStars',
  'title',
] as const
const SHOWN = ['id', ...FIELDS.slice(0, -1)] as const
const words = fc.constantFrom('a', 'b', 'A', 'ab', 'c')
const callers = fc.record({
  id: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  hides: fc.integer({ min: 0, max: 4 }),
})
const orders = fc
  .uniqueArray(fc.constantFrom(...FIELDS), { minLength: 1, maxLength: 3 })
  .chain((fields) => fc.tuple(...fields.map((one) => fc.constantFrom(one, `-${one}`))))
const OPERATORS = ['=', '!=', '<', '<=', '>', '>=', 'null'] as const
const filters = fc.record({
  field: fc.constantFrom(...FIELDS),
  op: fc.constantFrom(...OPERATORS),
  number: fc.integer({ min: 0, max: 5 }),
  text: words,
})
type Drawn = typeof filters extends fc.Arbitrary<infer F> ? F : never

const operandOf = ({ field, number, text }: Drawn): string | number | boolean => {
  if (field === 'remarked' || field === 'isMine') return number % 2 === 0
  return field === 'firstText' || field === 'lastText' || field === 'title' ? text : number
}

const whereOf = (drawn: Drawn): Record<string, unknown> => {
  const { field, op } = drawn
  if (op === 'null') return { [field]: null }
  return { [field]: op === '=' ? operandOf(drawn) : { [op]: operandOf(drawn) } }
}

function fits(known: Known, drawn: Drawn): boolean {
  const value = known[drawn.field] ?? null
  if (drawn.op === 'null') return value === null
  const difference = value === null ? Number.NaN : compared(value, operandOf(drawn))
  if (drawn.op === '!=') return difference !== 0
  if (drawn.op === '=') return difference === 0
  if (drawn.op.startsWith('<')) return difference < 0 || (drawn.op === '<=' && difference === 0)
  return difference > 0 || (drawn.op === '>=' && difference === 0)
}

/** The attributes that a list shows. */
function shownOf(known: Known): object {
  const { title: _, best, 'writer.postsCount': postsCount, 'writer.topStars': topStars, ...rest } = known
  return {
    ...rest,
    ...(best !== null && { best }),
    writer: postsCount === null ? null : { postsCount, ...(topStars !== null && { topStars }) },
  }
}

await everyBed((bed) => {
  describe('what an element knows of others', () => {
    test('[FOR-04] walks, filters and values are those of a reference', async () => {
      const { fill, datastore } = bed()
      const { notes } = resourcesIn(datastore)
      await fc.assert(
        fc.asyncProperty(
          contents(words, 9),
          callers,
          orders,
          fc.option(filters),
          async (rows, caller, order, filter) => {
            const limit = 1 + (rows.posts.length % 4)
            await fill(rows)
            const steps = order.map((one) => [one.replace('-', ''), one.startsWith('-')] as const)
            const wanted = [...knownIn(rows, caller).values()]
              .filter((known) => filter === null || fits(known, filter))
              .toSorted((a, b) => {
                for (const [field, descending] of steps) {
                  const difference = compared(a[field] as never, b[field] as never)
                  if (difference !== 0) return descending ? -difference : difference
                }
                return (Number(a['id']) - Number(b['id'])) * (steps.at(-1)?.[1] ? -1 : 1)
              })
            const within = notes.within(caller)
            const where = filter === null ? {} : whereOf(filter)
            const seen: unknown[] = []
            let last: string | undefined
            for (let after: string | undefined; ; ) {
              const page = await within.list({
                where,
                order: order as never,
                limit,
                after,
                fields: SHOWN as never,
                count: true,
              })
              expect(page.total).toBe(wanted.length)
              seen.push(...page)
              last = page.prev
              if (page.next === undefined) break
              after = page.next
            }
            expect(seen).toEqual(wanted.map(shownOf))
            if (last === undefined) return
            const before = await within.list({ where, order: order as never, limit, before: last, fields: ['id'] })
            const end = wanted.length - (wanted.length % limit || limit)
            expect(before.map((one) => one.id)).toEqual(wanted.slice(end - limit, end).map((one) => one['id']))
          },
        ),
        { numRuns: runs(25, 600) },
      )
    }, 120_000)

    test('[FOR-04] an element, and one below another, knows the same', async () => {
      const { fill, datastore } = bed()
      const { notes, remarks } = resourcesIn(datastore)
      await fc.assert(
        fc.asyncProperty(contents(words, 6), callers, async (rows, caller) => {
          await fill(rows)
          for (const [key, known] of knownIn(rows, caller)) {
            const found = await notes.within(caller).find(Number(key), Note.view('default'))
            expect(found).toMatchObject({ remarksCount: known['remarksCount'], isMine: known['isMine'] })
          }
          const list = await remarks.within(caller).list({ fields: ['id', 'writer.discussedCount'], limit: 50 })
          for (const { id: one, writer } of list) {
            const author = rows.comments.find((row) => row['id'] === one)?.['author_id']
            const exact = rows.comments.filter(
              (row) => row['author_id'] === author && rows.posts.some((post) => post['id'] === row['post_id']),
            ).length
            if (rows.authors.some((row) => row['id'] === author)) expect(writer).toEqual({ discussedCount: exact })
            else expect(writer).toBeUndefined()
          }
        }),
        { numRuns: runs(8, 200) },
      )
    }, 120_000)

    test('[FOR-04] lists take as many statements as without it, whatever the number of rows', async () => {
      const { fill, datastore, statements } = bed()
      if (datastore.observe === undefined) return
      const { notes } = resourcesIn(datastore)
      const amounts: number[] = []
      for (const size of [3, 30]) {
        const numbers = Array.from({ length: size }, (_, i) => i + 1)
        await fill({
          authors: numbers.map((one) => ({ id: one, name: 'a' })),
          posts: numbers.map((one) => ({ id: one, title: 'a', likes: one, author_id: one })),
          comments: numbers.map((one) => ({ id: one, post_id: one, author_id: one, stars: 1, text: 'a' })),
        })
        const within = notes.within({ id: 1, hides: 0 } satisfies Caller)
        const read = () => within.list({ order: ['-remarksCount'], fields: SHOWN as never, limit: 100 })
        amounts.push(await statements(read))
        expect(await read()).toHaveLength(size)
      }
      expect(amounts).toEqual([1, 1])
    })
  })
})
