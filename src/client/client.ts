// The client: one function for each declared action, typed by the declaration and reading answers by it.
import type { AnyDefinition } from '../design/definition.ts'
import { refuseMistakes } from '../design/resolve/mistakes.ts'
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import type { Attribute } from '../schema/attribute.ts'
import { type Answered, answerOf } from './answer.ts'
import { elements } from './pages.ts'
import { requestOf, type Sent } from './request.ts'
import { sendRequest } from './retry.ts'
import type { Client, ClientOptions, Definitions, ProblemOf } from './types.ts'

/** Makes the client of some definitions. */
export function client<E extends Definitions, F extends Attribute | undefined = undefined>(
  definitions: E,
  options: ClientOptions<F>,
): Client<E, ProblemOf<F>> {
  const entries = Object.entries(definitions).map(([name, definition]) => [name, callsOf(definition, options)])
  return Object.freeze(Object.fromEntries(entries)) as Client<E, ProblemOf<F>>
}

function callsOf(definition: AnyDefinition, options: ClientOptions): object {
  const { actions, mistakes } = definition.resolve()
  refuseMistakes(mistakes)
  return Object.freeze(Object.fromEntries([...actions].map(([name, action]) => [name, callOf(action, options)])))
}

type Options = Partial<Omit<Sent, 'params'>>

function callOf(action: ResolvedAction, options: ClientOptions): object {
  const send = options.fetch ?? ((request: Request) => globalThis.fetch(request))
  const sentOf = (params: Sent['params'] = {}, { payload, headers = {}, signal }: Options = {}): Sent => ({
    params,
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
