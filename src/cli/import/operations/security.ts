// Security schemes, and which of them admit clients to an operation.
import { CommandError } from '../../command-error.ts'
import type { Document } from '../read/document.ts'
import { elements, isObject, type Located, member, members, text } from '../read/located.ts'
import type { UnsaidList } from '../unsaid.ts'
import type { Admission, Scheme } from './model.ts'

/** The schemes of a document by their names. */
export class Schemes {
  readonly all: readonly Scheme[]
  readonly #document: Document
  readonly #unsaid: UnsaidList
  readonly #known: ReadonlyMap<string, Scheme>

  constructor(document: Document, unsaid: UnsaidList) {
    this.#document = document
    this.#unsaid = unsaid
    const components = member(document.root, 'components')
    const declared = members(components && member(components, 'securitySchemes'))
    this.#known = new Map(declared.map(([name, one]) => [name, schemeOf(name, document.resolve(one), unsaid)]))
    this.all = [...this.#known.values()]
  }

  /** The ways in of an operation: its own, or those of the document. None stands for everybody. */
  admissions(operation: Located): readonly Admission[] {
    const said = member(operation, 'security') ?? member(this.#document.root, 'security')
    const ways = elements(said).map((one) => this.#way(one))
    return ways.every((way) => way === 'none') ? [] : ways
  }

  #way(one: Located): Admission {
    const asked = members(one)
    if (asked.length === 0) return 'none'
    const all = asked.map(([name, at]) => ({ scheme: this.#scheme(name, at), scopes: this.#scopes(at), at }))
    const seats = new Set<string>()
    // Of two in one place, a scheme itself goes before what stands for another.
    const parts = all.sort((a, b) => Number(a.scheme.isStandIn ?? 0) - Number(b.scheme.isStandIn ?? 0))
    return parts.flatMap(({ scheme, scopes, at }) => {
      const seat = seatOf(scheme)
      const what = `a second scheme in the ${seat}, required together with the first`
      if (seats.has(seat)) this.#unsaid.add(at, what, 'it is left out')
      return seats.has(seat) ? [] : seats.add(seat) && [{ scheme, scopes }]
    })
  }

  #scheme(name: string, at: Located): Scheme {
    const scheme = this.#known.get(name)
    if (scheme !== undefined) return scheme
    throw new CommandError(
      `${this.#document.place(at)} names a security scheme that does not exist.`,
      'add it to components/securitySchemes, or correct the name',
    )
  }

  #scopes(at: Located): string[] {
    return elements(at).flatMap((one) => {
      const isName = typeof one.value === 'string' && one.value.trim() !== ''
      if (!isName) this.#unsaid.add(one, 'a scope that is no name', 'it is left out')
      return isName ? [one.value as string] : []
    })
  }
}

// Credentials of two schemes in one place cannot both be sent.
function seatOf({ kind, options }: Scheme): string {
  if (kind !== 'apiKey') return 'header authorization'
  return `${options['in']} ${options['in'] === 'header' ? String(options['name']).toLowerCase() : options['name']}`
}

function schemeOf(name: string, at: Located, unsaid: UnsaidList): Scheme {
  const type = text(at, 'type')
  const scheme = text(at, 'scheme')?.toLowerCase()
  const description = text(at, 'description')
  const said = description === undefined ? {} : { description }
  for (const [word, one] of members(at))
    if (word.startsWith('x-')) unsaid.add(one, `the extension \`${word}\``, 'it is left out')
  if (type === 'http' && scheme === 'bearer') {
    const format = text(at, 'bearerFormat')
    return { name, kind: 'bearer', options: { ...said, ...(format !== undefined && { format }) } }
  }
  if (type === 'http' && scheme === 'basic') return { name, kind: 'basic', options: said }
  if (type === 'apiKey') return keyOf(name, at, said, unsaid)
  const flows = member(at, 'flows')?.value
  if (type === 'oauth2' && isObject(flows)) return { name, kind: 'oauth2', options: { ...said, flows: flowsOf(flows) } }
  const url = text(at, 'openIdConnectUrl')
  if (type === 'openIdConnect' && url !== undefined && URL.canParse(url))
    return { name, kind: 'openIdConnect', options: { ...said, url } }
  return standIn(name, at, `a security scheme of the type \`${[type, scheme].filter(Boolean).join(' ')}\``, unsaid)
}

// Without a scheme the operations that require it would be open to everybody.
function standIn(name: string, at: Located, what: string, unsaid: UnsaidList): Scheme {
  const carrier = text(at, 'type') === 'mutualTLS' ? 'X-Client-Certificate' : 'Authorization'
  unsaid.add(at, what, `the verifier gets the header \`${carrier}\``)
  return { name, kind: 'apiKey', options: { in: 'header', name: carrier }, isStandIn: true }
}

function keyOf(name: string, at: Located, said: object, unsaid: UnsaidList): Scheme {
  const [place, key] = [text(at, 'in'), text(at, 'name')]
  const isPlace = place === 'header' || place === 'query' || place === 'cookie'
  if (isPlace && key !== undefined && /^[\w!#$%&'*+.^`|~-]+$/.test(key))
    return { name, kind: 'apiKey', options: { in: place, name: key, ...said } }
  return standIn(name, at, 'an API key in a place or under a name that edict does not have', unsaid)
}

const FLOWS = ['implicit', 'password', 'clientCredentials', 'authorizationCode']

const flowsOf = (flows: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(FLOWS.filter((name) => isObject(flows[name])).map((name) => [name, flows[name]]))
