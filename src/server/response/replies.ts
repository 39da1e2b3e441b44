// Creates the functions with which controllers reply.
import { ActionResponse, type HeaderBag } from '../../design/declare/action-response.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'

/** Creates the functions that return an action's declared responses. */
export function createReplies({ responses }: ResolvedAction): object {
  const reply: Record<string, unknown> = Object.create(null)
  for (const { name, status } of responses.values()) {
    reply[name] = (body?: unknown, init?: { headers?: HeaderBag; location?: string; mediaType?: string }) => {
      const response = new ActionResponse<string, unknown>(name, status, init)
      response.body = body
      return response
    }
  }
  return Object.freeze(reply)
}
