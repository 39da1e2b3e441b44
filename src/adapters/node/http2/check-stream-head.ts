// Checks heads for faults that node:http2 accepts: the request is rejected before anything else of it is read.
import type { AdapterRefusal } from '../connection/adapter-refusals.ts'

/**
 * Returns the fault of the head of a stream, if it has one: the same ones as in HTTP/1.1, as far as HTTP/2 can express
 * them.
 */
export function checkStreamHead(rawHeaders: readonly string[], maxHeaderSize: number): AdapterRefusal | undefined {
  let [size, lengths] = [0, 0]
  let authority: string | undefined
  let host: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    const value = rawHeaders[i + 1] as string
    size += name.length + value.length
    if (name === ':authority') authority = value
    else if (name === 'host') {
      if (host !== undefined) return 'host'
      host = value
    } else if (name === 'content-length') lengths++
    else if (name === 'expect' && value.toLowerCase() !== '100-continue') return 'expectation'
  }
  if (size > maxHeaderSize) return 'headersTooLarge'
  if (lengths > 1) return 'malformed'
  // The authority is the host; if both are sent, they must be equal (RFC 9113, section 8.3.1).
  if (authority === undefined) return host === undefined ? 'host' : undefined
  return host === undefined || host === authority ? undefined : 'host'
}
