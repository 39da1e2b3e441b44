// The allowed settings of every kind of declaration, and their values. The compiler infers a declaration's type and
// accepts additional names; boot does not.
import { type Attributes, isAttribute } from '../../schema/attribute.ts'
import { deprecationForm } from '../../schema/attribute-options.ts'
import { findAttributesFlaw } from '../../schema/invalid-attribute.ts'
import { requirementsForm } from '../../schema/requirements.ts'
import { getSplitRule } from '../../schema/structures/array.ts'
import {
  anything,
  choice,
  custom,
  either,
  type Fields,
  flag,
  integerFrom,
  isSettings,
  list,
  name,
  number,
  object,
  record,
  regexp,
  required,
  type SettingForm,
  structure,
  text,
} from '../../util/setting-form.ts'
import { type ActionSettings, type ActionSpec, type InputRules, isPayloadReference } from '../declare/action.ts'
import type { ResponseSpec } from '../declare/action-response.ts'
import { type Collection, isCollection } from '../declare/collection.ts'
import type { EndpointSpec } from '../declare/endpoint.ts'
import { isMediaType, isView } from '../declare/media-type.ts'
import type { RouteOptions } from '../declare/route.ts'
import { externalDocsForm, operationIdForm, tagNamesForm } from '../metadata.ts'
import type { Report } from '../mistakes.ts'

const attributesForm: SettingForm = {
  expected: 'attributes by their names: { id: t.integer() }',
  check(value) {
    const flaw = findAttributesFlaw(value)
    return flaw === undefined ? [] : [flaw]
  },
}

const payloadForm = custom(
  'attributes by their names, payloadOf(…), or an attribute that is the whole body',
  (value) => isAttribute(value) || isPayloadReference(value) || isSettings(value),
)

// Settings with the form `anything` are checked by the code that resolves them.
const stanzasForm: Fields<ActionSettings> = {
  params: attributesForm,
  payload: payloadForm,
  consumes: list(text),
  requires: object<InputRules>({ params: requirementsForm, payload: requirementsForm }),
  headers: attributesForm,
  responses: structure,
  security: anything,
  policies: anything,
  needs: anything,
}

const documentationForm = { summary: name, description: text, tags: tagNamesForm, externalDocs: externalDocsForm }

const actionForm: Fields<ActionSpec> = {
  ...documentationForm,
  operationId: operationIdForm,
  routing: anything,
  ...stanzasForm,
  ignore: list(text),
  bodyLimit: integerFrom(1),
  nodoc: flag,
  deprecated: deprecationForm,
}

/** The form of a prefix: `//` for none, or a path with one leading slash. */
export const prefixForm: SettingForm = custom(
  "a path such as '/blogs', or '//' alone for no prefix",
  (value) => typeof value === 'string' && (value === '//' || !value.startsWith('//')),
)

const endpointForm: Fields<EndpointSpec> = {
  ...documentationForm,
  prefix: prefixForm,
  mediaType: custom(
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
  deprecated: deprecationForm,
}

const bodyForm = custom(
  'a media type, a view, collectionOf(…), events(…), an attribute, or the identifier of a media type',
  (value) => typeof value === 'string' || isAttribute(value) || (isCollection(value) && hasElements(value)),
)

const hasElements = ({ as, of }: Collection): boolean => as === 'events' || isMediaType(of) || isView(of)

const responseForm: Fields<ResponseSpec> = {
  description: text,
  status: number,
  mediaType: either(bodyForm, list(bodyForm)),
  location: either(text, regexp),
  headers: record(either(text, regexp, custom('an attribute', isAttribute), choice(true))),
}

const constraintForm = either(
  name,
  regexp,
  custom('a class of `charClasses`', (value) => typeof value === 'object' && value !== null && '~class' in value),
)
const constraintsForm = either(constraintForm, list(constraintForm))

const routeForm: Fields<RouteOptions> = {
  name,
  params: choice('body'),
  capture: either(constraintsForm, record(constraintsForm)),
  except: text,
}

interface SettingForms {
  readonly stanzas: Fields<ActionSettings>
  readonly action: Fields<ActionSpec>
  readonly endpoint: Fields<EndpointSpec>
  readonly response: Fields<ResponseSpec>
  readonly route: Fields<RouteOptions>
}

/** The settings of each kind of declaration. */
export const settingForms: SettingForms = {
  stanzas: stanzasForm,
  action: actionForm,
  endpoint: endpointForm,
  response: responseForm,
  route: routeForm,
}

const HEADER_TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const MEDIA_TYPE_IDENTIFIER = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *;[\t\x20-\x7e]+)?$/

/** Reports a text that is not the identifier of a media type. */
export function checkIdentifier(setting: string, identifier: string, report: Report): void {
  if (MEDIA_TYPE_IDENTIFIER.test(identifier)) return
  const remedy = 'write type/subtype, such as application/vnd.acme.blog+json'
  report(setting, `'${identifier}' is not a media type identifier`, remedy)
}

/** Reports invalid header names, and two spellings of one: header names are case-insensitive. */
export function checkHeaderNames(setting: string, names: readonly string[], report: Report): void {
  if (names.length === 0) return
  const spellings = new Map<string, string>()
  for (const name of names) {
    const other = spellings.get(name.toLowerCase())
    if (other !== undefined)
      report(
        `${setting}.${name}`,
        `'${other}' is the same header in another spelling`,
        'spell it the same way everywhere',
      )
    if (!HEADER_TOKEN.test(name))
      report(`${setting}.${name}`, 'it is not the name of a header', 'use letters, digits and -, without spaces')
    spellings.set(name.toLowerCase(), name)
  }
}

/** Reports lists in headers with a delimiter other than a comma. */
export function checkHeaderLists(headers: Attributes, report: Report): void {
  for (const [name, one] of Object.entries(headers)) {
    if ((getSplitRule(one)?.delimiter ?? ',') !== ',')
      report(`headers.${name}`, 'its delimiter is not a comma, which separates lists in headers', "use delimiter: ','")
  }
}
