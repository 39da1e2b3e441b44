// The origins that may read responses: by text, by pattern, or by a function.
import { describeValue, form, type IncomingRequest, isThenable, type Report, compileMatcher } from '../../extend.ts'

/** Decides whether an origin is allowed, by `true`; called for every request with an origin. */
export type OriginCheck = (origin: string, request: IncomingRequest) => boolean | Promise<boolean>

/** Origins as they are declared. */
export type Origins = '*' | OriginCheck | readonly (string | RegExp)[]

/** The forms of origins. */
export const ORIGINS_FORM: form.SettingForm = form.either(
  form.choice('*'),
  form.list(form.either(form.text, form.regexp)),
  form.callable,
)

/** Makes the check of origins; patterns are matched in linear time, because clients choose what they are matched with. */
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

/** Asks whether an origin is allowed: only a plain `true` allows it, and a failed check refuses it with a warning. */
export function decideOrigin(check: OriginCheck, origin: string, request: IncomingRequest): boolean | Promise<boolean> {
  const settle = (answer: unknown): boolean => {
    if (typeof answer !== 'boolean') {
      const message = 'cors.origins gave neither true nor false, so the origin is refused: return a boolean'
      request.warn({ origin, given: describeValue(answer) }, message)
    }
    return answer === true
  }
  const fail = (err: unknown): boolean => {
    request.warn({ origin, err }, 'cors.origins failed, so the origin is refused')
    return false
  }
  try {
    const answer: unknown = check(origin, request)
    return isThenable(answer) ? answer.then(settle, fail) : settle(answer)
  } catch (error) {
    return fail(error)
  }
}

// What browsers send (Fetch, section 3.2): an origin, or `null`. Two lines of the header are none.
const ORIGIN_PATTERN = /^(?:null|[a-z][a-z0-9+.-]*:\/\/[^\s,/?#@]*)$/i

/** Returns whether a header Origin has one origin. */
export const isOrigin = (sent: string | readonly string[]): sent is string =>
  typeof sent === 'string' && ORIGIN_PATTERN.test(sent)

/** Reports origins that no browser sends, and patterns that cannot be matched safely. */
export function checkOrigins(origins: Origins, report: Report): void {
  if (typeof origins === 'function' || origins === '*') return
  const place = 'cors.origins'
  if (origins.length === 0) report(place, 'it names no origin', "name one, such as 'https://shop.example'")
  for (const one of origins) {
    if (typeof one === 'string') checkOriginText(one, place, report)
    else if (tryCompile(one) === undefined)
      report(place, `the pattern ${one} cannot be matched in linear time`, 'remove back-references and lookarounds')
  }
}

function checkOriginText(origin: string, place: string, report: Report): void {
  if (parseOrigin(origin) === origin && !origin.includes('*')) return
  const remedy = origin.includes('*')
    ? "give origins: '*' for all, or a pattern such as /^https:\\/\\/[a-z]+\\.shop\\.example$/"
    : 'write scheme, host and port only, as browsers do: https://shop.example'
  report(place, `${describeValue(origin)} is not an origin`, remedy)
}

function parseOrigin(text: string): string | undefined {
  try {
    return new URL(text).origin
  } catch {
    return undefined
  }
}
