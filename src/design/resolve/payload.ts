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
import { type Consumes, FORM_TYPE, holdsFile, resolveConsumes } from './consumes.ts'
import { filledIn, type Origin, settledIn } from './heirs.ts'
import type { Report } from './mistakes.ts'
import type { PayloadForm, ResolvedAction, ResolvedPayload, ResolvedRoute } from './resolved.ts'

/** Works out an action's payload from its own stanza and the defaults. */
export function resolvePayload(
  mediaType: MediaType | string | undefined,
  defaults: ActionSettings,
  spec: ActionSpec,
  report: Report,
): ResolvedPayload | undefined {
  const requires = [...(defaults.requires?.payload ?? []), ...(spec.requires?.payload ?? [])]
  const attribute = payloadAttribute(mediaType, defaults.payload, spec.payload, report)
  if (requires.length > 0 && (attribute === undefined || !isInline(attribute)))
    report(
      'requires.payload',
      'the payload has no attributes of its own',
      'declare its attributes, or take the rules away',
    )
  return (
    attribute &&
    bodyOf(requires.length > 0 ? ruled(attribute, requires) : attribute, consumesOf(defaults, spec), report)
  )
}

// Rules of the structure itself stay, those of the action are added.
function ruled(attribute: Attribute, requires: readonly Requirement[]): Attribute {
  if (!isInline(attribute)) return attribute
  const { requires: own = [] } = attribute.options as ObjectOptions<Attributes>
  return attribute.core.derive({ requires: [...own, ...requires] } as AnyOptions)
}

function bodyOf(attribute: Attribute, named: Consumes, report: Report): ResolvedPayload {
  checkBody('payload', attribute, report)
  if (isJsonText(attribute))
    report('payload', 'it is t.json as a whole, and bodies are JSON already', 'give the attribute without t.json')
  const form = formOf(attribute)
  const files = form !== 'file' && holdsFile(attribute)
  const declared = named.types !== undefined
  return { attribute, form, files, declared, consumes: resolveConsumes({ attribute, form, files }, named, report) }
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
  if (consumes === undefined || !routes.some(({ params }) => params === 'body')) return PARAM_TYPES
  const body = { attribute: object({}), form: 'structure', files: false } as const
  return resolveConsumes(body, { setting: 'consumes', types: consumes }, report)
}

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
  report: Report,
): Attribute | undefined {
  if (own === undefined && defaults === undefined) return undefined
  const whole = own ?? defaults
  if (isAttribute(whole)) return settledIn('payload', whole, originIn(mediaType), report)
  return object({
    ...(defaults !== undefined && !isAttribute(defaults) && filled(defaults, mediaType, report)),
    ...(own !== undefined && filled(own, mediaType, report)),
  })
}

function filled(spec: PayloadSpec, mediaType: MediaType | string | undefined, report: Report): Attributes {
  const reference = isPayloadReference(spec) ? spec['~reference'] : mediaType
  const attributes = (isPayloadReference(spec) ? spec.attributes : spec) as InheritingAttributes
  if (isPayloadReference(spec) && !isMediaType(reference)) {
    report('payload', `payloadOf refers to ${described(reference)}`, 'give a media type to inherit from')
    return {}
  }
  if (!isStructure(attributes)) {
    report('payload', `its attributes are ${described(attributes)}`, 'give attributes by their names')
    return {}
  }
  return filledIn('payload', attributes, originIn(reference), report)
}

/** The source that attributes of an endpoint inherit from: its media type, if it has one. */
export const originIn = (mediaType: MediaType | string | undefined): Origin =>
  isMediaType(mediaType) ? mediaType : { nothing: 'the endpoint has no media type' }

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
