import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Caller } from '../../query/replication.ts'
import type { SqlClient, Statement } from '../sql/sql.ts'
import { DatabaseNodes } from './database-nodes.ts'

/** A PostgreSQL node that reports its position, and records the statements that it received. */
class FakeNode implements SqlClient {
  readonly dialect = 'postgres'
  readonly received: string[] = []
  position: string
  failure: unknown

  constructor(position: string) {
    this.position = position
  }

  readonly query = async (statement: Statement) => {
    this.received.push(statement.strings.join('?'))
    if (this.failure !== undefined) throw this.failure
    expect(statement.values).toEqual([])
    return [[statement.strings[0]?.includes('pg_is_in_recovery') ? this.position : 'row']]
  }

  readonly execute = async (statement: Statement) => {
    this.received.push(statement.strings.join('?'))
    if (this.failure !== undefined) throw this.failure
    return { affected: 1 }
  }

  readonly batch = async () => []

  /** Returns the number of users' statements since the last call. */
  reads(): number {
    const count = this.received.filter((text) => text === READ.strings[0]).length
    this.received.length = 0
    return count
  }
}

const READ: Statement = { strings: ['select 1'], values: [] }
const lost = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })

// The client itself is what stands for its datastore.
const toNode = (client: SqlClient) => ({ client, datastore: client })

function createCluster(primaryPosition: string, ...replicaPositions: readonly string[]) {
  const primary = new FakeNode(primaryPosition)
  const replicas = replicaPositions.map((position) => new FakeNode(position))
  const nodes = new DatabaseNodes(toNode(primary), replicas.map(toNode))
  const read = (caller?: Caller) => {
    const work = () => nodes.read((client) => client.query(READ))
    return caller === undefined ? work() : nodes.callAs(caller, work)
  }
  return { nodes, primary, replicas, read }
}

const createCaller = (position: string | undefined): Caller => ({ position, wrote: false })

describe('[SCL-02] nodes of a database', () => {
  it('reads go to the replicas in turn, and nobody is asked how far it is', async () => {
    const { read, primary, replicas } = createCluster('0/9', '0/1', '0/1')
    for (let i = 0; i < 4; i++) await read()
    expect(replicas.map(({ received }) => received)).toEqual([Array(2).fill('select 1'), Array(2).fill('select 1')])
    expect(primary.received).toEqual([])
  })

  it('a caller reads from a replica that has what it wrote, and from the primary node where the replica has not', async () => {
    const { read, primary, replicas } = createCluster('0/9', '0/5')
    await read(createCaller('0/5'))
    expect([primary.reads(), replicas[0]?.reads()]).toEqual([0, 1])
    await read(createCaller('0/6'))
    expect([primary.reads(), replicas[0]?.reads()]).toEqual([1, 0])
    ;(replicas[0] as FakeNode).position = '0/6'
    await read(createCaller('0/6'))
    expect([primary.reads(), replicas[0]?.reads()]).toEqual([0, 1])
  })

  it('a caller that writes reads from the primary node from then on', async () => {
    const { nodes, primary, replicas } = createCluster('0/9', '0/9')
    const caller = createCaller(undefined)
    await nodes.callAs(caller, async () => {
      await nodes.read((client) => client.query(READ))
      expect([primary.reads(), replicas[0]?.reads()]).toEqual([0, 1])
      await nodes.write((client) => client.execute(READ))
      expect([primary.reads(), replicas[0]?.reads()]).toEqual([1, 0])
      await nodes.read((client) => client.query(READ))
      expect([primary.reads(), replicas[0]?.reads()]).toEqual([1, 0])
    })
    expect(caller.wrote).toBe(true)
  })

  it('all reads of a caller have one node, which is asked once', async () => {
    const { nodes, replicas } = createCluster('0/9', '0/9', '0/9')
    await nodes.callAs(createCaller('0/3'), () =>
      Promise.all([1, 2, 3].map(() => nodes.read((client) => client.query(READ)))),
    )
    expect(replicas.map(({ received }) => received.length).sort()).toEqual([0, 4])
  })

  it('a position that the primary node has not reached binds nobody', async () => {
    const { read, primary, replicas } = createCluster('0/9', '0/5')
    await read(createCaller('FFFFFFFF/FFFFFFFF'))
    expect([primary.reads(), replicas[0]?.reads()]).toEqual([0, 1])
  })

  it('any other text is as good as none, and reaches no statement', async () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."0F/;-' ") }))
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const { read, primary, replicas } = createCluster('0/9', '0/5')
        await read(createCaller(text))
        expect(primary.reads() + (replicas[0]?.reads() ?? 0)).toBe(1)
      }),
    )
  })

  it('a replica that dies is left alone, and comes back when it responds', async () => {
    const { read, primary, replicas } = createCluster('0/9', '0/9')
    const [replica] = replicas as [FakeNode]
    replica.failure = lost
    await read()
    expect([primary.reads(), replica.reads()]).toEqual([1, 1])
    await read()
    expect([primary.reads(), replica.reads()]).toEqual([1, 0])
    replica.failure = undefined
    await vi.waitFor(
      async () => {
        await read()
        expect(replica.reads()).toBe(1)
      },
      { timeout: 10_000, interval: 20 },
    )
    expect(primary.reads()).toBeGreaterThan(0)
  })

  it('a read that gives way to the log is repeated at the primary node, and the replica stays', async () => {
    const { read, primary, replicas } = createCluster('0/9', '0/9')
    const [replica] = replicas as [FakeNode]
    replica.failure = Object.assign(new Error('canceling statement due to conflict with recovery'), { code: '40001' })
    await read()
    replica.failure = undefined
    await read()
    expect([primary.reads(), replica.reads()]).toEqual([1, 2])
  })

  it('a statement that is wrong, or takes too long, is not sent to another node', async () => {
    for (const code of ['42703', '22P02', '57014']) {
      const { read, primary, replicas } = createCluster('0/9', '0/9')
      ;(replicas[0] as FakeNode).failure = Object.assign(new Error('no'), { code })
      await expect(read()).rejects.toMatchObject({ code })
      expect(primary.reads()).toBe(0)
    }
  })

  it.each(['mariadb', 'galera'])(
    'a log of %s that cannot be asked for is requested again by the next, and once then',
    async (kind) => {
      const uuid = '0ce879b1-e1e2-11f1-9443-5e172245ca8e'
      const position = kind === 'galera' ? `${uuid}:9` : '0-1-9'
      const received: string[] = []
      let failing: RegExp | undefined
      const query = async ({ strings: [text = ''] }: Statement) => {
        received.push(text)
        if (failing?.test(text)) throw Object.assign(new Error('Unknown error'), { errno: 1064 })
        if (text.includes('version()')) return [['10.11.19-MariaDB']]
        return [[text.includes('wsrep_on') ? Number(kind === 'galera') : position]]
      }
      const node: SqlClient = { ...new FakeNode('0/1'), dialect: 'mysql', query }
      const nodes = new DatabaseNodes(toNode(node), [toNode(node)])
      for (failing of [/version/, /wsrep_on/]) {
        const both = await Promise.allSettled([nodes.position(), nodes.position()])
        expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
        await expect(nodes.ready()).rejects.toThrow()
      }
      failing = undefined
      received.length = 0
      expect(await Promise.all([nodes.position(), nodes.position()])).toEqual([position, position])
      await nodes.ready()
      expect(received.filter((text) => /version|wsrep_on/.test(text))).toHaveLength(2)
    },
  )

  it('a database whose nodes do not tell how far they are has no replicas', async () => {
    const node: SqlClient = { ...new FakeNode('0/1'), dialect: 'sqlite' }
    await expect(new DatabaseNodes(toNode(node), [toNode(node)]).ready()).rejects.toThrow('needs PostgreSQL or MariaDB')
  })
})
