// Reads the security schemes, and the alternatives of each operation.
import { CommandError } from '../../command-error.ts'
import type { SourceDocument } from '../read/document.ts'
import { getMember, getText, isObject, type LocatedValue, listElements, listMembers } from '../read/located.ts'
import type { UnsupportedList } from '../unsupported.ts'
import type { ImportedScheme, ImportedSecurityRequirement } from './imported-model.ts'

/** The schemes of a document. */
export class SchemeReader {
  readonly all: readonly ImportedScheme[]
  readonly #document: SourceDocument
  readonly #unsupported: UnsupportedList
  readonly #byName: ReadonlyMap<string, ImportedScheme>

  constructor(document: SourceDocument, unsupported: UnsupportedList) {
    this.#document = document
    this.#unsupported = unsupported
    const components = getMember(document.root, 'components')
    const declared = listMembers(components && getMember(components, 'securitySchemes'))
    this.#byName = new Map(declared.map(([name, one]) => [name, readScheme(name, document.resolve(one), unsupported)]))
    this.all = [...this.#byName.values()]
  }

  /**
   * Returns the security alternatives of an operation, or else those of the document; an empty list allows anonymous access.
   */
  readAdmissions(operation: LocatedValue): readonly ImportedSecurityRequirement[] {
    const security = getMember(operation, 'security') ?? getMember(this.#document.root, 'security')
    const alternatives = listElements(security).map((one) => this.#readAdmission(one))
    return alternatives.every((way) => way === 'none') ? [] : alternatives
  }

  #readAdmission(one: LocatedValue): ImportedSecurityRequirement {
    const members = listMembers(one)
    if (members.length === 0) return 'none'
    const requirements = members.map(([name, at]) => ({
      scheme: this.#findScheme(name, at),
      scopes: this.#readScopes(at),
      at,
    }))
    const usedSlots = new Set<string>()
    // When two schemes use the same slot, a real scheme takes precedence over a stand-in.
    const parts = requirements.sort((a, b) => Number(a.scheme.isStandIn ?? 0) - Number(b.scheme.isStandIn ?? 0))
    return parts.flatMap(({ scheme, scopes, at }) => {
      const slot = getCredentialSlot(scheme)
      const what = `a second scheme in the ${slot}, required together with the first`
      if (usedSlots.has(slot)) this.#unsupported.add(at, what, 'it is left out')
      return usedSlots.has(slot) ? [] : usedSlots.add(slot) && [{ scheme, scopes }]
    })
  }

  #findScheme(name: string, at: LocatedValue): ImportedScheme {
    const scheme = this.#byName.get(name)
    if (scheme !== undefined) return scheme
    throw new CommandError(
      `${this.#document.formatLocation(at)} names a security scheme that does not exist.`,
      'add it to components/securitySchemes, or correct the name',
    )
  }

  #readScopes(at: LocatedValue): string[] {
    return listElements(at).flatMap((one) => {
      const isName = typeof one.value === 'string' && one.value.trim() !== ''
      if (!isName) this.#unsupported.add(one, 'a scope that is no name', 'it is left out')
      return isName ? [one.value as string] : []
    })
  }
}

// One request cannot carry the credentials of two schemes in the same slot.
function getCredentialSlot({ kind, options }: ImportedScheme): string {
  if (kind !== 'apiKey') return 'header authorization'
  return `${options['in']} ${options['in'] === 'header' ? String(options['name']).toLowerCase() : options['name']}`
}

function readScheme(name: string, at: LocatedValue, unsupported: UnsupportedList): ImportedScheme {
  const type = getText(at, 'type')
  const scheme = getText(at, 'scheme')?.toLowerCase()
  const description = getText(at, 'description')
  const common = description === undefined ? {} : { description }
  for (const [member, one] of listMembers(at))
    if (member.startsWith('x-')) unsupported.add(one, `the extension \`${member}\``, 'it is left out')
  if (type === 'http' && scheme === 'bearer') {
    const format = getText(at, 'bearerFormat')
    return { name, kind: 'bearer', options: { ...common, ...(format !== undefined && { format }) } }
  }
  if (type === 'http' && scheme === 'basic') return { name, kind: 'basic', options: common }
  const declared = getText(at, 'scheme') ?? ''
  if (type === 'http' && TOKEN.test(declared)) return { name, kind: 'http', options: { scheme: declared, ...common } }
  if (type === 'apiKey') return readApiKeyScheme(name, at, common, unsupported)
  const flows = getMember(at, 'flows')?.value
  if (type === 'oauth2' && isObject(flows))
    return {
      name,
      kind: 'oauth2',
      options: {
        ...common,
        flows: Object.fromEntries(FLOWS.filter((name) => isObject(flows[name])).map((name) => [name, flows[name]])),
      },
    }
  const url = getText(at, 'openIdConnectUrl')
  if (type === 'openIdConnect' && url !== undefined && URL.canParse(url))
    return { name, kind: 'openIdConnect', options: { ...common, url } }
  return createStandIn(
    name,
    at,
    `a security scheme of the type \`${[type, scheme].filter(Boolean).join(' ')}\``,
    unsupported,
  )
}

// Without a stand-in, the operations that require the scheme would be open to anonymous clients.
function createStandIn(name: string, at: LocatedValue, what: string, unsupported: UnsupportedList): ImportedScheme {
  const carrier = getText(at, 'type') === 'mutualTLS' ? 'X-Client-Certificate' : 'Authorization'
  unsupported.add(at, what, `the verifier gets the header \`${carrier}\``)
  return { name, kind: 'apiKey', options: { in: 'header', name: carrier }, isStandIn: true }
}

function readApiKeyScheme(
  name: string,
  at: LocatedValue,
  common: object,
  unsupported: UnsupportedList,
): ImportedScheme {
  const [location, key] = [getText(at, 'in'), getText(at, 'name')]
  const isKnownLocation = location === 'header' || location === 'query' || location === 'cookie'
  if (isKnownLocation && key !== undefined && TOKEN.test(key))
    return { name, kind: 'apiKey', options: { in: location, name: key, ...common } }
  return createStandIn(name, at, 'an API key in a location or under a name that edict does not support', unsupported)
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

const FLOWS = ['implicit', 'password', 'clientCredentials', 'authorizationCode']
