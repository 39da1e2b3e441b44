// The client: one function for each declared action, typed by the declaration and reading answers by it.
import { type AnyEndpoint, isEndpoint } from '../design/declare/endpoint.ts'
import { type ActionOutline, outlineEndpoint } from '../design/resolve/outline.ts'
import type { Attribute } from '../schema/attribute.ts'
import { hasBrand } from '../util/brand.ts'
import { sendCall } from './send-call.ts'
import { type PendingCall, formatActionName, type CallInput } from './build-request.ts'
import { type AnyCallResponse, CallError, type StatusError, unwrapSuccess } from './call-errors.ts'
import type { Client, ClientOptions, ProblemOf } from './types.ts'
import { iterateElements, type PendingListCall, iteratePages } from './iterate-list.ts'

/**
 * Makes the client of some definitions: an object of them, or a whole module, `import * as design`, of which the definitions
 * are taken. Editors are quickest with a module, because they look at nothing of it but what a file calls.
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

/** The second argument of every call. */
interface CallSettings extends Partial<Omit<CallInput, 'params'>>, Pick<PendingCall, 'signal' | 'timeout' | 'attempts' | 'around'> {
  readonly stream?: boolean
  readonly from?: string
}

function createCall(action: ActionOutline, client: ClientOptions): object {
  const place = formatActionName(action)
  const listing = (params: CallInput['params'] = {}, options: CallSettings = {}): PendingListCall => {
    const { payload, headers = {}, method, stream = false, from, ...calling } = options
    return { ...calling, action, client, stream, from, input: { params, payload, headers, method } }
  }
  const call = async (...given: CallArguments): Promise<AnyCallResponse> => (await sendCall(listing(...given))).result
  return Object.freeze(
    Object.assign(call, {
      '~call': [action.endpoint.name, action.name] as const,
      ok: async (...given: CallArguments): Promise<unknown> => unwrapSuccess(place, await call(...given)),
      threw: (error: unknown): boolean => hasBrand(error, '~status') && (error as StatusError).call === place,
      all: (...given: CallArguments) => iterateElements(listing(...given)),
      pages: (...given: CallArguments) => iteratePages(listing(...given)),
    }),
  )
}

type CallArguments = [params?: CallInput['params'], options?: CallSettings]
