// Builds the results of AWS Lambda: text unchanged, other bytes in base64, cookies separate from the headers.
import type { RawResponse } from '../../server/transport.ts'
import type { LambdaHead, LambdaResult } from './event.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns whether the body of a response is sent. */
export const isBodySent = (method: string, { status, body }: RawResponse): boolean =>
  body !== null && method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304

/** Builds the head of a response; several values of one header are joined, as the gateway requires. */
export function buildLambdaHead(method: string, response: RawResponse, length: number | undefined): LambdaHead {
  const headers: Record<string, string> = {}
  const cookies: string[] = []
  for (let i = 0; i < response.headers.length; i += 2) {
    const name = (response.headers[i] as string).toLowerCase()
    const value = response.headers[i + 1] as string
    if (name === 'set-cookie') cookies.push(value)
    else headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  }
  const { status } = response
  // Only the handler knows the length of a body that it omitted for HEAD.
  if (length !== undefined && !(method === 'HEAD' && response.body === null)) headers['content-length'] = String(length)
  if (status === 204 || status === 304) delete headers['content-length']
  if (status === 205) headers['content-length'] = '0'
  return { statusCode: status, headers, ...(cookies.length > 0 && { cookies }) }
}

/** Builds a complete response. */
export function buildLambdaResult(
  method: string,
  response: RawResponse,
  body: string | Uint8Array | null,
): LambdaResult {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const head = buildLambdaHead(method, response, bytes?.length ?? 0)
  if (bytes === null || !isBodySent(method, response)) return { ...head, body: '', isBase64Encoded: false }
  if (typeof body === 'string') return { ...head, body, isBase64Encoded: false }
  const text = hasTextType(head) ? decodeUtf8(bytes) : undefined
  if (text !== undefined) return { ...head, body: text, isBase64Encoded: false }
  return { ...head, body: toBase64(bytes), isBase64Encoded: true }
}

const TEXT_TYPES = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript|x-www-form-urlencoded)\b)/i

function hasTextType({ headers }: LambdaHead): boolean {
  return headers['content-encoding'] === undefined && TEXT_TYPES.test(headers['content-type'] ?? '')
}

/** Decodes bytes; returns undefined if they are not UTF-8, regardless of their content type. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The most characters that one call takes as arguments. */
const CHUNK_SIZE = 32 * 1024

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK_SIZE)
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK_SIZE))
  return btoa(binary)
}
