// The options of `checkApplication` and their validation.
import type { Application } from '../../application.ts'
import {
  custom,
  either,
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

/** The credentials of several clients by name, or a function that gets them from an application, such as by signing up. */
export type Clients =
  | Readonly<Record<string, Credentials>>
  | ((app: Application) => Readonly<Record<string, Credentials>> | Promise<Readonly<Record<string, Credentials>>>)

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
   * The number of requests after which no further case begins; when it is set, `runs` has no default.
   * @default no limit
   */
  readonly requests?: number
  /**
   * The headers of the only client.
   * @default none
   */
  readonly principal?: Credentials
  /**
   * The headers of several clients, keyed by name, or a function that gets them from the application, such as by signing up; the
   * elements of one must not appear in responses to another.
   * @default none
   */
  readonly principals?: Clients
  /**
   * The headers that the application must refuse, such as expired and revoked credentials, keyed by a description of them.
   * @default none
   */
  readonly refused?: Clients
  /**
   * Returns the number of database statements that were sent so far.
   * @default the statements of the resources that `mapper` has
   */
  readonly statements?: () => number
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
const functionForm = custom('a function', (value) => typeof value === 'function')
const clientsForm = either(record(credentialsForm), functionForm)

const CHECK_OPTION_FIELDS: Fields<CheckOptions> = {
  seed: integerFrom(0),
  runs: integerFrom(1),
  time: integerFrom(1),
  principal: credentialsForm,
  requests: integerFrom(1),
  principals: clientsForm,
  refused: clientsForm,
  statements: functionForm,
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
  readonly requests: number
  readonly statements: (() => number) | undefined
  readonly known: Readonly<Record<string, readonly unknown[]>>
  readonly faults: number
  /** Returns whether a law is tried on an action. */
  isEnabled(law: string, action: string): boolean
  /** Gets the clients of an application. */
  findClients(app: Pick<Application, 'fetch'>): Promise<TestClients>
}

/** The clients that a check knows. */
export interface TestClients {
  readonly principals: ReadonlyMap<string | undefined, Credentials>
  /** The credentials that must be refused, keyed by a description. */
  readonly refused: ReadonlyMap<string, Credentials>
}

/** Validates the options and applies the defaults; throws a TypeError for invalid options. */
export function resolveCheckOptions(settings: CheckOptions): ResolvedCheckOptions {
  const options = validateSettings('checkApplication', settings, CHECK_OPTION_FIELDS)
  const { seed = 1, time = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY } = options
  const { principal, known = {}, faults = 5, except = [], only } = options
  const own = principal === undefined ? [] : [['principal', principal] as const]
  const isLimited = options.time !== undefined || options.requests !== undefined
  const isNamed = (names: readonly string[], law: string, action: string): boolean =>
    names.includes(law) || names.includes(action) || names.includes(`${action} ${law}`)
  return {
    seed,
    runs: options.runs ?? (isLimited ? Number.POSITIVE_INFINITY : 10),
    time,
    requests,
    statements: options.statements,
    known,
    faults,
    isEnabled: (law, action) => !isNamed(except, law, action) && (only === undefined || isNamed(only, law, action)),
    async findClients(app) {
      const named = [...own, ...(await listClients('principals', options.principals, app))]
      return {
        principals: new Map<string | undefined, Credentials>(named.length === 0 ? [[undefined, {}]] : named),
        refused: new Map(await listClients('refused', options.refused, app)),
      }
    },
  }
}

async function listClients(
  option: string,
  clients: Clients = {},
  app: Pick<Application, 'fetch'>,
): Promise<(readonly [string, Credentials])[]> {
  if (typeof clients !== 'function') return Object.entries(clients)
  const found = await clients(app as Application)
  if (record(credentialsForm).check(found).length > 0)
    throw new TypeError(
      `checkApplication: the function '${option}' returns ${JSON.stringify(found)}; it has to return headers keyed by the names of clients, such as { ada: { Authorization: 'Bearer …' } }`,
    )
  return Object.entries(found)
}
