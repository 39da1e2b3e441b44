// Clients that put load on a server and keep an account of every request: answered, refused, failed or lost.
import { type Answer, type Asked, type Reached, type Talk, talkTo } from './talks.ts'

/** How clients behave. */
export interface Behaviour {
  /** How many at the same time. */
  readonly clients: number
  /** The next request: the path of a GET, or more than that. */
  readonly ask: (number: number) => string | Asked
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

/** The counts of the requests so far. */
export class Load {
  sent = 0
  answered = 0
  /** Answers that were neither 2xx nor 503. */
  failed = 0
  /** Answers with 503. */
  refused = 0
  /** Requests that went out on an open connection and were not answered, and how each ended. */
  readonly lost: string[] = []
  /** Requests that the server did not process, and said so: in HTTP/1.1 only while this process stood still. */
  unprocessed = 0
  /** Connections that were not let in. */
  closed = 0
  /** Connections that have had an answer. */
  heard = 0
  readonly answers: Heard[] = []
  readonly #server: Reached
  readonly #behaviour: Behaviour
  readonly #since = performance.now()
  readonly #clients: Promise<unknown>[]
  #running = true

  constructor(server: Reached, behaviour: Behaviour) {
    this.#server = server
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
      let connected = false
      let answeredOnce = false
      const { pause = 0, patience = 10_000 } = this.#behaviour
      const next = (): void => {
        if ((this.#running || once) && talk.open) this.#ask(talk)
        else talk.end()
      }
      const talk = talkTo(this.#server, patience, {
        connected: () => {
          connected = true
          next()
        },
        answered: (answer) => {
          if (!answeredOnce) this.heard++
          answeredOnce = true
          this.#hear(talk.number, answer)
          if (answer.closing || once) talk.end()
          else if (pause > 0) talk.resting = setTimeout(next, pause)
          else next()
        },
        closed: () => {
          if (!connected) this.closed++
          else if (talk.waiting && talk.unprocessed) this.unprocessed++
          else if (talk.waiting) this.lost.push(talk.fault)
          resolve(connected)
        },
      })
    })
  }

  #ask(talk: Talk): void {
    const number = this.sent++
    const asked = this.#behaviour.ask(number)
    talk.ask(number, typeof asked === 'string' ? { path: asked } : asked)
  }

  #hear(number: number, { status, body, took }: Answer): void {
    const heard = { number, status, body, took, at: performance.now() - this.#since }
    this.answered++
    if (heard.status === 503) this.refused++
    else if (!isGood(heard.status)) this.failed++
    if (this.#behaviour.keeps !== false) this.answers.push(heard)
    this.#behaviour.heard?.(heard)
  }
}

const isGood = (status: number): boolean => status >= 200 && status < 300

/** A request with a body of JSON. */
export const post = (path: string, body: object): Asked => ({ path, body: JSON.stringify(body) })
