// One request on its way through the steps of its action: the internal record, which nothing outside the core sees.
import { Response } from '../design/response.ts'
import type { Found } from '../routing/router.ts'
import type { Decoded } from './codecs.ts'
import type { CompiledAction, Outcome } from './compiled.ts'
import { ActionContext } from './context.ts'
import type { InputError } from './problem.ts'
import { RequestView } from './request.ts'
import type { Services } from './services.ts'
import type { Answer, Send, Transport } from './transport.ts'

/** The first line of a request, read: where it leads, and where in it the query begins. */
export interface RequestLine {
  /** The path and query. */
  readonly url: string
  /** Where the query begins; -1 when there is none. */
  readonly query: number
  /** The version that the request carries. */
  readonly version: string | undefined
  /** The route that matched, with the places of its captures. */
  readonly found: Found<unknown>
}

/** One request on its way through the pipeline. */
export class Exchange {
  readonly compiled: CompiledAction
  readonly transport: Transport
  readonly send: Send
  readonly line: RequestLine
  readonly request: RequestView
  readonly context: ActionContext
  errors: InputError[] | null = null
  /** How many errors there are, also beyond those kept. */
  errorCount = 0
  body: Decoded | undefined
  /** Set when the answer has gone out: whatever comes later is ignored. */
  sent = false
  /** Set when the deadline has passed: what the action still returns comes too late. */
  late = false
  /** Set when the steps of the answer have begun. */
  answering = false
  /** The answer, once it is written, and the response that it was written from. */
  written: { readonly response: Response; readonly answer: Answer } | undefined
  /** The clock of the deadline, once something has had to be waited for. */
  timer: ReturnType<typeof setTimeout> | undefined
  /** Goes on after a step that returned LATER. */
  resume: (ended: Outcome) => void = nothing
  #response: Response | undefined

  constructor(compiled: CompiledAction, transport: Transport, send: Send, line: RequestLine) {
    this.compiled = compiled
    this.transport = transport
    this.send = send
    this.line = line
    this.request = new RequestView(this)
    this.context = new ActionContext(this)
  }

  get services(): Services {
    return this.compiled.services
  }

  get response(): Response {
    this.#response ??= new Response('ok', 200)
    return this.#response
  }

  set response(response: Response) {
    this.#response = response
  }

  /** Adds what is wrong with one part of the request: the errors that were kept, and how many there were. */
  refuse(errors: readonly InputError[], count: number = errors.length): void {
    this.errorCount += count
    if (this.errors === null) this.errors = [...errors]
    else this.errors.push(...errors)
  }
}

function nothing(): void {}
