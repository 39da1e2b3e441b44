// The key of a counter: from a principal, an address or the result of a function.
import { describeValue, type PolicyRequest } from '../../extend.ts'
import type { Identify } from '../stores/index.ts'
import { parseNetwork } from './client-network.ts'
import type { CountedBy } from './policy.ts'

/** Returns the key of a request. */
export type GetCounterKey = (request: PolicyRequest) => string

/** Makes the function that gives the keys of a limit. */
export function createKeyFunction(by: CountedBy, identify: Identify): GetCounterKey {
  if (typeof by === 'function') return (request) => formatKey('key', by(request) ?? '')
  if (by === 'address') return getAddressKey
  return (request) => {
    const { principal } = request
    // Where anonymous clients are let in, they are counted by what is known of them.
    if (principal === undefined) return getAddressKey(request)
    const identity = identify(principal)
    if (identity !== undefined) return formatKey('principal', identity)
    const remedy = 'give rateLimits(store, { identify: (principal) => … })'
    throw new TypeError(`A limit cannot tell principals apart: one is ${describeValue(principal)}. Remedy: ${remedy}.`)
  }
}

const formatKey = (kind: string, key: string): string => `${kind}:${key}`

const getAddressKey = ({ address }: PolicyRequest): string => formatKey('address', getClientNetwork(address))

// A socket of the system has no address.
const getClientNetwork = (address: string | undefined): string => (address && parseNetwork(address)) ?? address ?? ''

/**
 * Returns the client's address behind `hops` proxies that each add to X-Forwarded-For, for `by`; entries that the client wrote itself are ignored.
 * Where the entry is missing or no address, the address of the connection counts.
 */
export function forwardedFor(hops: number): (request: PolicyRequest) => string {
  if (!Number.isSafeInteger(hops) || hops < 1)
    throw new TypeError(`forwardedFor: ${describeValue(hops)} is no number of proxies: give a whole number from 1 on`)
  return ({ headers, address }) => {
    const sent = headers['x-forwarded-for'] ?? ''
    const all = (typeof sent === 'string' ? sent : sent.join(',')).split(',').map((one) => one.trim())
    return parseNetwork(all.at(-hops) ?? '') ?? getClientNetwork(address)
  }
}
