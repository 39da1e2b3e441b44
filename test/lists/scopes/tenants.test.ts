// Scopes hide what they hide everywhere: whatever a tenant asks or writes, it gets the answers of a database in which nothing
// but its own rows exists, and the rows of others stay as they are.
import { type Datastore, memoryDatastore } from 'edict/mapper'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askFetch } from '../../support/ask.ts'
import type { Engine, TestDatabase } from '../../support/engines/engine.ts'
import { fill } from '../../support/engines/fill.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'
import { runs } from '../../support/runs.ts'
import { openStore } from '../walks/targets.ts'
import {
  applicationOf,
  FIELDS,
  isText,
  type Kind,
  type Row,
  type Rows,
  SINGLE,
  seenBy,
  TABLES,
  type TableName,
} from './tenants.ts'

const ME = 1
const NAMES = Object.keys(TABLES) as TableName[]

// --- what is in the tables, and what is asked ----------------------------------------------

const ref = fc.option(fc.integer({ min: 1, max: 6 }), { freq: 5 })
const word = fc.option(fc.constantFrom('a', 'b', 'c', 'A'), { freq: 5 })
const VALUES: Readonly<Record<string, fc.Arbitrary<string | number | null>>> = {
  name: word,
  title: word,
  boss_id: ref,
  country_id: ref,
  author_id: ref,
  book_id: ref,
  tag_id: ref,
  tenant_id: fc.constantFrom(1, 2, null),
  gone: fc.option(fc.constant(1), { freq: 2 }),
  shared: fc.constantFrom(0, 1, null),
  stars: fc.option(fc.integer({ min: 1, max: 3 })),
}

const rowsOf = (columns: readonly string[]): fc.Arbitrary<readonly Row[]> =>
  fc
    .array(fc.record(Object.fromEntries(columns.filter((one) => one !== 'id').map((one) => [one, VALUES[one]!]))), {
      minLength: 3,
      maxLength: 6,
    })
    .map((rows) => rows.map((row, i) => ({ id: i + 1, ...row })))

const contents = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, rowsOf(TABLES[name])])),
) as unknown as fc.Arbitrary<Rows>

interface Asked {
  readonly line: string
  readonly body?: unknown
}

const kinds = fc.constantFrom(...(Object.keys(FIELDS) as Kind[]))
const some = <V>(value: fc.Arbitrary<V>) => fc.option(value, { nil: undefined, freq: 2 })

const SELECTIONS: Readonly<Record<Kind, readonly string[]>> = {
  Country: ['id,name', 'id,authors', 'authors{id,boss{name},books{id,tags,reviews}}', 'id,first{id,books{id,best}}'],
  Author: ['id,boss{id,name,boss{id}}', 'id,books{id,author{id,name},reviews{id}}', 'country{name,authors{id}}'],
  Book: [
    'id,author{id,name,boss{name}}',
    'id,reviews{id,stars,book{id}},tags',
    'id,best{id,book{id}}',
    'author{books{id}}',
  ],
  Review: ['id,book{id,title,author{name,country{authors{id}}}}', 'id,book_id,book'],
  Tag: ['id,books{id,author{name},tags}', 'id,name', 'id,few{id,title,best{id}}'],
}

const condition = (kind: Kind) =>
  fc
    .tuple(fc.constantFrom(...FIELDS[kind]), fc.constantFrom('=', '!=', '<', '>='), fc.constantFrom('!', '!!', ''))
    .chain(([field, op, presence]) => {
      const last = field.split('.').at(-1) as string
      const isRelation = ['authors', 'books', 'reviews', 'boss', 'book', 'first'].includes(last)
      if (presence !== '' || isRelation) return fc.constant(presence === '!!' ? `${field}!!` : `${field}!`)
      if (last === 'tags') return fc.constant(`${field}=a`)
      return (isText(last) ? fc.constantFrom('a', 'b', 'A') : fc.integer({ min: 1, max: 6 })).map(
        (value) => `${field}${op}${value}`,
      )
    })

const GROUPS: Readonly<Record<Kind, readonly string[]>> = {
  Country: [
    'authors.any(id>1&name~=A)',
    'authors.all(name!)',
    'authors.none(books.any(title~=A))',
    'first.all(name=a)',
  ],
  Author: ['books.any(shared=1&id>1)', 'books.all(id<4)', 'books.none(shared=1|id=2)'],
  Book: ['reviews.any(stars>=1)', 'reviews.all(stars=2)', 'reviews.none(stars!)'],
  Review: ['book.title~=A', 'book.title!~=b'],
  Tag: ['books.all(title~=a)', 'books.none(author.name=a&id>1)', 'books.any(title!~=b&author.name=a)'],
}

const conditionOrGroup = (kind: Kind) =>
  fc.oneof({ weight: 3, arbitrary: condition(kind) }, fc.constantFrom(...GROUPS[kind]))

const lists: fc.Arbitrary<Asked> = kinds.chain((kind) =>
  fc
    .record({
      fields: some(fc.constantFrom(...SELECTIONS[kind])),
      filters: some(
        fc
          .tuple(conditionOrGroup(kind), conditionOrGroup(kind), fc.constantFrom('&', '|'))
          .map(([a, b, op]) => a + op + b),
      ),
      by: fc.constantFrom(...SINGLE[kind]),
      down: fc.boolean(),
      items: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ fields, filters, by, down, items }) => {
      const params = new URLSearchParams({
        order: `${down ? '-' : ''}${by}`,
        pagination: `by=${by},items=${items},total_count=true`,
        ...(fields && { fields }),
        ...(filters && { filters }),
      })
      return { line: `GET ${pathOf(kind)}?${params}` }
    }),
)

const ids = fc.integer({ min: 1, max: 7 })
const link = fc.oneof(fc.constant(null), fc.record({ id: fc.option(ids, { freq: 6 }) }))
const sent: Readonly<Record<Kind, fc.Arbitrary<object>>> = {
  Country: fc.record({ name: word }, { requiredKeys: [] }),
  Author: fc.record({ name: word, boss: link, country: link }, { requiredKeys: [] }),
  Book: fc.record({ title: word, shared: fc.constantFrom(0, 1, null), author: link }, { requiredKeys: [] }),
  Review: fc.record({ stars: fc.constant(2), book_id: fc.option(ids), book: link }, { requiredKeys: [] }),
  Tag: fc.record({ name: fc.constantFrom('a', 'z') }, { requiredKeys: [] }),
}

const pathOf = (kind: Kind): string =>
  ({ Country: '/country', Author: '/author', Book: '/book', Review: '/review', Tag: '/tag' })[kind]

// New elements have unused keys, because a key that is taken is refused.
const fresh = fc.integer({ min: 100, max: 1_000_000 })

/** Writes that give back the elements as a selection shows them. */
const returned = (kind: Kind, id: number): fc.Arbitrary<Asked> =>
  some(fc.constantFrom(...SELECTIONS[kind])).chain((fields) => {
    const query = fields === undefined ? '' : `?fields=${encodeURIComponent(fields)}`
    const many = fc.uniqueArray(fc.tuple(sent[kind], fresh), { maxLength: 3, selector: ([, one]) => one })
    return fc.oneof(
      sent[kind].map((body) => ({ line: `PATCH ${pathOf(kind)}/${id}/shown${query}`, body })),
      fc.tuple(sent[kind], fc.oneof(fc.constant(id), fresh)).map(([body, of]) => {
        return { line: `PUT ${pathOf(kind)}${query}`, body: { ...body, id: of } }
      }),
      many.map((items) => {
        const body = { items: items.map(([one, of]) => ({ ...one, id: of })) }
        return { line: `POST ${pathOf(kind)}/many${query}`, body }
      }),
    )
  })

const writes: fc.Arbitrary<Asked> = fc
  .tuple(kinds, ids, fc.integer({ min: 0, max: 9 }))
  .chain(([kind, id, what]): fc.Arbitrary<Asked> => {
    if (what > 5) return returned(kind, id)
    if (what === 0) return fc.constant({ line: `DELETE ${pathOf(kind)}/${id}` })
    if (what > 3) return sent[kind].map((body) => ({ line: `PATCH ${pathOf(kind)}/${id}`, body }))
    return fc.tuple(sent[kind], fresh).map(([body, of]) => {
      return { line: `POST ${pathOf(kind)}`, body: { ...body, id: of } }
    })
  })

const shows: fc.Arbitrary<Asked> = fc.tuple(kinds, ids).chain(([kind, id]) =>
  some(fc.constantFrom(...SELECTIONS[kind])).map((fields) => {
    return { line: `GET ${pathOf(kind)}/${id}${fields === undefined ? '' : `?fields=${encodeURIComponent(fields)}`}` }
  }),
)

const sessions = fc.array(fc.oneof({ weight: 3, arbitrary: lists }, writes, shows), { minLength: 8, maxLength: 16 })

// --- where it is asked ---------------------------------------------------------------------

/** A database with the tables, and an application over it. */
interface Place {
  readonly app: ReturnType<typeof applicationOf>
  fill(rows: Rows): Promise<void>
  rows(): Promise<Rows>
}

async function rowsIn(datastore: Datastore<string>): Promise<Rows> {
  const all = NAMES.map(async (name) => {
    const table = datastore.table(name)
    const columns = TABLES[name].map((column) => ({ source: 0, column: table.columns.get(column)! }))
    const order = [{ reference: columns[0]!, descending: false }]
    const query = { from: table, joins: [], columns, filter: undefined, order, limit: undefined, offset: 0 }
    const { rows } = await datastore.select(query)
    return [name, rows.map((row) => Object.fromEntries(TABLES[name].map((column, i) => [column, row[i]])))] as const
  })
  return Object.fromEntries(await Promise.all(all)) as unknown as Rows
}

const placeOf = (datastore: Datastore<string>, isScoped: boolean): Place => ({
  app: applicationOf(datastore, isScoped),
  fill: (rows) => fill(datastore, rows),
  rows: () => rowsIn(datastore),
})

const inMemory = (): Datastore<string> =>
  memoryDatastore(
    Object.fromEntries(
      NAMES.map((name) => [
        name,
        {
          columns: Object.fromEntries(
            TABLES[name].map((column) => [
              column,
              { kind: isText(column) ? ('text' as const) : ('integer' as const), nullable: column !== 'id' },
            ]),
          ),
          key: ['id'],
        },
      ]),
    ),
  )

const creations = (engine: Engine): string[] =>
  NAMES.map((name) => {
    const text = engine.dialect === 'mysql' ? 'varchar(50)' : 'text'
    const columns = TABLES[name].map((column) =>
      column === 'id' ? 'id integer not null primary key' : `${column} ${isText(column) ? text : 'integer'}`,
    )
    return `create table ${name} (${columns.join(', ')})`
  })

// --- the law -------------------------------------------------------------------------------

interface Answer {
  readonly status: number
  readonly body: string
  readonly link: string | undefined
  readonly total: string | undefined
}

async function answered({ app }: Place, { line, body }: Asked): Promise<Answer> {
  const asked = { headers: { Tenant: String(ME) }, ...(body !== undefined && { body }) }
  const { status, text, headers } = await askFetch(app, line, asked)
  return { status, body: text, link: headers['link'], total: headers['total-count'] }
}

/** Expects that what was written can still be seen, and all that it was linked to. */
async function expectSeen(place: Place, { line, body }: Asked): Promise<void> {
  const { items } = body as { readonly items?: readonly object[] }
  if (items !== undefined) {
    for (const item of items) await expectSeen(place, { line: line.replace('/many', ''), body: item })
    return
  }
  const { id, book_id, ...sent } = body as { readonly id?: number; readonly book_id?: number | null }
  const [, path = '', of = id] = /^\w+ (\/\w+)\/?(\d+)?/.exec(line) ?? []
  // Countries have no scope: whether there is such a one is for the database to say.
  const links = Object.entries({ ...sent, ...(book_id != null && { book: { id: book_id } }), country: null }).filter(
    ([, value]) => typeof value === 'object' && value !== null,
  )
  const fields = ['id', ...links.map(([name]) => `${name}{id}`)].join()
  const { status, body: shown } = await answered(place, { line: `GET ${path}/${of}?fields=${fields}` })
  expect({ line, body, status }).toEqual({ line, body, status: 200 })
  expect(JSON.parse(shown)).toMatchObject(Object.fromEntries(links))
}

// A key of another tenant is refused as taken, as that of a new element is; nothing else may be revealed. No test puts a missing
// element of a small number, because rows of others may be linked to that number.
async function isBeyond(whole: Place, own: Place, asked: Asked): Promise<boolean> {
  const [, name] = /^PUT \/(\w+)/.exec(asked.line) ?? []
  const { id } = asked.body as { readonly id: number }
  if (name === undefined || id >= 100) return false
  const looked = { line: `GET /${name}/${id}` }
  expect(await answered(whole, looked)).toEqual(await answered(own, looked))
  if ((await answered(own, looked)).status === 200) return false
  const table = (name === 'country' ? 'countries' : `${name}s`) as TableName
  const isTaken = (await whole.rows())[table].some((row) => row['id'] === id)
  if (isTaken) expect((await answered(whole, asked)).status).toBeOneOf([409, 422, 400])
  return true
}

/** Asks both places the same, and follows what they link to. */
async function compare(whole: Place, own: Place, asked: Asked): Promise<void> {
  if (asked.line.startsWith('PUT') && (await isBeyond(whole, own, asked))) return
  const here = await answered(whole, asked)
  expect({ asked, ...here }).toEqual({ asked, ...(await answered(own, asked)) })
  expect(here.status).toBeLessThan(500)
  if (here.status < 300 && asked.body !== undefined) await expectSeen(whole, asked)
  const next = /<([^>]*)>; rel="next"/.exec(here.link ?? '')?.[1]
  if (next !== undefined) await compare(whole, own, { line: `GET ${next}` })
}

async function holds(whole: Place, own: Place, rows: Rows, session: readonly Asked[]): Promise<void> {
  const seen = seenBy(ME, rows)
  await whole.fill(rows)
  await own.fill(seen)
  for (const asked of session) await compare(whole, own, asked)
  const hidden = (name: TableName, all: readonly Row[]): readonly Row[] =>
    all.filter(({ id }) => rows[name].some((row) => row['id'] === id) && !seen[name].some((row) => row['id'] === id))
  const [after, left] = [await whole.rows(), await own.rows()]
  for (const name of NAMES) {
    expect({ name, rows: hidden(name, after[name]) }).toEqual({ name, rows: hidden(name, rows[name]) })
    const others = new Set(hidden(name, rows[name]).map(({ id }) => id))
    expect({ name, rows: after[name].filter(({ id }) => !others.has(id as number)) }).toEqual({
      name,
      rows: left[name],
    })
  }
}

const REFERENCES: Readonly<Record<string, TableName>> = {
  boss_id: 'authors',
  author_id: 'authors',
  country_id: 'countries',
}

/** The same rows without references to nothing. */
function tidied(rows: Rows): Rows {
  const tidy = ([column, value]: [string, Row[string]]): [string, Row[string]] => {
    const to = REFERENCES[column]
    return [column, to === undefined || rows[to].some(({ id }) => id === value) ? value : null]
  }
  const all = NAMES.map((name) => [name, rows[name].map((row) => Object.fromEntries(Object.entries(row).map(tidy)))])
  return Object.fromEntries(all) as unknown as Rows
}

const law = (whole: () => Place, own: () => Place, count: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(contents, sessions, (rows, session) => holds(whole(), own(), rows, session)),
    { numRuns: count, interruptAfterTimeLimit: 120_000 },
  ) as Promise<void>

const TITLE = '[LST-04] a tenant gets the answers of a database that has nothing but its own rows'

describe('in memory', () => {
  const [whole, own] = [placeOf(inMemory(), true), placeOf(inMemory(), true)]

  test(
    TITLE,
    () =>
      law(
        () => whole,
        () => own,
        runs(40, 2000),
      ),
    300_000,
  )

  test('[LST-04] a tenant sees all that is its own, as without scopes', async () => {
    const unscoped = placeOf(inMemory(), false)
    const reads = sessions.map((all) => all.filter(({ line }) => line.startsWith('GET')))
    await fc.assert(
      fc.asyncProperty(contents, reads, async (rows, session) => {
        await whole.fill(rows)
        await unscoped.fill(tidied(seenBy(ME, rows)))
        for (const asked of session) await compare(whole, unscoped, asked)
      }),
      { numRuns: runs(20, 500) },
    )
  }, 300_000)
})

for (const need of [await startSqlite(), await startPostgres(), await startMariadb()])
  need.describe((engine) => {
    const opened: { readonly place: Place; readonly database: TestDatabase; end(): Promise<unknown> }[] = []

    beforeAll(async () => {
      for (let i = 0; i < 2; i++) {
        const database = await engine.createDatabase()
        await database.run(...creations(engine))
        const { datastore, end } = await openStore('Kysely', engine.dialect, database.url)
        opened.push({ place: placeOf(datastore as unknown as Datastore<string>, true), database, end })
      }
    }, 60_000)

    afterAll(async () => {
      for (const { database, end } of opened) {
        await end()
        await database.close()
      }
    })

    test(
      TITLE,
      () =>
        law(
          () => opened[0]!.place,
          () => opened[1]!.place,
          runs(4, 300),
        ),
      300_000,
    )
  })
