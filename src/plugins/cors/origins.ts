// The origins that may read responses: by text, by pattern, or by a function.
import { described, form, type IncomingRequest, type Report, searchMatcher } from '../../extend.ts'

/** Decides whether an origin is allowed; called for every request with an origin. */
export type OriginCheck = (origin: string, request: IncomingRequest) => boolean | Promise<boolean>

/** Origins as they are declared. */
export type Origins = '*' | OriginCheck | readonly (string | RegExp)[]

/** The forms of origins. */
export const ORIGINS: form.Form = form.either(
  form.choice('*'),
  form.list(form.either(form.text, form.regexp)),
  form.callable,
)

/** Makes the check of origins; patterns are matched in linear time, because clients choose what they are matched with. */
export function originCheck(origins: Origins): OriginCheck {
  if (typeof origins === 'function') return origins
  if (origins === '*') return () => true
  const texts = new Set(origins.filter((one) => typeof one === 'string'))
  const patterns = origins.flatMap((one) => (typeof one === 'string' ? [] : (matcherOf(one) ?? [])))
  return (origin) => texts.has(origin) || patterns.some((pattern) => pattern.test(origin))
}

// Boot reports patterns that cannot be matched in linear time.
function matcherOf(pattern: RegExp): ReturnType<typeof searchMatcher> | undefined {
  try {
    return searchMatcher(pattern)
  } catch {
    return undefined
  }
}

/** Reports origins that no browser sends, and patterns that let in more than they seem to. */
export function checkOrigins(origins: Origins, report: Report): void {
  if (typeof origins === 'function' || origins === '*') return
  const place = 'cors.origins'
  if (origins.length === 0) report(place, 'it names no origin', "name one, such as 'https://shop.example'")
  for (const one of origins) {
    if (typeof one === 'string') checkText(one, place, report)
    else if (matcherOf(one) === undefined)
      report(place, `the pattern ${one} cannot be matched in linear time`, 'remove back-references and lookarounds')
    else if (!one.source.startsWith('^') || !one.source.endsWith('$'))
      report(place, `the pattern ${one} may match a part of an origin`, 'begin it with ^ and end it with $')
  }
}

function checkText(origin: string, place: string, report: Report): void {
  if (originOf(origin) === origin && !origin.includes('*')) return
  const remedy = origin.includes('*')
    ? "give origins: '*' for all, or a pattern such as /^https:\\/\\/[a-z]+\\.shop\\.example$/"
    : 'write scheme, host and port only, as browsers do: https://shop.example'
  report(place, `${described(origin)} is not an origin`, remedy)
}

function originOf(text: string): string | undefined {
  try {
    return new URL(text).origin
  } catch {
    return undefined
  }
}
