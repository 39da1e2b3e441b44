// Which responses have a body, and their Content-Length: the same for every version of HTTP.
import type { ServerResponse } from 'node:http'
import { isAccumulating } from '../../../server/response/headers.ts'
import type { RawResponse } from '../../../server/transport.ts'

/** Writes a head; a header that a framework set before stays, beside ours if it accumulates, else unless the answer has it too. */
export function writeHead(response: ServerResponse, status: number, headers: string[]): void {
  if (response.getHeaderNames().length === 0) {
    response.writeHead(status, headers)
    return
  }
  // Beside headers that were set before, Node 20 keeps of several values the last one only.
  const values = new Map<string, [name: string, values: string[]]>()
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string
    const known = values.get(name.toLowerCase())
    if (known === undefined) values.set(name.toLowerCase(), [name, [headers[i + 1] as string]])
    else known[1].push(headers[i + 1] as string)
  }
  for (const [key, [name, own]] of values) {
    const before = isAccumulating(key) ? [response.getHeader(key) ?? []].flat().map(String) : []
    const all = [...new Set([...before, ...own])]
    response.setHeader(name, all.length === 1 ? (all[0] as string) : all)
  }
  response.writeHead(status)
}

/** Whether the body of an answer is sent. */
export function hasBody(method: string, { status, body }: RawResponse): boolean {
  return body !== null && method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304
}

/** Bytes of the body that an answer that is not a stream sends. */
export function getBodyLength(method: string, answer: RawResponse): number {
  return hasBody(method, answer) ? Buffer.byteLength(answer.body as string | Uint8Array) : 0
}

/** The headers with the length that belongs to the body, in place of any that came with them. */
export function withContentLength(method: string, { status, headers, body }: RawResponse): string[] {
  // Only the handler can know the length of what it did not make.
  if (body === null && method === 'HEAD') return [...headers]
  const result: string[] = []
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!
    if (!isFramingHeader(name)) result.push(name, headers[i + 1]!)
  }
  if (status === 204 || status === 304) return result
  // To its client a success of CONNECT is the beginning of a tunnel, and has no length (RFC 9110, section 9.3.6).
  if (method === 'CONNECT' && status < 300) return result
  const length = body === null || status === 205 ? 0 : Buffer.byteLength(body as string | Uint8Array)
  result.push('Content-Length', String(length))
  return result
}

function isFramingHeader(name: string): boolean {
  if (name.length === 14) return name.toLowerCase() === 'content-length'
  return name.length === 17 && name.toLowerCase() === 'transfer-encoding'
}
