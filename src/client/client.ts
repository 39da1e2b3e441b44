// The client: one function for each declared action, typed by the declaration and reading answers by it.
import { isEndpoint } from '../design/declare/endpoint.ts'
import type { AnyDefinition } from '../design/definition.ts'
import { selectionOf, selectionParam } from '../design/fields/selection.ts'
import { refuseMistakes } from '../design/resolve/mistakes.ts'
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import type { Attribute } from '../schema/attribute.ts'
import { type Answered, answerOf } from './answer.ts'
import { elements } from './pages.ts'
import { CallError, requestOf, type Sent } from './request.ts'
import { sendRequest } from './retry.ts'
import type { Client, ClientOptions, ProblemOf } from './types.ts'

/**
 * Makes the client of some definitions: an object of them, or a whole module, `import * as design`, of which the definitions
 * are taken. Editors are quickest with a module, because they look at nothing of it but what a file calls.
 */
export function client<E extends object, F extends Attribute | undefined = undefined>(
  definitions: E,
  options: ClientOptions<F>,
): Client<E, ProblemOf<F>> {
  const entries = Object.entries(definitions).flatMap(([name, one]: [string, unknown]) => {
    if (one === undefined)
      throw new CallError(`'${name}' is undefined; import the definition before the client, and not in a circle`)
    return isEndpoint(one) ? [[name, callsOf(one as AnyDefinition, options)]] : []
  })
  if (entries.length === 0)
    throw new CallError('none of these is a definition; give what endpoint(…) returned, by name')
  return Object.freeze(Object.fromEntries(entries)) as Client<E, ProblemOf<F>>
}

function callsOf(definition: AnyDefinition, options: ClientOptions): object {
  const { actions, mistakes } = definition.resolve()
  refuseMistakes(mistakes)
  return Object.freeze(Object.fromEntries([...actions].map(([name, action]) => [name, callOf(action, options)])))
}

type Options = Partial<Omit<Sent, 'params'>>

// Fields are given as a list of paths, or as the param itself has them.
function selecting(params: Sent['params'], name: string): Sent['params'] {
  const fields = params[name]
  return Array.isArray(fields) ? { ...params, [name]: selectionOf(fields) } : params
}

function callOf(action: ResolvedAction, options: ClientOptions): object {
  const send = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const selector = selectionParam(action.params)?.name
  const sentOf = (params: Sent['params'] = {}, { payload, headers = {}, signal }: Options = {}): Sent => ({
    params: selector === undefined ? params : selecting(params, selector),
    payload,
    headers,
    signal,
  })
  const call = async (params?: Sent['params'], given?: Options): Promise<Answered> => {
    given?.signal?.throwIfAborted()
    const sent = sentOf(params, given)
    return answerOf(
      { action, params: sent.params, problem: options.problem },
      await sendRequest(action, await requestOf(action, sent, options), send),
    )
  }
  const all = (params?: Sent['params'], given?: Options): AsyncGenerator<unknown> =>
    elements(action, sentOf(params, given), options, send)
  return Object.assign(call, { all })
}
