// The options of an application and the settings that follow from them.
import type { Contract, Terms } from '../contract/contract.ts'
import type { AnyController } from '../design/controller.ts'
import type { Report } from '../design/mistakes.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../design/resolved.ts'
import type { ParamNote } from '../openapi/parameters.ts'
import type { OpenapiDocument } from '../openapi/types.ts'
import type { VersionCarrier } from '../routing/version.ts'
import type { Loading } from '../schema/loading.ts'
import type { Logger } from './logger.ts'
import type { ProblemEncoder } from './problem.ts'
import type { Environment, ResponseChecks } from './services.ts'
import type { Verifier } from './verifier.ts'

/** Limits on what a request may bring. */
export interface Limits {
  /** The largest body in bytes, after decompression; 1 MiB. An action may set its own. */
  readonly body?: number
  /** The most pairs in a query string or form; 200. */
  readonly queryPairs?: number
  /** The deepest nesting of brackets in a query string or form; 8. */
  readonly queryDepth?: number
}

/** What an application is made of. */
export interface ApplicationOptions {
  readonly title?: string
  readonly description?: string
  /** Comes before every path of the API. */
  readonly basePath?: string
  readonly controllers: readonly AnyController[]
  readonly plugins?: readonly Plugin[]
  /** Settings of plugins by their names; they override what the plugins were registered with. */
  readonly config?: Readonly<Record<string, unknown>>
  /** How requests may carry a version; all three ways unless narrowed. */
  readonly versionWith?: readonly VersionCarrier[]
  /** What verifies the credentials of the schemes that actions name. */
  readonly security?: readonly Verifier[]
  /** The status of a request that does not match its declaration. */
  readonly validation?: { readonly status?: 400 | 422 }
  /** Names of query parameters to ignore instead of refusing; `*` stands for any run of characters. */
  readonly ignore?: readonly string[]
  readonly limits?: Limits
  /** Replaces the encoding of every failure. */
  readonly problems?: ProblemEncoder
  /** How much of a response body is checked; by default everything, in production one body in a hundred. */
  readonly validateResponses?: ResponseChecks
  /** Milliseconds until an unanswered request is answered with 503; 30,000, and 0 for never. */
  readonly deadline?: number
  /** Receives errors, and requests when `logRequests` is set; pino fits as it is. */
  readonly logger?: Logger
  readonly logRequests?: boolean
  /** The header of request ids, and whether a client's own id is taken over; `X-Request-Id`, and yes. */
  readonly requestId?: { readonly header?: string; readonly trust?: boolean }
  /** Where the application runs; by default what NODE_ENV says. */
  readonly environment?: Environment
}

/** Checks and completes loaded params; what is wrong is reported to `loading`. */
export type ParamsCheck = (params: Record<string, unknown>, loading: Loading) => void

/** What the declarations of a finished application say about it. */
export interface Described {
  readonly title: string
  readonly description: string | undefined
  readonly basePath: string
  readonly endpoints: readonly ResolvedEndpoint[]
  /** The versions that there are documents of; undefined stands for the endpoints without a version. */
  readonly versions: readonly (string | undefined)[]
  /** Describes one version of the API, or its endpoints without a version, as OpenAPI 3.1. */
  openapi(version?: string): OpenapiDocument
  /** Describes all that clients may rely on, in every version, as data that can be compared. */
  contract(): Contract
}

/** A named change of an application's options. */
export interface Plugin {
  readonly name: string
  /** Further names that the plugin answers to when a declaration needs them. */
  readonly provides?: readonly string[]
  /** Names of plugins that must stand before this one. */
  readonly after?: readonly string[]
  /**
   * Gives the options that the application boots with; called in the order of registration. What the plugin adds may ask
   * for the `finished` application once there is one: when it serves.
   */
  apply?(options: ApplicationOptions, finished: () => Described): ApplicationOptions
  /** Reports mistakes in the plugin's own options; called once. */
  checkOptions?(report: Report, options: ApplicationOptions): void
  /** Reports definition mistakes that only the plugin can see; called for each endpoint. */
  check?(endpoint: ResolvedEndpoint, report: Report, options: ApplicationOptions): void
  /** What documents should say of an action's params because of the plugin's settings, by their names. */
  notes?(action: ResolvedAction, options: ApplicationOptions): Readonly<Record<string, ParamNote>>
  /** Makes a further check of an action's params, run when they have been loaded; it may also complete them. */
  params?(action: ResolvedAction, options: ApplicationOptions): ParamsCheck | undefined
  /** Tells what the plugin settles about an action's params, by their names: it becomes part of the contract. */
  contract?(action: ResolvedAction, options: ApplicationOptions): Readonly<Record<string, Terms>>
}

/** What runtimes may have. */
interface Runtime {
  readonly process?: { readonly env?: Record<string, string | undefined> }
  readonly navigator?: { readonly userAgent?: string }
}

/** The environment that NODE_ENV names; unset it is development, and a runtime without any counts as production. */
export function environmentOf(): Environment {
  const { process, navigator } = globalThis as Runtime
  // Workers have a process for the sake of others, in which nobody names an environment.
  const onWorkers = navigator?.userAgent === 'Cloudflare-Workers'
  const named = process?.env === undefined ? 'production' : (variableOf(process.env) ?? (onWorkers ? 'production' : ''))
  if (named === '' || named === 'development') return 'development'
  // Names of others, such as staging, and slips of the pen must not tell clients more than production does.
  return named === 'test' ? 'test' : 'production'
}

function variableOf(env: Record<string, string | undefined>): string | undefined {
  try {
    return env['NODE_ENV']
  } catch {
    // Deno refuses where the process may not read its environment.
    return 'production'
  }
}

/** Makes the test for names that match one of some patterns, in which `*` stands for any run of characters. */
export function nameMatcher(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const parts = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'))
  return (name) => exact.has(name) || parts.some((pieces) => matches(name, pieces))
}

function matches(name: string, pieces: readonly string[]): boolean {
  const first = pieces[0] as string
  const last = pieces.at(-1) as string
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false
  let from = first.length
  for (const piece of pieces.slice(1, -1)) {
    const at = name.indexOf(piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return from <= name.length - last.length
}
