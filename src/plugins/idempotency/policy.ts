// The policy `idempotent`: declares that requests of an action can be repeated, and for how long.
import { form, getRetryDelay, type Late, type Policy, type PolicyResponse, policy, reportFlaws } from '../../extend.ts'
import { t } from '../../index.ts'
import { codes } from './codes.ts'

/** The settings of an idempotent action. */
export interface Idempotent {
  /** The time for which a key and its response are stored, such as `'24h'` or `'7d'`. */
  readonly keep: form.Duration
  /**
   * Whether requests without a key are rejected.
   * @default `false`
   */
  readonly required?: boolean
  /**
   * The name of a need of the action that is a transaction. Key and response are written in it, together with the
   * effect.
   * @default none
   */
  readonly within?: string
}

const FIELDS: form.Fields<Idempotent> = {
  keep: form.required(form.duration(1000)),
  required: form.flag,
  within: form.name,
}

/** The settings that the plugin needs. */
export interface IdempotencySettings {
  readonly keep: number
  readonly within: string | undefined
}

/** The resolved settings of a declaration, and its check. */
interface ResolvedIdempotency extends IdempotencySettings, Pick<Policy, 'check'> {
  readonly required: boolean
}

/** Resolves a declaration on servers; clients only need to know whether a key is required. */
export const idempotencyResolver: Late<(declaration: Idempotent) => ResolvedIdempotency> = {}

/** Resolves a declaration, and stores its mistakes for boot. */
export function resolveIdempotency(declaration: Idempotent): ResolvedIdempotency {
  const { value, flaws } = form.accept<Idempotent>(declaration, FIELDS)
  const { required = false, within, keep } = value
  const check: Policy['check'] = (_, report) => reportFlaws('policies.idempotent', flaws, report)
  return { required, within, keep: form.toMilliseconds(keep), check }
}

/** The header of the key. */
export const KEY_HEADER = 'Idempotency-Key'

const RESPONSES: readonly PolicyResponse[] = [
  { ...codes.failures['idempotency-key-in-use'], headers: ['Retry-After'] },
  codes.failures['idempotency-key-reused'],
  codes.failures['idempotency-answer-not-kept'],
  { status: 503, code: 'unavailable', title: 'The server is currently unavailable', headers: ['Retry-After'] },
]

/**
 * Allows clients to repeat a request without a second effect: the first response is recorded under its key. The plugin
 * `idempotency` enforces it, and the client sends keys automatically.
 */
export function idempotent(declaration: Idempotent): Policy {
  const resolved = idempotencyResolver.value?.(declaration) ?? {
    required: declaration.required === true,
    within: undefined,
    keep: 0,
  }
  const { required, within, keep, ...checked } = resolved
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
    client: () => ({ [KEY_HEADER]: crypto.randomUUID() }),
    retry: (attempt) => getRetryDelay(attempt, MAX_ATTEMPTS),
  })
}

/** The maximum number of attempts of the client. */
const MAX_ATTEMPTS = 5
