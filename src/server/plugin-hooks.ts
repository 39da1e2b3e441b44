// Runs the hooks of plugins: on the arrival of a request, before any response is written, and at the end. Route misses,
// rejections by the server and failures run them like responses of actions; without plugins that have hooks, none of
// this runs.
import type { ActionResponse } from '../design/declare/action-response.ts'
import { hasBrand } from '../util/brand.ts'
import { isThenable } from '../util/thenable.ts'
import type { Plugin } from './application-options.ts'
import { releaseBody } from './body-stream.ts'
import { convertThrown } from './failure/failures.ts'
import { toLoggableError } from './problem/thrown-value.ts'
import { writePluginResponse } from './render/undeclared.ts'
import type { RunAround } from './request/exchange.ts'
import { type FindReachable, IncomingRequest, type SentResponse } from './request/incoming-request.ts'
import { type ResponseHook, runResponseHooks, withDeadline } from './response/outgoing-response.ts'
import type { Services } from './services.ts'
import type { Done, RawResponse, Send, Transport } from './transport.ts'

type ArrivalOutcome = Awaited<ReturnType<NonNullable<Plugin['arrival']>>>
type HookName = 'arrival' | 'around' | 'response' | 'end'
type PluginWith<H extends HookName> = Plugin & Required<Pick<Plugin, H>>

/** Routes a request to its action, or responds that no route matches. */
export type RequestRouter = (
  transport: Transport,
  send: Send,
  request: IncomingRequest | undefined,
  inside: RunAround | undefined,
) => void

/** Work on a request, and the callback for a failure of a plugin around it. */
interface AroundWork {
  readonly work: Parameters<RunAround>[0]
  readonly failed: Parameters<RunAround>[1]
}

// A response may be thrown as well.
function releaseLate(result: ArrivalOutcome, thrown?: unknown): void {
  const response = result ?? (hasBrand(thrown, '~response') ? (thrown as ActionResponse) : undefined)
  if (response) releaseBody(response.body)
}

/** The plugins of an application that have request hooks, in order. */
export class PluginHooks {
  readonly #services: Services
  readonly #findReachable: FindReachable
  readonly #arrival: readonly PluginWith<'arrival'>[]
  readonly #around: readonly PluginWith<'around'>[]
  readonly #response: readonly ResponseHook<IncomingRequest>[]
  readonly #end: readonly PluginWith<'end'>[]

  /** Creates the hooks of an application; returns undefined if no plugin has a hook. */
  static create(plugins: readonly Plugin[], services: Services, findReachable: FindReachable): PluginHooks | undefined {
    const hooks = new PluginHooks(plugins, services, findReachable)
    const lists = [hooks.#arrival, hooks.#around, hooks.#response, hooks.#end]
    return lists.every(({ length }) => length === 0) ? undefined : hooks
  }

  constructor(plugins: readonly Plugin[], services: Services, findReachable: FindReachable) {
    this.#services = services
    this.#findReachable = findReachable
    this.#arrival = plugins.filter((one): one is PluginWith<'arrival'> => one.arrival !== undefined)
    this.#around = plugins.filter((one): one is PluginWith<'around'> => one.around !== undefined)
    this.#response = plugins
      .filter((one): one is PluginWith<'response'> => one.response !== undefined)
      .map((one) => ({ name: one.name, run: (response, request) => one.response(response, request) }))
    this.#end = plugins.filter((one): one is PluginWith<'end'> => one.end !== undefined)
  }

  /** Handles a request: plugins may respond at once, otherwise it continues to its route. */
  handleRequest(transport: Transport, send: Send, route: RequestRouter): void {
    const request = new IncomingRequest(transport, this.#services, this.#findReachable)
    const respond: Send = (response) => this.#runResponseHooks(request, response, send)
    this.#arrive(request, 0, (response) => {
      if (response !== undefined) return respond(response)
      if (this.#around.length === 0) return route(transport, respond, request, undefined)
      const runAround: RunAround = (work, failed) => this.#runAround(request, { work, failed }, 0)
      runAround(
        () => route(transport, respond, request, runAround),
        (error, plugin) => respond(this.#writeFailure(request, plugin, 'around', error)),
      )
    })
  }

  /** Handles a response that the server sends by itself, to a request that the application never received. */
  handleRefusal(transport: Transport, response: RawResponse, send: Send): void {
    this.#runResponseHooks(new IncomingRequest(transport, this.#services), response, send)
  }

  // The work runs once or the request fails once, even if a plugin calls it twice or never.
  #runAround(request: IncomingRequest, job: AroundWork, from: number): void {
    const plugin = this.#around[from]
    if (plugin === undefined) return job.work()
    let started = false
    const work = (): void => {
      if (started) return
      started = true
      this.#runAround(request, job, from + 1)
    }
    try {
      plugin.around(request, work)
      if (!started) throw new Error('It did not call work()')
    } catch (error) {
      if (started) this.#logFailure(request, plugin, 'around', error)
      else {
        started = true
        job.failed(error, plugin.name)
      }
    }
  }

  #arrive(request: IncomingRequest, from: number, next: (response: RawResponse | undefined) => void): void {
    for (let i = from; i < this.#arrival.length; i++) {
      const plugin = this.#arrival[i] as PluginWith<'arrival'>
      const fail = (error: unknown): void => next(this.#writeFailure(request, plugin.name, 'arrival', error))
      try {
        const result = plugin.arrival(request)
        if (isThenable(result)) {
          const proceed = (late: ArrivalOutcome): void =>
            late ? next(this.#writeResponse(late, request)) : this.#arrive(request, i + 1, next)
          return void withDeadline(this.#services.deadline, result, releaseLate).then(proceed).catch(fail)
        }
        if (result) return next(this.#writeResponse(result, request))
      } catch (error) {
        return fail(error)
      }
    }
    next(undefined)
  }

  #writeResponse(response: ActionResponse, request: IncomingRequest): RawResponse {
    try {
      return writePluginResponse(this.#services, response, request)
    } catch (error) {
      releaseBody(response.body)
      throw error
    }
  }

  #runResponseHooks(request: IncomingRequest, response: RawResponse, send: Send): void {
    if (this.#response.length === 0) return this.#send(request, response, send)
    runResponseHooks(response, {
      subject: request,
      hooks: this.#response,
      deadline: this.#services.deadline,
      respondToFailure: ({ name }, error) => this.#writeFailure(request, name, 'response', error),
      done: (complete) => this.#send(request, complete, send),
    })
  }

  #send(request: IncomingRequest, response: RawResponse, send: Send): void {
    const { status, headers, body, code } = response
    const instead: RawResponse['replace'] = (other, error) => {
      IncomingRequest.setError(request, toLoggableError(error))
      this.#runResponseHooks(request, other, send)
    }
    send({ status, headers, body, code, replace: instead, done: this.#createDone(request, response) })
  }

  #createDone(request: IncomingRequest, response: RawResponse): Done | undefined {
    if (this.#end.length === 0) return undefined
    const answeredAfter = performance.now() - request.arrivedAt
    return (...how) => this.#notifyEnd(request, { response, respondedAfter: answeredAfter }, how)
  }

  #notifyEnd(request: IncomingRequest, sentResponse: SentResponse, how: Parameters<Done>): void {
    const ended = IncomingRequest.describeEnd(request, sentResponse, how)
    for (const plugin of this.#end) {
      try {
        plugin.end(request, ended)
      } catch (err) {
        this.#logFailure(request, plugin, 'end', err)
      }
    }
  }

  #writeFailure(request: IncomingRequest, plugin: string, hook: HookName, error: unknown): RawResponse {
    const { id: requestId, action } = request
    const recordError = (failed: Error): void => IncomingRequest.setError(request, failed)
    const origin = { requestId, action, plugin, hook, recordError }
    const writeThrown = (thrown: unknown): RawResponse =>
      this.#writeResponse(convertThrown(this.#services, thrown, origin), request)
    try {
      return writeThrown(error)
    } catch (unwritable) {
      return writeThrown(unwritable)
    }
  }

  #logFailure(request: IncomingRequest, plugin: Plugin, hook: HookName, err: unknown): void {
    const { id: requestId, action } = request
    this.#services.logger.error({ err, plugin: plugin.name, hook, requestId, action }, 'A plugin failed')
  }
}
