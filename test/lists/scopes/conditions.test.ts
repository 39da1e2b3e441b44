// A condition is never weaker than it looks: in every datastore, for every kind of column and any value, rows come back that
// truly match, or the call is refused; and every datastore does the same.
import { isDeepStrictEqual } from 'node:util'
import { mediaType, t } from 'edict'
import { type Datastore, many, memoryDatastore, resource } from 'edict/mapper'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { openCatalogued } from '../../support/engines/clients/catalogued.ts'
import type { Engine } from '../../support/engines/engine.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'
import { runs } from '../../support/runs.ts'

// --- the tables --------------------------------------------------------------------------------

const KINDS = [
  ...(['text', 'integer', 'bigint', 'number', 'decimal', 'boolean', 'date', 'dateTime', 'time'] as const),
  ...(['json', 'bytes'] as const),
] as const
type Kind = (typeof KINDS)[number]

const TYPES: Readonly<Record<DialectName, Readonly<Record<Kind, string>>>> = {
  sqlite: {
    ...{ text: 'text', integer: 'integer', bigint: 'bigint', number: 'real', decimal: 'numeric', boolean: 'boolean' },
    ...{ date: 'date', dateTime: 'datetime', time: 'time', json: 'json', bytes: 'blob' },
  },
  postgres: {
    ...{ text: 'text', integer: 'integer', bigint: 'bigint', number: 'double precision', decimal: 'numeric(20, 4)' },
    ...{ boolean: 'boolean', date: 'date', dateTime: 'timestamptz(3)', time: 'time', json: 'jsonb', bytes: 'bytea' },
  },
  mysql: {
    ...{ text: 'varchar(40)', integer: 'int', bigint: 'bigint', number: 'double', decimal: 'decimal(20, 4)' },
    ...{ boolean: 'boolean', date: 'date', dateTime: 'datetime(3)', time: 'time', json: 'json', bytes: 'blob' },
  },
}

/** The values of the first and of the second row; the third has none. */
const STORED: Readonly<Record<Kind, readonly [unknown, unknown]>> = {
  text: ['a', '7'],
  integer: [1, 7],
  bigint: [1n, 2n ** 53n + 1n],
  number: [0.5, 7],
  decimal: ['0.5', '7'],
  boolean: [false, true],
  date: ['2024-01-01', '2024-02-29'],
  dateTime: [new Date(0), new Date('2024-02-29T12:00:00.123Z')],
  time: ['00:00:00', '12:30:00'],
  json: [{ a: 1 }, []],
  bytes: [Uint8Array.of(), Uint8Array.of(1, 2)],
}

const ROWS = [1, 2, 3].map((id) => ({
  id,
  holder: 1,
  ...Object.fromEntries(KINDS.map((kind) => [kind, id === 3 ? null : STORED[kind][id - 1]])),
}))

const nullable = { nullable: true } as const
const Thing = mediaType('Thing', {
  attributes: {
    id: t.integer({ required: true }),
    holder: t.integer(),
    text: t.string(nullable),
    integer: t.integer(nullable),
    bigint: t.bigint(nullable),
    number: t.number(nullable),
    decimal: t.decimal({ ...nullable, precision: 15 }),
    boolean: t.boolean(nullable),
    date: t.date(nullable),
    dateTime: t.dateTime(nullable),
    time: t.time(nullable),
  },
})
const Holder = mediaType('Holder', { attributes: { id: t.integer({ required: true }), things: t.array(Thing) } })

const columns = { id: { kind: 'integer' }, holder: { kind: 'integer' } } as const
const inMemory = (): Datastore<string> =>
  memoryDatastore({
    things: {
      columns: { ...columns, ...Object.fromEntries(KINDS.map((kind) => [kind, { kind, nullable: true }])) },
      key: ['id'],
      rows: ROWS,
    },
    holders: { columns: { id: { kind: 'integer' } }, key: ['id'], rows: [{ id: 1 }] },
  })

async function inDatabase(engine: Engine): Promise<{ datastore: Datastore<string>; close(): Promise<void> }> {
  const { dialect } = engine
  const database = await engine.createDatabase()
  const quote = dialect === 'mysql' ? '`' : '"'
  const own = KINDS.map((kind) => `${quote}${kind}${quote} ${TYPES[dialect][kind]} null`)
  await database.run(
    `create table things (id integer not null primary key, holder integer not null, ${own.join(', ')})`,
    'create table holders (id integer not null primary key)',
    'insert into holders (id) values (1)',
  )
  const { datastore, end } = await openCatalogued('Kysely', dialect, database.url)
  const table = datastore.table('things')
  for (const row of ROWS)
    await datastore.insert(
      table,
      new Map(Object.entries(row).map(([name, value]) => [table.columns.get(name)!, value])),
    )
  return {
    datastore,
    async close() {
      await end()
      await database.close()
    },
  }
}

// --- what truly matches -------------------------------------------------------------------------

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && !Number.isNaN(value))
const isDecimal = (value: unknown): boolean =>
  (isNumber(value) && Number.isFinite(Number(value))) || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))

/** Whether a column could hold such a value, said independently of the sources. */
const BELONGS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: isNumber,
  bigint: isNumber,
  number: isNumber,
  decimal: isDecimal,
  boolean: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)) && /^\d{4}-\d\d-\d\d$/.test(value),
  dateTime: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  time: (value) => typeof value === 'string' && /^\d\d:\d\d:\d\d$/.test(value),
  json: () => false,
  bytes: (value) => value instanceof Uint8Array,
}

const OPERATORS = ['=', '!=', '<', '<=', '>', '>='] as const
type Operator = (typeof OPERATORS)[number]

const comparable = (kind: Kind, value: unknown): number | bigint | string => {
  if (value instanceof Date) return value.getTime()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (kind === 'decimal' || typeof value === 'boolean') return Number(value)
  return value as number | bigint | string
}

function holds(op: Operator, kind: Kind, stored: unknown, value: unknown): boolean {
  if (stored === null) return op === '!='
  const [a, b] = [comparable(kind, stored), comparable(kind, value)]
  const order = kind === 'text' ? Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b))) : compare(a, b)
  if (op === '=') return order === 0
  if (op === '!=') return order !== 0
  return op.startsWith('<') ? order < 0 || (order === 0 && op === '<=') : order > 0 || (order === 0 && op === '>=')
}

function compare(a: number | bigint | string, b: number | bigint | string): number {
  if (a < b) return -1
  return a > b ? 1 : 0
}

/** The rows that truly match; undefined where no row can, because the value is none of such a column. */
function matching(kind: Kind, op: Operator, value: unknown): readonly number[] | undefined {
  const stored = (id: number): unknown => (id === 3 ? null : STORED[kind][id - 1])
  if (value === null && op === '=') return [3]
  if (value === null && op === '!=') return [1, 2]
  if (Array.isArray(value) && (op === '=' || op === '!=')) {
    const all = [...value]
    if (!all.every(BELONGS[kind])) return undefined
    const has = (id: number): boolean => all.some((one) => holds('=', kind, stored(id), one))
    return [1, 2, 3].filter((id) => has(id) === (op === '='))
  }
  if (!BELONGS[kind](value)) return undefined
  return [1, 2, 3].filter((id) => holds(op, kind, stored(id), value))
}

// --- the places where values become conditions -------------------------------------------------

type Outcome = readonly number[] | 'refused'

async function outcomeOf(work: () => Promise<readonly number[]>): Promise<Outcome> {
  try {
    return await work()
  } catch {
    return 'refused'
  }
}

interface Caller {
  readonly scope: Readonly<Record<string, unknown>>
}

const idsOf = (page: readonly { readonly id?: number | undefined }[]): number[] => page.map(({ id }) => id as number)

/** Every way into a datastore: each gives the ids of the rows that a condition finds. */
function entriesOf(datastore: Datastore<string>) {
  const things = resource(datastore, Thing, { table: 'things' })
  const scoped = resource(datastore, Thing, { table: 'things', scope: ({ scope }: Caller) => scope })
  const holders = resource(datastore, Holder, {
    table: 'holders',
    attributes: { things: many(things, { id: 'holder' }) },
  })
  const within = (scope: Caller['scope']) => scoped.within({ scope })
  const each = async (find: (id: number) => Promise<unknown>): Promise<number[]> => {
    const found: number[] = []
    for (const id of [1, 2, 3]) if (await find(id)) found.push(id)
    return found
  }
  return {
    where: async (where: object) => idsOf(await things.list({ where: where as never })),
    find: (where: object) => each((id) => things.find({ id, ...where } as never)),
    update: (where: object) => each((id) => things.update({ id, ...where } as never, { holder: 1 })),
    scope: async (scope: Caller['scope']) => idsOf(await within(scope).list({})),
    'find in a scope': (scope: Caller['scope']) => each((id) => within(scope).find(id)),
    'update in a scope': (scope: Caller['scope']) => each((id) => within(scope).update(id, { holder: 1 })),
    related: async (where: object) => {
      const elements = await holders.list({
        fields: ['id', 'things.id'],
        related: { things: { where: where as never } },
      })
      return (elements[0] as { things?: { id: number }[] }).things?.map(({ id }) => id) ?? []
    },
    'any element': async (where: object) => {
      const elements = await holders.list({ where: { things: { any: where as never } } })
      // One holder has all things.
      return elements.length === 0 ? [] : idsOf(await things.list({ where: where as never }))
    },
  }
}

type Entries = ReturnType<typeof entriesOf>
const ENTRIES = Object.keys(entriesOf(inMemory())) as (keyof Entries)[]

/** The entries that know attributes only. */
const isBare = (kind: Kind): boolean => kind === 'json' || kind === 'bytes'
const entriesFor = (kind: Kind) => ENTRIES.filter((one) => !isBare(kind) || one.includes('scope'))

const conditionOf = (op: Operator, value: unknown): unknown => (op === '=' ? value : { [op]: value })

const named = (op: string, value: unknown): string => {
  try {
    return `${op} ${typeof value} ${typeof value === 'bigint' ? value : (JSON.stringify(value) ?? String(value))}`
  } catch {
    return `${op} ${typeof value}`
  }
}

/** What is to come of a condition: rows that truly match, if the value can be one of the column's, or else nothing. */
function expectClosed(kind: Kind, op: Operator, value: unknown, outcome: Outcome): void {
  const truth = matching(kind, op, value)
  if (truth === undefined) expect(['refused', []], named(op, value)).toContainEqual(outcome)
  else if (outcome !== 'refused') expect(outcome, named(op, value)).toEqual(truth)
}

class Point {
  readonly #x = 1
  get tenant_id(): number {
    return this.#x
  }
}

/** Values of wrong types, and those that are next to nothing. */
const STRANGE: readonly unknown[] = [
  ...[
    'x',
    '',
    '0',
    '1',
    '7',
    ' 7',
    '7.0',
    '1e0',
    'NaN',
    'null',
    'true',
    'infinity',
    '2024-02-30',
    '2024-13-01',
    '24',
    '\0',
  ],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0, 1, 7, 1.5, 1e21, 2 ** 53, 7n, 2n ** 70n],
  ...[true, false, null, undefined, Symbol('x'), () => 7, class {}],
  ...[new Date(Number.NaN), new Date(0), new Date(8.64e15), /x/, new Map(), new Set([7]), Promise.resolve(7)],
  ...[{}, { a: 1 }, { '=': 7 }, { constructor: 7 }, Object.create(null), Object.create({ '=': 7 }), new Point()],
  ...[
    { [Symbol('x')]: 7 },
    { toString: () => '7' },
    { valueOf: () => 7 },
    new Number(7),
    new String('a'),
    new Boolean(false),
  ],
  ...[
    [],
    [[]],
    [{}],
    [undefined],
    [null],
    [Number.NaN],
    ['x'],
    [7, 'x'],
    [1, null],
    [1, undefined],
    new Array(2),
    [[7]],
  ],
  ...[Uint8Array.of(), Uint8Array.of(1, 2), new ArrayBuffer(2), Buffer.from('7'), new Error('x')],
]

const DATA = Object.fromEntries(KINDS.map((kind) => [kind, [...STORED[kind], ...STRANGE]])) as Record<Kind, unknown[]>

const generated = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSparseArray: true,
  withTypedArray: true,
  withBoxedValues: true,
  maxDepth: 2,
})

describe('memory', () => {
  const entries = entriesOf(inMemory())
  for (const kind of KINDS)
    test(`${kind}: a condition gives what truly matches, or nothing, or is refused`, async () => {
      for (const value of DATA[kind])
        for (const op of OPERATORS)
          for (const entry of entriesFor(kind)) {
            const outcome = await outcomeOf(() => entries[entry]({ [kind]: conditionOf(op, value) }))
            expectClosed(kind, op, value, outcome)
            // Values that the column has are found.
            if (STORED[kind].includes(value) && kind !== 'json') expect(outcome).toEqual(matching(kind, op, value))
          }
    })

  test('any value in any condition gives what truly matches, or nothing, or is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...KINDS), fc.constantFrom(...OPERATORS), generated, async (kind, op, value) => {
        const outcome = await outcomeOf(() => entries.scope({ [kind]: conditionOf(op, value) }))
        expectClosed(kind, op, value, outcome)
      }),
      { numRuns: runs(500, 20_000) },
    )
  })
})

for (const need of await Promise.all([startSqlite(), startPostgres(), startMariadb()]))
  need.describe((engine) => {
    let opened: Awaited<ReturnType<typeof inDatabase>>
    let entries: Entries
    const model = entriesOf(inMemory())
    beforeAll(async () => {
      opened = await inDatabase(engine)
      entries = entriesOf(opened.datastore)
    }, 60_000)
    afterAll(() => opened.close())

    test('conditions do what they do in memory', { timeout: 120_000 }, async () => {
      for (const kind of KINDS)
        for (const value of DATA[kind])
          for (const op of OPERATORS) {
            const condition = { [kind]: conditionOf(op, value) }
            const [wanted, outcome] = [
              await outcomeOf(() => model.scope(condition)),
              await outcomeOf(() => entries.scope(condition)),
            ]
            expect(outcome, `${kind} ${named(op, value)}`).toEqual(wanted)
          }
    })

    test('so do those of every other way in', { timeout: 120_000 }, async () => {
      for (const kind of KINDS)
        for (const value of [
          ...STORED[kind],
          'x',
          Number.NaN,
          {},
          [],
          [undefined],
          new Date(Number.NaN),
          undefined,
          true,
        ])
          for (const entry of entriesFor(kind)) {
            const condition = { [kind]: value }
            const wanted = await outcomeOf(() => model[entry](condition))
            const outcome = await outcomeOf(() => entries[entry](condition))
            expect(outcome, `${entry}: ${kind} ${named('=', value)}`).toEqual(wanted)
          }
    })
  })

describe('the key of a change', () => {
  const changes: Readonly<Record<string, (key: unknown, things: ReturnType<typeof kept>) => Promise<unknown>>> = {
    update: (key, things) => things.update(key as never, { text: 'changed' }),
    'update that returns': (key, things) => things.update(key as never, { text: 'changed' }, { shown: Thing }),
    'update of nothing': (key, things) => things.update(key as never, {}),
    'update with another key': (key, things) => things.update(key as never, { text: 'changed' }, { rekey: true }),
    delete: (key, things) => things.delete(key as never),
  }
  const kept = () => resource(inMemory(), Thing, { table: 'things' })

  test.each(Object.keys(changes))('%s: leads to one row at most, whatever it is', async (name) => {
    const wide = [[1, 2], [1], [], { '>=': 0 }, { '!=': 9 }, { '!=': [] }, { '<': 9, '!=': 1 }]
    for (const value of [...wide, ...STRANGE])
      for (const key of [value, { id: value }, { id: value, holder: 1 }]) {
        const things = kept()
        const before = await things.list({})
        await changes[name]?.(key, things).catch(() => undefined)
        const after = await things.list({})
        const touched = before.filter((one) => !after.some((other) => isDeepStrictEqual(one, other)))
        expect(touched.length, named(name, key)).toBeLessThan(2)
        if (typeof value === 'object' && value !== null) expect(touched, named(name, key)).toEqual([])
        // A bare value of the key is found.
        if (value === 1 && name !== 'update of nothing') expect(touched.map(({ id }) => id)).toEqual([1])
      }
  })

  test('that is null is the key of no row, although rows have no value there', async () => {
    const datastore = memoryDatastore({
      notes: {
        columns: { slug: { kind: 'text', nullable: true }, id: { kind: 'integer' } },
        key: ['id'],
        unique: [['slug']],
        rows: [
          { id: 1, slug: null },
          { id: 2, slug: null },
        ],
      },
    })
    const Note = mediaType('Note', { attributes: { id: t.integer(), slug: t.string({ nullable: true }) } })
    const notes = resource(datastore, Note, { table: 'notes', key: ['slug'] })
    expect(await notes.delete(null as never)).toBe(false)
    expect(await notes.update({ slug: null } as never, { id: 3 }, { rekey: true })).toBe(false)
    expect((await notes.list({})).map(({ id }) => id)).toEqual([1, 2])
  })

  test('with several values is refused as what a client sent', async () => {
    await expect(kept().delete({ id: [1, 2] } as never)).rejects.toMatchObject({ problem: { status: 422 } })
  })
})

describe('conditions as a whole', () => {
  const things = resource(inMemory(), Thing, { table: 'things' })
  const scoped = resource(inMemory(), Thing, {
    table: 'things',
    scope: ({ scope }: { scope: unknown }) => scope as Record<string, unknown>,
  })
  const holders = resource(inMemory(), Holder, {
    table: 'holders',
    attributes: { things: many(things, { id: 'holder' }) },
  })

  test('that are no plain object are refused', async () => {
    for (const where of STRANGE.filter(
      (one) =>
        typeof one !== 'undefined' &&
        !(isPlain(one) && Object.keys(one).length === 0 && Object.getOwnPropertySymbols(one).length === 0),
    )) {
      await expect(
        outcomeOf(async () => idsOf(await things.list({ where: where as never }))),
        named('where', where),
      ).resolves.toBe('refused')
      if (!Array.isArray(where))
        await expect(
          outcomeOf(async () => idsOf(await scoped.within({ scope: where }).list({}))),
          named('scope', where),
        ).resolves.toBe('refused')
    }
    await expect(outcomeOf(async () => idsOf(await scoped.within({ scope: undefined }).list({})))).resolves.toBe(
      'refused',
    )
  })

  test('of the elements of a list are conditions too', async () => {
    for (const strange of STRANGE) {
      if (isPlain(strange) && Object.keys(strange).length === 0 && Object.getOwnPropertySymbols(strange).length === 0)
        continue
      const asked = holders.list({ where: { things: { any: strange as never } } })
      await expect(asked, named('any', strange)).rejects.toThrow()
    }
  })

  test('search texts for texts only', async () => {
    for (const strange of STRANGE.filter((one) => typeof one !== 'string' && !Array.isArray(one)))
      for (const op of ['~=', '!~='])
        await expect(things.list({ where: { text: { [op]: strange } as never } }), named(op, strange)).rejects.toThrow()
    await expect(things.list({ where: { integer: { '~=': '7' } as never } })).rejects.toThrow()
  })

  test('the message of a value that does not fit names the field and the kind, and not the value', async () => {
    const asked = scoped.within({ scope: { integer: 'a secret' } }).list({})
    await expect(asked).rejects.toThrow(
      "The scope of Thing cannot be kept: The condition on 'integer' has a value of the type string, and its column holds values of the kind integer",
    )
  })
})

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
