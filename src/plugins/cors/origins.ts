// The origins that may read responses: strings, patterns, or a function.
import { compileMatcher, describeValue, form, type IncomingRequest, isThenable, type Report } from '../../extend.ts'

/** Returns whether an origin is allowed. Called for every request with an origin. */
export type OriginCheck = (origin: string, request: IncomingRequest) => boolean | Promise<boolean>

/** The allowed origins: all, a function, or a list of strings and patterns. */
export type Origins = '*' | OriginCheck | readonly (string | RegExp)[]

/** The form of the option `origins`. */
export const ORIGINS_FORM: form.SettingForm = form.either(
  form.choice('*'),
  form.list(form.either(form.text, form.regexp)),
  form.callable,
)

/** Creates the check of origins. Patterns are matched in linear time, because clients choose the input. */
export function createOriginCheck(origins: Origins): OriginCheck {
  if (typeof origins === 'function') return origins
  if (origins === '*') return () => true
  const texts = new Set(origins.filter((one) => typeof one === 'string'))
  const patterns = origins.flatMap((one) => (typeof one === 'string' ? [] : (tryCompile(one) ?? [])))
  return (origin) => texts.has(origin) || patterns.some((pattern) => pattern.test(origin))
}

// Boot reports patterns that cannot be matched in linear time.
function tryCompile(pattern: RegExp): ReturnType<typeof compileMatcher> | undefined {
  try {
    return compileMatcher(pattern)
  } catch {
    return undefined
  }
}

/** Calls the check of an origin. Only `true` allows it; a failed check rejects it with a warning. */
export function decideOrigin(check: OriginCheck, origin: string, request: IncomingRequest): boolean | Promise<boolean> {
  const toDecision = (result: unknown): boolean => {
    if (typeof result !== 'boolean') {
      const message = 'cors.origins gave neither true nor false, so the origin is refused: return a boolean'
      request.warn({ origin, given: describeValue(result) }, message)
    }
    return result === true
  }
  const fail = (err: unknown): boolean => {
    request.warn({ origin, err }, 'cors.origins failed, so the origin is refused')
    return false
  }
  try {
    const result: unknown = check(origin, request)
    return isThenable(result) ? result.then(toDecision, fail) : toDecision(result)
  } catch (error) {
    return fail(error)
  }
}

// Browsers send one origin or `null` (Fetch, section 3.2). Repeated headers are invalid.
const ORIGIN_PATTERN = /^(?:null|[a-z][a-z0-9+.-]*:\/\/[^\s,/?#@\\]*)$/i

/** Returns whether an `Origin` header has exactly one origin. */
export const isOrigin = (sent: string | readonly string[]): sent is string =>
  typeof sent === 'string' && ORIGIN_PATTERN.test(sent)

/** Reports origins that browsers never send, and patterns that cannot be matched safely. */
export function checkOrigins(origins: Origins, report: Report): void {
  if (typeof origins === 'function' || origins === '*') return
  const path = 'cors.origins'
  if (origins.length === 0) report(path, 'it names no origin', "name one, such as 'https://shop.example'")
  for (const one of origins) {
    if (typeof one === 'string') checkOriginText(one, path, report)
    else if (tryCompile(one) === undefined)
      report(path, `the pattern ${one} cannot be matched in linear time`, 'remove back-references and lookarounds')
  }
}

function checkOriginText(origin: string, path: string, report: Report): void {
  if (parseOrigin(origin) === origin && !origin.includes('*')) return
  const remedy = origin.includes('*')
    ? "give origins: '*' for all, or a pattern such as /^https:\\/\\/[a-z]+\\.shop\\.example$/"
    : 'write scheme, host and port only, as browsers do: https://shop.example'
  report(path, `${describeValue(origin)} is not an origin`, remedy)
}

function parseOrigin(text: string): string | undefined {
  try {
    return new URL(text).origin
  } catch {
    return undefined
  }
}
