// Texts stand in the order of their engine: walks follow its collations, also where different texts are equal.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'
import { runs } from '../../support/runs.ts'
import { COLLATIONS, type Collated, FIELDS, openCollated } from '../walks/collated.ts'
import { NULLS } from '../walks/targets.ts'
import { follow, LIMITS, type WalkedPage } from '../walks/walk.ts'

const RUNS = runs(1, 12)
const SLOW = 300_000

const alike = ['a', 'A', 'á', 'Á', 'a\u0301', 'a ', 'A  ', 'ab', 'AB', 'aB', 'b', '', ' ', 'ß', 'ss', 'SS', 'æ', 'ae']
const others = ['z', 'Z', 'ä', 'å', 'ö', 'i', 'I', 'ı', 'İ', 'co-op', 'coop', 'a10', 'a9', '😀', '😁', '中', '-a', '_']
const texts = fc.oneof(fc.constantFrom(...alike), fc.constantFrom(...alike, ...others))

interface Row {
  readonly word: string
  readonly note: string | null
  readonly mate: number | null
}

interface Walk {
  readonly order: readonly { readonly field: (typeof FIELDS)[number]; readonly descending: boolean }[]
  readonly items: number
  readonly from: string
}

const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    word: texts,
    note: fc.option(texts, { nil: null, freq: 3 }),
    mate: fc.option(fc.nat(), { nil: null, freq: 4 }),
  }),
  { minLength: 8, maxLength: 40, size: 'max' },
)
const walks: fc.Arbitrary<Walk> = fc.record({
  order: fc.uniqueArray(fc.record({ field: fc.constantFrom(...FIELDS), descending: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
    selector: ({ field }) => field,
  }),
  items: fc.constantFrom(1, 2, 3, 5, 9),
  from: texts,
})
const tables = fc.constantFrom('numbered' as const, 'texted' as const)

const literal = (text: string | null): string => (text === null ? 'null' : `'${text}'`)

async function fill({ query }: Collated, table: string, all: readonly Row[]): Promise<void> {
  const tuples = all.map(({ word, note, mate }, i) => {
    const mateId = mate === null ? 'null' : (mate % all.length) + 1
    return `(${i + 1}, ${literal(word)}, ${literal(note)}, ${mateId})`
  })
  await query(`delete from ${table}`)
  await query(`insert into ${table} values ${tuples.join()}`)
}

const columnOf = (field: string): string => (field === 'mate.word' ? 'm.word' : `t.${field}`)
const idsOf = (pages: readonly WalkedPage[]): unknown[] =>
  pages.flatMap(({ elements }) => elements.map((element) => (element as { id: number }).id))

for (const need of await Promise.all([startSqlite(), startPostgres(), startMariadb()])) {
  const nulls = NULLS[need.dialect]

  /** The ids in their order, as the need says. */
  async function plain({ query }: Collated, table: string, order: Walk['order'], where = ''): Promise<number[]> {
    const descending = order.at(-1)?.descending ?? false
    const key = (table === 'texted' ? ['word', 'id'] : ['id']).map((field) => ({ field, descending }))
    const steps = [...order, ...key].map((step) => nulls(columnOf(step.field), step.descending))
    const found = await query(
      `select t.id from ${table} t left join ${table} m on m.id = t.mate_id ${where} order by ${steps.join()}`,
    )
    return found.map(([id]) => Number(id))
  }

  async function walkBoth(collated: Collated, table: string, { order, items }: Walk): Promise<void> {
    const expected = await plain(collated, table, order)
    const there = await follow(collated, `/${table}?${queryOf(order, items)}`, 'next', false)
    expect(idsOf(there)).toEqual(expected)
    const prev = there.at(-1)?.links.get('prev')
    if (prev === undefined) return expect(there.length).toBe(1)
    const back = await follow(collated, prev, 'prev', false)
    expect(idsOf(back.toReversed())).toEqual(expected.slice(0, (there.length - 1) * items))
  }

  async function walkFrom(collated: Collated, table: string, { order, items, from }: Walk): Promise<void> {
    const [{ field, descending } = { field: 'word', descending: false }] = order
    if (field === 'id') return
    const column = columnOf(field)
    const where = descending
      ? `where ${column} < ${literal(from)}`
      : `where (${column} > ${literal(from)} or ${column} is null)`
    const there = await follow(collated, `/${table}?${queryOf(order, items, from)}`, 'next', false)
    expect(idsOf(there)).toEqual(await plain(collated, table, order, where))
  }

  need.describe((engine) => {
    for (const client of ['Drizzle', 'Kysely'] as const) {
      for (const collation of COLLATIONS[engine.dialect]) {
        describe(`${client}, ${collation.name}`, () => {
          let collated: Collated
          beforeAll(async () => {
            collated = await openCollated(engine, client, collation)
          }, SLOW)
          afterAll(() => collated?.close())

          test('[PGN-13] [PGN-14] [MAP-01] walks follow the collation', { timeout: SLOW }, async () => {
            const several = fc.array(walks, { minLength: 4, maxLength: 4 })
            await fc.assert(
              fc.asyncProperty(tables, rows, several, async (table, all, walked) => {
                await fill(collated, table, all)
                for (const walk of walked) {
                  await walkBoth(collated, table, walk)
                  await walkFrom(collated, table, walk)
                }
              }),
              { ...LIMITS, numRuns: RUNS },
            )
          })
        })
      }
    }
  })
}

function queryOf(order: Walk['order'], items: number, from?: string): string {
  const start = from === undefined ? '' : `,from=${encodeURIComponent(from)}`
  const pagination = encodeURIComponent(`by=${order[0]?.field}${start},items=${items}`)
  const sorted = order.map(({ field, descending }) => (descending ? '-' : '') + field).join()
  return `fields=id&pagination=${pagination}&order=${sorted}`
}
