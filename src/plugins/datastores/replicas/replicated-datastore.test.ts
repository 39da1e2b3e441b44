import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Datastore, Table } from '../../query/query.ts'
import type { Caller } from '../../query/replication.ts'
import { DIALECTS } from '../sql/dialect.ts'
import type { SqlClient, SqlTable } from '../sql/sql.ts'
import { createSqlDatastore } from '../sql-datastore.ts'
import { DatabaseNodes } from './database-nodes.ts'
import { createReplicatedDatastore, markWrites } from './replicated-datastore.ts'

const client: SqlClient = {
  dialect: 'postgres',
  query: async () => [['0/9']],
  execute: async () => ({ affected: 1 }),
  batch: async () => [],
}

type Method = (...given: unknown[]) => Promise<unknown>

/** A datastore with every method that those of the dialects have, which only records the calls of it. */
function recordCalls(name: string, calls: string[]): Datastore {
  const describeNothing = (source: unknown): SqlTable => source as SqlTable
  const all: object = Object.assign(
    {},
    ...Object.keys(DIALECTS).map((dialect) =>
      createSqlDatastore({ ...client, dialect: dialect as never }, describeNothing),
    ),
  )
  const recorded = Object.entries(all).map(([method, member]) => [
    method,
    typeof member === 'function' ? async () => void calls.push(`${name}.${method}`) : member,
  ])
  const store = Object.fromEntries(recorded) as unknown as Datastore
  return {
    ...store,
    withSignal: () => Object.assign({ ...store }, { bound: true }),
    select: async () => {
      calls.push(`${name}.select`)
      return { rows: [], cursorValue: () => null }
    },
  }
}

function open() {
  const calls: string[] = []
  const nodes = new DatabaseNodes({ client, datastore: recordCalls('primary', calls) }, [
    { client, datastore: recordCalls('replica', calls) },
  ])
  return { nodes, calls, datastore: createReplicatedDatastore(nodes) }
}

/** Methods of a datastore that read rows, that write rows, and that concern neither. */
const READS = ['select', 'count', 'estimate', 'snapshot']
const WRITES = [
  ...['insert', 'insertMany', 'insertUnless', 'update', 'updateReturning', 'upsert', 'delete'],
  ...['lock', 'findConflict'],
]
const OTHERS = ['table', 'derive', 'aggregate', 'reportIndexUse', 'observe', 'classifyError', 'retry', 'withSignal']

const call = (datastore: Datastore, method: string): Promise<unknown> =>
  (datastore[method as keyof Datastore] as Method)({} as Table, new Map())

describe('[SCL-02] the datastore of several nodes', () => {
  it('has a node for every method of a datastore', () => {
    const { datastore } = open()
    const methods = Object.entries(datastore).flatMap(([name, one]) => (typeof one === 'function' ? [name] : []))
    expect(methods.sort()).toEqual([...READS, ...WRITES, ...OTHERS].sort())
  })

  const sides = { itself: (one: Datastore) => one, 'for a signal': withSignal, primary: getPrimary }

  function withSignal(one: Datastore): Datastore {
    return one.withSignal?.(new AbortController().signal) as Datastore
  }

  function getPrimary(one: Datastore): Datastore {
    return one.replication?.primary as Datastore
  }

  it.each(Object.entries(sides))(
    '%s: reads of a caller go to the replica until it writes, and writes to the primary',
    async (side, pick) => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.constantFrom(...READS, ...WRITES), { maxLength: 12 }), async (methods) => {
          const { nodes, calls, datastore } = open()
          const caller: Caller = { position: undefined, wrote: false }
          const expected: string[] = []
          let wrote = side === 'primary'
          await nodes.callAs(caller, async () => {
            for (const method of methods) {
              wrote ||= WRITES.includes(method)
              expected.push(`${wrote ? 'primary' : 'replica'}.${method}`)
              await call(pick(datastore), method)
            }
          })
          expect(calls).toEqual(expected)
          expect(caller.wrote).toBe(methods.some((method) => WRITES.includes(method)))
        }),
      )
    },
  )

  it('a transaction on the primary has all methods there, and its writes count', async () => {
    for (const method of [...READS, ...WRITES]) {
      for (const pick of [sides.itself, withSignal]) {
        const { nodes, calls, datastore } = open()
        const within: string[] = []
        const transaction = markWrites(recordCalls('transaction', within), nodes)
        const caller: Caller = { position: undefined, wrote: false }
        await nodes.callAs(caller, async () => {
          await call(pick(transaction), method)
          await call(datastore, 'count')
        })
        expect([within, calls]).toEqual([
          [`transaction.${method}`],
          [WRITES.includes(method) ? 'primary.count' : 'replica.count'],
        ])
      }
    }
  })
})
