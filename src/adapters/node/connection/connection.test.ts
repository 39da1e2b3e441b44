// Connections leave nothing behind: no state of a completed request, none of a closed connection.
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { host } from '../../../../test/support/serving/harness.ts'
import { handler, text } from '../../../../test/support/serving/servers.ts'
import { Wire } from '../../../../test/support/serving/wire.ts'
import { createHttpServer } from '../http-server.ts'
import { type Connection, Connections } from './connection.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Starts a server that reads every body and every signal, and returns its connections. */
async function world() {
  const connections = new Connections()
  const signals: AbortSignal[] = []
  const app = handler((transport, send) => {
    signals.push(transport.signal)
    const later = (body: string): void => void setImmediate(() => send(text(body)))
    if (transport.url === '/collect') return transport.collect(100, (body) => later(String(body.length)))
    if (transport.url !== '/pieces') return later('none')
    void (async () => {
      let size = 0
      for await (const piece of transport.pieces(100)) size += piece.length
      later(String(size))
    })()
  })
  const logger = { info() {}, warn() {}, error() {} }
  const server = await createHttpServer(app, connections, {}, logger)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  const open = async (): Promise<Wire> => {
    const wire = await Wire.open((server.address() as AddressInfo).port)
    closing.push(() => wire.close())
    return wire
  }
  return { connections, signals, open }
}

const requests = [
  `GET / HTTP/1.1\r\n${host}\r\n\r\n`,
  `POST /collect HTTP/1.1\r\n${host}\r\nContent-Length: 3\r\n\r\nabc`,
  `POST /pieces HTTP/1.1\r\n${host}\r\nContent-Length: 3\r\n\r\nabc`,
]

it('requests leave nothing on a connection that stays, also when they come in one go', async () => {
  const { connections, signals, open } = await world()
  const wire = await open()
  const listeners = ({ socket }: Connection): number =>
    socket.eventNames().reduce((sum, name) => sum + socket.listenerCount(name), 0)
  const counts: number[] = []
  for (let round = 1; round <= 3; round++) {
    wire.send(requests.join('').repeat(3))
    const responses = (await wire.answers(9 * round)).slice(-9)
    expect(responses.map(({ body }) => body)).toEqual(['none', '3', '3', 'none', '3', '3', 'none', '3', '3'])
    const [connection] = [...connections] as [Connection]
    await expect.poll(() => [connection.pending, connection.closeListeners.size]).toEqual([0, 0])
    counts.push(listeners(connection))
  }
  expect(counts[2]).toBe(counts[1])
  expect(signals.map(({ aborted }) => aborted)).toEqual(signals.map(() => false))
})

it('connections that have ended are forgotten', async () => {
  const { connections, open } = await world()
  const wires = await Promise.all([open(), open(), open()])
  await Promise.all(wires.map((wire) => wire.send(requests[0] as string).answer()))
  expect(connections.size).toBe(3)
  for (const wire of wires) wire.close()
  await expect.poll(() => [connections.size, [...connections].length]).toEqual([0, 0])
})

it('responses say when they were made', async () => {
  const { open } = await world()
  const wire = await open()
  const before = Math.floor(Date.now() / 1000)
  const { headers } = await wire.send(requests[0] as string).answer()
  const seconds = Date.parse(headers['date'] as string) / 1000
  expect([seconds >= before, seconds <= Date.now() / 1000]).toEqual([true, true])
})
