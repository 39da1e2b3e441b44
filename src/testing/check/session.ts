// A session: the calls of one case, sent one after the other, each answer judged and kept for the report.
import type { Application } from '../../application.ts'
import { Void } from './broken.ts'
import { type Call, requestFor, type Target } from './call.ts'
import { type Answer, type Ground, judge } from './judge.ts'

/** A call, its request, and the answer to it. */
export interface Exchange {
  readonly call: Call
  readonly request: Request
  readonly answer: Answer
}

/** The target that a session sends its calls to. */
export interface Reachable extends Target, Ground {
  readonly app: Pick<Application, 'fetch'>
  /** Returns whether a request reaches the action of its call, and not another one whose path fits as well. */
  reaches(call: Call, request: Request): boolean
  /** Told of every exchange. */
  heard(exchange: Exchange): void
}

/** Sends the calls of one case. */
export class Session {
  readonly exchanges: Exchange[] = []
  readonly #to: Reachable

  constructor(to: Reachable) {
    this.#to = to
  }

  /** Sends a call that fits its declaration. */
  valid(call: Call): Promise<Answer> {
    return this.send(call, true)
  }

  /** Sends a call, and holds its answer to the declaration. */
  async send(call: Call, valid = false): Promise<Answer> {
    const answer = await this.#exchange(call, true)
    judge(call, answer, this.#to, valid)
    return insistNow(answer)
  }

  /** Sends a call that reaches no action, or another one. */
  async plain(call: Call): Promise<Answer> {
    return insistNow(await this.#exchange(call, false))
  }

  async #exchange(call: Call, reaches: boolean): Promise<Answer> {
    const request = await requestFor(call, this.#to)
    if (request === undefined || (reaches && !this.#to.reaches(call, request)))
      throw new Void('no request can be made of it')
    const kept = request.clone()
    const response = await this.#to.app.fetch(request)
    const answer = await answerOf(response, kept)
    const exchange = { call, request: kept, answer }
    this.exchanges.push(exchange)
    this.#to.heard(exchange)
    return answer
  }
}

// A limit that is reached, or a server that is busy, says nothing about the case.
function insistNow(answer: Answer): Answer {
  if (isLater(answer)) throw new Void('the server wants it later')
  return answer
}

/** Returns whether an answer asks the client to come back later. */
export const isLater = ({ status }: Answer): boolean => status === 429 || status === 503

async function answerOf(response: Response, { method: verb, url }: Request): Promise<Answer> {
  const { status, headers } = response
  const type = ((headers.get('Content-Type') ?? '').split(';', 1)[0] as string).trim().toLowerCase()
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  return { status, verb, url, headers, type, text, bytes, body: bodyIn(text, type) }
}

function bodyIn(text: string, type: string): unknown {
  if (type !== 'application/x-ndjson') return /[/+]json$/.test(type) ? parsed(text) : undefined
  const lines = text.split('\n')
  // The last line has an end, too.
  return lines.pop() === '' ? lines.map(parsed) : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
