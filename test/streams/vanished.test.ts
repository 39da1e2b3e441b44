// Clients over HTTP/1.1 that vanish without a word: the network to them is cut, so that no packet arrives any more.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { all, type Need, program, programNeed } from '../../scripts/machine.ts'
import { type RunningServer, serve } from '../../src/adapters/node/index.ts'
import { recorder } from '../support/ask.ts'
import { describeWith } from '../support/needs.ts'
import { cert, key } from '../support/serving/certificate.ts'
import { Journal, shop } from './shop.ts'

const SPACE = `edict${process.pid}`
const [HERE, THERE] = ['10.213.77.1', '10.213.77.2']

const canMakeSpaces: Need = {
  name: 'network namespaces',
  missing: process.getuid?.() === 0 && process.platform === 'linux' ? undefined : 'they need Linux, and its root',
}

// Reads a stream, and prints what arrives; or opens it and reads nothing.
const CLIENT = `
const { connect } = require(process.argv[3] === 'tls' ? 'node:tls' : 'node:net')
const socket = connect({ host: '${HERE}', port: Number(process.argv[1]), rejectUnauthorized: false }, () => {
  socket.write('GET /orders/events HTTP/1.1\\r\\nhost: shop.test\\r\\n\\r\\n')
  if (process.argv[2] === 'stalls') socket.pause()
})
if (process.argv[2] !== 'stalls') socket.on('data', (piece) => process.stdout.write(piece))
socket.on('error', () => {})
setInterval(() => {}, 1000)
`

describeWith(all(canMakeSpaces, programNeed('ip', 'iproute2')), 'a client over HTTP/1.1', () => {
  const clients: ChildProcess[] = []
  const servers: RunningServer[] = []
  const ip = (...args: string[]) => execFileSync(program('ip') as string, args, { stdio: 'pipe' })
  const inside = (...args: string[]) => ip('-n', SPACE, ...args)

  const cut = () => inside('link', 'set', 'there', 'down')
  const mend = () => inside('link', 'set', 'there', 'up')

  beforeAll(() => {
    ip('netns', 'add', SPACE)
    ip('link', 'add', `here${process.pid}`, 'type', 'veth', 'peer', 'name', 'there', 'netns', SPACE)
    ip('addr', 'add', `${HERE}/30`, 'dev', `here${process.pid}`)
    ip('link', 'set', `here${process.pid}`, 'up')
    inside('addr', 'add', `${THERE}/30`, 'dev', 'there')
    mend()
  })
  afterAll(async () => {
    for (const client of clients) client.kill('SIGKILL')
    for (const server of servers) await server.close()
    ip('netns', 'delete', SPACE)
  })

  async function open(journal: Journal, way: 'reads' | 'stalls' = 'reads', tls = false) {
    const server = await serve(shop(journal), {
      ...{ port: 0, host: HERE, signals: false, fatal: false, logger: recorder() },
      ...(tls && { tls: { key, cert, http2: false } }),
      timeouts: { drain: 100, response: 120_000 },
    })
    servers.push(server)
    const args = ['-e', CLIENT, String(server.port), way, tls ? 'tls' : 'plain']
    const client = spawn(program('ip') as string, ['netns', 'exec', SPACE, process.execPath, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    clients.push(client)
    let text = ''
    client.stdout?.on('data', (piece) => {
      text += piece
    })
    await expect.poll(() => journal.opened, { timeout: 20_000 }).toBe(1)
    return { text: () => text }
  }

  it.each([false, true])('[EVT-02] that vanishes while no event comes is noticed; TLS: %s', async (tls) => {
    const journal = new Journal()
    const { text } = await open(journal, 'reads', tls)
    // It outlives its heartbeats as long as the client is there.
    await expect.poll(() => text().split(':\n').length, { timeout: 20_000 }).toBeGreaterThan(20)
    expect(journal.closed).toBe(0)
    cut()
    try {
      await expect.poll(() => journal.closed, { timeout: 20_000 }).toBe(1)
    } finally {
      mend()
    }
  })

  it('[EVT-02] that vanishes while events come is noticed, also when nothing more can be sent', async () => {
    for (const note of ['short', 'x'.repeat(100_000)]) {
      const journal = new Journal()
      const { text } = await open(journal)
      let id = 0
      const publishing = setInterval(() => journal.create(++id, note), 20)
      await expect.poll(() => text().length, { timeout: 20_000 }).toBeGreaterThan(1000)
      cut()
      try {
        await expect.poll(() => journal.closed, { timeout: 20_000 }).toBe(1)
      } finally {
        clearInterval(publishing)
        mend()
      }
    }
  })

  it('[EVT-02] that reads nothing, but is there, is left to the bound on slow readers', async () => {
    const journal = new Journal()
    for (let id = 1; id <= 2000; id++) journal.create(id, 'x'.repeat(10_000))
    await open(journal, 'stalls')
    await expect.poll(() => journal.taken, { timeout: 20_000 }).toBeGreaterThan(10)
    // Many heartbeats pass, and the system asks for space in between.
    await new Promise((resolve) => setTimeout(resolve, 4000))
    expect(journal.closed).toBe(0)
  })
})
