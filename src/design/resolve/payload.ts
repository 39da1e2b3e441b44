// Payloads: attributes of an action's body, inherited from a media type where the declaration gives only a name.
import { type AnyOptions, type Attribute, type Attributes, isAttribute } from '../../schema/attribute.ts'
import type { InheritingAttributes } from '../../schema/inherit.ts'
import { holds, type Requirement, requirementFlaws } from '../../schema/requires.ts'
import { isInline } from '../../schema/structures/children.ts'
import { isJsonText } from '../../schema/structures/json.ts'
import { type ObjectOptions, object } from '../../schema/structures/object.ts'
import { described } from '../../util/described.ts'
import { isStructure } from '../../util/form.ts'
import { type ActionSettings, type ActionSpec, isPayloadReference, type PayloadSpec } from '../declare/action.ts'
import { isMediaType, type MediaType } from '../declare/media-type.ts'
import { checkBody } from './check.ts'
import { type Consumes, checkCarriers, FORM_TYPE, holdsFile, normal, typesOf } from './consumes.ts'
import { filledIn, settledIn } from './heirs.ts'
import { type Report, reportFlaws } from './mistakes.ts'
import type { PayloadForm, ResolvedAction, ResolvedPayload, ResolvedRoute } from './resolved.ts'
import { checkStray, checkStrays } from './strays.ts'

/** Works out an action's payload from its own stanza and the defaults. */
export function resolvePayload(
  mediaType: MediaType | string | undefined,
  defaults: ActionSettings,
  spec: ActionSpec,
  report: Report,
): ResolvedPayload | undefined {
  checkReference(defaults.payload, report)
  checkReference(spec.payload, report)
  checkInherited(mediaType, defaults.payload, spec.payload, report)
  const payload = payloadOf(mediaType, defaults, spec)
  const rules = rulesOf(defaults, spec)
  checkRules(rules, payload?.attribute, report)
  if (payload === undefined) return undefined
  checkBody('payload', payload.attribute, report)
  if (isJsonText(payload.attribute))
    report('payload', 'it is t.json as a whole, and bodies are JSON already', 'give the attribute without t.json')
  const consumes = consumesOf(defaults, spec)
  checkCarriers(payload, consumes, report)
  return { ...payload, attribute: ruled(payload.attribute, rules), declared: consumes.types !== undefined }
}

function checkInherited(
  mediaType: MediaType | string | undefined,
  defaults: PayloadSpec | undefined,
  own: PayloadSpec | undefined,
  report: Report,
): void {
  const whole = own ?? defaults
  if (isAttribute(whole)) return checkStray('payload', whole, mediaType, report)
  for (const spec of [defaults, own]) {
    const [attributes, from] = fieldsIn(spec, mediaType)
    if (!isPayloadReference(spec) || isMediaType(from)) checkStrays('payload', attributes, from, report)
  }
}

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

function checkRules(rules: readonly Requirement[], payload: Attribute | undefined, report: Report): void {
  if (rules.length === 0) return
  if (payload === undefined || !isInline(payload))
    return report(
      'requires.payload',
      'the payload has no attributes of its own',
      'declare its attributes, or take the rules away',
    )
  const { requires: own = [] } = payload.options as ObjectOptions<Attributes>
  const all = requirementFlaws([...own, ...rules], payload.core.children)
  // The structure reports flaws of its own rules itself.
  const known = new Set(requirementFlaws(own, payload.core.children).map(({ problem }) => problem))
  reportFlaws(
    'requires.payload',
    all.filter(({ problem }) => !known.has(problem)),
    report,
  )
}

const rulesOf = (defaults: ActionSettings, spec: ActionSpec): readonly Requirement[] => [
  ...(defaults.requires?.payload ?? []),
  ...(spec.requires?.payload ?? []),
]

/** A payload as clients know it. */
export type PayloadOutline = Omit<ResolvedPayload, 'declared'>

/** The payload of an action without the rules between its attributes, whether or not there are mistakes in it. */
export function payloadOf(
  mediaType: MediaType | string | undefined,
  defaults: ActionSettings,
  spec: ActionSpec,
): PayloadOutline | undefined {
  const attribute = payloadAttribute(mediaType, defaults.payload, spec.payload)
  if (attribute === undefined) return undefined
  const form = formOf(attribute)
  const files = form !== 'file' && holdsFile(attribute)
  return { attribute, form, files, consumes: typesOf({ form, files }, spec.consumes ?? defaults.consumes) }
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
export function paramTypesOf(routes: readonly ResolvedRoute[], spec: ActionSpec, report: Report): readonly string[] {
  const { consumes } = spec
  if (consumes !== undefined && routes.some(({ params }) => params === 'body'))
    checkCarriers(structureBody(), { setting: 'consumes', types: consumes }, report)
  return paramTypesIn(spec)
}

const structureBody = () => ({ attribute: object({}) as Attribute, form: 'structure', files: false }) as const

/** The content types of params in a body, whether or not they can carry them. */
export const paramTypesIn = ({ consumes }: ActionSpec): readonly string[] =>
  consumes === undefined ? PARAM_TYPES : normal(consumes)

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
): Attribute | undefined {
  const whole = own ?? defaults
  if (whole === undefined || isAttribute(whole)) return whole && settledIn(whole, originIn(mediaType))
  return object({ ...filled(defaults, mediaType), ...filled(own, mediaType) })
}

function filled(spec: PayloadSpec | undefined, mediaType: MediaType | string | undefined): Attributes {
  const [attributes, from] = fieldsIn(spec, mediaType)
  return filledIn(attributes, originIn(from))
}

/** The attributes that a payload lists, and what they inherit from. */
function fieldsIn(
  spec: PayloadSpec | undefined,
  mediaType: MediaType | string | undefined,
): readonly [InheritingAttributes, MediaType | string | undefined] {
  const listed: unknown = isPayloadReference(spec) ? spec.attributes : spec
  const attributes = isStructure(listed) && !isAttribute(listed) ? (listed as InheritingAttributes) : {}
  return [attributes, isPayloadReference(spec) ? spec['~reference'] : mediaType]
}

/** The attributes that those of an endpoint inherit from: its media type's, if it has one. */
export const originIn = (mediaType: MediaType | string | undefined): Attributes | undefined =>
  isMediaType(mediaType) ? mediaType.attributes : undefined

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
