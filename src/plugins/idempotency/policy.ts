// The policy `idempotent`: declares that requests of an action can be repeated, and for how long.
import { getRetryDelay, type Policy, type PolicyResponse, policy } from '../../extend.ts'
import { t } from '../../index.ts'
import { codes } from './codes.ts'
import { type IdempotencySettings, type Idempotent, resolveIdempotency } from './idempotency-settings.ts'

/** The header of the key. */
export const KEY_HEADER = 'Idempotency-Key'

const RESPONSES: readonly PolicyResponse[] = [
  { ...codes.failures['idempotency-key-in-use'], headers: ['Retry-After'] },
  codes.failures['idempotency-key-reused'],
  codes.failures['idempotency-response-not-recorded'],
  { status: 503, code: 'unavailable', title: 'The server is currently unavailable', headers: ['Retry-After'] },
]

/**
 * Allows clients to repeat a request without a second effect: the first response is recorded under its key. The plugin
 * `idempotency` enforces it, and the client sends keys automatically.
 */
export function idempotent(declaration: Idempotent): Policy {
  const { required, within, keep, ...checked } = resolveIdempotency(declaration)
  const description = 'A text that is new for each request, and the same when a request is sent again.'
  return policy({
    name: 'idempotency',
    plugin: 'idempotency',
    // Requests that differ only in a secret are different.
    readsSecrets: true,
    remedy: "add idempotency(store) of edict/idempotency to the application's plugins",
    settings: { keep, within } satisfies IdempotencySettings,
    headers: { [KEY_HEADER]: t.string({ required, min: 1, max: 255, description }) },
    responses: RESPONSES,
    ...checked,
    document: () => ({ 'x-idempotency': { keep: Math.floor(keep / 1000), required } }),
    terms: { keep: { gives: Math.floor(keep / 1000) } },
    portable: { from: 'edict/idempotency', name: 'keyedCalls' },
    ...keyedCalls,
  })
}

/** The maximum number of attempts of the client. */
const MAX_ATTEMPTS = 5

/** The part of clients: they send a key with each call, and repeat calls with it. */
export const keyedCalls: Pick<Policy, 'client' | 'retry'> = {
  client: () => ({ [KEY_HEADER]: crypto.randomUUID() }),
  retry: (attempt) => getRetryDelay(attempt, MAX_ATTEMPTS),
}
