// Determines which responses have a body, and their Content-Length, for every HTTP version.
import type { ServerResponse } from 'node:http'
import { isAccumulating } from '../../../server/response/headers.ts'
import type { RawResponse } from '../../../server/transport.ts'

/**
 * Writes a head. A header that the host framework has set is sent unless the response sets it too; if the header
 * accumulates, both are sent.
 */
export function writeHead(response: ServerResponse, status: number, headers: string[]): void {
  if (response.getHeaderNames().length === 0) {
    response.writeHead(status, headers)
    return
  }
  // With headers set in advance, Node 20 keeps only the last of several values.
  const values = new Map<string, [name: string, values: string[]]>()
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    const existing = values.get(name.toLowerCase())
    if (existing === undefined) values.set(name.toLowerCase(), [name, [headers[i + 1] as string]])
    else existing[1].push(headers[i + 1] as string)
  }
  for (const [key, [name, added]] of values) {
    const existing = isAccumulating(key) ? [response.getHeader(key) ?? []].flat().map(String) : []
    const all = [...new Set([...existing, ...added])]
    response.setHeader(name, all.length === 1 ? (all[0] as string) : all)
  }
  // The length of another body would cut this one, or let the client wait for more.
  for (const name of FRAMING_HEADERS) if (!values.has(name)) response.removeHeader(name)
  response.writeHead(status)
}

const FRAMING_HEADERS = ['content-length', 'transfer-encoding']

/** Returns whether the body of a response is sent. */
export function hasBody(method: string, { status, body }: RawResponse): boolean {
  return body !== null && method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304
}

/** Returns the bytes of the body that a response without a stream sends. */
export function getBodyLength(method: string, response: RawResponse): number {
  return hasBody(method, response) ? Buffer.byteLength(response.body as string | Uint8Array) : 0
}

/** Returns the headers with the Content-Length of the body, replacing any other framing headers. */
export function withContentLength(method: string, { status, headers, body }: RawResponse): string[] {
  // Only the handler knows the length of a body that it omitted.
  if (body === null && method === 'HEAD') return [...headers]
  const result: string[] = []
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!
    if (!isFramingHeader(name)) result.push(name, headers[i + 1]!)
  }
  if (status === 204 || status === 304) return result
  // For the client, a successful CONNECT begins a tunnel, and has no length (RFC 9110, section 9.3.6).
  if (method === 'CONNECT' && status < 300) return result
  const length = body === null || status === 205 ? 0 : Buffer.byteLength(body as string | Uint8Array)
  result.push('Content-Length', String(length))
  return result
}

function isFramingHeader(name: string): boolean {
  if (name.length === 14) return name.toLowerCase() === 'content-length'
  return name.length === 17 && name.toLowerCase() === 'transfer-encoding'
}
