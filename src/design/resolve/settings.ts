// The settings of every kind of declaration, and what each may be. The compiler infers a declaration's type and lets further
// names pass; boot does not.
import { type Attributes, isAttribute } from '../../schema/attribute.ts'
import { deprecation } from '../../schema/options.ts'
import { attributesFlaw } from '../../schema/refused.ts'
import { requirements } from '../../schema/requires.ts'
import { delimitedOf } from '../../schema/structures/array.ts'
import {
  anything,
  choice,
  either,
  type Fields,
  type Form,
  flag,
  isStructure,
  list,
  name,
  number,
  object,
  record,
  regexp,
  required,
  structure,
  tested,
  text,
  whole,
} from '../../util/form.ts'
import { type ActionSettings, type ActionSpec, type InputRules, isPayloadReference } from '../declare/action.ts'
import { isCollection } from '../declare/collection.ts'
import type { EndpointSpec } from '../declare/endpoint.ts'
import { isMediaType, isView } from '../declare/media-type.ts'
import type { ResponseSpec } from '../declare/response.ts'
import type { RouteOptions } from '../declare/route.ts'
import { externalDocs, operationId, tagNames } from '../metadata.ts'
import type { Report } from './mistakes.ts'

const attributes: Form = {
  words: 'attributes by their names: { id: t.integer() }',
  check(value) {
    const flaw = attributesFlaw(value)
    return flaw === undefined ? [] : [flaw]
  },
}

const payload = tested(
  'attributes by their names, payloadOf(…), or an attribute that is the whole body',
  (value) => isAttribute(value) || isPayloadReference(value) || isStructure(value),
)

// Where a form is `anything`, what works the setting out looks at it closely.
const stanzas: Fields<ActionSettings> = {
  params: attributes,
  payload,
  consumes: list(text),
  requires: object<InputRules>({ params: requirements, payload: requirements }),
  headers: attributes,
  responses: structure,
  security: anything,
  policies: anything,
  needs: anything,
}

const documented = { summary: name, description: text, tags: tagNames, externalDocs }

const action: Fields<ActionSpec> = {
  ...documented,
  operationId,
  routing: anything,
  ...stanzas,
  ignore: list(text),
  bodyLimit: whole(1),
  nodoc: flag,
  deprecated: deprecation,
}

/** The form of a prefix: `//` for none, or a path with one slash in front. */
export const prefix: Form = tested(
  "a path such as '/blogs', or '//' alone for no prefix",
  (value) => typeof value === 'string' && (value === '//' || !value.startsWith('//')),
)

const endpoint: Fields<EndpointSpec> = {
  ...documented,
  prefix,
  mediaType: tested(
    'a media type, or the identifier of one',
    (value) => isMediaType(value) || typeof value === 'string',
  ),
  version: name,
  parent: anything,
  canonicalPath: text,
  singular: name,
  actionDefaults: structure,
  actions: required(structure),
  nodoc: flag,
  deprecated: deprecation,
}

const body = tested(
  'a media type, a view, collectionOf(…), an attribute, or the identifier of a media type',
  (value) => typeof value === 'string' || isAttribute(value) || (isCollection(value) && isShown(value.of)),
)

const isShown = (value: unknown): boolean => isMediaType(value) || isView(value)

const response: Fields<ResponseSpec> = {
  description: text,
  status: number,
  mediaType: either(body, list(body)),
  location: either(text, regexp),
  headers: record(either(text, regexp, tested('an attribute', isAttribute), choice(true))),
}

const constraint = either(
  name,
  regexp,
  tested('a class of `charClasses`', (value) => typeof value === 'object' && value !== null && '~class' in value),
)
const constraints = either(constraint, list(constraint))

const route: Fields<RouteOptions> = {
  name,
  params: choice('body'),
  capture: either(constraints, record(constraints)),
  except: text,
}

interface Settings {
  readonly stanzas: Fields<ActionSettings>
  readonly action: Fields<ActionSpec>
  readonly endpoint: Fields<EndpointSpec>
  readonly response: Fields<ResponseSpec>
  readonly route: Fields<RouteOptions>
}

/** The settings of each kind of declaration. */
export const settings: Settings = { stanzas, action, endpoint, response, route }

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const IDENTIFIER = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *;[\t\x20-\x7e]+)?$/

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

/** Reports lists in headers that something else than a comma separates. */
export function checkHeaderLists(headers: Attributes, report: Report): void {
  for (const [name, one] of Object.entries(headers)) {
    if ((delimitedOf(one)?.delimiter ?? ',') !== ',')
      report(`headers.${name}`, 'its delimiter is not a comma, which separates lists in headers', "use delimiter: ','")
  }
}
