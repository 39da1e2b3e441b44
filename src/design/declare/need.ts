// Needs: values that actions request by name, resolved once per request before the action runs.
import { describeValue } from '../../util/describe-value.ts'
import { accept, callable, type Fields, type Flaw, isSettings } from '../../util/setting-form.ts'
import type { Report } from '../mistakes.ts'

/** A request as needs see it: its input is validated. */
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
  /** The principal that the action's security determined. */
  readonly principal: unknown
}

/** The end of a request that used a need. */
export interface NeedEnd {
  /** The status of the response, which is not sent yet. */
  readonly status: number
}

/** The options of a need. */
export interface NeedOptions<T> {
  /**
   * Runs before the response is sent, for example to commit a transaction; if it fails, the response is a 500.
   * @default nothing
   */
  readonly done?: (value: T, ended: NeedEnd) => void | Promise<void>
}

/** A value that actions request. */
export interface Need<out T = unknown> {
  readonly '~need': T
  readonly resolve: (context: NeedRequest) => unknown
  readonly done: ((value: never, ended: NeedEnd) => unknown) | undefined
}

/** Needs by the names of their values in the context. */
export type Needs = { readonly [name: string]: Need }

interface WithFlaws {
  readonly '~flaws'?: readonly Flaw[]
}

const NEED_OPTIONS: Fields<NeedOptions<unknown>> = { done: callable }

/** Declares a value that actions request with `needs`; it is resolved once for each request. */
export function need<T>(resolve: (context: NeedRequest) => T, options: NeedOptions<Awaited<T>> = {}): Need<Awaited<T>> {
  const { value, flaws } = accept(options, NEED_OPTIONS)
  const allFlaws = [
    ...callable.check(resolve).map((flaw) => ({ ...flaw, problem: `it is ${describeValue(resolve)}` })),
    ...flaws,
  ]
  return Object.freeze({
    '~need': undefined as never,
    resolve,
    done: value.done as Need['done'],
    ...(allFlaws.length > 0 && { '~flaws': allFlaws }),
  })
}

const isNeed = (value: unknown): value is Need & WithFlaws =>
  typeof value === 'object' && value !== null && '~need' in value && 'resolve' in value

/** Members of the context, whose names needs cannot use. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...['request', 'response', 'principal', 'reply', 'definition', 'href', 'state', 'constructor', '__proto__'],
])

/** Resolves the needs of an action or of the defaults; `base` contains the inherited ones. */
export function resolveNeeds(needs: unknown, base: Needs, report: Report, prefix = ''): Needs {
  if (needs === undefined) return base
  if (!isSettings(needs)) {
    report(`${prefix}needs`, `it is ${describeValue(needs)}`, 'give needs by their names: needs: { tenant }')
    return base
  }
  const all: Record<string, Need> = { ...base }
  for (const [name, one] of Object.entries(needs)) {
    const setting = `${prefix}needs.${name}`
    if (!isNeed(one)) report(setting, `it is ${describeValue(one)}, not a need`, 'make it with need(…)')
    else if (RESERVED_NAMES.has(name)) report(setting, 'the context has a member of this name', 'choose another name')
    else {
      for (const { problem, remedy } of one['~flaws'] ?? []) report(setting, problem, remedy)
      all[name] = one
    }
  }
  return all
}
