// Keeps secrets out of logs: the declarations decide which parts of URLs and headers are shown.
import { attributeRules } from '../design/attribute-rules.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../design/resolve/resolved.ts'
import { decodeText } from '../path/decode-text.ts'
import { decodePath, encodeLiteral } from '../path/index.ts'
import type { RouteMatch } from '../routing/router/router.ts'
import { VERSION_PARAM } from '../routing/version.ts'
import type { Attribute } from '../schema/attribute.ts'
import { getChildAttribute, hasAttributeWhere } from '../schema/children.ts'
import { memoize } from '../util/memoize.ts'

/** The text in logs that replaces a value that is a secret, or may be one. */
export const REDACTED = '[redacted]'

/** The action that serves a request, and the captures of its route. */
export interface MatchedAction {
  readonly action: ResolvedAction
  readonly found: RouteMatch<unknown>
}

const CREDENTIALS: readonly string[] = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie']

/** Decides which values logs show; it reads the declarations on first use. */
export class Redaction {
  readonly #endpoints: readonly ResolvedEndpoint[]
  readonly #basePath: string
  #headers: ReadonlySet<string> | undefined
  #literals: ReadonlySet<string> | null | undefined

  constructor(endpoints: readonly ResolvedEndpoint[], basePath: string) {
    this.#endpoints = endpoints
    this.#basePath = basePath
  }

  /**
   * Returns whether the values of a header are secrets in any action, of requests or of responses; by its lower-case
   * name.
   */
  isHidden(lower: string): boolean {
    this.#headers ??= new Set(
      [...CREDENTIALS, ...this.#listActions().flatMap(listSecretHeaders)].map((name) => name.toLowerCase()),
    )
    return this.#headers.has(lower)
  }

  /** Returns the value of a response header, several joined by commas; a placeholder if it is secret. */
  redactHeader(name: string, headers: readonly string[]): string | undefined {
    const lower = name.toLowerCase()
    const values = headers.filter((_, i) => i % 2 === 1 && headers[i - 1]?.toLowerCase() === lower)
    if (values.length === 0) return undefined
    return this.isHidden(lower) ? REDACTED : values.join(', ')
  }

  /**
   * Returns a path and query without secrets. Of a query, only the values of params that the action declares are shown.
   */
  redactUrl(url: string, served: MatchedAction | undefined): string {
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const shown = served === undefined ? this.#redactUnknownPath(path) : this.#redactPath(path, served)
    if (mark < 0) return shown
    return `${shown}?${served === undefined ? REDACTED : redactQuery(url.slice(mark + 1), served.action)}`
  }

  #redactPath(path: string, { action, found }: MatchedAction): string {
    return hasSecretCapture(action) ? withoutCaptures(path, action, found) : path
  }

  /**
   * Redacts the path of a request that no route serves: if routes capture secrets, only literal segments of routes are
   * shown.
   */
  #redactUnknownPath(path: string): string {
    if (this.#literals === undefined)
      this.#literals = this.#listActions().some(hasSecretCapture)
        ? listLiterals(this.#listActions(), this.#basePath)
        : null
    const literals = this.#literals
    if (literals === null) return path
    return path
      .split('/')
      .map((segment) => (literals.has(segment) ? segment : REDACTED))
      .join('/')
  }

  #listActions(): ResolvedAction[] {
    return this.#endpoints.flatMap(({ actions }) => [...actions.values()])
  }
}

/**
 * Returns whether values of an attribute contain secrets; those of a param that names fields may contain values of
 * these fields.
 */
export const hasSecrets: (attribute: Attribute) => boolean = memoize((attribute) =>
  hasAttributeWhere(attribute, (one) => {
    const used = attributeRules.getFieldsUse(one)
    return one.options.secret === true || (used !== undefined && hasSecrets(used.of))
  }),
)

/** Returns whether a value of an attribute is a secret as a whole. */
export const isSecret = ({ options, core }: Attribute): boolean =>
  options.secret === true || core.target?.options.secret === true

function listSecretHeaders({ headers, policies, responses }: ResolvedAction): string[] {
  const sent = Object.entries(headers).flatMap(([name, attribute]) => (hasSecrets(attribute) ? [name] : []))
  const read = [...policies.values()].flatMap(({ secretHeaders = [] }) => secretHeaders)
  const responded = [...responses.values()].flatMap(({ headers: declared }) =>
    declared.flatMap(([name, rule]) => (typeof rule === 'object' && 'core' in rule && hasSecrets(rule) ? [name] : [])),
  )
  return [...sent, ...read, ...responded]
}

const isSecretName = ({ params }: ResolvedAction, name: string): boolean =>
  Object.hasOwn(params, name) && hasSecrets(params[name] as Attribute)

const listCapturedNames = ({ names, wildcards }: RouteMatch<unknown>['pattern']): readonly string[] =>
  wildcards === 0 ? names : [...names, ...Array.from({ length: wildcards }, () => 'splat')]

const hasSecretCapture = memoize((action: ResolvedAction) =>
  action.routes.some(({ pattern }) => listCapturedNames(pattern).some((name) => isSecretName(action, name))),
)

/** Replaces the secret captures in a path; returns the route's pattern if they cannot be located in it. */
function withoutCaptures(
  path: string,
  action: ResolvedAction,
  { pattern, text, offsets }: RouteMatch<unknown>,
): string {
  const spans = listCapturedNames(pattern)
    .flatMap((name, i) => {
      const [from = -1, to = -1] = [offsets[2 * i], offsets[2 * i + 1]]
      return from >= 0 && isSecretName(action, name) ? [[from, to] as const] : []
    })
    .sort(([a], [b]) => a - b)
  const [first] = spans
  if (first === undefined) return path
  const decoded = decodePath(path).text
  // A version in the path is not part of the text that the route matched.
  if (!decoded.endsWith(text.slice(first[0]))) return pattern.source
  const shift = decoded.length - text.length
  let shown = ''
  let at = 0
  for (const [from, to] of spans) {
    shown += encodeText(decoded.slice(at, from + shift)) + REDACTED
    at = Math.max(at, to + shift)
  }
  return shown + encodeText(decoded.slice(at))
}

const encodeText = (text: string): string =>
  Array.from(text, (char) => encodeLiteral(char.codePointAt(0) as number)).join('')

function listLiterals(actions: readonly ResolvedAction[], basePath: string): ReadonlySet<string> {
  const paths = actions.flatMap(({ routes, endpoint: { version } }) => [
    ...routes.map(({ path }) => path),
    ...(version === undefined ? [] : [`/v${encodeURIComponent(version)}`]),
  ])
  return new Set([
    '',
    ...[basePath, ...paths].flatMap((path) => path.split('/')).filter((segment) => /^[\w.~-]+$/.test(segment)),
  ])
}

// An undeclared param may contain a secret, and so may its name.
function redactQuery(query: string, action: ResolvedAction): string {
  return query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=')
      const name = equals < 0 ? pair : pair.slice(0, equals)
      const shown = getPairVisibility(decodeText(name), action)
      if (shown === 'all' || pair === '') return pair
      return shown === 'name' ? `${name}=${REDACTED}` : REDACTED
    })
    .join('&')
}

/** Returns how much of a pair may be shown: all of it, only its name, or nothing. */
function getPairVisibility(name: string | undefined, { params, policies }: ResolvedAction): 'all' | 'name' | 'nothing' {
  if (name === undefined) return 'nothing'
  if (name === VERSION_PARAM) return 'all'
  const [first = '', ...steps] = name.split('[')
  if ([...policies.values()].some(({ reads = [] }) => reads.includes(first))) return name === first ? 'name' : 'nothing'
  let attribute = Object.hasOwn(params, first) ? params[first] : undefined
  for (const step of steps) {
    if (attribute === undefined || isSecret(attribute)) return 'nothing'
    attribute = getChildAttribute(attribute, step.replace(/\]$/, ''))
  }
  if (attribute === undefined) return 'nothing'
  if (!hasSecrets(attribute)) return 'all'
  return steps.length === 0 ? 'name' : 'nothing'
}
