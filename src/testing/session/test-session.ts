// A session: sends the calls of one case in sequence, checks each response, and records it for the report.
import type { Application } from '../../application.ts'
import { EventParser } from '../../util/event-stream/parse-events.ts'
import { getEssence, isJsonType } from '../../util/media-type.ts'
import { type CallValidity, checkResponse, type FailureSettings, type TestResponse } from './check-response.ts'
import { SkipCase } from './law-errors.ts'
import { buildTestRequest, type CallTarget, type TestCall } from './test-call.ts'

/** A call, its request and its response. */
export interface TestExchange {
  readonly call: TestCall
  readonly request: Request
  readonly response: TestResponse
}

/** The target of the calls of a session. */
export interface SessionTarget extends CallTarget, FailureSettings {
  readonly app: Pick<Application, 'fetch'>
  /** Returns whether a request reaches the action of its call, not another one whose path matches as well. */
  reaches(call: TestCall, request: Request): boolean
  /** Called with every exchange. */
  recordExchange(exchange: TestExchange): void
}

/** Sends the calls of one case. */
export class TestSession {
  readonly exchanges: TestExchange[] = []
  readonly #target: SessionTarget

  constructor(target: SessionTarget) {
    this.#target = target
  }

  /** Sends a call that fits its declaration. */
  sendValid(call: TestCall): Promise<TestResponse> {
    return this.send(call, 'valid')
  }

  /** Sends a call and checks its response against the declaration. */
  async send(call: TestCall, validity: CallValidity = 'unknown'): Promise<TestResponse> {
    const response = await this.#sendRequest(call, 'own')
    checkResponse(call, response, this.#target, validity)
    return skipIfUnavailable(response)
  }

  /** Sends a call that reaches another action, or none. */
  async sendUnchecked(call: TestCall): Promise<TestResponse> {
    return skipIfUnavailable(await this.#sendRequest(call, 'any'))
  }

  /** Sends a request that must reach its own action, or may reach any. */
  async #sendRequest(call: TestCall, reached: 'own' | 'any'): Promise<TestResponse> {
    const request = await buildTestRequest(call, this.#target)
    if (request === undefined || (reached === 'own' && !this.#target.reaches(call, request)))
      throw new SkipCase('no request can be made of it')
    const copy = request.clone()
    const received = await this.#target.app.fetch(request)
    const response = await readTestResponse(received, copy)
    const exchange = { call, request: copy, response }
    this.exchanges.push(exchange)
    this.#target.recordExchange(exchange)
    return response
  }
}

// A rate limit or an overloaded server proves nothing about the case.
function skipIfUnavailable(response: TestResponse): TestResponse {
  if (isUnavailable(response)) throw new SkipCase('the server wants it later')
  return response
}

/** Returns whether a response asks the client to retry later. */
export const isUnavailable = ({ status }: TestResponse): boolean => status === 429 || status === 503

async function readTestResponse(response: Response, { method: verb, url }: Request): Promise<TestResponse> {
  const { status, headers } = response
  const type = getEssence(headers.get('Content-Type') ?? '')
  const bytes = type === EVENT_STREAM ? await readBeginning(response) : new Uint8Array(await response.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  return { status, verb, url, headers, type, text, bytes, body: parseResponseBody(text, type) }
}

const EVENT_STREAM = 'text/event-stream'

/** The most bytes that are read of a stream of events, and the milliseconds to wait for the next ones. */
const [STREAM_BYTES, STREAM_PAUSE] = [64 * 1024, 250]

/** Reads a stream of events until it pauses: it would not end. */
async function readBeginning({ body }: Response): Promise<Uint8Array> {
  const reader = body?.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  while (reader !== undefined && size < STREAM_BYTES) {
    let timer: ReturnType<typeof setTimeout> | undefined
    const pause = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, STREAM_PAUSE, undefined)
    })
    const piece = await Promise.race([reader.read(), pause])
    clearTimeout(timer)
    if (piece === undefined || piece.done) break
    pieces.push(piece.value)
    size += piece.value.length
  }
  await reader?.cancel()
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

const LINE_TYPES: ReadonlySet<string> = new Set(['application/x-ndjson', 'application/jsonl'])

function parseResponseBody(text: string, type: string): unknown {
  if (type === EVENT_STREAM) return parseEvents(text)
  if (type === 'application/json-seq')
    return parseTexts(text.split('\x1e').slice(1), text === '' || text.startsWith('\x1e'))
  if (!LINE_TYPES.has(type)) return isJsonType(type) ? tryParseJson(text) : undefined
  const lines = text.split('\n')
  // The last line ends with a line feed, too.
  return parseTexts(lines, lines.pop() === '')
}

const parseTexts = (texts: readonly string[], isComplete: boolean): unknown =>
  isComplete ? texts.map(tryParseJson) : undefined

// An id belongs to its own event here, although those that follow without one have the same position.
function parseEvents(text: string): unknown {
  let last = ''
  return new EventParser().parse(text).map(({ event, id, data }) => {
    const own = id === last ? {} : { id }
    last = id
    return { event, ...own, data: tryParseJson(data) }
  })
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
