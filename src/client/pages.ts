// Lists read to their end: one page after the other, as the links of the answers lead on.
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import { AnswerError, answerOf } from './answer.ts'
import { CallError, requestOf, type Sent } from './request.ts'
import type { ClientOptions } from './types.ts'

/** Reads every element of a list. */
export async function* elements(
  action: ResolvedAction,
  sent: Sent,
  options: ClientOptions,
  send: (request: Request) => Promise<Response>,
): AsyncGenerator<unknown> {
  const place = `${action.endpoint.name}.${action.name}`
  let request = await requestOf(action, sent, options)
  const trail = new Trail(request.url)
  for (;;) {
    const { url, headers } = request
    sent.signal?.throwIfAborted()
    const response = await send(request)
    const answer = await answerOf({ action, params: sent.params, problem: options.problem }, response)
    if (answer.status >= 400 || !Array.isArray(answer.body))
      throw new CallError(`${place} answered with ${answer.status}, which is no list`)
    yield* answer.body as unknown[]
    const link = nextLink(answer.headers.get('Link') ?? '')
    if (link === undefined) return
    const next = followed(link, url)
    if (next === undefined)
      throw new AnswerError(`${place} links to another origin as its next page: ${link}`, response)
    if (trail.closes(next)) throw new AnswerError(`${place} links in a circle: ${link} was read before`, response)
    request = new Request(next, { headers, ...(sent.signal !== undefined && { signal: sent.signal }) })
  }
}

// The headers of the call go along, credentials among them: they are for the origin of the call and nobody else.
function followed(link: string, from: string): string | undefined {
  if (!URL.canParse(link, from)) return undefined
  const next = new URL(link, from)
  next.hash = ''
  const bare = next.username === '' && next.password === ''
  return bare && next.origin === new URL(from).origin ? next.href : undefined
}

/**
 * Finds out whether pages lead in a circle, remembering one of them only (after R. Brent): the remembered one moves on
 * after twice as many pages each time, so that any circle comes back to it.
 */
class Trail {
  #remembered: string
  #since = 0
  #until = 1

  constructor(first: string) {
    this.#remembered = first
  }

  closes(page: string): boolean {
    if (page === this.#remembered) return true
    if (++this.#since === this.#until) {
      this.#remembered = page
      this.#since = 0
      this.#until *= 2
    }
    return false
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
