// Where plugins meet requests: at their arrival, before any answer is written, and at their end. Misses, refusals of the
// server itself and failures pass here like the answers of actions; without such plugins nothing of this runs.
import { isThenable } from '../../util/thenable.ts'
import { plainAnswer } from '../answer/plain.ts'
import { thrownOutcome } from '../failure/failures.ts'
import type { Plugin } from '../options.ts'
import type { Services } from '../services.ts'
import type { Answer, Send, SendOutcome, Transport } from '../transport.ts'
import { IncomingRequest, type Reach } from './incoming.ts'
import { type AnswerHook, passAnswer, within } from './outgoing.ts'

type Arrived = Awaited<ReturnType<NonNullable<Plugin['arrival']>>>
type Hook = 'arrival' | 'answer' | 'end'
type With<H extends Hook> = Plugin & Required<Pick<Plugin, H>>

/** Sends a request on its way to its action, or to the answer that there is none. */
export type Route = (transport: Transport, send: Send, request: IncomingRequest | undefined) => void

/** The plugins of an application that meet requests, in their order. */
export class Points {
  readonly #services: Services
  readonly #reach: Reach
  readonly #arrival: readonly With<'arrival'>[]
  readonly #answer: readonly AnswerHook<IncomingRequest>[]
  readonly #end: readonly With<'end'>[]

  /** The points of an application; undefined when no plugin meets requests. */
  static of(plugins: readonly Plugin[], services: Services, reach: Reach): Points | undefined {
    const points = new Points(plugins, services, reach)
    return points.#arrival.length + points.#answer.length + points.#end.length === 0 ? undefined : points
  }

  constructor(plugins: readonly Plugin[], services: Services, reach: Reach) {
    this.#services = services
    this.#reach = reach
    this.#arrival = plugins.filter((one): one is With<'arrival'> => one.arrival !== undefined)
    this.#answer = plugins
      .filter((one): one is With<'answer'> => one.answer !== undefined)
      .map((one) => ({ name: one.name, run: (response, request) => one.answer(response, request) }))
    this.#end = plugins.filter((one): one is With<'end'> => one.end !== undefined)
  }

  /** Takes a request: plugins may answer it at once, else it goes on to its route. */
  take(transport: Transport, send: Send, route: Route): void {
    const request = new IncomingRequest(transport, this.#services, this.#reach)
    const answered: Send = (answer) => this.#pass(request, answer, send)
    this.#arrive(request, 0, (answer) =>
      answer === undefined ? route(transport, answered, request) : answered(answer),
    )
  }

  /** Takes an answer that a server gives by itself, to a request that the application never saw. */
  refuse(transport: Transport, answer: Answer, send: Send): void {
    this.#pass(new IncomingRequest(transport, this.#services), answer, send)
  }

  #arrive(request: IncomingRequest, from: number, next: (answer: Answer | undefined) => void): void {
    for (let i = from; i < this.#arrival.length; i++) {
      const plugin = this.#arrival[i] as With<'arrival'>
      const failed = (error: unknown): void => next(this.#failure(request, plugin.name, 'arrival', error))
      try {
        const result = plugin.arrival(request)
        if (isThenable(result)) {
          const settled = (late: Arrived): void =>
            late ? next(plainAnswer(this.#services, late, request)) : this.#arrive(request, i + 1, next)
          return void within(this.#services.deadline, result).then(settled).catch(failed)
        }
        if (result) return next(plainAnswer(this.#services, result, request))
      } catch (error) {
        return failed(error)
      }
    }
    next(undefined)
  }

  #pass(request: IncomingRequest, answer: Answer, send: Send): void {
    passAnswer(answer, {
      subject: request,
      hooks: this.#answer,
      deadline: this.#services.deadline,
      failed: ({ name }, error) => this.#failure(request, name, 'answer', error),
      done: ({ status, headers, body }) =>
        send({
          status,
          headers,
          body,
          instead: (other) => this.#pass(request, other, send),
          ...(this.#end.length > 0 && { done: (outcome) => this.#over(request, status, outcome) }),
        }),
    })
  }

  #over(request: IncomingRequest, status: number, outcome: SendOutcome): void {
    const ended = { status, outcome, duration: performance.now() - request.arrivedAt }
    for (const plugin of this.#end) {
      try {
        plugin.end(request, ended)
      } catch (err) {
        this.#log(request, plugin, 'end', err)
      }
    }
  }

  #failure(request: IncomingRequest, plugin: string, hook: Hook, error: unknown): Answer {
    const { id: requestId, action } = request
    const origin = { requestId, action, plugin, hook }
    return plainAnswer(this.#services, thrownOutcome(this.#services, error, origin), request)
  }

  #log(request: IncomingRequest, plugin: Plugin, hook: Hook, err: unknown): void {
    const { id: requestId, action } = request
    this.#services.logger.error({ err, plugin: plugin.name, hook, requestId, action }, 'A plugin failed')
  }
}
