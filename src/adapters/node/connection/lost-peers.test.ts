// The table of connections of Linux, as it is read, and the addresses in it.
import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { itWith } from '../../../../test/support/needs.ts'
import { parseTable, toTableAddress } from './lost-peers.ts'

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode'

describe('the table of connections', () => {
  it('has those whose data is sent again, and those whose peer has no space and does not reply', () => {
    const rows = [
      '   0: 0100007F:0050 0200007F:C001 01 0000000A:00000000 01:00000014 00000003     0        0 1 2',
      '   1: 0100007F:0050 0200007F:C002 01 00000000:00000000 02:00000014 00000000     0        0 1 2',
      '   2: 0100007F:0050 0200007F:C003 01 0000000A:00000000 04:00000014 00000000     0        5 1 2',
      '   3: 0100007F:0050 0200007F:C004 01 0000000A:00000000 04:00000014 00000000     0        0 1 2',
      '   4: 0100007F:0050 0200007F:C005 01 0000000A:00000000 01:00000014 00000000     0        0 1 2',
      '   4: 0100007F:0050 0200007F:C007 01 0000000A:00000000 01:00000014 00000001     0        0 1 2',
      '   4: 0100007F:0050 0200007F:C008 01 0000000A:00000000 04:00000014 00000000     0        1 1 2',
      '   5: 0100007F:0050 0200007F:C006 01 0000000A:00000000 01:00000014 0000001F     0        9 1 2',
    ]
    expect([...parseTable([HEAD, ...rows, ''].join('\n'))]).toEqual([
      ['0050 0200007F:C001', 3],
      ['0050 0200007F:C003', 5],
      ['0050 0200007F:C006', 31],
    ])
    const [local, remote] = [`${'0'.repeat(24)}01000000`, '0000000000000000FFFF00000302010A']
    const row = `  99: ${local}:0050 ${remote}:C001 01 0000000A:00000000 01:00000014 00000002     0        0 1 2`
    expect([...parseTable(`${HEAD}\n${row}\n`)]).toEqual([[`0050 ${remote}:C001`, 2]])
    expect(parseTable('')).toEqual(new Map())
  })

  it('has addresses in words of four bytes', () => {
    expect(toTableAddress('127.0.0.1')).toBe('0100007F')
    expect(toTableAddress('::1')).toBe('00000000000000000000000001000000')
    expect(toTableAddress('::ffff:10.1.2.3')).toBe('0000000000000000FFFF00000302010A')
    expect(toTableAddress('fe80::1:2%eth0')).toBe('000080FE000000000000000002000100')
    expect(toTableAddress('2001:db8:1:2:3:4:5:6')).toBe('B80D0120020001000400030006000500')
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        expect(toTableAddress(address)).toMatch(address.includes(':') ? /^[0-9A-F]{32}$/ : /^[0-9A-F]{8}$/)
      }),
    )
  })

  const linux = { name: 'Linux', missing: process.platform === 'linux' ? undefined : `this is ${process.platform}` }
  itWith(linux, 'has the connections of this process', findConnection, 10_000)

  async function findConnection() {
    const host = '127.0.0.1'
    const server = createServer((socket) => socket.resume()).listen(0, host)
    await new Promise((resolve) => server.once('listening', resolve))
    const socket = connect({ port: (server.address() as { port: number }).port, host })
    await new Promise((resolve) => socket.once('connect', resolve))
    const table = readFileSync('/proc/net/tcp', 'latin1')
    const hex = (port = 0) => port.toString(16).toUpperCase().padStart(4, '0')
    expect(table).toContain(`:${hex(socket.localPort)} ${toTableAddress(host)}:${hex(socket.remotePort)} 01`)
    socket.destroy()
    server.close()
  }
})
