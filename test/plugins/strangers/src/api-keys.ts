// Keys of customers, and how many requests each may send in a minute.
import { type Plugin, security, verifier } from 'edict'
import { defineCodes, type Policy, policy, problem } from 'edict/extend'

/** The customer of a key. */
export interface Customer {
  readonly name: string
  readonly perMinute: number
}

/** The calls that a key has left in the current minute. */
export interface Quota {
  readonly left: number
}

const codes = defineCodes('api-keys', {
  failures: { 'quota-exceeded': { status: 429, title: 'The quota of this key is used up' } },
})

/** The scheme that actions name: `security: apiKey`. */
export const apiKey = security.apiKey<Customer>('ApiKey', { in: 'header', name: 'X-Api-Key' })

/** The policy of actions that count towards the quota; they get `quota`. */
export const withQuota = (): Policy<{ readonly quota: Quota }> =>
  policy({
    name: 'quota',
    plugin: 'api-keys',
    responses: [{ ...codes.failures['quota-exceeded'], headers: ['Retry-After'] }],
    documentedHeaders: { 'X-Quota-Left': { description: 'Requests that are left.', schema: { type: 'integer' } } },
    terms: { quota: { means: 'counted by key' } },
    mock: () => ({ admission: (request) => request.add('quota', { left: 1 }) }),
  })

/** Verifies keys and enforces their quotas. */
export function apiKeys(customers: ReadonlyMap<string, Customer>, clock: () => number = Date.now): Plugin {
  const used = new Map<string, number>()
  return {
    name: 'api-keys',
    codes,
    apply: (options) => ({
      ...options,
      verifiers: [...(options.verifiers ?? []), verifier(apiKey, (key) => customers.get(key))],
    }),
    enforce: () => ({
      admission(request) {
        const customer = request.principal as Customer
        const minute = `${customer.name} ${Math.floor(clock() / 60_000)}`
        const left = customer.perMinute - (used.get(minute) ?? 0)
        if (left <= 0) return problem({ ...codes.failures['quota-exceeded'], headers: { 'Retry-After': '60' } })
        used.set(minute, (used.get(minute) ?? 0) + 1)
        request.add('quota', { left: left - 1 })
        request.state['quota'] = left - 1
      },
      response(response, { state }) {
        if (state['quota'] !== undefined) response.set('X-Quota-Left', String(state['quota']))
      },
    }),
  }
}
