// The context of an action and its callbacks: the documented members, without the exchange behind it.

import type { ActionResponse } from '../../design/declare/action-response.ts'
import type { AnyDefinition } from '../../design/definition.ts'
import type { Services } from '../services.ts'
import type { RequestView } from './request-view.ts'

/** The members of the exchange that a context uses. */
interface ContextExchange {
  readonly request: RequestView
  response: ActionResponse
  readonly state: Record<string, unknown>
  readonly compiled: {
    readonly reply: object
    readonly definition: AnyDefinition
    readonly services: Pick<Services, 'href'>
  }
}

/** The context of one request, as an action sees it. */
export class RequestContext {
  readonly request: RequestView
  /** The client, as the action's security identified it. */
  principal: unknown = undefined
  readonly #exchange: ContextExchange

  constructor(exchange: ContextExchange) {
    this.request = exchange.request
    this.#exchange = exchange
  }

  get response(): ActionResponse {
    return this.#exchange.response
  }

  set response(response: ActionResponse) {
    this.#exchange.response = response
  }

  get reply(): object {
    return this.#exchange.compiled.reply
  }

  get definition(): AnyDefinition {
    return this.#exchange.compiled.definition
  }

  get state(): Record<string, unknown> {
    return this.#exchange.state
  }

  /** A bound function, so that a controller can destructure the context. */
  get href(): (endpoint: AnyDefinition, args: never) => string {
    return this.#exchange.compiled.services.href
  }
}

/** Adds a member to a context, for policies and needs; not a method, so that controllers do not see it. */
export function addMember(context: RequestContext, name: string, value: unknown): undefined {
  Object.defineProperty(context, name, { value, writable: true, enumerable: true, configurable: true })
}
