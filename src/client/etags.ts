// Conditional reads: responses are cached with their entity tags and revalidated with `If-None-Match`.
import type { Around } from './around.ts'

/** A cached response. */
export interface CachedResponse {
  readonly tag: string
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly bytes: ArrayBuffer
  /** The request headers that the response depends on, by lowercase name. */
  readonly varies: Readonly<Record<string, string | null>>
}

/** A cache of responses, such as a `Map`. */
export interface ResponseCache {
  get(url: string): CachedResponse | undefined
  set(url: string, response: CachedResponse): unknown
}

/** The maximum total size of the bodies in the default cache, in bytes. */
const MAX_CACHED_BYTES = 16 * 2 ** 20

/** Caches the most recently used responses. */
class RecentResponses implements ResponseCache {
  readonly #responses = new Map<string, CachedResponse>()
  #bytes = 0

  get(url: string): CachedResponse | undefined {
    const cached = this.#responses.get(url)
    if (cached !== undefined) this.set(url, cached)
    return cached
  }

  set(url: string, response: CachedResponse): void {
    const { byteLength } = response.bytes
    this.#drop(url)
    if (byteLength > MAX_CACHED_BYTES) return
    this.#responses.set(url, response)
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
 * Creates a hook that caches responses to GET with an ETag and revalidates them with `If-None-Match`. On 304 it returns
 * the cached response. Streamed bodies are not cached.
 */
export function etags(store: ResponseCache = new RecentResponses()): Around {
  return async ({ request, stream }, send) => {
    if (request.method !== 'GET' || request.headers.has('If-None-Match')) return send(request)
    const cached = matchCached(store.get(request.url), request)
    if (cached !== undefined) request.headers.set('If-None-Match', cached.tag)
    const response = await send(request)
    if (cached !== undefined && response.status === 304) return refreshCached(cached, response)
    const tag = response.headers.get('ETag')
    if (tag === null || response.status !== 200 || stream || isUncacheable(response)) return response
    const bytes = await response.arrayBuffer()
    const entry = {
      tag,
      status: 200,
      headers: [...response.headers],
      bytes,
      varies: readVaryHeaders(request, response),
    }
    store.set(request.url, entry)
    return new Response(bytes, { headers: response.headers })
  }
}

const isUncacheable = ({ headers }: Response): boolean =>
  /\bno-store\b/i.test(headers.get('Cache-Control') ?? '') ||
  headers.get('Vary')?.trim() === '*' ||
  /^(?:application\/(?:x-ndjson|jsonl|json-seq)|text\/event-stream)\b/i.test(headers.get('Content-Type') ?? '')

// A response for one client must not be reused for another, whether or not the server sends `Vary`.
function readVaryHeaders(request: Request, response: Response): CachedResponse['varies'] {
  const names = ['authorization', 'cookie', ...(response.headers.get('Vary') ?? '').toLowerCase().split(',')]
  return Object.fromEntries(
    names.map((name) => name.trim()).flatMap((name) => (name === '' ? [] : [[name, request.headers.get(name)]])),
  )
}

function matchCached(cached: CachedResponse | undefined, { headers }: Request): CachedResponse | undefined {
  return cached !== undefined && Object.entries(cached.varies).every(([name, value]) => headers.get(name) === value)
    ? cached
    : undefined
}

// The headers of a 304 replace the cached ones (RFC 9111, 4.3.4).
function refreshCached({ bytes, status, headers: cachedHeaders }: CachedResponse, response: Response): Response {
  const headers = new Headers(cachedHeaders.map(([name, value]): [string, string] => [name, value]))
  response.headers.forEach((value, name) => {
    if (!/^content-(?:length|encoding|type)$/i.test(name)) headers.set(name, value)
  })
  return new Response(bytes, { status, headers })
}
