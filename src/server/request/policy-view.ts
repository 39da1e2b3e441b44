// A request as the policies of its action see it.
import type { Policy, PolicyRequest } from '../../design/declare/policy.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { mapMembers } from '../../schema/children.ts'
import { memoize } from '../../util/memoize.ts'
import { toLoggableError } from '../problem/thrown-value.ts'
import { REDACTED } from '../redaction.ts'
import type { RawHeaders } from '../transport.ts'
import type { Exchange } from './exchange.ts'
import { findHiddenInputs, type HiddenInputs } from './hidden-inputs.ts'
import { addMember } from './request-context.ts'

/** Returns the request with all values that were sent. */
export function getUnredactedView(exchange: Exchange): PolicyRequest {
  exchange.policyView ??= new PolicyView(exchange)
  return exchange.policyView
}

/** Creates the view of a policy: without values that are declared secret, unless it reads them. */
export function createPolicyViewFactory(action: ResolvedAction, policy: Policy): (exchange: Exchange) => PolicyRequest {
  const hidden = findHiddenInputs(action, policy)
  return hidden === undefined ? getUnredactedView : (exchange) => new PolicyView(exchange, hidden)
}

const getHiddenInputs = memoize((action: ResolvedAction) => ({ hidden: findHiddenInputs(action) }))

/** Returns the request without values that are declared secret, for plugins that report on it. */
export function getRedactedView(exchange: Exchange): PolicyRequest {
  const { hidden } = getHiddenInputs(exchange.compiled.resolved)
  return hidden === undefined ? getUnredactedView(exchange) : new PolicyView(exchange, hidden)
}

class PolicyView implements PolicyRequest {
  readonly #exchange: Exchange
  readonly #hidden: HiddenInputs | undefined

  constructor(exchange: Exchange, hidden?: HiddenInputs) {
    this.#exchange = exchange
    this.#hidden = hidden
  }

  get method(): string {
    return this.#exchange.request.method
  }

  get url(): string {
    const { request, services, compiled, line } = this.#exchange
    if (this.#hidden === undefined || this.#hidden.params.size === 0) return request.url
    return services.redaction.redactUrl(request.url, { action: compiled.resolved, found: line.found })
  }

  get target(): string {
    return this.#hidden === undefined || this.#hidden.params.size === 0 ? this.#exchange.transport.url : this.url
  }

  get scheme(): string | undefined {
    return this.#exchange.transport.scheme
  }

  get headers(): RawHeaders {
    const { headers } = this.#exchange.transport
    const hidden = this.#hidden?.headers
    if (hidden === undefined || hidden.size === 0) return headers
    return mapMembers(headers, (value, name) => (hidden.has(name) && value !== undefined ? REDACTED : value))
  }

  get id(): string {
    return this.#exchange.request.id
  }

  get address(): string | undefined {
    return this.#exchange.transport.address
  }

  get signal(): AbortSignal {
    return this.#exchange.request.signal
  }

  get action(): string {
    return this.#exchange.compiled.actionName
  }

  get input(): PolicyRequest['input'] {
    const { request } = this.#exchange
    return this.#hidden === undefined ? request : this.#hidden.redactInput(request)
  }

  get guard(): object | undefined {
    return this.#exchange.request.guard
  }

  set guard(guard: object | undefined) {
    this.#exchange.request.guard = guard
  }

  get accepts(): (response: string) => string | undefined {
    return this.#exchange.request.accepts
  }

  get principal(): unknown {
    return this.#exchange.context.principal
  }

  get audiences(): readonly string[] | undefined {
    return this.#exchange.audiences
  }

  get repeats(): (name: string) => boolean {
    const { transport } = this.#exchange
    return (name) => transport.repeats?.(name.toLowerCase()) === true
  }

  get body(): () => Promise<Uint8Array<ArrayBuffer>> {
    const [exchange, hidden] = [this.#exchange, this.#hidden]
    return async () => {
      if (hidden?.inBody !== true) return exchange.readBody()
      const { actionName } = exchange.compiled
      throw new TypeError(`${actionName}: the body has secret values. Set readsSecrets: true in the policy to read it.`)
    }
  }

  query(name: string): readonly string[] {
    const { url, queryStart: query } = this.#exchange.line
    const values = query < 0 ? [] : new URLSearchParams(url.slice(query)).getAll(name)
    return this.#hidden?.params.has(name.split('[', 1)[0] as string) === true ? values.map(() => REDACTED) : values
  }

  add(name: string, value: unknown): void {
    addMember(this.#exchange.context, name, value)
  }

  get(name: string): unknown {
    const { context } = this.#exchange
    return Object.hasOwn(context, name) ? Reflect.get(context, name) : undefined
  }

  get state(): Record<PropertyKey, unknown> {
    return this.#exchange.state
  }

  recheckAt(time: number): void {
    this.#exchange.recheckAt = Math.min(this.#exchange.recheckAt, time)
  }

  warn(fields: object, message: string): void {
    const { services, logFields } = this.#exchange
    const err: unknown = Reflect.get(fields, 'err')
    services.logger.warn({ ...fields, ...(err !== undefined && { err: toLoggableError(err) }), ...logFields }, message)
  }
}
