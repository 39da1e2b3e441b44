// Records: what a store has under a key. First the claim of the request that is under way, then its answer.
import type { OutgoingResponse, WrittenAnswer } from '../../extend.ts'

/** The record of a key. */
export interface Known {
  /** The fingerprint of the request. */
  readonly request: string
  /** The answer; undefined while the request is under way. */
  readonly answer: WrittenAnswer | undefined
}

interface Kept {
  readonly request: string
  readonly status?: number
  readonly headers?: readonly (readonly [string, string])[]
  readonly text?: string
  readonly bytes?: string
}

/** The largest answer that is recorded, in bytes. */
const MOST = 8 << 20

/** A unique claim, so that its owner can check that it still holds. */
export const claimOf = (request: string): string => JSON.stringify({ request, claim: crypto.randomUUID() })

/** Reads what a store has. */
export function readRecord(text: string): Known {
  const { request, status, headers = [], text: body, bytes } = JSON.parse(text) as Kept
  if (status === undefined) return { request, answer: undefined }
  return { request, answer: { status, headers, body: bytes === undefined ? (body ?? null) : fromBase64(bytes) } }
}

/** Writes an answer down. A stream is read to its end, and what it gave is sent in its place. */
export async function recordOf(
  request: string,
  response: OutgoingResponse,
  isOwn: (header: string) => boolean,
): Promise<string> {
  const { body } = response
  const whole = typeof body === 'string' || body === null || body instanceof Uint8Array ? body : await gathered(body)
  response.body = whole
  const headers = [...response].filter(([name]) => isOwn(name.toLowerCase()))
  const kept = typeof whole === 'string' ? { text: whole } : { ...(whole !== null && { bytes: toBase64(whole) }) }
  return JSON.stringify({ request, status: response.status, headers, ...kept } satisfies Kept)
}

async function gathered(body: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body as AsyncIterable<Uint8Array | string>) {
    const bytes = typeof piece === 'string' ? new TextEncoder().encode(piece) : piece
    size += bytes.length
    if (size > MOST) throw new RangeError(`An answer of more than ${MOST} bytes cannot be recorded under its key`)
    pieces.push(bytes)
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(text)
}

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
