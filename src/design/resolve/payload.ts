// Payloads: the attributes of an action's body; those declared only by name inherit from a media type.
import { type AnyOptions, type Attribute, type Attributes, isAttribute } from '../../schema/attribute.ts'
import { isInline } from '../../schema/children.ts'
import type { InheritingAttributes } from '../../schema/inherit.ts'
import { findRequirementFlaws, isRequirementMet, type Requirement } from '../../schema/requirements.ts'
import { isJsonText } from '../../schema/structures/json.ts'
import { type ObjectOptions, object } from '../../schema/structures/object.ts'
import { describeValue } from '../../util/describe-value.ts'
import { FORM_TYPE } from '../../util/media-type.ts'
import { isSettings } from '../../util/setting-form.ts'
import { type ActionSettings, type ActionSpec, isPayloadReference, type PayloadSpec } from '../declare/action.ts'
import { fillAttribute, fillInherited } from '../declare/inherited-attributes.ts'
import { isMediaType, type MediaType } from '../declare/media-type.ts'
import { type Report, reportFlaws } from '../mistakes.ts'
import { checkBody } from './check-attributes.ts'
import { checkInheritedAttribute, checkInheritedAttributes } from './check-inherited.ts'
import { type ConsumesSetting, checkCarriers, getContentTypes, hasFile, normalizeTypes } from './consumes.ts'
import type { PayloadForm, ResolvedAction, ResolvedPayload, ResolvedRoute } from './resolved.ts'

/** Resolves an action's payload from its own setting and the defaults. */
export function resolvePayload(
  mediaType: MediaType | string | undefined,
  defaults: ActionSettings,
  spec: ActionSpec,
  report: Report,
): ResolvedPayload | undefined {
  checkReference(defaults.payload, report)
  checkReference(spec.payload, report)
  checkInherited(mediaType, defaults.payload, spec.payload, report)
  const payload = outlinePayload(mediaType, defaults, spec)
  const rules = mergePayloadRules(defaults, spec)
  checkRules(rules, payload?.attribute, report)
  if (payload === undefined) return undefined
  checkBody('payload', payload.attribute, report)
  if (isJsonText(payload.attribute))
    report('payload', 'it is t.json as a whole, and bodies are JSON already', 'give the attribute without t.json')
  const consumes = getConsumesSetting(defaults, spec)
  checkCarriers(payload, consumes, report)
  return { ...payload, attribute: withPayloadRules(payload.attribute, rules), declared: consumes.types !== undefined }
}

function checkInherited(
  mediaType: MediaType | string | undefined,
  defaults: PayloadSpec | undefined,
  own: PayloadSpec | undefined,
  report: Report,
): void {
  const body = own ?? defaults
  if (isAttribute(body)) return checkInheritedAttribute('payload', body, mediaType, report)
  for (const spec of [defaults, own]) {
    const [attributes, from] = readPayloadFields(spec, mediaType)
    if (!isPayloadReference(spec) || isMediaType(from)) checkInheritedAttributes('payload', attributes, from, report)
  }
}

function checkReference(spec: PayloadSpec | undefined, report: Report): void {
  if (spec === undefined || isAttribute(spec)) return
  if (isPayloadReference(spec) && !isMediaType(spec['~reference']))
    report('payload', `payloadOf refers to ${describeValue(spec['~reference'])}`, 'give a media type to inherit from')
  else {
    const attributes: unknown = isPayloadReference(spec) ? spec.attributes : spec
    if (!isSettings(attributes))
      report('payload', `its attributes are ${describeValue(attributes)}`, 'give attributes by their names')
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
  const all = findRequirementFlaws([...own, ...rules], payload.core.children)
  // The structure reports the flaws of its own rules itself.
  const known = new Set(findRequirementFlaws(own, payload.core.children).map(({ problem }) => problem))
  reportFlaws(
    'requires.payload',
    all.filter(({ problem }) => !known.has(problem)),
    report,
  )
}

const mergePayloadRules = (defaults: ActionSettings, spec: ActionSpec): readonly Requirement[] => [
  ...(defaults.requires?.payload ?? []),
  ...(spec.requires?.payload ?? []),
]

/** A payload in an outline. */
export type PayloadOutline = Omit<ResolvedPayload, 'declared'>

/** Resolves the payload of an action without the rules between its attributes; mistakes are not checked. */
export function outlinePayload(
  mediaType: MediaType | string | undefined,
  defaults: ActionSettings,
  spec: ActionSpec,
): PayloadOutline | undefined {
  const attribute = buildPayloadAttribute(mediaType, defaults.payload, spec.payload)
  if (attribute === undefined) return undefined
  const form = getPayloadForm(attribute)
  const files = form !== 'file' && hasFile(attribute)
  return { attribute, form, files, consumes: getContentTypes({ form, files }, spec.consumes ?? defaults.consumes) }
}

// The rules of the structure stay, those of the action are added.
function withPayloadRules(attribute: Attribute, requires: readonly Requirement[]): Attribute {
  if (requires.length === 0 || !isInline(attribute)) return attribute
  const { requires: own = [] } = attribute.options as ObjectOptions<Attributes>
  return attribute.core.derive({ requires: [...own, ...requires] } as AnyOptions)
}

// The action's setting takes precedence over the defaults of its endpoint.
const getConsumesSetting = (defaults: ActionSettings, { consumes }: ActionSpec): ConsumesSetting =>
  consumes === undefined
    ? { setting: 'actionDefaults.consumes', types: defaults.consumes }
    : { setting: 'consumes', types: consumes }

/** Returns the content types of bodies that contain params; reports those that cannot carry named values. */
export function resolveParamTypes(
  routes: readonly ResolvedRoute[],
  spec: ActionSpec,
  report: Report,
): readonly string[] {
  const { consumes } = spec
  if (consumes !== undefined && routes.some(({ params }) => params === 'body'))
    checkCarriers(
      { attribute: object({}), form: 'structure', files: false },
      { setting: 'consumes', types: consumes },
      report,
    )
  return getParamTypes(spec)
}

/** Returns the content types of params in a body, without checking that they can carry them. */
export const getParamTypes = ({ consumes }: ActionSpec): readonly string[] =>
  consumes === undefined ? PARAM_TYPES : normalizeTypes(consumes)

const PARAM_TYPES: readonly string[] = ['application/json', FORM_TYPE]

/** Creates the payload for a route that takes the params of an action in its body. */
export function makeParamsPayload(
  { params, requires, paramTypes }: Pick<ResolvedAction, 'params' | 'requires' | 'paramTypes'>,
  { pattern }: Pick<ResolvedRoute, 'pattern'>,
): ResolvedPayload {
  const captured = new Set([...pattern.names, ...(pattern.wildcards > 0 ? ['splat'] : [])])
  const attributes = Object.fromEntries(Object.entries(params).filter(([name]) => !captured.has(name)))
  const rules = requires.filter(({ names }) => names.every((name) => !captured.has(name)))
  const attribute = object(attributes, rules.length === 0 ? {} : { requires: rules }) as Attribute
  return { attribute, form: 'structure', files: false, declared: true, consumes: paramTypes }
}

function buildPayloadAttribute(
  mediaType: MediaType | string | undefined,
  defaults: PayloadSpec | undefined,
  own: PayloadSpec | undefined,
): Attribute | undefined {
  const body = own ?? defaults
  if (body === undefined || isAttribute(body)) return body && fillAttribute(body, getOriginAttributes(mediaType))
  return object({ ...fillPayload(defaults, mediaType), ...fillPayload(own, mediaType) })
}

function fillPayload(spec: PayloadSpec | undefined, mediaType: MediaType | string | undefined): Attributes {
  const [attributes, from] = readPayloadFields(spec, mediaType)
  return fillInherited(attributes, getOriginAttributes(from))
}

/** Returns the attributes of a payload, and the source that they inherit from. */
function readPayloadFields(
  spec: PayloadSpec | undefined,
  mediaType: MediaType | string | undefined,
): readonly [InheritingAttributes, MediaType | string | undefined] {
  const listed: unknown = isPayloadReference(spec) ? spec.attributes : spec
  const attributes = isSettings(listed) && !isAttribute(listed) ? (listed as InheritingAttributes) : {}
  return [attributes, isPayloadReference(spec) ? spec['~reference'] : mediaType]
}

/** Returns the attributes of an endpoint's media type, if it has one, to inherit from. */
export const getOriginAttributes = (mediaType: MediaType | string | undefined): Attributes | undefined =>
  isMediaType(mediaType) ? mediaType.attributes : undefined

function getPayloadForm(attribute: Attribute): PayloadForm {
  const { shape, scalar } = attribute.core
  if (shape === 'file') return 'file'
  if (scalar === 'string') return 'text'
  return shape === 'object' ? 'structure' : 'value'
}

/** Returns whether a request without a body is refused: the payload itself or a part of its structure is required. */
export function isBodyRequired({ attribute, form }: ResolvedPayload): boolean {
  if (isMandatory(attribute)) return true
  if (!isEmptyStructure({ attribute, form })) return false
  const { requires = [] } = attribute.options as ObjectOptions<Attributes>
  return (
    Object.values(attribute.core.children).some(isMandatory) ||
    requires.some((one) => !isRequirementMet(one, () => false))
  )
}

/** Returns whether a request without a body is loaded as an empty structure. */
export function isEmptyStructure({ attribute, form }: Pick<ResolvedPayload, 'attribute' | 'form'>): boolean {
  const { required, default: initial } = attribute.options
  return form === 'structure' && required !== true && initial === undefined
}

const isMandatory = ({ options }: Attribute): boolean => options.required === true && options.default === undefined
