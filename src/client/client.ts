// The client: one function for each declared action, typed by the declaration and reading answers by it.
import type { AnyDefinition } from '../design/definition.ts'
import { refuseMistakes } from '../design/mistakes.ts'
import type { ResolvedAction } from '../design/resolved.ts'
import { type Answered, answerOf } from './answer.ts'
import { CallError, requestOf, type Sent } from './request.ts'
import type { Client, ClientOptions, Definitions } from './types.ts'

/** Makes the client of some definitions. */
export function client<E extends Definitions>(definitions: E, options: ClientOptions): Client<E> {
  const entries = Object.entries(definitions).map(([name, definition]) => [name, callsOf(definition, options)])
  return Object.freeze(Object.fromEntries(entries)) as Client<E>
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
    return answerOf(action, sent.params, await send(await requestOf(action, sent, options)))
  }
  const all = (params?: Sent['params'], given?: Options): AsyncGenerator<unknown> =>
    pages(action, sentOf(params, given), options, send)
  return Object.assign(call, { all })
}

async function* pages(
  action: ResolvedAction,
  sent: Sent,
  options: ClientOptions,
  send: (request: Request) => Promise<Response>,
): AsyncGenerator<unknown> {
  let request = await requestOf(action, sent, options)
  for (;;) {
    const { url, headers } = request
    sent.signal?.throwIfAborted()
    const answer = await answerOf(action, sent.params, await send(request))
    if (answer.status >= 400 || !Array.isArray(answer.body))
      throw new CallError(`${action.endpoint.name}.${action.name} answered with ${answer.status}, which is no list`)
    yield* answer.body as unknown[]
    const next = nextLink(answer.headers.get('Link') ?? '')
    if (next === undefined) return
    request = new Request(new URL(next, url), { headers, ...(sent.signal !== undefined && { signal: sent.signal }) })
  }
}

// References of a Link header stand in angle brackets, in which a comma does not separate (RFC 8288).
function nextLink(header: string): string | undefined {
  for (const [, target, params = ''] of header.matchAll(
    /<([^>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^\s",;]*))*)/g,
  )) {
    const [, quoted, plain = quoted] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s";]*))/i.exec(params) ?? []
    if (plain?.toLowerCase().split(/\s+/).includes('next')) return target
  }
  return undefined
}
