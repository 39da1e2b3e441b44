// Options of `checkApplication`, and the forms that they have.
import { type Fields, list, name, record, validateSettings, custom, text, integerFrom } from '../../util/setting-form.ts'

/** The credentials of a client as headers: `{ Authorization: 'Bearer …' }`. */
export type Credentials = Readonly<Record<string, string>>

/** Options of `checkApplication`. */
export interface CheckOptions {
  /**
   * The choice of requests: the same seed makes the same ones.
   * @default 1
   */
  readonly seed?: number
  /**
   * How many rounds there are: in each, every action is tried by every law that is about it.
   * @default 10
   */
  readonly runs?: number
  /**
   * Milliseconds after which no further round begins; with it, `runs` has no default.
   * @default no limit
   */
  readonly time?: number
  /**
   * The headers of the only client.
   * @default none
   */
  readonly principal?: Credentials
  /**
   * The headers of several clients by their names; elements of one must not appear in the responses to another.
   * @default none
   */
  readonly principals?: Readonly<Record<string, Credentials>>
  /**
   * Values of params that exist, such as ids, by the names of the params, where lists do not show them.
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
   * The number of faults after which the check ends.
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

/** Options with everything settled. */
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

/** Settles the options; throws a TypeError for those that are none. */
export function resolveCheckOptions(given: CheckOptions): ResolvedCheckOptions {
  const options = validateSettings('checkApplication', given, CHECK_OPTION_FIELDS)
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
