// The key of a counter: from a principal, an address or the result of a function.
import { described, type PolicyRequest } from '../../extend.ts'
import type { Identify } from '../stores/index.ts'
import { networkOf } from './address.ts'
import type { CountedBy } from './policy.ts'

/** Returns the key of a request. */
export type KeyOf = (request: PolicyRequest) => string

/** Makes the function that gives the keys of a limit. */
export function keyMaker(by: CountedBy, identify: Identify): KeyOf {
  if (typeof by === 'function') return (request) => keyed('key', by(request) ?? '')
  if (by === 'address') return addressKey
  return (request) => {
    const { principal } = request
    // Where anonymous clients are let in, they are counted by what is known of them.
    if (principal === undefined) return addressKey(request)
    const identity = identify(principal)
    if (identity !== undefined) return keyed('principal', identity)
    const remedy = 'give rateLimits(store, { identify: (principal) => … })'
    throw new TypeError(`A limit cannot tell principals apart: one is ${described(principal)}. Remedy: ${remedy}.`)
  }
}

const keyed = (kind: string, key: string): string => `${kind}:${key}`

const addressKey = ({ address }: PolicyRequest): string => keyed('address', clientOf(address))

// A socket of the system has no address.
const clientOf = (address: string | undefined): string => (address && networkOf(address)) ?? address ?? ''

/**
 * Returns the client's address behind `hops` proxies that each add to X-Forwarded-For, for `by`; entries that the client wrote itself are ignored.
 * Where the entry is missing or no address, the address of the connection counts.
 */
export function forwardedFor(hops: number): (request: PolicyRequest) => string {
  if (!Number.isSafeInteger(hops) || hops < 1)
    throw new TypeError(`forwardedFor: ${described(hops)} is no number of proxies: give a whole number from 1 on`)
  return ({ headers, address }) => {
    const sent = headers['x-forwarded-for'] ?? ''
    const all = (typeof sent === 'string' ? sent : sent.join(',')).split(',').map((one) => one.trim())
    return networkOf(all.at(-hops) ?? '') ?? clientOf(address)
  }
}
