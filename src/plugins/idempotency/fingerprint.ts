// The fingerprint of a request: equal for equal params, headers and payload, different otherwise.
import type { PolicyRequest } from '../../extend.ts'
import { KEY_HEADER } from './policy.ts'

/** Hashes the input of an action, without the idempotency key. */
export async function computeFingerprint({ method, input, audiences }: PolicyRequest): Promise<string> {
  const { params, headers, payload } = input
  // A recorded response is not replayed to a client that may see less by now.
  const visibility = audiences === undefined ? [] : [audiences]
  const text = await toCanonicalText([method, params, withoutKey(headers), payload, ...visibility])
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return toHex(digest)
}

const toHex = (digest: ArrayBuffer): string =>
  Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')

const withoutKey = (headers: unknown): unknown =>
  Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => name.toLowerCase() !== KEY_HEADER.toLowerCase()))

interface FileLike {
  readonly '~file': true
  readonly filename: string | undefined
  readonly type: string
  bytes(): Promise<Uint8Array>
}

const isFile = (value: object): value is FileLike =>
  (value as Partial<FileLike>)['~file'] === true && typeof (value as Partial<FileLike>).bytes === 'function'

/** Serializes a value with sorted members, distinctly for every type. */
async function toCanonicalText(value: unknown): Promise<string> {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number') return Object.is(value, -0) ? '0' : String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if (value instanceof Date) return `date ${value.getTime()}`
  if (value instanceof Uint8Array) return `bytes ${toHex(await crypto.subtle.digest('SHA-256', value as BufferSource))}`
  if (isFile(value)) return `file ${await toCanonicalText([value.filename, value.type, await value.bytes()])}`
  if (Array.isArray(value)) return `[${(await Promise.all(value.map(toCanonicalText))).join(',')}]`
  const entries = value instanceof Map ? [...value] : Object.entries(value)
  const sorted = entries
    .map(([name, one]) => [String(name), one] as const)
    .sort(([a], [b]) => Number(a > b) - Number(a < b))
  const members = await Promise.all(
    sorted.map(async ([name, one]) => `${JSON.stringify(name)}:${await toCanonicalText(one)}`),
  )
  return `{${members.join(',')}}`
}
