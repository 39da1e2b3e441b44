// Handles unread bodies. A short rest is read and discarded so that the connection can be reused; a long or malformed
// one closes the connection, in such a way that the client receives its response and not a reset.
import { writeHead } from './framing.ts'
import type { NodeTransport } from './node-transport.ts'

/** The longest body that is discarded to keep the connection. */
const maxSkippedBytes = 1024 * 1024
/** The most bytes of a longer body that are read after the response is sent, and for how many milliseconds. */
const maxLingerBytes = 16 * 1024 * 1024
const lingerTime = 2000

/** Classifies the unread rest of a request's body when its response is ready. */
export function checkUnreadBody(transport: NodeTransport): 'none' | 'short' | 'long' {
  const { length } = transport
  // While its headers are handled, a message without a body is not complete either.
  if (length === 0 || transport.raw.complete) return 'none'
  transport.connection.unreadRequest = transport.raw
  return transport.hasBodyFault || transport.awaitsContinue || length > maxSkippedBytes ? 'long' : 'short'
}

/** Discards a short rest; Node does so itself if the body was never read. */
export function skipShortBody({ raw, isBodyRead }: NodeTransport): void {
  if (!isBodyRead) return
  raw.removeAllListeners('readable')
  // A listener keeps it flowing; resuming alone is undone when a reader removes its own listeners afterwards.
  raw.on('data', () => {})
  raw.resume()
}

/** Discards the rest within limits; after the time limit the connection is cut. */
export function skipLongBody({ raw, connection }: NodeTransport, onEnd: () => void): void {
  const timer = setTimeout(() => raw.socket.destroy(), lingerTime)
  const stop = (): void => {
    connection.closeListeners.delete(stop)
    clearTimeout(timer)
  }
  connection.closeListeners.add(stop)
  let remaining = maxLingerBytes
  raw.removeAllListeners('readable')
  raw.on('data', (chunk: Uint8Array) => {
    remaining -= chunk.length
    if (remaining < 0) raw.pause()
  })
  raw.on('end', () => {
    stop()
    onEnd()
  })
  raw.resume()
}

/**
 * Writes the last response of a connection on which the client may still be sending: closing at once would make the
 * system reset it, and a client that sees a reset discards the response (RFC 9112, section 9.6).
 */
export function writeLingering(
  transport: NodeTransport,
  status: number,
  headers: string[],
  body: string | Uint8Array | undefined,
): void {
  const { raw, response } = transport
  writeHead(response, status, headers)
  // A response queued after others cannot linger yet.
  if (response.socket === null) {
    response.end(body)
    return
  }
  if (body === undefined || body.length === 0) response.flushHeaders()
  else response.write(body)
  transport.isResponseWritten = true
  raw.socket.end()
  skipLongBody(transport, () => raw.socket.destroySoon())
}
