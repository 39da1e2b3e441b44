// The names that declarations may use. The compiler infers a declaration's type and lets further names pass; boot does not.
import type { ActionSpec, Stanzas } from './action.ts'
import type { EndpointSpec } from './endpoint.ts'
import type { Report } from './mistakes.ts'
import type { ResponseSpec } from './response.ts'

// A setting that is added to one of the types must be added here: the compiler insists.
type Names<T> = { readonly [K in keyof Required<T>]: true }

const stanzas: Names<Stanzas> = { params: true, payload: true, headers: true, responses: true, security: true }

const action: Names<ActionSpec> = {
  description: true,
  routing: true,
  ...stanzas,
  ignore: true,
  bodyLimit: true,
  consumes: true,
  nodoc: true,
}

const endpoint: Names<EndpointSpec> = {
  description: true,
  prefix: true,
  mediaType: true,
  version: true,
  parent: true,
  canonicalPath: true,
  singular: true,
  actionDefaults: true,
  actions: true,
  nodoc: true,
}

const response: Names<ResponseSpec> = {
  description: true,
  status: true,
  mediaType: true,
  location: true,
  headers: true,
}

/** The settings of each kind of declaration. */
export const settings: Readonly<Record<'stanzas' | 'action' | 'endpoint' | 'response', object>> = {
  stanzas,
  action,
  endpoint,
  response,
}

/** Reports names that are no settings, such as misspelt ones. */
export function checkSettings(place: string, declared: object, known: object, report: Report): void {
  for (const name of Object.keys(declared)) {
    if (!Object.hasOwn(known, name))
      report(`${place}${name}`, 'there is no such setting', `use some of: ${Object.keys(known).join(', ')}`)
  }
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const IDENTIFIER = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *;[\t\x20-\x7e]+)?$/
const RANGE = /^(?:\*\/\*|[\w!#$&^.+-]+\/[\w!#$&^.+*-]+)$/

/** Reports a text that is not the identifier of a media type. */
export function checkIdentifier(setting: string, identifier: string, report: Report): void {
  if (IDENTIFIER.test(identifier)) return
  const remedy = 'write type/subtype, such as application/vnd.acme.blog+json'
  report(setting, `'${identifier}' is not a media type identifier`, remedy)
}

/** Reports names that no header can have, and two spellings of one: names of headers match without regard to case. */
export function checkHeaderNames(place: string, names: readonly string[], report: Report): void {
  if (names.length === 0) return
  const spellings = new Map<string, string>()
  for (const name of names) {
    const other = spellings.get(name.toLowerCase())
    if (other !== undefined)
      report(
        `${place}.${name}`,
        `'${other}' is the same header in another spelling`,
        'spell it the same way everywhere',
      )
    if (!TOKEN.test(name))
      report(`${place}.${name}`, 'it is not the name of a header', 'use letters, digits and -, without spaces')
    spellings.set(name.toLowerCase(), name)
  }
}

/** Reports limits and types of bodies that no body could keep. */
export function checkBodies({ bodyLimit, consumes }: ActionSpec, report: Report): void {
  if (bodyLimit !== undefined && !(Number.isSafeInteger(bodyLimit) && bodyLimit > 0))
    report('bodyLimit', `${bodyLimit} is not a number of bytes`, 'give a whole number above 0')
  if (consumes?.length === 0) report('consumes', 'it is empty: no body could ever be sent', 'name a media type')
  for (const type of consumes ?? []) {
    if (!RANGE.test(type))
      report('consumes', `'${type}' is not a media type`, 'write type/subtype, such as application/json')
  }
}
