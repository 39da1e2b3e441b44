// Mounts an application in Fastify: its hooks run, its body parsers do not, and the response is written to Node's
// response.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isAccumulating } from '../../server/response/headers.ts'
import { type ListenerOptions, listener, type NodeApp } from './listener.ts'

/** The members of a Fastify request that edict uses. */
export interface FastifyRequestLike {
  readonly raw: IncomingMessage
}

/** The members of a Fastify reply that edict uses. */
export interface FastifyReplyLike {
  readonly raw: ServerResponse
  hijack(): unknown
  callNotFound(): unknown
  getHeaders(): Record<string, number | string | string[] | undefined>
}

/** A body parser of Fastify. */
export type FastifyParser = (request: unknown, payload: unknown, done: (error: null) => void) => void

/** The members of a Fastify instance that edict uses. */
export interface FastifyLike {
  readonly prefix: string
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(type: string, parser: FastifyParser): unknown
  all(path: string, handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => unknown): unknown
}

/** Creates a Fastify plugin that serves an application below its base path, in its own scope. */
export function fastifyPlugin(app: NodeApp, options: ListenerOptions = {}): (scope: FastifyLike) => Promise<void> {
  const handleRequest = listener(app, options)
  const { basePath = '' } = app
  return async (scope) => {
    const { prefix } = scope
    if (!`${basePath}/`.startsWith(`${prefix}/`))
      throw new TypeError(
        `fastifyPlugin: it is registered with the prefix ${prefix}, and the paths of the application begin with ${basePath || '/'}: give application({ basePath: '${prefix}' })`,
      )
    const rest = basePath.slice(prefix.length)
    // The application reads bodies itself, within its own limits.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const handle = (request: FastifyRequestLike, reply: FastifyReplyLike): unknown => {
      if (options.fallthrough && !app.knows?.(request.raw.url ?? '/')) return reply.callNotFound()
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) addHeader(reply.raw, name, value)
      return handleRequest(request.raw, reply.raw)
    }
    scope.all(`${rest}/*`, handle)
    if (rest !== '') scope.all(rest, handle)
    else if (prefix !== '') scope.all('', handle)
  }
}

// Hooks may also have set headers on Node's response.
function addHeader(response: ServerResponse, name: string, value: number | string | string[]): void {
  const existing = isAccumulating(name.toLowerCase()) ? [response.getHeader(name) ?? []].flat().map(String) : []
  response.setHeader(name, existing.length === 0 ? value : [...new Set([...existing, ...[value].flat().map(String)])])
}
