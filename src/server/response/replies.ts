// The functions that controllers reply with.
import { ActionResponse, type HeaderBag } from '../../design/declare/action-response.ts'
import type { ResolvedAction } from '../../design/resolve/resolved.ts'

/** The functions that make an action's declared responses. */
export function createReplies({ responses }: ResolvedAction): object {
  const reply: Record<string, unknown> = Object.create(null)
  for (const { name, status } of responses.values()) {
    reply[name] = (body?: unknown, init?: { headers?: HeaderBag; location?: string; mediaType?: string }) => {
      const made = new ActionResponse<string, unknown>(name, status, init)
      made.body = body
      return made
    }
  }
  return Object.freeze(reply)
}
