import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SqlClient, Statement } from '../sql/sql.ts'
import { detectPositionLog } from './positions.ts'

const createNode = (dialect: SqlClient['dialect'], ...values: readonly unknown[]): SqlClient => {
  const rest = [...values]
  return {
    dialect,
    query: async (_: Statement) => [[rest.shift()]],
    execute: async () => ({ affected: 0 }),
    batch: async () => [],
  }
}

const UUID = '0ce879b1-e1e2-11f1-9443-5e172245ca8e'

const LOGS = {
  postgres: () => detectPositionLog(createNode('postgres')),
  mariadb: () => detectPositionLog(createNode('mysql', '10.11.19-MariaDB', 0)),
  galera: () => detectPositionLog(createNode('mysql', '10.11.19-MariaDB', 1)),
}

describe('[SCL-02] positions of a log', () => {
  it.each<[keyof typeof LOGS, (position: bigint) => string]>([
    [
      'postgres',
      (position) =>
        `${(position >> 32n).toString(16).toUpperCase()}/${(position & 0xffffffffn).toString(16).toUpperCase()}`,
    ],
    ['mariadb', (position) => `0-1-${position},7-2-5`],
    ['galera', (position) => `${UUID}:${position}`],
  ])('of %s are in the order in which they were written', async (name, format) => {
    const log = await LOGS[name]()
    const positions = fc.bigInt({ min: 0n, max: 2n ** 62n })
    fc.assert(
      fc.property(positions, positions, (one, other) => {
        expect([format(one), format(other)].every(log.isPosition)).toBe(true)
        expect(log.hasReached(format(one), format(other))).toBe(one >= other)
      }),
    )
  })

  it('are of one domain, and of one cluster', async () => {
    const mariadb = await LOGS.mariadb()
    expect(mariadb.hasReached('0-1-9', '0-2-9')).toBe(true)
    expect(mariadb.hasReached('0-1-9', '1-1-1')).toBe(false)
    expect(mariadb.hasReached('', '0-1-1')).toBe(false)
    const galera = await LOGS.galera()
    expect(galera.hasReached(`${UUID}:9`, `${UUID.replace('0', '1')}:1`)).toBe(false)
  })

  it('are not any text', async () => {
    const texts = [
      '',
      "0/0'; drop table books; --",
      '0',
      '0/G',
      '1-2',
      `${UUID}:`,
      `${'0'.repeat(300)}/0`,
      '0/0\n',
      '-1-2-3',
    ]
    for (const name of ['postgres', 'mariadb', 'galera'] as const) {
      const log = await LOGS[name]()
      expect(texts.filter(log.isPosition)).toEqual([])
    }
  })

  it('are known of MariaDB, and not of MySQL', async () => {
    await expect(detectPositionLog(createNode('mysql', '8.4.0'))).rejects.toThrow('PostgreSQL or MariaDB')
  })
})
