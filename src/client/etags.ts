// Conditional reads: answers are kept with their entity tags, and asked for again only if they have changed.
import type { Around } from './around.ts'

/** An answer that was kept. */
export interface CachedResponse {
  readonly tag: string
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly bytes: ArrayBuffer
  /** Headers of the request on which the answer depends, by their names in lower case. */
  readonly varies: Readonly<Record<string, string | null>>
}

/** The places in which answers are kept; a `Map` is one. */
export interface ResponseCache {
  get(url: string): CachedResponse | undefined
  set(url: string, answer: CachedResponse): unknown
}

/** The most bytes of bodies that are kept where no store is given. */
const MAX_CACHED_BYTES = 16 * 2 ** 20

/** Keeps the answers that were asked for last. */
class RecentResponses implements ResponseCache {
  readonly #responses = new Map<string, CachedResponse>()
  #bytes = 0

  get(url: string): CachedResponse | undefined {
    const kept = this.#responses.get(url)
    if (kept !== undefined) this.set(url, kept)
    return kept
  }

  set(url: string, answer: CachedResponse): void {
    const { byteLength } = answer.bytes
    this.#drop(url)
    if (byteLength > MAX_CACHED_BYTES) return
    this.#responses.set(url, answer)
    this.#bytes += byteLength
    for (const oldest of this.#responses.keys()) {
      if (this.#bytes <= MAX_CACHED_BYTES) return
      this.#drop(oldest)
    }
  }

  #drop(url: string): void {
    this.#bytes -= this.#responses.get(url)?.bytes.byteLength ?? 0
    this.#responses.delete(url)
  }
}

/**
 * A function around requests that keeps answers to GET which have an ETag, and sends it as If-None-Match: where nothing has
 * changed, the kept answer is given. Bodies that a call takes as they come are not kept.
 */
export function etags(store: ResponseCache = new RecentResponses()): Around {
  return async ({ request, stream }, send) => {
    if (request.method !== 'GET' || request.headers.has('If-None-Match')) return send(request)
    const kept = matchCached(store.get(request.url), request)
    if (kept !== undefined) request.headers.set('If-None-Match', kept.tag)
    const answer = await send(request)
    if (kept !== undefined && answer.status === 304) return refreshCached(kept, answer)
    const tag = answer.headers.get('ETag')
    if (tag === null || answer.status !== 200 || stream || isUncacheable(answer)) return answer
    const bytes = await answer.arrayBuffer()
    const made = { tag, status: 200, headers: [...answer.headers], bytes, varies: readVaryHeaders(request, answer) }
    store.set(request.url, made)
    return new Response(bytes, { headers: answer.headers })
  }
}

const isUncacheable = ({ headers }: Response): boolean =>
  /\bno-store\b/i.test(headers.get('Cache-Control') ?? '') ||
  headers.get('Vary')?.trim() === '*' ||
  /^application\/x-ndjson\b/i.test(headers.get('Content-Type') ?? '')

// A response for one client must not be reused for another, whether or not the server sends `Vary`.
function readVaryHeaders(request: Request, answer: Response): CachedResponse['varies'] {
  const names = ['authorization', 'cookie', ...(answer.headers.get('Vary') ?? '').toLowerCase().split(',')]
  return Object.fromEntries(
    names.map((name) => name.trim()).flatMap((name) => (name === '' ? [] : [[name, request.headers.get(name)]])),
  )
}

function matchCached(kept: CachedResponse | undefined, { headers }: Request): CachedResponse | undefined {
  return kept !== undefined && Object.entries(kept.varies).every(([name, value]) => headers.get(name) === value)
    ? kept
    : undefined
}

// Headers of the confirmation take the place of those that were kept (RFC 9111, 4.3.4).
function refreshCached({ bytes, status, headers: kept }: CachedResponse, answer: Response): Response {
  const headers = new Headers(kept.map(([name, value]): [string, string] => [name, value]))
  answer.headers.forEach((value, name) => {
    if (!/^content-(?:length|encoding|type)$/i.test(name)) headers.set(name, value)
  })
  return new Response(bytes, { status, headers })
}
