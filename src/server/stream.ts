// Bodies that are sent as they are produced: how they are recognised, read, and cancelled.
import type { StreamBody } from './transport.ts'

/** The pieces of a streamed body, one after the other. */
export interface Source {
  next(): Promise<{ done?: boolean | undefined; value?: Uint8Array | string | undefined }>
  /** Cancels the source; resolves when it has stopped, and never rejects. */
  cancel(): Promise<void>
}

/** Whether a body is sent as it is produced. */
export function isStream(body: unknown): body is StreamBody {
  return typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body)
}

/** Opens a stream or an iterable for reading. */
export function sourceOf(body: StreamBody): Source {
  if ('getReader' in body) {
    const reader = body.getReader()
    return { next: () => reader.read(), cancel: () => reader.cancel().catch(ignore) }
  }
  const iterator = body[Symbol.asyncIterator]()
  return {
    next: () => iterator.next(),
    cancel: () => Promise.resolve(iterator.return?.()).then(ignore, ignore),
  }
}

/** Lets go of a body that will not be sent: a stream may hold a file or a connection. */
export function discard(body: unknown): void {
  if (!isStream(body)) return
  try {
    void sourceOf(body).cancel()
  } catch {
    // It is locked by another reader, which must release it.
  }
}

function ignore(): void {}
