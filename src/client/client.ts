// The client: one function for each declared action, typed by the declaration and reading answers by it.
import { type AnyEndpoint, isEndpoint } from '../design/declare/endpoint.ts'
import { type ActionOutline, outlineOf } from '../design/resolve/outline.ts'
import type { Attribute } from '../schema/attribute.ts'
import { hasBrand } from '../util/brand.ts'
import { exchanged } from './exchange.ts'
import { type Calling, placeOf, type Sent } from './request.ts'
import { type Answered, CallError, type StatusError, successOf } from './thrown.ts'
import type { Client, ClientOptions, ProblemOf } from './types.ts'
import { elements, type Listing, pages } from './walk.ts'

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
    return isEndpoint(one) ? [[name, callsOf(one, options)]] : []
  })
  if (entries.length === 0)
    throw new CallError('none of these is a definition; give what endpoint(…) returned, by name')
  return Object.freeze(Object.fromEntries(entries)) as Client<E, ProblemOf<F>, G>
}

function callsOf(definition: AnyEndpoint, options: ClientOptions): object {
  return Object.freeze(
    Object.fromEntries([...outlineOf(definition)].map(([name, action]) => [name, callOf(action, options)])),
  )
}

/** The second argument of every call. */
interface Given extends Partial<Omit<Sent, 'params'>>, Pick<Calling, 'signal' | 'timeout' | 'attempts' | 'around'> {
  readonly stream?: boolean
  readonly from?: string
}

function callOf(action: ActionOutline, client: ClientOptions): object {
  const place = placeOf(action)
  const listing = (params: Sent['params'] = {}, options: Given = {}): Listing => {
    const { payload, headers = {}, method, stream = false, from, ...calling } = options
    return { ...calling, action, client, stream, from, sent: { params, payload, headers, method } }
  }
  const call = async (...given: Arguments): Promise<Answered> => (await exchanged(listing(...given))).answer
  return Object.freeze(
    Object.assign(call, {
      '~call': [action.endpoint.name, action.name] as const,
      ok: async (...given: Arguments): Promise<unknown> => successOf(place, await call(...given)),
      threw: (error: unknown): boolean => hasBrand(error, '~status') && (error as StatusError).call === place,
      all: (...given: Arguments) => elements(listing(...given)),
      pages: (...given: Arguments) => pages(listing(...given)),
    }),
  )
}

type Arguments = [params?: Sent['params'], options?: Given]
