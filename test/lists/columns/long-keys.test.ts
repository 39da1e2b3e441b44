// Keys and other values that are longer than a link: every link that a list gives is answered, and a walk is exact.
import { type Application, application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
import { type Datastore, mapper, memoryDatastore, resource } from 'edict/mapper'
import { kyselyDatastore } from 'edict/mapper/kysely'
import { OrderingParams, PaginationParams, pagination } from 'edict/pagination'
import { describe, expect, test } from 'vitest'
import { askFetch } from '../../support/ask.ts'
import { openKysely } from '../../support/engines/kysely.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'

const Item = mediaType('Item', {
  attributes: { id: t.integer({ required: true }), word: t.string({ nullable: true }) },
})
const Items = endpoint('Items', {
  mediaType: Item,
  actions: {
    index: {
      routing: route.get('/'),
      params: { pagination: PaginationParams.for(Item), order: OrderingParams.for(Item) },
      responses: { ok: collectionOf(Item) },
    },
  },
})

function served<T>(datastore: Datastore<T>, table: T): Application {
  const items = resource(datastore, Item, { table, key: ['id'] })
  return application({
    ignore: ['utm_*'],
    plugins: [mapper({ resources: { items } }), pagination()],
    controllers: [controller(Items, { index: async (_, { request, reply }) => reply.ok(await items.list(request)) })],
  })
}

/** Walks to the end of a list; every link of every page leads to a page, and so back to the start. */
async function expectWalk(app: Application, start: string, expected: readonly number[]): Promise<void> {
  const walked: number[] = []
  const seen = new Map<string, readonly number[]>()
  const pageAt = async (path: string): Promise<Readonly<Record<string, string>>> => {
    const { status, text, json, headers } = await askFetch(app, `GET ${path}`)
    if (status !== 200) throw new Error(`${status} for ${path.slice(0, 300)}: ${text}`)
    seen.set(
      path,
      json.map(({ id }: { id: number }) => id),
    )
    const links = (headers['link'] ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)
    return Object.fromEntries(Array.from(links, ([, url, relation]) => [relation, url]))
  }
  let before: readonly number[] = []
  for (let path: string | undefined = start; path !== undefined && seen.size < 200; ) {
    const { next, prev }: Readonly<Record<string, string>> = await pageAt(path)
    const ids = seen.get(path) as readonly number[]
    walked.push(...ids)
    if (prev !== undefined) {
      await pageAt(prev)
      expect(seen.get(prev)).toEqual(before)
    }
    before = ids
    path = next
  }
  expect([start.slice(0, 200), walked]).toEqual([start.slice(0, 200), expected])
}

const STARTS = ['by=id,items=3', 'by=id,items=1&order=-id', 'by=word,items=1', 'by=word,items=2&order=-word'].map(
  (text) => `/items?pagination=${text}`,
)

/** The ids of the rows in each of the orders: rows are numbered in the order of their words, the last without one. */
const orderOf = (start: string, ids: readonly number[]): readonly number[] =>
  start.includes('order=-') ? ids.toReversed() : ids

/** Keys of some type, longer than links, with ends in common and without; as literals. */
interface Keys {
  readonly type: string
  readonly keys: readonly string[]
}

const text = (...parts: readonly string[]): string => `'${parts.join('').replaceAll("'", "''")}'`
const TEXTS = [
  text('a'.repeat(5000), '1', 'z'.repeat(5000)),
  text('a'.repeat(5000), '2', 'z'.repeat(5000)),
  text('a'.repeat(10_000)),
  text('a'.repeat(9000)),
  text(`%_!*?[`.repeat(800)),
  text('é😀'.repeat(900)),
  text('b'),
]
const SHORTER = [
  text('a'.repeat(1500), '1', 'z'.repeat(1500)),
  text('a'.repeat(1500), '2', 'z'.repeat(1500)),
  text('%_!'.repeat(1000)),
  text('b'),
]
const HEX = ['00'.repeat(2000), 'ff'.repeat(2000), `${'ab'.repeat(1500)}00`, `${'ab'.repeat(1500)}01`, '07']

const KEYS: Readonly<Record<string, readonly Keys[]>> = {
  sqlite: [
    { type: 'text', keys: [...TEXTS, text(`X'`, 'q'.repeat(3000)), ...HEX.map((hex) => `x'${hex}'`)] },
    { type: 'blob', keys: [...TEXTS, text(`X'`, 'q'.repeat(3000)), ...HEX.map((hex) => `x'${hex}'`)] },
  ],
  postgres: [
    { type: 'text', keys: TEXTS },
    { type: 'bytea', keys: HEX.map((hex) => `'\\x${hex}'`) },
    {
      type: 'numeric',
      keys: [
        ...['1', '-1'].flatMap((sign) => [`${sign}${'0'.repeat(3000)}`, `${sign}${'0'.repeat(2999)}1.5`]),
        ...['0.', '-0.'].flatMap((sign) => [`${sign}${'1'.repeat(3000)}`, `${sign}${'1'.repeat(2999)}2`, `${sign}1`]),
      ],
    },
    { type: 'varbit', keys: [`B'${'01'.repeat(1500)}'`, `B'${'01'.repeat(1499)}1'`, `B'1'`] },
  ],
  mysql: [
    { type: 'varchar(3060) character set latin1', keys: SHORTER },
    { type: 'varbinary(3060)', keys: HEX.map((hex) => `x'${hex}'`) },
  ],
}

for (const need of await Promise.all([startSqlite(), startPostgres(), startMariadb()]))
  need.describe((engine) => {
    test('[PGN-14] links with keys longer than a link were refused', { timeout: 120_000 }, async () => {
      const database = await engine.createDatabase()
      const lists = KEYS[engine.dialect] as readonly Keys[]
      for (const [at, { type, keys }] of lists.entries()) {
        await database.run(`create table t${at} (k ${type} primary key, id int not null unique, word varchar(9000))`)
        const rows = keys.map(
          (key, id) =>
            `(${key}, ${id}, ${id === keys.length - 1 ? 'null' : `'${'w'.repeat(4000)}${String.fromCharCode(65 + id)}'`})`,
        )
        for (const row of rows) await database.run(`insert into t${at} values ${row}`)
      }
      const db = openKysely<Readonly<Record<string, object>>>(engine.dialect, database.url)
      const datastore = await kyselyDatastore(db)
      for (const [at, { keys }] of lists.entries()) {
        const app = served(datastore, `t${at}` as never)
        for (const start of STARTS) await expectWalk(app, start, orderOf(start, [...keys.keys()]))
      }
      await db.destroy()
      await database.close()
    })
  })

describe('memory', () => {
  const KINDS = {
    text: ['a'.repeat(5000), `${'a'.repeat(4000)}b`, `${'a'.repeat(3999)}cb`, 'b', `X'b${'0'.repeat(4000)}`],
    bigint: [10n ** 3000n, 10n ** 3000n + 1n, -(10n ** 3000n), 5n],
    decimal: [`0.${'1'.repeat(3000)}`, `0.${'1'.repeat(2999)}2`, `-${'9'.repeat(3000)}.5`],
    bytes: HEX.map((hex) => Uint8Array.from(Buffer.from(hex, 'hex'))),
  } as const

  test.each(Object.entries(KINDS))(
    '[PGN-14] links with keys longer than a link were refused: %s',
    async (kind, keys) => {
      const rows = keys.map((k, id) => ({ k, id, word: id === keys.length - 1 ? null : `${'w'.repeat(4000)}${id}` }))
      const columns = { k: { kind }, id: { kind: 'integer' }, word: { kind: 'text', nullable: true } } as never
      const datastore = memoryDatastore({ items: { columns, key: ['k'], unique: [['id']], rows } })
      const app = served(datastore, 'items')
      for (const start of STARTS) await expectWalk(app, start, orderOf(start, [...keys.keys()]))
    },
  )

  test('however long the rest of the URL is, the first page tells whether the others can be linked', async () => {
    const rows = Array.from({ length: 4 }, (_, id) => ({ k: `${'é'.repeat(3000)}${id}`, id, word: 'w'.repeat(1400) }))
    const columns = { k: { kind: 'text' }, id: { kind: 'integer' }, word: { kind: 'text' } } as never
    const app = served(memoryDatastore({ items: { columns, key: ['k'], unique: [['id']], rows } }), 'items')
    const statuses: number[] = []
    for (let size = 4000; size < 5000; size += 23) {
      const start = `${STARTS[2]}&utm_a=${'a'.repeat(size)}`
      const { status } = await askFetch(app, `GET ${start}`)
      statuses.push(status)
      if (status === 200) await expectWalk(app, start, [0, 1, 2, 3])
      else expect(status).toBe(414)
    }
    expect(new Set(statuses)).toEqual(new Set([200, 414]))
    expect(statuses).toEqual(statuses.toSorted())
  })
})
