// Unread bodies. A short rest is taken off the wire so that the connection can be used again; a long or broken
// one costs the connection, closed in such a way that the client sees its answer and not a reset.
import { writeHead } from './framing.ts'
import type { NodeTransport } from './node-transport.ts'

/** A body of at most this length is worth receiving for nothing, for the connection's sake. */
const maxSkippedBytes = 1024 * 1024
/** How much of a longer one is received, and for how long, after the answer has gone out. */
const maxLingerBytes = 16 * 1024 * 1024
const lingerTime = 2000

/** The rest of a request's body when its answer is ready. */
export function checkUnreadBody(transport: NodeTransport): 'none' | 'short' | 'long' {
  const { length } = transport
  // Without a body the message is not complete either while its headers are being handled.
  if (length === 0 || transport.raw.complete) return 'none'
  transport.connection.unreadRequest = transport.raw
  return transport.hasBodyFault || transport.awaitsContinue || length > maxSkippedBytes ? 'long' : 'short'
}

/** Lets a short rest run out; Node does so itself if the body was never touched. */
export function skipShortBody({ raw, isBodyRead: touched }: NodeTransport): void {
  if (!touched) return
  raw.removeAllListeners('readable')
  // A listener keeps it flowing; resuming alone is undone when a reader takes its own listeners off afterwards.
  raw.on('data', () => {})
  raw.resume()
}

/** Receives what is left within bounds; past the time the connection is cut. */
export function skipLongBody({ raw, connection }: NodeTransport, ended: () => void): void {
  const timer = setTimeout(() => raw.socket.destroy(), lingerTime)
  const stop = (): void => {
    connection.closeListeners.delete(stop)
    clearTimeout(timer)
  }
  connection.closeListeners.add(stop)
  let left = maxLingerBytes
  raw.removeAllListeners('readable')
  raw.on('data', (chunk: Uint8Array) => {
    left -= chunk.length
    if (left < 0) raw.pause()
  })
  raw.on('end', () => {
    stop()
    ended()
  })
  raw.resume()
}

/**
 * Writes the last answer of a connection on which the client may still be sending: closing at once would make the
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
  // Behind other answers there is no place to wait yet.
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
