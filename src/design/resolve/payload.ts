// Payloads: attributes of an action's body, inherited from a media type where the declaration gives only a name.
import { type AnyOptions, type Attribute, type Attributes, isAttribute } from '../../schema/attribute.ts'
import type { InheritingAttributes } from '../../schema/inherit.ts'
import { holds, type Requirement } from '../../schema/requires.ts'
import { isInline } from '../../schema/structures/children.ts'
import { isJsonText } from '../../schema/structures/json.ts'
import { type ObjectOptions, object } from '../../schema/structures/object.ts'
import { described } from '../../util/described.ts'
import { isStructure } from '../../util/form.ts'
import { type ActionSettings, type ActionSpec, isPayloadReference, type PayloadSpec } from '../declare/action.ts'
import { isMediaType, type MediaType } from '../declare/media-type.ts'
import { checkBody } from './check.ts'
import { type Consumes, checkCarriers, FORM_TYPE, holdsFile, typesOf } from './consumes.ts'
import { filledIn, type Origin, type Strays, settledIn } from './heirs.ts'
import type { Report } from './mistakes.ts'
import type { PayloadForm, ResolvedAction, ResolvedPayload, ResolvedRoute } from './resolved.ts'

/** Works out an action's payload from its own stanza and the defaults. */
export function resolvePayload(
  mediaType: MediaType | string | undefined,
  defaults: ActionSettings,
  spec: ActionSpec,
  report: Report,
): ResolvedPayload | undefined {
  checkReference(defaults.payload, report)
  checkReference(spec.payload, report)
  const payload = payloadOf(mediaType, defaults, spec, strayReporter(report))
  if (rulesOf(defaults, spec).length > 0 && (payload === undefined || !isInline(payload.attribute)))
    report(
      'requires.payload',
      'the payload has no attributes of its own',
      'declare its attributes, or take the rules away',
    )
  if (payload === undefined) return undefined
  checkBody('payload', payload.attribute, report)
  if (isJsonText(payload.attribute))
    report('payload', 'it is t.json as a whole, and bodies are JSON already', 'give the attribute without t.json')
  checkCarriers(payload, consumesOf(defaults, spec), report)
  return payload
}

/** Reports what stands where an attribute should. */
export const strayReporter =
  (report: Report): Strays =>
  (place, stray) => {
    if ('why' in stray) return report(place, `${stray.why()} to inherit from`, REMEDY)
    const remedy = 'declare it with t, for example t.string(), or inherit'
    report(place, `it is ${described(stray.value)}, not an attribute`, remedy)
  }

const REMEDY = 'give the attribute a type of its own, or name another reference with payloadOf'

function checkReference(spec: PayloadSpec | undefined, report: Report): void {
  if (spec === undefined || isAttribute(spec)) return
  if (isPayloadReference(spec) && !isMediaType(spec['~reference']))
    report('payload', `payloadOf refers to ${described(spec['~reference'])}`, 'give a media type to inherit from')
  else {
    const attributes: unknown = isPayloadReference(spec) ? spec.attributes : spec
    if (!isStructure(attributes))
      report('payload', `its attributes are ${described(attributes)}`, 'give attributes by their names')
  }
}

const rulesOf = (defaults: ActionSettings, spec: ActionSpec): readonly Requirement[] => [
  ...(defaults.requires?.payload ?? []),
  ...(spec.requires?.payload ?? []),
]

/** The payload of an action, whether or not there are mistakes in it. */
export function payloadOf(
  mediaType: MediaType | string | undefined,
  defaults: ActionSettings,
  spec: ActionSpec,
  strays: Strays,
): ResolvedPayload | undefined {
  const bare = payloadAttribute(mediaType, defaults.payload, spec.payload, strays)
  if (bare === undefined) return undefined
  const attribute = ruled(bare, rulesOf(defaults, spec))
  const form = formOf(attribute)
  const files = form !== 'file' && holdsFile(attribute)
  const { types } = consumesOf(defaults, spec)
  return { attribute, form, files, declared: types !== undefined, consumes: typesOf({ attribute, form, files }, types) }
}

// Rules of the structure itself stay, those of the action are added.
function ruled(attribute: Attribute, requires: readonly Requirement[]): Attribute {
  if (requires.length === 0 || !isInline(attribute)) return attribute
  const { requires: own = [] } = attribute.options as ObjectOptions<Attributes>
  return attribute.core.derive({ requires: [...own, ...requires] } as AnyOptions)
}

// The action's own setting comes before the defaults of its endpoint.
const consumesOf = (defaults: ActionSettings, { consumes }: ActionSpec): Consumes =>
  consumes === undefined
    ? { setting: 'actionDefaults.consumes', types: defaults.consumes }
    : { setting: 'consumes', types: consumes }

/** The content types of bodies that are params; reports those that carry no names. */
export function paramTypesOf(
  routes: readonly ResolvedRoute[],
  { consumes }: ActionSpec,
  report: Report,
): readonly string[] {
  if (consumes !== undefined && hasParams(routes))
    checkCarriers(structureBody(), { setting: 'consumes', types: consumes }, report)
  return paramTypesIn(routes, consumes)
}

/** The content types of params in a body, whether or not they can carry them. */
export const paramTypesIn = (routes: Routes, consumes: ActionSpec['consumes']): readonly string[] =>
  consumes === undefined || !hasParams(routes) ? PARAM_TYPES : typesOf(structureBody(), consumes)

type Routes = readonly Pick<ResolvedRoute, 'params'>[]

const hasParams = (routes: Routes): boolean => routes.some(({ params }) => params === 'body')

const structureBody = () => ({ attribute: object({}) as Attribute, form: 'structure', files: false }) as const

const PARAM_TYPES: readonly string[] = ['application/json', FORM_TYPE]

/** The params of an action as the body that a route takes them in. */
export function paramsBody(
  { params, requires, paramTypes }: Pick<ResolvedAction, 'params' | 'requires' | 'paramTypes'>,
  { pattern }: Pick<ResolvedRoute, 'pattern'>,
): ResolvedPayload {
  const captured = new Set([...pattern.names, ...(pattern.wildcards > 0 ? ['splat'] : [])])
  const attributes = Object.fromEntries(Object.entries(params).filter(([name]) => !captured.has(name)))
  const rules = requires.filter(({ names }) => names.every((name) => !captured.has(name)))
  const attribute = object(attributes, rules.length === 0 ? {} : { requires: rules }) as Attribute
  return { attribute, form: 'structure', files: false, declared: true, consumes: paramTypes }
}

function payloadAttribute(
  mediaType: MediaType | string | undefined,
  defaults: PayloadSpec | undefined,
  own: PayloadSpec | undefined,
  strays: Strays,
): Attribute | undefined {
  if (own === undefined && defaults === undefined) return undefined
  const whole = own ?? defaults
  if (isAttribute(whole)) return settledIn('payload', whole, originIn(mediaType), strays)
  return object({
    ...(defaults !== undefined && !isAttribute(defaults) && filled(defaults, mediaType, strays)),
    ...(own !== undefined && filled(own, mediaType, strays)),
  })
}

function filled(spec: PayloadSpec, mediaType: MediaType | string | undefined, strays: Strays): Attributes {
  const reference = isPayloadReference(spec) ? spec['~reference'] : mediaType
  const attributes = (isPayloadReference(spec) ? spec.attributes : spec) as InheritingAttributes
  if (!isStructure(attributes) || (isPayloadReference(spec) && !isMediaType(reference))) return {}
  return filledIn('payload', attributes, originIn(reference), strays)
}

/** The source that attributes of an endpoint inherit from: its media type, if it has one. */
export const originIn = (mediaType: MediaType | string | undefined): Origin =>
  isMediaType(mediaType) ? mediaType : { nothing: () => 'the endpoint has no media type' }

function formOf(attribute: Attribute): PayloadForm {
  const { shape, scalar } = attribute.core
  if (shape === 'file') return 'file'
  if (scalar === 'string') return 'text'
  return shape === 'object' ? 'structure' : 'value'
}

/** True when a request without a body is refused: the payload itself is required, or something in its structure. */
export function needsBody({ attribute, form }: ResolvedPayload): boolean {
  if (isMissed(attribute)) return true
  if (!isEmptyStructure({ attribute, form })) return false
  const { requires = [] } = attribute.options as ObjectOptions<Attributes>
  return Object.values(attribute.core.children).some(isMissed) || requires.some((one) => !holds(one, () => false))
}

/** True when a request without a body is read as a structure without attributes. */
export function isEmptyStructure({ attribute, form }: Pick<ResolvedPayload, 'attribute' | 'form'>): boolean {
  const { required, default: initial } = attribute.options
  return form === 'structure' && required !== true && initial === undefined
}

const isMissed = ({ options }: Attribute): boolean => options.required === true && options.default === undefined
