// The options of `checkApplication` and their validation.
import {
  custom,
  type Fields,
  integerFrom,
  list,
  name,
  record,
  text,
  validateSettings,
} from '../../util/setting-form.ts'

/** The credentials of a client as headers: `{ Authorization: 'Bearer …' }`. */
export type Credentials = Readonly<Record<string, string>>

/** The options of `checkApplication`. */
export interface CheckOptions {
  /**
   * The seed of the random choices: the same seed draws the same requests.
   * @default 1
   */
  readonly seed?: number
  /**
   * The number of rounds; each round tries every law on every action that it applies to.
   * @default 10
   */
  readonly runs?: number
  /**
   * The time in milliseconds after which no further round begins; when it is set, `runs` has no default.
   * @default no limit
   */
  readonly time?: number
  /**
   * The headers of the only client.
   * @default none
   */
  readonly principal?: Credentials
  /**
   * The headers of several clients, keyed by name; the elements of one must not appear in responses to another.
   * @default none
   */
  readonly principals?: Readonly<Record<string, Credentials>>
  /**
   * Existing values of params, such as ids, keyed by the name of the param, for elements that lists do not show.
   * @default none
   */
  readonly known?: Readonly<Record<string, readonly unknown[]>>
  /**
   * The checks to leave out: laws (`'orders'`), actions (`'Books.index'`), or a law of an action (`'Books.index orders'`).
   * @default none
   */
  readonly except?: readonly string[]
  /**
   * The only checks to run, written as in `except`.
   * @default everything
   */
  readonly only?: readonly string[]
  /**
   * The number of faults after which the check stops.
   * @default 5
   */
  readonly faults?: number
}

const credentialsForm = record(text)

const CHECK_OPTION_FIELDS: Fields<CheckOptions> = {
  seed: integerFrom(0),
  runs: integerFrom(1),
  time: integerFrom(1),
  principal: credentialsForm,
  principals: record(credentialsForm),
  known: record(custom('a list of values', Array.isArray)),
  except: list(name),
  only: list(name),
  faults: integerFrom(1),
}

/** The options with defaults applied. */
export interface ResolvedCheckOptions {
  readonly seed: number
  readonly runs: number
  readonly time: number
  readonly principals: ReadonlyMap<string | undefined, Credentials>
  readonly known: Readonly<Record<string, readonly unknown[]>>
  readonly faults: number
  /** Returns whether a law is tried on an action. */
  isEnabled(law: string, action: string): boolean
}

/** Validates the options and applies the defaults; throws a TypeError for invalid options. */
export function resolveCheckOptions(settings: CheckOptions): ResolvedCheckOptions {
  const options = validateSettings('checkApplication', settings, CHECK_OPTION_FIELDS)
  const { seed = 1, time = Number.POSITIVE_INFINITY, principal, principals = {}, known = {}, faults = 5 } = options
  const { except = [], only } = options
  const own = principal === undefined ? [] : [['principal', principal] as const]
  const named = [...own, ...Object.entries(principals)]
  const isNamed = (names: readonly string[], law: string, action: string): boolean =>
    names.includes(law) || names.includes(action) || names.includes(`${action} ${law}`)
  return {
    seed,
    runs: options.runs ?? (options.time === undefined ? 10 : Number.POSITIVE_INFINITY),
    time,
    principals: new Map<string | undefined, Credentials>(named.length === 0 ? [[undefined, {}]] : named),
    known,
    faults,
    isEnabled: (law, action) => !isNamed(except, law, action) && (only === undefined || isNamed(only, law, action)),
  }
}
