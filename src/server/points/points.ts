// The extension points of plugins: the arrival of a request, before any answer is written, and its end. Misses, refusals of
// the server itself and failures pass here like the answers of actions; without such plugins nothing of this runs.
import type { ActionResponse } from '../../design/declare/response.ts'
import { hasBrand } from '../../util/brand.ts'
import { isThenable } from '../../util/thenable.ts'
import { plainAnswer } from '../answer/plain.ts'
import type { Inside } from '../exchange.ts'
import { thrownOutcome } from '../failure/failures.ts'
import { loggable } from '../failure/thrown.ts'
import type { Plugin } from '../options.ts'
import type { Services } from '../services.ts'
import { releaseBody } from '../stream.ts'
import type { Answer, Done, Send, Transport } from '../transport.ts'
import { type Answered, IncomingRequest, type Reach } from './incoming.ts'
import { type AnswerHook, passAnswer, within } from './outgoing.ts'

type Arrived = Awaited<ReturnType<NonNullable<Plugin['arrival']>>>
type Hook = 'arrival' | 'around' | 'answer' | 'end'
type With<H extends Hook> = Plugin & Required<Pick<Plugin, H>>

/** Sends a request on its way to its action, or to the answer that there is none. */
export type Route = (
  transport: Transport,
  send: Send,
  request: IncomingRequest | undefined,
  inside: Inside | undefined,
) => void

/** Work on a request, and what happens when a plugin around it fails. */
interface Job {
  readonly work: Parameters<Inside>[0]
  readonly failed: Parameters<Inside>[1]
}

// A response may be thrown as well.
function releaseLate(result: Arrived, thrown?: unknown): void {
  const response = result ?? (hasBrand(thrown, '~response') ? (thrown as ActionResponse) : undefined)
  if (response) releaseBody(response.body)
}

/** The plugins of an application that meet requests, in their order. */
export class Points {
  readonly #services: Services
  readonly #reach: Reach
  readonly #arrival: readonly With<'arrival'>[]
  readonly #around: readonly With<'around'>[]
  readonly #answer: readonly AnswerHook<IncomingRequest>[]
  readonly #end: readonly With<'end'>[]

  /** The points of an application; undefined when no plugin meets requests. */
  static of(plugins: readonly Plugin[], services: Services, reach: Reach): Points | undefined {
    const points = new Points(plugins, services, reach)
    const met = [points.#arrival, points.#around, points.#answer, points.#end]
    return met.every(({ length }) => length === 0) ? undefined : points
  }

  constructor(plugins: readonly Plugin[], services: Services, reach: Reach) {
    this.#services = services
    this.#reach = reach
    this.#arrival = plugins.filter((one): one is With<'arrival'> => one.arrival !== undefined)
    this.#around = plugins.filter((one): one is With<'around'> => one.around !== undefined)
    this.#answer = plugins
      .filter((one): one is With<'answer'> => one.answer !== undefined)
      .map((one) => ({ name: one.name, run: (response, request) => one.answer(response, request) }))
    this.#end = plugins.filter((one): one is With<'end'> => one.end !== undefined)
  }

  /** Takes a request: plugins may answer it at once, otherwise it continues to its route. */
  take(transport: Transport, send: Send, route: Route): void {
    const request = new IncomingRequest(transport, this.#services, this.#reach)
    const answered: Send = (answer) => this.#pass(request, answer, send)
    this.#arrive(request, 0, (answer) => {
      if (answer !== undefined) return answered(answer)
      if (this.#around.length === 0) return route(transport, answered, request, undefined)
      const inside: Inside = (work, failed) => this.#inside(request, { work, failed }, 0)
      inside(
        () => route(transport, answered, request, inside),
        (error, plugin) => answered(this.#failure(request, plugin, 'around', error)),
      )
    })
  }

  /** Takes an answer that a server gives by itself, to a request that the application never saw. */
  refuse(transport: Transport, answer: Answer, send: Send): void {
    this.#pass(new IncomingRequest(transport, this.#services), answer, send)
  }

  // The work runs once or the request fails once, even if a plugin calls it twice or never.
  #inside(request: IncomingRequest, job: Job, from: number): void {
    const plugin = this.#around[from]
    if (plugin === undefined) return job.work()
    let begun = false
    const work = (): void => {
      if (begun) return
      begun = true
      this.#inside(request, job, from + 1)
    }
    try {
      plugin.around(request, work)
      if (!begun) throw new Error('It did not call work()')
    } catch (error) {
      if (begun) this.#log(request, plugin, 'around', error)
      else {
        begun = true
        job.failed(error, plugin.name)
      }
    }
  }

  #arrive(request: IncomingRequest, from: number, next: (answer: Answer | undefined) => void): void {
    for (let i = from; i < this.#arrival.length; i++) {
      const plugin = this.#arrival[i] as With<'arrival'>
      const failed = (error: unknown): void => next(this.#failure(request, plugin.name, 'arrival', error))
      try {
        const result = plugin.arrival(request)
        if (isThenable(result)) {
          const settled = (late: Arrived): void =>
            late ? next(this.#answerOf(late, request)) : this.#arrive(request, i + 1, next)
          return void within(this.#services.deadline, result, releaseLate).then(settled).catch(failed)
        }
        if (result) return next(this.#answerOf(result, request))
      } catch (error) {
        return failed(error)
      }
    }
    next(undefined)
  }

  #answerOf(response: ActionResponse, request: IncomingRequest): Answer {
    try {
      return plainAnswer(this.#services, response, request)
    } catch (error) {
      releaseBody(response.body)
      throw error
    }
  }

  #pass(request: IncomingRequest, answer: Answer, send: Send): void {
    if (this.#answer.length === 0) return this.#send(request, answer, send)
    passAnswer(answer, {
      subject: request,
      hooks: this.#answer,
      deadline: this.#services.deadline,
      failed: ({ name }, error) => this.#failure(request, name, 'answer', error),
      done: (whole) => this.#send(request, whole, send),
    })
  }

  #send(request: IncomingRequest, answer: Answer, send: Send): void {
    const { status, headers, body, code } = answer
    const instead: Answer['instead'] = (other, error) => {
      IncomingRequest.failed(request, loggable(error))
      this.#pass(request, other, send)
    }
    send({ status, headers, body, code, instead, done: this.#endOf(request, answer) })
  }

  #endOf(request: IncomingRequest, answer: Answer): Done | undefined {
    if (this.#end.length === 0) return undefined
    const answeredAfter = performance.now() - request.arrivedAt
    return (...how) => this.#over(request, { answer, answeredAfter }, how)
  }

  #over(request: IncomingRequest, answered: Answered, how: Parameters<Done>): void {
    const ended = IncomingRequest.endOf(request, answered, how)
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
    const keep = (failed: Error): void => IncomingRequest.failed(request, failed)
    const origin = { requestId, action, plugin, hook, keep }
    const answerTo = (thrown: unknown): Answer => this.#answerOf(thrownOutcome(this.#services, thrown, origin), request)
    try {
      return answerTo(error)
    } catch (unwritable) {
      return answerTo(unwritable)
    }
  }

  #log(request: IncomingRequest, plugin: Plugin, hook: Hook, err: unknown): void {
    const { id: requestId, action } = request
    this.#services.logger.error({ err, plugin: plugin.name, hook, requestId, action }, 'A plugin failed')
  }
}
