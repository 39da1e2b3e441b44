// The common code of both kinds of recording: the key of a request, and the response to a known key.
import {
  describeValue,
  type PolicyRequest,
  type PolicyResult,
  problem,
  Refusal,
  type ResolvedAction,
  replayResponse,
} from '../../extend.ts'
import type { Identify, Store } from '../stores/index.ts'
import { codes } from './codes.ts'
import type { IdempotencySettings } from './idempotency-settings.ts'
import type { KeyRecord } from './key-record.ts'
import { KEY_HEADER } from './policy.ts'

/** An idempotent action of an application. */
export interface IdempotentAction {
  readonly store: Store
  readonly identify: Identify
  readonly action: ResolvedAction
  readonly settings: IdempotencySettings
  /** The duration of a claim in milliseconds. */
  readonly lease: number
  /** The time in milliseconds for which a stream is buffered before it is sent; 0 for no limit. */
  readonly streamTimeout: number
  readonly connection: (need: unknown) => unknown
}

/** Returns the store key of a request; undefined without an idempotency key. Keys belong to a principal and an action. */
export function buildStoreKey(
  { action, identify }: IdempotentAction,
  { headers, principal }: PolicyRequest,
): string | undefined {
  const sent = headers[KEY_HEADER.toLowerCase()]
  if (sent === undefined) return undefined
  const key = typeof sent === 'string' ? parseKey(sent) : undefined
  // Two keys, which some runtimes join with a comma, or a fragment of one are ambiguous.
  if (key === undefined)
    throw Refusal.ofHeaders([
      { pointer: `/${KEY_HEADER}`, code: 'format', detail: { expected: KEY_FORMAT, kind: 'idempotency-key' } },
    ])
  const { name, version = '' } = action.endpoint
  return `key:${JSON.stringify([version, `${name}.${action.name}`, formatOwner(principal, identify), key])}`
}

const KEY_FORMAT = 'one key: a text without commas and double quotes, or a text in double quotes'

// The IETF draft quotes keys; most clients do not.
function parseKey(sent: string): string | undefined {
  const [, quoted, bare] = /^(?:"([^"\\]+)"|([^",]+))$/.exec(sent.trim()) ?? []
  return quoted ?? bare
}

function formatOwner(principal: unknown, identify: Identify): string {
  if (principal === undefined) return ''
  const identity = identify(principal)
  if (identity !== undefined) return `of ${identity}`
  const remedy = 'give idempotency(store, { identify: (principal) => … })'
  throw new TypeError(`Keys cannot distinguish principals: one is ${describeValue(principal)}. Remedy: ${remedy}.`)
}

/** Creates the response to a request whose key is known. */
export function respondToKnownKey({ request, response, isLost }: KeyRecord, fingerprint: string): PolicyResult {
  if (request !== fingerprint) return problem(codes.failures['idempotency-key-reused'])
  if (isLost) return problem(codes.failures['idempotency-response-not-recorded'])
  return response === undefined ? createKeyInUse() : replayResponse(response)
}

/** Creates the response to a request whose key is in use. */
export const createKeyInUse = (): PolicyResult =>
  problem({ ...codes.failures['idempotency-key-in-use'], headers: { 'Retry-After': '1' } })

/** Creates the failure of a request whose store does not respond. */
export const createUnavailable = (cause: unknown): Refusal =>
  new Refusal({ code: 'unavailable', headers: { 'Retry-After': '1' } }, { cause })

/** Creates the filter for the headers of a response that are recorded; policies add the others on each request. */
export function createHeaderFilter({ policies }: ResolvedAction): (name: string) => boolean {
  // Headers that are equal in every response are recorded.
  const added = new Set(
    [...policies.values()]
      .flatMap(({ documentedHeaders: sends = {}, responseHeaders = [] }) =>
        Object.keys(sends).filter((name) => !responseHeaders.includes(name)),
      )
      .map((name) => name.toLowerCase()),
  )
  return (name) => !added.has(name)
}
