// Slow and broken clients by the hundred, while others want to be served as always.
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Load } from '../clients.ts'
import { type Account, allowed, type Scenario } from '../scenario.ts'
import { type Subject, until } from '../subject.ts'
import { type Reached, reset, socketTo } from '../talks.ts'

/** A bad client: the bytes that it sends at first, and then every 100 ms. */
interface Bad {
  readonly name: string
  readonly first: string
  readonly again?: string
  /** Whether it never takes anything off the wire. */
  readonly deaf?: boolean
  /** Whether the server is expected to get rid of it. */
  readonly ended?: boolean
  /** The behaviour of the client after its first bytes. */
  readonly act?: (socket: Socket) => unknown
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a.test\r\n`
const upload = `POST /echo HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`

const kinds: readonly Bad[] = [
  { name: 'slow headers', first: get('/text'), again: 'X-A: b\r\n', ended: true },
  { name: 'slow bodies', first: `${upload}{`, again: ' ', ended: true },
  { name: 'never read a large answer', first: `${get('/large/1000')}\r\n`, deaf: true },
  { name: 'never read a stream', first: `${get('/stream')}\r\n`, deaf: true, ended: true },
  { name: 'half-closed', first: `${get('/patient')}\r\n`, act: (socket) => socket.end() },
  { name: 'reset while they wait', first: `${get('/patient')}\r\n`, act: reset },
  { name: 'reset within a body', first: `${upload}{`, act: reset },
  { name: 'never say a word', first: '' },
]

/** Opens a bad client. */
function open(server: Reached, { first, again, deaf = false, act }: Bad): Socket {
  let timer: NodeJS.Timeout | undefined
  const socket = socketTo(server, () => {
    socket.write(first)
    if (again !== undefined) timer = setInterval(() => socket.write(again), 100)
    if (act !== undefined) setTimeout(() => act(socket), 50)
  })
  if (deaf) socket.pause()
  else socket.resume()
  const over = (): void => {
    clearInterval(timer)
  }
  socket.on('error', over).on('end', over).on('close', over)
  return socket
}

/** Measures good clients while bad ones of one kind are connected. */
async function beside(kind: Bad, count: number, { subject, load, account, short, opened }: World): Promise<void> {
  const [sent, answered] = [load.sent, load.answered]
  const [failed, lost] = [load.failed + load.refused, load.lost.length]
  const since = performance.now()
  const before = subject.descriptors()
  for (let n = 0; n < count; n++) opened.push(open(subject, kind))
  await sleep(short ? 500 : 2000)
  if (kind.ended === true) {
    const gone = await until(() => subject.descriptors() <= before + 2, allowed(6000))
    account.must(gone, `${kind.name}: sent away within 6 s`)
  }
  const part = { sent: load.sent - sent, failed: load.failed + load.refused - failed, lost: load.lost.length - lost }
  const slowest = Math.max(0, ...load.answers.slice(answered).map(({ took }) => took))
  const note = `${((performance.now() - since) / 1000).toFixed(1)} s, slowest answer ${slowest.toFixed(0)} ms`
  account.rows.push({ fault: `${count} clients: ${kind.name}`, load: '10 good clients', ...part, note })
  account.must(
    slowest < allowed(1000),
    `${kind.name}: others are answered within a second, not ${slowest.toFixed(0)} ms`,
  )
}

interface World {
  readonly subject: Subject
  readonly load: Load
  readonly account: Account
  readonly short: boolean
  readonly opened: Socket[]
}

/** The promise about clients that are slow or broken. */
export const clients: Scenario = {
  name: 'clients',
  says: 'slow and broken clients hold up nobody else, and those that send or read too slowly are sent away',
  safeguards: ['timeouts'],
  async run({ short, without }, account) {
    const limits = { headers: 1000, request: 1500, response: 1000 }
    const timeouts = without === 'timeouts' ? { headers: 0, request: 0, response: 0 } : limits
    // Fewer slots than bad clients of any kind: a request that waits for its client must not take one.
    const each = short ? 60 : 200
    const subject = await account.start({ serve: { timeouts, maxRequests: each / 2 } })
    const opened: Socket[] = []
    const load = new Load(subject, { clients: 10, ask: () => '/wait/1', pause: 5 })
    await until(() => load.answered > 200)
    for (const kind of kinds) {
      // Those that wait in the application do take places and must leave some; the others are limited by memory.
      const few = kind.first.includes('/patient') || kind.deaf === true
      await beside(kind, few ? each / 4 : each, { subject, load, account, short, opened })
    }
    await load.stop()
    account.whole('bad clients', load)
    const told = await until(async () => (await subject.gauge()).gone >= each / 4, allowed(4000))
    account.must(told, 'reset while they wait: the signal reaches the action')
    for (const socket of opened) socket.destroy()
    account.must((await subject.ask('/text')).status === 200, 'bad clients: the server is there afterwards')
    const [first] = subject.lines('error').filter(({ message }) => !message.includes('deadline'))
    account.must(first === undefined, `bad clients: no errors in the log: ${first?.message}`)
  },
}
