// Creates the client: one function for each declared action, which encodes requests and parses responses by the
// declaration.
import { type AnyEndpoint, isEndpoint } from '../design/declare/endpoint.ts'
import { type ActionOutline, outlineEndpoint } from '../design/resolve/outline.ts'
import type { Attribute } from '../schema/attribute.ts'
import { hasBrand } from '../util/brand.ts'
import { type CallInput, formatActionName, type PendingCall } from './build-request.ts'
import { type AnyCallResponse, CallError, type StatusError, unwrapSuccess } from './call-errors.ts'
import { iterateElements, iteratePages, type PendingListCall } from './iterate-list.ts'
import { sendCall } from './send-call.ts'
import type { Client, ClientOptions, ProblemOf } from './types.ts'

/**
 * Creates the client of some definitions. Pass an object of them, or a module (`import * as design`), whose definitions
 * are picked out. Editors are fastest with a module, because they evaluate only the members that a file uses.
 */
export function client<E extends object, F extends Attribute | undefined = undefined, G extends string = never>(
  definitions: E,
  options: ClientOptions<F, G>,
): Client<E, ProblemOf<F>, G> {
  const entries = Object.entries(definitions).flatMap(([name, one]: [string, unknown]) => {
    if (one === undefined)
      throw new CallError(`'${name}' is undefined; import the definition before the client, and not in a circle`)
    return isEndpoint(one) ? [[name, createCalls(one, options)]] : []
  })
  if (entries.length === 0)
    throw new CallError('none of these is a definition; give what endpoint(…) returned, by name')
  return Object.freeze(Object.fromEntries(entries)) as Client<E, ProblemOf<F>, G>
}

function createCalls(definition: AnyEndpoint, options: ClientOptions): object {
  return Object.freeze(
    Object.fromEntries([...outlineEndpoint(definition)].map(([name, action]) => [name, createCall(action, options)])),
  )
}

/** The second argument of a call. */
interface CallSettings
  extends Partial<Omit<CallInput, 'params'>>,
    Pick<PendingCall, 'signal' | 'timeout' | 'attempts' | 'around'> {
  readonly stream?: boolean
  readonly from?: string
}

function createCall(action: ActionOutline, client: ClientOptions): object {
  const actionName = formatActionName(action)
  const toPendingCall = (params: CallInput['params'] = {}, options: CallSettings = {}): PendingListCall => {
    const { payload, headers = {}, method, stream = false, from, ...settings } = options
    return { ...settings, action, client, stream, from, input: { params, payload, headers, method } }
  }
  const call = async (...args: CallArguments): Promise<AnyCallResponse> =>
    (await sendCall(toPendingCall(...args))).result
  return Object.freeze(
    Object.assign(call, {
      '~call': [action.endpoint.name, action.name] as const,
      ok: async (...args: CallArguments): Promise<unknown> => unwrapSuccess(actionName, await call(...args)),
      threw: (error: unknown): boolean => hasBrand(error, '~status') && (error as StatusError).call === actionName,
      all: (...args: CallArguments) => iterateElements(toPendingCall(...args)),
      pages: (...args: CallArguments) => iteratePages(toPendingCall(...args)),
    }),
  )
}

type CallArguments = [params?: CallInput['params'], options?: CallSettings]
