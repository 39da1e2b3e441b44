// A session: the calls of one case, sent one after the other, each answer judged and kept for the report.
import type { Application } from '../../application.ts'
import { SkipCase } from './law-errors.ts'
import { type TestCall, buildTestRequest, type CallTarget } from './test-call.ts'
import { type TestResponse, type FailureSettings, checkResponse } from './check-response.ts'

/** A call, its request, and the answer to it. */
export interface TestExchange {
  readonly call: TestCall
  readonly request: Request
  readonly answer: TestResponse
}

/** The target that a session sends its calls to. */
export interface SessionTarget extends CallTarget, FailureSettings {
  readonly app: Pick<Application, 'fetch'>
  /** Returns whether a request reaches the action of its call, and not another one whose path fits as well. */
  reaches(call: TestCall, request: Request): boolean
  /** Told of every exchange. */
  recordExchange(exchange: TestExchange): void
}

/** Sends the calls of one case. */
export class TestSession {
  readonly exchanges: TestExchange[] = []
  readonly #target: SessionTarget

  constructor(to: SessionTarget) {
    this.#target = to
  }

  /** Sends a call that fits its declaration. */
  sendValid(call: TestCall): Promise<TestResponse> {
    return this.send(call, true)
  }

  /** Sends a call, and holds its answer to the declaration. */
  async send(call: TestCall, valid = false): Promise<TestResponse> {
    const answer = await this.#sendRequest(call, true)
    checkResponse(call, answer, this.#target, valid)
    return skipIfUnavailable(answer)
  }

  /** Sends a call that reaches no action, or another one. */
  async sendUnchecked(call: TestCall): Promise<TestResponse> {
    return skipIfUnavailable(await this.#sendRequest(call, false))
  }

  async #sendRequest(call: TestCall, reaches: boolean): Promise<TestResponse> {
    const request = await buildTestRequest(call, this.#target)
    if (request === undefined || (reaches && !this.#target.reaches(call, request)))
      throw new SkipCase('no request can be made of it')
    const kept = request.clone()
    const response = await this.#target.app.fetch(request)
    const answer = await readTestResponse(response, kept)
    const exchange = { call, request: kept, answer }
    this.exchanges.push(exchange)
    this.#target.recordExchange(exchange)
    return answer
  }
}

// A limit that is reached, or a server that is busy, says nothing about the case.
function skipIfUnavailable(answer: TestResponse): TestResponse {
  if (isUnavailable(answer)) throw new SkipCase('the server wants it later')
  return answer
}

/** Returns whether an answer asks the client to come back later. */
export const isUnavailable = ({ status }: TestResponse): boolean => status === 429 || status === 503

async function readTestResponse(response: Response, { method: verb, url }: Request): Promise<TestResponse> {
  const { status, headers } = response
  const type = ((headers.get('Content-Type') ?? '').split(';', 1)[0] as string).trim().toLowerCase()
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  return { status, verb, url, headers, type, text, bytes, body: parseResponseBody(text, type) }
}

function parseResponseBody(text: string, type: string): unknown {
  if (type !== 'application/x-ndjson') return /[/+]json$/.test(type) ? tryParseJson(text) : undefined
  const lines = text.split('\n')
  // The last line has an end, too.
  return lines.pop() === '' ? lines.map(tryParseJson) : undefined
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
