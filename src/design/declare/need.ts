// Needs: values that actions ask for by name, resolved once per request before the action runs.
import { describeValue } from '../../util/describe-value.ts'
import { accept, callable, type Fields, type Flaw, isSettings } from '../../util/setting-form.ts'
import type { Report } from '../mistakes.ts'

/** A request as needs see it: its input has been validated. */
export interface NeedRequest {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly params: unknown
    readonly payload: unknown
    readonly headers: unknown
    readonly env: { readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> }
    readonly id: string
    readonly signal: AbortSignal
  }
  /** The client as the action's security knows it. */
  readonly principal: unknown
}

/** The end of a request that used a need. */
export interface NeedEnd {
  /** The status of the answer, which is not sent yet. */
  readonly status: number
}

/** Options of a need. */
export interface NeedOptions<T> {
  /**
   * Runs before the answer is sent, such as the commit of a transaction; when it fails, the answer is a 500.
   * @default nothing
   */
  readonly done?: (value: T, ended: NeedEnd) => void | Promise<void>
}

/** A value that actions ask for. */
export interface Need<out T = unknown> {
  readonly '~need': T
  readonly resolve: (context: NeedRequest) => unknown
  readonly done: ((value: never, ended: NeedEnd) => unknown) | undefined
}

/** Needs by the names under which the context has their values. */
export type Needs = { readonly [name: string]: Need }

interface WithFlaws {
  readonly '~flaws'?: readonly Flaw[]
}

const NEED_OPTIONS: Fields<NeedOptions<unknown>> = { done: callable }

/** Declares a value that actions ask for with `needs`; it is resolved once for each request. */
export function need<T>(resolve: (context: NeedRequest) => T, options: NeedOptions<Awaited<T>> = {}): Need<Awaited<T>> {
  const { value, flaws } = accept(options, NEED_OPTIONS)
  const wrong = [
    ...callable.check(resolve).map((flaw) => ({ ...flaw, problem: `it is ${describeValue(resolve)}` })),
    ...flaws,
  ]
  return Object.freeze({
    '~need': undefined as never,
    resolve,
    done: value.done as Need['done'],
    ...(wrong.length > 0 && { '~flaws': wrong }),
  })
}

const isNeed = (value: unknown): value is Need & WithFlaws =>
  typeof value === 'object' && value !== null && '~need' in value && 'resolve' in value

/** Members of a context that needs cannot take the names of. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...['request', 'response', 'principal', 'reply', 'definition', 'href', 'state', 'constructor', '__proto__'],
])

/** Settles the needs of an action, or of the defaults: `base` has those that it begins with. */
export function resolveNeeds(given: unknown, base: Needs, report: Report, place = ''): Needs {
  if (given === undefined) return base
  if (!isSettings(given)) {
    report(`${place}needs`, `it is ${describeValue(given)}`, 'give needs by their names: needs: { tenant }')
    return base
  }
  const all: Record<string, Need> = { ...base }
  for (const [name, one] of Object.entries(given)) {
    const setting = `${place}needs.${name}`
    if (!isNeed(one)) report(setting, `it is ${describeValue(one)}, not a need`, 'make it with need(…)')
    else if (RESERVED_NAMES.has(name)) report(setting, 'the context has a member of this name', 'choose another name')
    else {
      for (const { problem, remedy } of one['~flaws'] ?? []) report(setting, problem, remedy)
      all[name] = one
    }
  }
  return all
}
