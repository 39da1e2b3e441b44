// Plants faults between an application and its clients, where they survive changes of its code.
import type { Application } from 'edict'

/** A proxy in front of an application: sends a request on, or responds itself. */
export type Intermediary = (request: Request, send: (request: Request) => Promise<Response>) => Promise<Response>

/** Returns an application with something in front of it. */
export const withFront = (app: Application, front: Intermediary): Application => ({
  ...app,
  fetch: (request) => front(request, app.fetch),
})

/** Returns the same request with another URL, other headers or another body. */
export async function changeRequest(
  request: Request,
  change: { readonly url?: URL; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown },
): Promise<Request> {
  const headers = new Headers(request.headers)
  for (const [name, value] of Object.entries(change.headers ?? {})) headers.set(name, value)
  const content = 'body' in change ? JSON.stringify(change.body) : await request.clone().arrayBuffer()
  const isEmpty =
    request.method === 'GET' || request.method === 'HEAD' || (typeof content !== 'string' && content.byteLength === 0)
  headers.delete('Content-Length')
  return new Request(change.url ?? request.url, { method: request.method, headers, ...(!isEmpty && { body: content }) })
}

/** Returns a successful JSON response with another body, and other responses as they are. */
export async function changeBody(response: Response, change: (body: any) => unknown): Promise<Response> {
  if (response.status >= 300 || !/json/.test(response.headers.get('Content-Type') ?? '')) return response
  const headers = new Headers(response.headers)
  headers.delete('Content-Length')
  return new Response(JSON.stringify(await change(await response.json())), { status: response.status, headers })
}

/** Reads the JSON of a request without using it up. */
export const readJson = (request: Request): Promise<any> =>
  request
    .clone()
    .json()
    .catch(() => undefined)

/** A cache of the responses at some paths by URL, which forgets them when anything is written. */
export function cacheByUrl(paths: RegExp): Intermediary {
  const kept = new Map<string, Response>()
  return async (request, send) => {
    if (request.method !== 'GET') {
      kept.clear()
      return send(request)
    }
    if (!paths.test(new URL(request.url).pathname)) return send(request)
    const known = kept.get(request.url)
    if (known !== undefined) return known.clone()
    const response = await send(request)
    if (response.status === 200) kept.set(request.url, response.clone())
    return response
  }
}
