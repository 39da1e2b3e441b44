// Answers as AWS Lambda takes them: text as it is, other bytes in base64, cookies apart from the headers.
import type { RawResponse } from '../../server/transport.ts'
import type { LambdaHead, LambdaResult } from './event.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Whether the body of an answer is sent. */
export const isBodySent = (method: string, { status, body }: RawResponse): boolean =>
  body !== null && method !== 'HEAD' && status !== 204 && status !== 205 && status !== 304

/** The head of an answer; several values of one header are joined, as the gateway takes them. */
export function buildLambdaHead(method: string, answer: RawResponse, length: number | undefined): LambdaHead {
  const headers: Record<string, string> = {}
  const cookies: string[] = []
  for (let i = 0; i < answer.headers.length; i += 2) {
    const name = (answer.headers[i] as string).toLowerCase()
    const value = answer.headers[i + 1] as string
    if (name === 'set-cookie') cookies.push(value)
    else headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value
  }
  const { status } = answer
  // Only the handler knows the length of what it did not make for HEAD.
  if (length !== undefined && !(method === 'HEAD' && answer.body === null)) headers['content-length'] = String(length)
  if (status === 204 || status === 304) delete headers['content-length']
  if (status === 205) headers['content-length'] = '0'
  return { statusCode: status, headers, ...(cookies.length > 0 && { cookies }) }
}

/** A whole answer. */
export function buildLambdaResult(method: string, answer: RawResponse, body: string | Uint8Array | null): LambdaResult {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const head = buildLambdaHead(method, answer, bytes?.length ?? 0)
  if (bytes === null || !isBodySent(method, answer)) return { ...head, body: '', isBase64Encoded: false }
  if (typeof body === 'string') return { ...head, body, isBase64Encoded: false }
  const text = hasTextType(head) ? decodeUtf8(bytes) : undefined
  if (text !== undefined) return { ...head, body: text, isBase64Encoded: false }
  return { ...head, body: toBase64(bytes), isBase64Encoded: true }
}

const TEXT_TYPES = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|javascript|x-www-form-urlencoded)\b)/i

function hasTextType({ headers }: LambdaHead): boolean {
  return headers['content-encoding'] === undefined && TEXT_TYPES.test(headers['content-type'] ?? '')
}

/** The text of bytes; undefined if they are not UTF-8, whatever their content type says. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Characters that one call can take as its arguments. */
const CHUNK_SIZE = 32 * 1024

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK_SIZE) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK_SIZE))
  return btoa(binary)
}
