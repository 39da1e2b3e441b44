// The extension points of plugins: the arrival of a request, before any answer is written, and its end. Misses, refusals of
// the server itself and failures pass here like the answers of actions; without such plugins nothing of this runs.
import type { ActionResponse } from '../design/declare/action-response.ts'
import { hasBrand } from '../util/brand.ts'
import { isThenable } from '../util/thenable.ts'
import { writePluginResponse } from './render/undeclared.ts'
import type { RunAround } from './request/exchange.ts'
import { convertThrown } from './failure/failures.ts'
import { toLoggableError } from './problem/thrown-value.ts'
import type { Plugin } from './application-options.ts'
import type { Services } from './services.ts'
import { releaseBody } from './body-stream.ts'
import type { RawResponse, Done, Send, Transport } from './transport.ts'
import { type SentResponse, IncomingRequest, type FindReachable } from './request/incoming-request.ts'
import { type ResponseHook, runResponseHooks, withDeadline } from './response/outgoing-response.ts'

type ArrivalOutcome = Awaited<ReturnType<NonNullable<Plugin['arrival']>>>
type HookName = 'arrival' | 'around' | 'answer' | 'end'
type PluginWith<H extends HookName> = Plugin & Required<Pick<Plugin, H>>

/** Sends a request on its way to its action, or to the answer that there is none. */
export type RequestRouter = (
  transport: Transport,
  send: Send,
  request: IncomingRequest | undefined,
  inside: RunAround | undefined,
) => void

/** Work on a request, and what happens when a plugin around it fails. */
interface AroundWork {
  readonly work: Parameters<RunAround>[0]
  readonly failed: Parameters<RunAround>[1]
}

// A response may be thrown as well.
function releaseLate(result: ArrivalOutcome, thrown?: unknown): void {
  const response = result ?? (hasBrand(thrown, '~response') ? (thrown as ActionResponse) : undefined)
  if (response) releaseBody(response.body)
}

/** The plugins of an application that meet requests, in their order. */
export class PluginHooks {
  readonly #services: Services
  readonly #findReachable: FindReachable
  readonly #arrival: readonly PluginWith<'arrival'>[]
  readonly #around: readonly PluginWith<'around'>[]
  readonly #response: readonly ResponseHook<IncomingRequest>[]
  readonly #end: readonly PluginWith<'end'>[]

  /** The points of an application; undefined when no plugin meets requests. */
  static create(plugins: readonly Plugin[], services: Services, reach: FindReachable): PluginHooks | undefined {
    const points = new PluginHooks(plugins, services, reach)
    const met = [points.#arrival, points.#around, points.#response, points.#end]
    return met.every(({ length }) => length === 0) ? undefined : points
  }

  constructor(plugins: readonly Plugin[], services: Services, reach: FindReachable) {
    this.#services = services
    this.#findReachable = reach
    this.#arrival = plugins.filter((one): one is PluginWith<'arrival'> => one.arrival !== undefined)
    this.#around = plugins.filter((one): one is PluginWith<'around'> => one.around !== undefined)
    this.#response = plugins
      .filter((one): one is PluginWith<'answer'> => one.answer !== undefined)
      .map((one) => ({ name: one.name, run: (response, request) => one.answer(response, request) }))
    this.#end = plugins.filter((one): one is PluginWith<'end'> => one.end !== undefined)
  }

  /** Takes a request: plugins may answer it at once, otherwise it continues to its route. */
  handleRequest(transport: Transport, send: Send, route: RequestRouter): void {
    const request = new IncomingRequest(transport, this.#services, this.#findReachable)
    const answered: Send = (answer) => this.#runResponseHooks(request, answer, send)
    this.#arrive(request, 0, (answer) => {
      if (answer !== undefined) return answered(answer)
      if (this.#around.length === 0) return route(transport, answered, request, undefined)
      const inside: RunAround = (work, failed) => this.#runAround(request, { work, failed }, 0)
      inside(
        () => route(transport, answered, request, inside),
        (error, plugin) => answered(this.#writeFailure(request, plugin, 'around', error)),
      )
    })
  }

  /** Takes an answer that a server gives by itself, to a request that the application never saw. */
  handleRefusal(transport: Transport, answer: RawResponse, send: Send): void {
    this.#runResponseHooks(new IncomingRequest(transport, this.#services), answer, send)
  }

  // The work runs once or the request fails once, even if a plugin calls it twice or never.
  #runAround(request: IncomingRequest, job: AroundWork, from: number): void {
    const plugin = this.#around[from]
    if (plugin === undefined) return job.work()
    let begun = false
    const work = (): void => {
      if (begun) return
      begun = true
      this.#runAround(request, job, from + 1)
    }
    try {
      plugin.around(request, work)
      if (!begun) throw new Error('It did not call work()')
    } catch (error) {
      if (begun) this.#logFailure(request, plugin, 'around', error)
      else {
        begun = true
        job.failed(error, plugin.name)
      }
    }
  }

  #arrive(request: IncomingRequest, from: number, next: (answer: RawResponse | undefined) => void): void {
    for (let i = from; i < this.#arrival.length; i++) {
      const plugin = this.#arrival[i] as PluginWith<'arrival'>
      const failed = (error: unknown): void => next(this.#writeFailure(request, plugin.name, 'arrival', error))
      try {
        const result = plugin.arrival(request)
        if (isThenable(result)) {
          const settled = (late: ArrivalOutcome): void =>
            late ? next(this.#writeResponse(late, request)) : this.#arrive(request, i + 1, next)
          return void withDeadline(this.#services.deadline, result, releaseLate).then(settled).catch(failed)
        }
        if (result) return next(this.#writeResponse(result, request))
      } catch (error) {
        return failed(error)
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

  #runResponseHooks(request: IncomingRequest, answer: RawResponse, send: Send): void {
    if (this.#response.length === 0) return this.#send(request, answer, send)
    runResponseHooks(answer, {
      subject: request,
      hooks: this.#response,
      deadline: this.#services.deadline,
      respondToFailure: ({ name }, error) => this.#writeFailure(request, name, 'answer', error),
      done: (whole) => this.#send(request, whole, send),
    })
  }

  #send(request: IncomingRequest, answer: RawResponse, send: Send): void {
    const { status, headers, body, code } = answer
    const instead: RawResponse['instead'] = (other, error) => {
      IncomingRequest.setError(request, toLoggableError(error))
      this.#runResponseHooks(request, other, send)
    }
    send({ status, headers, body, code, instead, done: this.#createDone(request, answer) })
  }

  #createDone(request: IncomingRequest, answer: RawResponse): Done | undefined {
    if (this.#end.length === 0) return undefined
    const answeredAfter = performance.now() - request.arrivedAt
    return (...how) => this.#notifyEnd(request, { response: answer, answeredAfter }, how)
  }

  #notifyEnd(request: IncomingRequest, answered: SentResponse, how: Parameters<Done>): void {
    const ended = IncomingRequest.describeEnd(request, answered, how)
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
    const answerTo = (thrown: unknown): RawResponse => this.#writeResponse(convertThrown(this.#services, thrown, origin), request)
    try {
      return answerTo(error)
    } catch (unwritable) {
      return answerTo(unwritable)
    }
  }

  #logFailure(request: IncomingRequest, plugin: Plugin, hook: HookName, err: unknown): void {
    const { id: requestId, action } = request
    this.#services.logger.error({ err, plugin: plugin.name, hook, requestId, action }, 'A plugin failed')
  }
}
