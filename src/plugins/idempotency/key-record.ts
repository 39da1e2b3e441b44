// Records: the values of keys in a store. First the claim of a request in progress, then its response.
import type { OutgoingResponse, RecordedResponse } from '../../extend.ts'
import { gatherStream } from './gather-stream.ts'

/** The record of a key. */
export interface KeyRecord {
  /** The fingerprint of the request. */
  readonly request: string
  /** The response; undefined while the request is in progress. */
  readonly response: RecordedResponse | undefined
  /** Whether the request was executed but its response was not recorded. */
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

/** Creates a unique claim, so that its owner can check that it still holds. */
export const createClaim = (request: string): string => JSON.stringify({ request, claim: crypto.randomUUID() })

/** Parses a record. */
export function readRecord(text: string): KeyRecord {
  const { request, status, headers = [], text: body, bytes, lost: isLost = false } = JSON.parse(text) as StoredRecord
  if (status === undefined) return { request, response: undefined, isLost }
  const response = {
    status,
    headers,
    body: bytes === undefined ? (body ?? null) : Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0)),
  }
  return { request, response, isLost }
}

/** Creates the record of a request whose response is not stored: it was executed, and must not be executed again. */
export const createLostRecord = (request: string): string =>
  JSON.stringify({ request, lost: true } satisfies StoredRecord)

/**
 * Serializes a response; undefined if it is too long. A stream is buffered for at most `streamTimeout` milliseconds, and the
 * response continues with the buffered bytes and the rest of the stream.
 */
export async function createRecord(
  request: string,
  response: OutgoingResponse,
  isRecordedHeader: (header: string) => boolean,
  streamTimeout: number,
): Promise<string | undefined> {
  const { body } = response
  const isComplete = typeof body === 'string' || body === null || body instanceof Uint8Array
  const content = isComplete ? body : await gatherStream(body, streamTimeout)
  response.body = content
  const headers = [...response].filter(([name]) => isRecordedHeader(name.toLowerCase()))
  const record = { request, status: response.status, headers } satisfies StoredRecord
  if (content === null) return JSON.stringify(record)
  if (typeof content === 'string') return JSON.stringify({ ...record, text: content } satisfies StoredRecord)
  return content instanceof Uint8Array
    ? JSON.stringify({ ...record, bytes: toBase64(content) } satisfies StoredRecord)
    : undefined
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(text)
}
