// Code that both ways of recording share: the key of a request, and the answer to a known key.
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
import { KEY_HEADER, type IdempotencySettings } from './policy.ts'
import type { KeyRecord } from './key-record.ts'

/** One idempotent action of an application. */
export interface IdempotentAction {
  readonly store: Store
  readonly identify: Identify
  readonly action: ResolvedAction
  readonly settings: IdempotencySettings
  /** Milliseconds for which a claim stands. */
  readonly lease: number
  /** Milliseconds for which a stream is read before it is sent; 0 for any number. */
  readonly streamTimeout: number
  readonly connection: (need: unknown) => unknown
}

/** The key under which a store knows a request; undefined for one without. Keys belong to a principal and an action. */
export function buildStoreKey({ action, identify }: IdempotentAction, { headers, principal }: PolicyRequest): string | undefined {
  const sent = headers[KEY_HEADER.toLowerCase()]
  if (sent === undefined) return undefined
  const key = typeof sent === 'string' ? parseKey(sent) : undefined
  // Two keys, which some runtimes join by a comma, or half of one: which effect they stand for, nobody can say.
  if (key === undefined)
    throw Refusal.ofHeaders([
      { pointer: `/${KEY_HEADER}`, code: 'format', detail: { expected: KEY_FORMAT, kind: 'idempotency-key' } },
    ])
  const { name, version = '' } = action.endpoint
  return `key:${JSON.stringify([version, `${name}.${action.name}`, formatOwner(principal, identify), key])}`
}

const KEY_FORMAT = 'one key: a text without commas and double quotes, or a text in double quotes'

// The draft of the IETF writes a key as a text in quotes, most clients without.
function parseKey(sent: string): string | undefined {
  const [, quoted, bare] = /^(?:"([^"\\]+)"|([^",]+))$/.exec(sent.trim()) ?? []
  return quoted ?? bare
}

function formatOwner(principal: unknown, identify: Identify): string {
  if (principal === undefined) return ''
  const identity = identify(principal)
  if (identity !== undefined) return `of ${identity}`
  const remedy = 'give idempotency(store, { identify: (principal) => … })'
  throw new TypeError(`Keys cannot tell principals apart: one is ${describeValue(principal)}. Remedy: ${remedy}.`)
}

/** The answer to a request whose key is known. */
export function respondToKnownKey({ request, response: answer, isLost }: KeyRecord, fingerprint: string): PolicyResult {
  if (request !== fingerprint) return problem(codes.failures['idempotency-key-reused'])
  if (isLost) return problem(codes.failures['idempotency-answer-not-kept'])
  return answer === undefined ? createKeyInUse() : replayResponse(answer)
}

/** The answer to a request whose key is in use. */
export const createKeyInUse = (): PolicyResult =>
  problem({ ...codes.failures['idempotency-key-in-use'], headers: { 'Retry-After': '1' } })

/** The failure of a request whose store does not answer. */
export const createUnavailable = (cause: unknown): Refusal =>
  new Refusal({ code: 'unavailable', headers: { 'Retry-After': '1' } }, { cause })

/** Separates the headers of a response from those that policies add each time. */
export function createHeaderFilter({ policies }: ResolvedAction): (name: string) => boolean {
  // Those that are the same in every answer are a part of what was written.
  const added = new Set(
    [...policies.values()]
      .flatMap(({ sends = {}, responseHeaders: answerHeaders = [] }) =>
        Object.keys(sends).filter((name) => !answerHeaders.includes(name)),
      )
      .map((name) => name.toLowerCase()),
  )
  return (name) => !added.has(name)
}
