// Clients that put load on a server and keep an account of every request: answered, refused, failed or lost.
import { connect, type Socket } from 'node:net'

/** When this process last stood still for so long that a server that drains takes its connections for silent ones. */
const stall = { at: Number.NEGATIVE_INFINITY }
let beat = performance.now()
setInterval(() => {
  const now = performance.now()
  if (now - beat > 450) stall.at = now
  beat = now
}, 50).unref()

/** How clients behave. */
export interface Behaviour {
  /** How many at the same time. */
  readonly clients: number
  /** What the next one asks for: a path, or the whole text of a request. */
  readonly ask: (number: number) => string
  /** Milliseconds between an answer and the next request; 0. */
  readonly pause?: number
  /** Milliseconds after which an answer counts as lost; 10,000. */
  readonly patience?: number
  /** Whether answers are kept for a look back; true. */
  readonly keeps?: boolean
  /** Called with each answer, its request's number and the milliseconds that it took. */
  readonly heard?: (answer: Heard) => void
}

/** One answer. */
export interface Heard {
  readonly number: number
  readonly status: number
  readonly body: string
  readonly took: number
  /** When it came, in milliseconds since the load began. */
  readonly at: number
}

/** What has become of the requests so far. */
export class Load {
  sent = 0
  answered = 0
  /** Answers that were neither 2xx nor 503. */
  failed = 0
  /** Answers with 503. */
  refused = 0
  /** Requests that went out on an open connection and were not answered, and how each ended. */
  readonly lost: string[] = []
  /** Requests on connections that the server closed in order while this process stood still: clients send them again. */
  silent = 0
  /** Connections that were not let in. */
  closed = 0
  readonly answers: Heard[] = []
  readonly #port: number
  readonly #behaviour: Behaviour
  readonly #since = performance.now()
  readonly #clients: Promise<unknown>[]
  #running = true

  constructor(port: number, behaviour: Behaviour) {
    this.#port = port
    this.#behaviour = behaviour
    this.#clients = Array.from({ length: behaviour.clients }, () => this.#client())
  }

  /** Sends one request on a connection of its own. */
  once(): void {
    this.#clients.push(this.#connection(true))
  }

  /** Lets every client finish what it has asked for. */
  async stop(): Promise<this> {
    this.#running = false
    await Promise.all(this.#clients)
    return this
  }

  /** Resolves when every client has been sent away for good. */
  async end(): Promise<this> {
    await Promise.all(this.#clients)
    return this
  }

  /** The time that answers of a status took, below which a share of them lies; between two moments of the load. */
  took(share: number, statuses: (status: number) => boolean = isGood, from = 0, to = Number.POSITIVE_INFINITY): number {
    const times = this.answers
      .filter(({ status, at }) => statuses(status) && at >= from && at < to)
      .map(({ took }) => took)
    times.sort((a, b) => a - b)
    return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  }

  /** A client connects again for as long as it is let in. */
  async #client(): Promise<void> {
    while (this.#running && (await this.#connection()));
  }

  #connection(once = false): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
      const talk = new Talk(socket, this.#behaviour.patience ?? 10_000)
      const next = (): void => {
        if (!this.#running && !once) return void socket.end()
        this.#ask(talk)
      }
      let connected = false
      socket.on('connect', () => {
        connected = true
        next()
      })
      talk.answered = (status, body, took, closing) => {
        this.#hear({ number: talk.number, status, body, took, at: performance.now() - this.#since })
        const { pause = 0 } = this.#behaviour
        if (closing || once) socket.end()
        else if (pause > 0) talk.resting = setTimeout(next, pause)
        else next()
      }
      socket.on('close', () => {
        talk.close()
        if (!connected) this.closed++
        else if (talk.waiting && talk.silent) this.silent++
        else if (talk.waiting) this.lost.push(talk.fault)
        resolve(connected)
      })
    })
  }

  #ask(talk: Talk): void {
    const number = this.sent++
    const asked = this.#behaviour.ask(number)
    talk.ask(number, asked.startsWith('/') ? `GET ${asked} HTTP/1.1\r\nHost: a.test\r\n\r\n` : asked)
  }

  #hear(heard: Heard): void {
    this.answered++
    if (heard.status === 503) this.refused++
    else if (!isGood(heard.status)) this.failed++
    if (this.#behaviour.keeps !== false) this.answers.push(heard)
    this.#behaviour.heard?.(heard)
  }
}

const isGood = (status: number): boolean => status >= 200 && status < 300

/** The text of a request with a body of JSON. */
export function post(path: string, body: object): string {
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`
}

/** One connection, with one request under way at a time. */
class Talk {
  readonly #socket: Socket
  readonly #patience: number
  waiting = false
  number = 0
  fault = 'ended'
  answered: (status: number, body: string, took: number, closing: boolean) => void = () => {}
  resting: NodeJS.Timeout | undefined
  #received = ''
  #since = 0
  #timer: NodeJS.Timeout | undefined

  constructor(socket: Socket, patience: number) {
    this.#socket = socket
    this.#patience = patience
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => this.#take(chunk))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.fault = error.code ?? error.message
    })
    // Between two requests nobody reads, and only an end is heard.
    socket.on('end', () => socket.end())
  }

  /** Whether the request went out right after this process had stood still, and met the end of the connection. */
  get silent(): boolean {
    return this.fault === 'ended' && this.#received === '' && Math.abs(this.#since - stall.at) < 1000
  }

  ask(number: number, text: string): void {
    this.number = number
    this.#received = ''
    this.waiting = true
    this.#since = performance.now()
    this.#timer = setTimeout(() => {
      this.fault = 'no answer'
      this.#socket.destroy()
    }, this.#patience)
    this.#socket.write(text)
  }

  close(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.resting)
  }

  #take(chunk: string): void {
    this.#received += chunk
    const head = this.#received.indexOf('\r\n\r\n')
    if (head === -1) return
    const fields = this.#received.slice(0, head)
    const length = Number(/content-length: (\d+)/i.exec(fields)?.[1] ?? 0)
    if (this.#received.length < head + 4 + length) return
    if (/transfer-encoding: chunked/i.test(fields) && !this.#received.endsWith('0\r\n\r\n')) return
    clearTimeout(this.#timer)
    this.waiting = false
    const status = Number(this.#received.slice(9, 12))
    const closing = /connection: close/i.test(fields)
    this.answered(status, this.#received.slice(head + 4), performance.now() - this.#since, closing)
  }
}
