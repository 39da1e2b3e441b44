// Deprecated actions: a policy without a plugin, whose headers are known at boot.
import { type Deprecation, describeDeprecation } from '../../schema/attribute-options.ts'
import { suggestName } from '../../util/suggest-name.ts'
import { toUri } from '../../util/uri.ts'
import { type Policies, policy } from '../declare/policy.ts'
import type { Report } from '../mistakes.ts'

/** Resolves the deprecation of an action; reports a replacement that does not exist. */
export function resolveDeprecation(
  deprecated: boolean | Deprecation,
  actions: readonly string[],
  report: Report,
): Deprecation | undefined {
  if (deprecated === false) return undefined
  if (deprecated === true) return {}
  const { instead, since, sunset } = deprecated
  if (instead !== undefined && !isSuccessorUrl(instead) && !actions.includes(instead))
    report('deprecated.instead', `there is no action '${instead}'`, suggestName(instead, actions))
  if (since !== undefined && sunset !== undefined && Date.parse(sunset) < Date.parse(since))
    report('deprecated.sunset', `it is before since (${since})`, 'give a later day')
  return deprecated
}

/** Returns whether a replacement is a URL, not the name of an action. */
export const isSuccessorUrl = (instead: string): boolean => instead.startsWith('/') || /^https?:/i.test(instead)

const stringSchema = { type: 'string' } as const

const DEPRECATION_HEADERS = {
  Deprecation: { description: 'The start of the deprecation (RFC 9745).', schema: stringSchema },
  Sunset: { description: 'The date from which it may be removed (RFC 8594).', schema: stringSchema },
  Link: { description: 'The successor, and a page with more information.', schema: stringSchema },
} as const

/** Adds the policy of a deprecated action. */
export function withDeprecation(policies: Policies, deprecated: Deprecation | undefined): Policies {
  if (deprecated === undefined) return policies
  const { since, sunset, instead, link } = deprecated
  // A date without a time begins at midnight UTC.
  const timestamp = since === undefined ? 0 : Date.parse(since) / 1000
  const links = [
    ...(instead !== undefined && isSuccessorUrl(instead) ? [`<${toUri(instead)}>; rel="successor-version"`] : []),
    ...(link === undefined ? [] : [`<${toUri(link)}>; rel="deprecation"; type="text/html"`]),
  ]
  const deprecation = policy({
    name: 'deprecation',
    documentedHeaders: DEPRECATION_HEADERS,
    responseHeaders: [
      ...['Deprecation', `@${Math.floor(timestamp)}`],
      ...(sunset === undefined ? [] : ['Sunset', new Date(sunset).toUTCString()]),
      ...links.flatMap((one) => ['Link', one]),
    ],
    document: () => ({ deprecated: true, 'x-deprecation': { ...deprecated, text: describeDeprecation(deprecated) } }),
    terms: { deprecated: { info: { since: since ?? null, sunset: sunset ?? null, instead: instead ?? null } } },
  })
  return new Map([...policies, ['deprecation', deprecation]])
}
