// Checks heads for faults that Node's parser accepts: the request is rejected before anything else of it is read, and
// the rejection closes the connection, so that nothing after the request is executed.
import type { IncomingMessage } from 'node:http'
import type { AdapterRefusal } from './adapter-refusals.ts'

/** Returns the fault of a request's head, if it has one; `most` limits the size of headers and target together. */
export function checkHead(
  { rawHeaders, httpVersionMajor, httpVersionMinor, url = '' }: IncomingMessage,
  most: number = Number.POSITIVE_INFINITY,
): AdapterRefusal | undefined {
  // Other HTTP versions are not supported here.
  if (httpVersionMajor !== 1) return 'malformed'
  let [hosts, lengths, size] = [0, 0, url.length]
  let coding: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string
    size += name.length + (rawHeaders[i + 1] as string).length
    // Names are compared by length first: this runs for each header of each request.
    if (name.length === 4) {
      if (name.toLowerCase() === 'host') hosts++
    } else if (name.length === 14) {
      if (name.toLowerCase() === 'content-length') lengths++
    } else if (name.length === 17) {
      if (name.toLowerCase() === 'transfer-encoding') coding = joinValues(coding, rawHeaders[i + 1] as string)
    } else if (name.length === 6 && name.toLowerCase() === 'expect') {
      // The only defined expectation (RFC 9110, section 10.1.1).
      if ((rawHeaders[i + 1] as string).toLowerCase() !== '100-continue' && httpVersionMinor > 0) return 'expectation'
    }
  }
  if (size > most) return 'headersTooLarge'
  if (lengths > 1 || (coding !== undefined && lengths > 0)) return 'malformed'
  if (coding !== undefined) {
    // HTTP/1.0 has no chunked encoding: a proxy that forwards it may have seen another end (RFC 9112, section 6.1).
    if (httpVersionMinor === 0) return 'malformed'
    const codings = coding.toLowerCase().split(/[ \t]*,[ \t]*/)
    if (codings.length > 1 && codings.at(-1) === 'chunked') return 'coding'
    if (codings.length > 1 || codings[0] !== 'chunked') return 'malformed'
  }
  // HTTP/1.1 requires exactly one Host header; two may be an attack (RFC 9112, section 3.2).
  return hosts === 1 || (hosts === 0 && httpVersionMinor !== 1) ? undefined : 'host'
}

const joinValues = (existing: string | undefined, value: string): string =>
  existing === undefined ? value : `${existing}, ${value}`
