// Deprecated actions: a policy that needs no plugin, whose headers are known at boot.
import { type Deprecation, deprecationText } from '../../schema/options.ts'
import { instead as nearestOf } from '../../util/nearest.ts'
import { uriText } from '../../util/uri.ts'
import { type Policies, policy } from '../declare/policy.ts'
import type { Report } from './mistakes.ts'

/** The deprecation of an action; what takes its place must be there. */
export function deprecationIn(
  given: boolean | Deprecation,
  actions: readonly string[],
  report: Report,
): Deprecation | undefined {
  if (given === false) return undefined
  if (given === true) return {}
  const { instead, since, sunset } = given
  if (instead !== undefined && !isAddress(instead) && !actions.includes(instead))
    report('deprecated.instead', `there is no action '${instead}'`, nearestOf(instead, actions))
  if (since !== undefined && sunset !== undefined && Date.parse(sunset) < Date.parse(since))
    report('deprecated.sunset', `it is before since (${since})`, 'give a later day')
  return given
}

/** Returns whether a successor is a URL, not the name of an action. */
export const isAddress = (instead: string): boolean => instead.startsWith('/') || /^https?:/i.test(instead)

const text = { type: 'string' } as const

const SENDS = {
  Deprecation: { description: 'The start of the deprecation (RFC 9745).', schema: text },
  Sunset: { description: 'The date from which it may be removed (RFC 8594).', schema: text },
  Link: { description: 'The successor, and a page with more information.', schema: text },
} as const

/** Policies with that of a deprecated action. */
export function withDeprecation(policies: Policies, deprecated: Deprecation | undefined): Policies {
  if (deprecated === undefined) return policies
  const { since, sunset, instead, link } = deprecated
  // A day begins in the zone of the server's calendar: UTC.
  const at = since === undefined ? 0 : Date.parse(since) / 1000
  const links = [
    ...(instead !== undefined && isAddress(instead) ? [`<${uriText(instead)}>; rel="successor-version"`] : []),
    ...(link === undefined ? [] : [`<${uriText(link)}>; rel="deprecation"; type="text/html"`]),
  ]
  const made = policy({
    name: 'deprecation',
    sends: SENDS,
    answerHeaders: [
      ...['Deprecation', `@${Math.floor(at)}`],
      ...(sunset === undefined ? [] : ['Sunset', new Date(sunset).toUTCString()]),
      ...links.flatMap((one) => ['Link', one]),
    ],
    document: () => ({ deprecated: true, 'x-deprecation': { ...deprecated, text: deprecationText(deprecated) } }),
    terms: { deprecated: { tells: { since: since ?? null, sunset: sunset ?? null, instead: instead ?? null } } },
  })
  return new Map([...policies, ['deprecation', made]])
}
