// Makes a client of tables: one function for each action, with the members that the action supports.
import { hasBrand } from '../util/brand.ts'
import { formatActionName } from './build-request.ts'
import { type AnyCallResponse, CallError, type StatusError, unwrapSuccess } from './call-errors.ts'
import type { CallInput, CallTable, EndpointTable, PendingCall, PendingListCall } from './call-table.ts'
import { sendCall } from './send-call.ts'
import type { ClientOptions } from './types.ts'

/** Makes the client of the definitions that have a table. */
export function makeClient(
  definitions: object,
  options: ClientOptions,
  tabulate: (one: unknown) => EndpointTable | undefined,
): object {
  const entries = Object.entries(definitions).flatMap(([name, one]: [string, unknown]) => {
    if (one === undefined)
      throw new CallError(`'${name}' is undefined; import the definition before the client, and not in a circle`)
    const table = tabulate(one)
    return table === undefined ? [] : [[name, createCalls(table, options)]]
  })
  if (entries.length === 0)
    throw new CallError('none of these is a definition; give what endpoint(…) returned, by name')
  return Object.freeze(Object.fromEntries(entries))
}

const createCalls = (table: EndpointTable, options: ClientOptions): object =>
  Object.freeze(Object.fromEntries([...table].map(([name, action]) => [name, createCall(action, options)])))

/** The second argument of a call. */
interface CallSettings
  extends Partial<Omit<CallInput, 'params'>>,
    Pick<PendingCall, 'signal' | 'timeout' | 'attempts' | 'around'> {
  readonly stream?: boolean
  readonly from?: string
}

function createCall(action: CallTable, client: ClientOptions): object {
  const actionName = formatActionName(action)
  const { streams, walk, follow } = action
  const toPendingCall = (params: CallInput['params'] = {}, options: CallSettings = {}): PendingListCall => {
    const { payload, headers = {}, method, stream = false, from, ...settings } = options
    if (stream && streams === undefined) throw new CallError(`${actionName}: no response can be read as a stream`)
    return { ...settings, action, client, stream, from, input: { params, payload, headers, method } }
  }
  const call = async (...args: CallArguments): Promise<AnyCallResponse> =>
    (await sendCall(toPendingCall(...args))).result
  return Object.freeze(
    Object.assign(call, {
      '~call': [action.endpoint.name, action.name] as const,
      ok: async (...args: CallArguments): Promise<unknown> => unwrapSuccess(actionName, await call(...args)),
      threw: (error: unknown): boolean => hasBrand(error, '~status') && (error as StatusError).call === actionName,
      ...(walk && {
        all: (...args: CallArguments) => walk.all(toPendingCall(...args)),
        pages: (...args: CallArguments) => walk.pages(toPendingCall(...args)),
      }),
      ...(follow && { all: (...args: CallArguments) => follow(toPendingCall(...args)) }),
    }),
  )
}

type CallArguments = [params?: CallInput['params'], options?: CallSettings]
