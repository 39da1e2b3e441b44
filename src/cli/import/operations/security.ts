// Security schemes, and which of them admit clients to an operation.
import { CommandError } from '../../command-error.ts'
import type { SourceDocument } from '../read/document.ts'
import { listElements, isObject, type LocatedValue, getMember, listMembers, getText } from '../read/located.ts'
import type { UnsupportedList } from '../unsupported.ts'
import type { ImportedAdmission, ImportedScheme } from './imported-model.ts'

/** The schemes of a document by their names. */
export class SchemeReader {
  readonly all: readonly ImportedScheme[]
  readonly #document: SourceDocument
  readonly #unsupported: UnsupportedList
  readonly #byName: ReadonlyMap<string, ImportedScheme>

  constructor(document: SourceDocument, unsaid: UnsupportedList) {
    this.#document = document
    this.#unsupported = unsaid
    const components = getMember(document.root, 'components')
    const declared = listMembers(components && getMember(components, 'securitySchemes'))
    this.#byName = new Map(declared.map(([name, one]) => [name, readScheme(name, document.resolve(one), unsaid)]))
    this.all = [...this.#byName.values()]
  }

  /** The ways in of an operation: its own, or those of the document. None stands for everybody. */
  readAdmissions(operation: LocatedValue): readonly ImportedAdmission[] {
    const said = getMember(operation, 'security') ?? getMember(this.#document.root, 'security')
    const ways = listElements(said).map((one) => this.#readAdmission(one))
    return ways.every((way) => way === 'none') ? [] : ways
  }

  #readAdmission(one: LocatedValue): ImportedAdmission {
    const asked = listMembers(one)
    if (asked.length === 0) return 'none'
    const all = asked.map(([name, at]) => ({ scheme: this.#findScheme(name, at), scopes: this.#readScopes(at), at }))
    const seats = new Set<string>()
    // Of two in one place, a scheme itself goes before what stands for another.
    const parts = all.sort((a, b) => Number(a.scheme.isStandIn ?? 0) - Number(b.scheme.isStandIn ?? 0))
    return parts.flatMap(({ scheme, scopes, at }) => {
      const seat = getCredentialSlot(scheme)
      const what = `a second scheme in the ${seat}, required together with the first`
      if (seats.has(seat)) this.#unsupported.add(at, what, 'it is left out')
      return seats.has(seat) ? [] : seats.add(seat) && [{ scheme, scopes }]
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

// Credentials of two schemes in one place cannot both be sent.
function getCredentialSlot({ kind, options }: ImportedScheme): string {
  if (kind !== 'apiKey') return 'header authorization'
  return `${options['in']} ${options['in'] === 'header' ? String(options['name']).toLowerCase() : options['name']}`
}

function readScheme(name: string, at: LocatedValue, unsaid: UnsupportedList): ImportedScheme {
  const type = getText(at, 'type')
  const scheme = getText(at, 'scheme')?.toLowerCase()
  const description = getText(at, 'description')
  const said = description === undefined ? {} : { description }
  for (const [word, one] of listMembers(at))
    if (word.startsWith('x-')) unsaid.add(one, `the extension \`${word}\``, 'it is left out')
  if (type === 'http' && scheme === 'bearer') {
    const format = getText(at, 'bearerFormat')
    return { name, kind: 'bearer', options: { ...said, ...(format !== undefined && { format }) } }
  }
  if (type === 'http' && scheme === 'basic') return { name, kind: 'basic', options: said }
  if (type === 'apiKey') return readApiKeyScheme(name, at, said, unsaid)
  const flows = getMember(at, 'flows')?.value
  if (type === 'oauth2' && isObject(flows)) return { name, kind: 'oauth2', options: { ...said, flows: pickFlows(flows) } }
  const url = getText(at, 'openIdConnectUrl')
  if (type === 'openIdConnect' && url !== undefined && URL.canParse(url))
    return { name, kind: 'openIdConnect', options: { ...said, url } }
  return createStandIn(name, at, `a security scheme of the type \`${[type, scheme].filter(Boolean).join(' ')}\``, unsaid)
}

// Without a scheme the operations that require it would be open to everybody.
function createStandIn(name: string, at: LocatedValue, what: string, unsaid: UnsupportedList): ImportedScheme {
  const carrier = getText(at, 'type') === 'mutualTLS' ? 'X-Client-Certificate' : 'Authorization'
  unsaid.add(at, what, `the verifier gets the header \`${carrier}\``)
  return { name, kind: 'apiKey', options: { in: 'header', name: carrier }, isStandIn: true }
}

function readApiKeyScheme(name: string, at: LocatedValue, said: object, unsaid: UnsupportedList): ImportedScheme {
  const [place, key] = [getText(at, 'in'), getText(at, 'name')]
  const isPlace = place === 'header' || place === 'query' || place === 'cookie'
  if (isPlace && key !== undefined && /^[\w!#$%&'*+.^`|~-]+$/.test(key))
    return { name, kind: 'apiKey', options: { in: place, name: key, ...said } }
  return createStandIn(name, at, 'an API key in a place or under a name that edict does not have', unsaid)
}

const FLOWS = ['implicit', 'password', 'clientCredentials', 'authorizationCode']

const pickFlows = (flows: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(FLOWS.filter((name) => isObject(flows[name])).map((name) => [name, flows[name]]))
