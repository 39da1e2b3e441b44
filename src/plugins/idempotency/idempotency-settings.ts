// The settings of the policy `idempotent`, resolved. Front ends have `idempotency-settings.browser.ts` in its place.
import { form, type Policy, reportFlaws } from '../../extend.ts'

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

/** Resolves a declaration, and stores its mistakes for boot. */
export function resolveIdempotency(declaration: Idempotent): ResolvedIdempotency {
  const { value, flaws } = form.accept<Idempotent>(declaration, FIELDS)
  const { required = false, within, keep } = value
  const check: Policy['check'] = (_, report) => reportFlaws('policies.idempotent', flaws, report)
  return { required, within, keep: form.toMilliseconds(keep), check }
}
