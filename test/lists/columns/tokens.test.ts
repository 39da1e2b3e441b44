// Forged and damaged tokens of links, over every type of column that lists go by: each continues its list or is refused.
import type { Application } from 'edict'
import { memoryDatastore } from 'edict/mapper'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askFetch } from '../../support/ask.ts'
import type { TestDatabase } from '../../support/engines/engine.ts'
import { startMariadb } from '../../support/engines/mariadb.ts'
import { startPostgres } from '../../support/engines/postgres.ts'
import { startSqlite } from '../../support/engines/sqlite.ts'
import { isLong, runs } from '../../support/runs.ts'
import { openConnection, openStore } from '../walks/targets.ts'
import { ATTRIBUTES, type AttributeName, drizzleTable, listBy, tableName, tableOf } from './tables.ts'
import { forgedTokens, rawTokens, type Token, tokenOf } from './tokens.ts'
import { TYPES } from './types.ts'

const SLOW = 600_000
const ORDERS = ['x', '-id,x', '-x', 'x,-id']
/** Every list is asked in one half of the orders, and the next one in the other. */
const ordersOf = (index: number): readonly string[] =>
  isLong ? ORDERS : ORDERS.filter((_, place) => place >> 1 === index % 2)
/** As how many attributes that it fits a column is listed. */
const FITS = runs(1, Number.POSITIVE_INFINITY)
/** Tokens that are tried with each order of each list, and pages whose links tell genuine ones. */
const [RUNS, PAGES] = [runs(4, 8), runs(5, 8)]

/** A list that boots, with tokens of its own for each order. */
interface Listed {
  readonly name: string
  readonly app: Application
  readonly tokens: ReadonlyMap<string, readonly Token[]>
}

const pathOf = (order: string, rest: string): string =>
  `/cells?fields=id&order=${order}&pagination=${encodeURIComponent(`by=${/\w+/.exec(order)},${rest}`)}`

/** Takes tokens from the links of a list; undefined for one that its datastore refuses only now. */
async function listed(name: string, app: Application, orders: readonly string[]): Promise<Listed | undefined> {
  const tokens = new Map<string, readonly Token[]>()
  for (const order of orders) {
    const found: string[] = []
    let path: string | undefined = pathOf(order, 'items=1')
    for (let page = 0; page < PAGES && path !== undefined; page++) {
      const answer = await askFetch(app, `GET ${path}`)
      if (page === 0 && answer.status === 500) return undefined
      expect([name, path, answer.status, answer.text]).toEqual([name, path, 200, expect.anything()])
      const link: string = answer.headers['link'] ?? ''
      found.push(...rawTokens(link))
      path = /<([^>]*)>; rel="next"/.exec(link)?.[1]
    }
    tokens.set(order, found.map(tokenOf))
  }
  return { name, app, tokens }
}

/** The lists by a column, as attributes that it fits; `index` is how many there are already. */
async function listsOf(
  name: string,
  index: number,
  list: (attribute: AttributeName) => Application | undefined,
): Promise<Listed[]> {
  const lists: Listed[] = []
  for (const attribute of Object.keys(ATTRIBUTES) as AttributeName[]) {
    const app = list(attribute)
    const one = app && (await listed(`${name} as ${attribute}`, app, ordersOf(index + lists.length)))
    if (one) lists.push(one)
    if (lists.length >= FITS) break
  }
  return lists
}

const isAnswer = (status: number): boolean => status === 200 || (status >= 400 && status < 500)

/** Sends forged tokens to a list, and returns the first with a forbidden answer. */
async function wrongAnswer({ name, app, tokens }: Listed, others: readonly string[]): Promise<string | undefined> {
  for (const [order, known] of tokens) {
    const forged = forgedTokens(known, others)
    const law = fc.asyncProperty(forged, fc.constantFrom('after', 'before'), async (token, side) => {
      const sent = Buffer.from(token, 'base64url').toString()
      const answer = await askFetch(app, `GET ${pathOf(order, `items=2,${side}=${encodeURIComponent(token)}`)}`)
      if (!isAnswer(answer.status)) throw new Error(`${answer.status} ${sent}`)
      if (answer.status !== 200) {
        if (!answer.headers['content-type']?.startsWith('application/problem+json'))
          throw new Error(`no problem ${sent}`)
        return
      }
      for (const [, link] of (answer.headers['link'] ?? '').matchAll(/<([^>]*)>/g)) {
        const { status } = await askFetch(app, `GET ${link}`)
        if (status !== 200) throw new Error(`${status} for a link of ${sent}`)
      }
    })
    const { failed, errorInstance, seed } = await fc.check(law, { numRuns: RUNS })
    if (failed) return `${name}, order=${order}, seed ${seed}: ${errorInstance}`
  }
  return undefined
}

async function expectLaw(lists: readonly Listed[]): Promise<void> {
  const others = [
    ...new Set(lists.flatMap(({ tokens }) => [...tokens.values()].flat().flatMap(({ values }) => values))),
  ]
  const wrong: string[] = []
  for (const list of lists) {
    const found = await wrongAnswer(list, others)
    if (found !== undefined) wrong.push(found.slice(0, 600))
  }
  expect(wrong).toEqual([])
}

for (const need of await Promise.all([startSqlite(), startPostgres(), startMariadb()])) {
  const { dialect } = need
  need.describe((engine) => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await engine.createDatabase()
      const connection = await openConnection(dialect, database.url)
      if (dialect === 'mysql') await connection.query("set sql_mode = 'ALLOW_INVALID_DATES'")
      for (const [index, type] of TYPES[dialect].entries())
        for (const statement of tableOf(type, index)) await connection.query(statement)
      await connection.end()
    }, SLOW)
    afterAll(() => database?.close())

    test.each(['Drizzle', 'Kysely'] as const)(
      '[PGN-16] a forged token continues its list or is refused: %s',
      { timeout: SLOW },
      async (client) => {
        const { datastore, end } = await openStore(client, dialect, database.url)
        const lists: Listed[] = []
        for (const [index, type] of TYPES[dialect].entries()) {
          const table = (client === 'Drizzle' ? drizzleTable(dialect, type, index) : tableName(index)) as never
          lists.push(
            ...(await listsOf(type.type.slice(0, 40), lists.length, (attribute) =>
              listBy(datastore, table, attribute),
            )),
          )
        }
        expect(lists.length).toBeGreaterThan(15)
        try {
          await expectLaw(lists)
        } finally {
          await end()
        }
      },
    )
  })
}

describe('memory', () => {
  const ROWS = {
    text: ['', 'a', 'b', 'é', '😀'],
    integer: [0, -1, 2 ** 40],
    bigint: [0n, 2n ** 70n, -(2n ** 70n)],
    number: [0, 0.5, 1e300, -1e-300],
    decimal: ['0', '1.50', `${'9'.repeat(40)}.1`],
    boolean: [true, false],
    date: ['0000-01-01', '2024-02-29', '9999-12-31'],
    dateTime: [new Date(0), new Date(8.64e15), new Date(-8.64e15)],
    time: ['00:00', '23:59:59.999'],
    bytes: [Uint8Array.of(0), Uint8Array.of(255, 1)],
    other: ['a', 'b'],
    json: [{ a: 1 }, [1]],
  } as const

  test('[PGN-16] a forged token continues its list or is refused', { timeout: SLOW }, async () => {
    const lists: Listed[] = []
    for (const [kind, values] of Object.entries(ROWS)) {
      const rows = [...values, null, ...values].map((x, id) => ({ id, x }))
      const columns = { id: { kind: 'integer' }, x: { kind, nullable: true } } as never
      const datastore = memoryDatastore({ cells: { columns, key: ['id'], rows } })
      lists.push(...(await listsOf(kind, lists.length, (attribute) => listBy(datastore, 'cells', attribute))))
    }
    expect(lists.length).toBeGreaterThan(8)
    await expectLaw(lists)
  })
})
