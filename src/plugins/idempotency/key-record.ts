// Records: what a store has under a key. First the claim of the request that is under way, then its answer.
import type { OutgoingResponse, RecordedResponse } from '../../extend.ts'
import { gatherStream } from './gather-stream.ts'

/** The record of a key. */
export interface KeyRecord {
  /** The fingerprint of the request. */
  readonly request: string
  /** The answer; undefined while the request is under way. */
  readonly response: RecordedResponse | undefined
  /** Whether the request was answered, and the answer not kept. */
  readonly isLost: boolean
}

interface StoredRecord {
  readonly request: string
  readonly status?: number
  readonly headers?: readonly (readonly [string, string])[]
  readonly text?: string
  readonly bytes?: string
  readonly lost?: true
}

/** A unique claim, so that its owner can check that it still holds. */
export const createClaim = (request: string): string => JSON.stringify({ request, claim: crypto.randomUUID() })

/** Reads what a store has. */
export function readRecord(text: string): KeyRecord {
  const { request, status, headers = [], text: body, bytes, lost: isLost = false } = JSON.parse(text) as StoredRecord
  if (status === undefined) return { request, response: undefined, isLost }
  const answer = { status, headers, body: bytes === undefined ? (body ?? null) : fromBase64(bytes) }
  return { request, response: answer, isLost }
}

/** The record of a request whose answer is not kept: it was carried out, and is not carried out again. */
export const createLostRecord = (request: string): string => JSON.stringify({ request, lost: true } satisfies StoredRecord)

/**
 * Writes an answer down; undefined for one that is too long. A stream is read to its end, for `patience` milliseconds at most,
 * and what it gave is sent in its place, with the rest if there is one.
 */
export async function createRecord(
  request: string,
  response: OutgoingResponse,
  isOwn: (header: string) => boolean,
  patience: number,
): Promise<string | undefined> {
  const { body } = response
  const isWhole = typeof body === 'string' || body === null || body instanceof Uint8Array
  const given = isWhole ? body : await gatherStream(body, patience)
  response.body = given
  const headers = [...response].filter(([name]) => isOwn(name.toLowerCase()))
  const kept = { request, status: response.status, headers } satisfies StoredRecord
  if (given === null) return JSON.stringify(kept)
  if (typeof given === 'string') return JSON.stringify({ ...kept, text: given } satisfies StoredRecord)
  return given instanceof Uint8Array ? JSON.stringify({ ...kept, bytes: toBase64(given) } satisfies StoredRecord) : undefined
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(text)
}

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
