// Streams over three processes that are killed, with a server of events that is killed, too: every event arrives once, in order.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Carrier } from 'edict/channels'
import { client as createClient } from 'edict/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openCarrier } from '../support/channels/open.ts'
import { describeWith } from '../support/needs.ts'
import { runs } from '../support/runs.ts'
import { needOf, type OwnServer, ownServer } from '../support/stores/servers.ts'
import { Orders } from './news.ts'

const script = fileURLToPath(new URL('./server.ts', import.meta.url))

/** A process that is started again whenever it is killed. */
class Process {
  readonly #args: readonly string[]
  #child: ChildProcess | undefined
  port = 0

  constructor(...args: readonly string[]) {
    this.#args = args
  }

  async start(): Promise<void> {
    const child = fork(script, [...this.#args], { execArgv: ['--import', 'tsx'] })
    this.#child = child
    this.port = await new Promise<number>((resolve, reject) => {
      child.once('message', (port) => resolve(Number(port)))
      child.once('exit', (code) => reject(new Error(`The process ended with ${code}`)))
    })
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }
}

for (const name of ['ioredis', 'pg'] as const) {
  describeWith(needOf(name), `three processes with ${name}`, () => {
    let server: OwnServer
    let processes: Process[]
    let publisher: Awaited<ReturnType<typeof openCarrier>>

    beforeAll(async () => {
      server = await ownServer(name)
      processes = Array.from({ length: 3 }, () => new Process(name, server.url))
      await Promise.all(processes.map((one) => one.start()))
      publisher = await openCarrier(name, server.url, { durable: true })
    }, 120_000)
    afterAll(async () => {
      await Promise.all((processes ?? []).map((one) => one.kill('SIGKILL')))
      await publisher?.close()
      await server?.stop()
    })

    it('[EVT-05] loses and doubles nothing for clients, whatever is killed', {
      timeout: 180_000,
      retry: 0,
    }, async () => {
      const from = await publisher.carrier.last('orders')
      const readers = processes.map((_, i) => readAll(processes, from, i))
      let isOver = false
      const publishing = publish(publisher.carrier, () => isOver)
      await killInTurn(processes, server, runs(8, 60))
      isOver = true
      const count = await publishing
      expect(count).toBeGreaterThan(100)
      for (const seen of await Promise.all(readers))
        expect(seen).toEqual(Array.from({ length: count }, (_, i) => i + 1))
    })
  })
}

/** Publishes orders, and at last that they are gone; after a failure the same one again, which the carrier knows by its key. */
async function publish(carrier: Carrier, isOver: () => boolean): Promise<number> {
  const bounds = { count: 100_000, age: 3_600_000 }
  const keep = async (event: 'created' | 'gone', id: number): Promise<void> => {
    const kept = { text: JSON.stringify({ event, data: { id } }), key: `order ${id}` }
    while (!(await isDone(carrier.append('orders', [kept], bounds)))) await sleep(20)
  }
  let last = 0
  for (; !isOver(); await sleep(5)) await keep('created', ++last)
  await keep('gone', 0)
  return last
}

const isDone = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

/** Reads the orders until they are gone, at one process after the other. */
async function readAll(processes: readonly Process[], from: string, first: number): Promise<number[]> {
  let turn = first
  const send = (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    url.port = String(processes[turn++ % processes.length]?.port)
    return fetch(new Request(url, request))
  }
  const { Orders: orders } = createClient({ Orders }, { baseUrl: 'http://127.0.0.1', fetch: send })
  const seen: number[] = []
  for await (const event of orders.watch.all({}, { from })) {
    // A stream that failed comes back by itself.
    if (event.event === 'error') continue
    if (event.event === 'gap') throw new Error(`a gap behind ${event.data.after}`)
    if (event.event === 'gone') break
    seen.push(event.data.id)
  }
  return seen
}

/** Kills one process after the other, and the server of events now and then. */
async function killInTurn(processes: readonly Process[], server: OwnServer, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    if (i % 4 === 3) await server.restart()
    else {
      const one = processes[i % processes.length] as Process
      await one.kill(i % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
      await one.start()
    }
    await sleep(100)
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
