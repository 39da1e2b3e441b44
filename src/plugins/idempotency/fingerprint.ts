// The fingerprint of a request: equal for the same params, headers and payload, different for others.
import type { PolicyRequest } from '../../extend.ts'
import { KEY_HEADER } from './policy.ts'

/** The hash of all that an action sees of a request; the key itself is no part of it. */
export async function computeFingerprint({ method, input, audiences }: PolicyRequest): Promise<string> {
  const { params, headers, payload } = input
  // An answer that showed more than its client may see by now is not given again.
  const seen = audiences === undefined ? [] : [audiences]
  const text = await toCanonicalText([method, params, withoutKey(headers), payload, ...seen])
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

/** A value as text: members in the order of their names, and every kind of value told from the others. */
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
