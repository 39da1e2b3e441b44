// The key of a counter: from a principal, an address or the result of a function.
import { describeValue, type PolicyRequest } from '../../extend.ts'
import type { Identify } from '../stores/index.ts'
import { parseNetwork } from './client-network.ts'
import type { CountedBy } from './limit-settings.ts'

/** Returns the key of a request. */
export type GetCounterKey = (request: PolicyRequest) => string

/** Creates the function that returns the keys of a limit. */
export function createKeyFunction(by: CountedBy, identify: Identify): GetCounterKey {
  if (typeof by === 'function') return (request) => formatKey('key', by(request) ?? '')
  if (by === 'address') return getAddressKey
  return (request) => {
    const { principal } = request
    // Anonymous clients are counted by address.
    if (principal === undefined) return getAddressKey(request)
    const identity = identify(principal)
    if (identity !== undefined) return formatKey('principal', identity)
    const remedy = 'give rateLimits(store, { identify: (principal) => … })'
    throw new TypeError(`A limit cannot distinguish principals: one is ${describeValue(principal)}. Remedy: ${remedy}.`)
  }
}

const formatKey = (kind: string, key: string): string => `${kind}:${key}`

const getAddressKey = ({ address }: PolicyRequest): string => formatKey('address', getClientNetwork(address))

// A Unix domain socket has no address.
const getClientNetwork = (address: string | undefined): string => (address && parseNetwork(address)) ?? address ?? ''

/**
 * Returns a function for `by` that finds the client's address behind `hops` proxies, each of which appends to
 * `X-Forwarded-For`. Entries that the client wrote itself are ignored. If the entry is missing or invalid, the address of
 * the connection counts.
 */
export function forwardedFor(hops: number): (request: PolicyRequest) => string {
  if (!Number.isSafeInteger(hops) || hops < 1)
    throw new TypeError(`forwardedFor: ${describeValue(hops)} is no number of proxies: give a whole number from 1 on`)
  return ({ headers, address }) => {
    const header = headers['x-forwarded-for'] ?? ''
    const entries = (typeof header === 'string' ? header : header.join(',')).split(',').map((one) => one.trim())
    return parseNetwork(entries.at(-hops) ?? '') ?? getClientNetwork(address)
  }
}
