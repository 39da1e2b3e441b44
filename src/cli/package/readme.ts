// Formats the README of a client: installation, and one call of each action with the required arguments.
import { attributeRules } from '../../design/attribute-rules.ts'
import type { ResolvedAction, ResolvedEndpoint, ResolvedRoute } from '../../design/resolve/resolved.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import type { Deprecation } from '../../schema/attribute-options.ts'
import { ExampleSeed } from '../../schema/example.ts'
import { findMandatoryNames, findSatisfyingNames } from '../../schema/requirements.ts'
import { makePatternExample } from '../../schema/scalars/text-pattern.ts'
import type { ClientManifest } from './manifest.ts'

/** The content of the README. */
export interface ReadmeSource {
  readonly manifest: ClientManifest
  /** The URL of the API, if it is known. */
  readonly server: string | undefined
  /** The endpoints, keyed by the names that the package exports. */
  readonly endpoints: ReadonlyMap<string, ResolvedEndpoint>
}

/** Formats the README. */
export function formatReadme({ manifest, server, endpoints }: ReadmeSource): string {
  const { name, version, license, edict } = manifest
  const versions = edict.versions.length === 0 ? '' : ` Versions of the API: ${edict.versions.join(', ')}.`
  const shown = [...endpoints].filter(([, { nodoc }]) => !nodoc)
  return `# ${name}

Typed calls of an HTTP API.${versions} Written by \`edict client\`: change the declarations and write it again, instead of
editing its files.

\`\`\`sh
npm install ${name}
\`\`\`

\`\`\`ts
import { client } from '${name}'

const api = client({ baseUrl: '${server ?? 'https://api.example.com'}' })
\`\`\`

\`baseUrl\` has the base path of the API, too. A response has a \`name\`, that of a declared response or \`failure\`, by which the
compiler knows its body. \`api.….ok(…)\` gives the body of a success and throws everything else. To bundle only the endpoints
that you call, give them to \`client\` of \`edict/client\`.

${shown.map(([exported, endpoint]) => formatEndpoint(exported, endpoint)).join('\n')}
## Version

${name} ${version}, contract \`${edict.contract}\`, licence ${license}. \`contract.json\` has all that you may rely on;
\`npx edict diff old/contract.json new/contract.json\` reports whether another version of this package breaks your calls.
`
}

function formatEndpoint(exported: string, { description, version, actions }: ResolvedEndpoint): string {
  const title = version === undefined ? `## ${exported}` : `## ${exported}, version ${version}`
  const shown = [...actions.values()].filter(({ nodoc }) => !nodoc)
  return [title, description?.trim(), ...shown.map((action) => formatAction(exported, action))]
    .filter((one) => one !== undefined)
    .map((one) => `${one}\n`)
    .join('\n')
}

function formatAction(exported: string, action: ResolvedAction): string {
  const { name, description, routes, responses, deprecated } = action
  const [route] = routes
  const responseTexts = [...responses.values()].map((one) => `\`${one.name}\` (${one.status})`)
  return [
    `### \`api.${exported}${formatMember(name)}\``,
    description?.trim(),
    deprecated === undefined ? undefined : formatDeprecation(deprecated),
    `\`\`\`ts\nawait api.${exported}${formatMember(name)}(${formatCall(action)})\n\`\`\``,
    `\`${route?.verb} ${route?.path}\`, responds with ${responseTexts.join(', ')}.`,
  ]
    .filter((one) => one !== undefined)
    .join('\n\n')
}

const formatDeprecation = ({ sunset, instead }: Deprecation): string =>
  [
    'Deprecated',
    ...(sunset === undefined ? [] : [`may be removed from ${sunset} on`]),
    ...(instead === undefined ? [] : [`use ${instead} instead`]),
  ]
    .join('; ')
    .concat('.')

const isIdentifier = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text)
const formatMember = (name: string): string => (isIdentifier(name) ? `.${name}` : `[${quoteText(name)}]`)

// --- the call --------------------------------------------------------------------

function formatCall(action: ResolvedAction): string {
  const params = formatParams(action)
  const headers = formatRequiredMembers(action.headers, [], 'headers')
  const payload = formatPayload(action)
  const options = [
    ...(payload === undefined ? [] : [`payload: ${payload}`]),
    ...(headers === '{}' ? [] : [`headers: ${headers}`]),
  ]
  if (options.length === 0) return params === '{}' ? '' : params
  return `${params === '{}' ? 'undefined' : params}, { ${options.join(', ')} }`
}

function formatParams({ params, requires, routes }: ResolvedAction): string {
  const [route] = routes
  const captured =
    route === undefined ? [] : [...route.pattern.names, ...(route.pattern.wildcards > 0 ? ['splat'] : [])]
  const own = Object.fromEntries(Object.entries(params).filter(([name]) => !captured.includes(name)))
  const members = captured.map((name) => [name, formatCapture(route as ResolvedRoute, name, params[name])] as const)
  return formatStructure([...members, ...listRequiredMembers(own, requires, 'params')])
}

function formatCapture({ pattern }: ResolvedRoute, name: string, attribute: Attribute | undefined): string {
  const { capture } = pattern.options
  const isByName = typeof capture === 'object' && !(capture instanceof RegExp) && !Array.isArray(capture)
  const rule: unknown = isByName ? (capture as Readonly<Record<string, unknown>>)[name] : capture
  const isText = attribute === undefined || attribute.core.scalar === 'string'
  if (isText && rule instanceof RegExp)
    return quoteText(makePatternExample(rule, new ExampleSeed(`/params/${name}`, name)) ?? name)
  return attribute === undefined ? quoteText(name) : formatSample(attribute, `params/${name}`, name)
}

function formatPayload({ payload }: ResolvedAction): string | undefined {
  if (payload === undefined) return undefined
  const { attribute } = payload
  if (payload.form !== 'structure') return formatSample(attribute, 'payload', 'payload')
  const text = formatRequiredMembers(attribute.core.children, getRequirements(attribute), 'payload')
  return text === '{}' && attribute.options.required !== true ? undefined : text
}

// --- values ----------------------------------------------------------------------

type PayloadRules = ResolvedAction['requires']

const getRequirements = ({ options }: Attribute): PayloadRules =>
  (options as { readonly requires?: PayloadRules }).requires ?? []

/** Returns the required members as code. */
function listRequiredMembers(
  attributes: Attributes,
  requires: PayloadRules,
  path: string,
): (readonly [string, string])[] {
  const mandatory = findMandatoryNames(attributes)
  const satisfying = findSatisfyingNames(requires, mandatory, false)
  return Object.entries(attributes)
    .filter(([name]) => mandatory.has(name) || satisfying?.has(name) === true)
    .map(([name, one]) => [name, formatSample(one, `${path}/${name}`, name)])
}

const formatRequiredMembers = (attributes: Attributes, requires: PayloadRules, path: string): string =>
  formatStructure(listRequiredMembers(attributes, requires, path))

function formatSample(attribute: Attribute, path: string, name: string): string {
  const { core, options } = attribute
  const example = options.example ?? undefined
  if (example === undefined && core.shape === 'object')
    return formatRequiredMembers(core.children, getRequirements(attribute), path)
  if (core.shape === 'file') return formatFile(options as { readonly types?: readonly string[] })
  return formatLiteral(example ?? attributeRules.makeExample({ core }, new ExampleSeed(`/${path}`, name)))
}

const formatFile = ({
  types: [type = 'application/octet-stream'] = [],
}: {
  readonly types?: readonly string[]
}): string =>
  `new Blob(['…'], { type: ${quoteText(type.replace('*/*', 'application/octet-stream').replace('/*', '/example'))} })`

const quoteText = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'").replaceAll('\\"', '"')}'`

const formatStructure = (members: readonly (readonly [string, string])[]): string =>
  members.length === 0
    ? '{}'
    : `{ ${members.map(([name, text]) => `${isIdentifier(name) ? name : quoteText(name)}: ${text}`).join(', ')} }`

/** Formats a value as code. */
function formatLiteral(value: unknown): string {
  if (typeof value === 'string') return quoteText(value)
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof Date) return `new Date(${quoteText(value.toISOString())})`
  if (Array.isArray(value)) return `[${value.map(formatLiteral).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return formatStructure(Object.entries(value).map(([name, one]) => [name, formatLiteral(one)]))
  // A foreign schema has no example.
  return value === undefined ? 'undefined as never' : String(value)
}
