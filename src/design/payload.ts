// Payloads: attributes of an action's body, inherited from a media type where the declaration gives only a name.
import { type Attribute, type Attributes, isAttribute } from '../schema/attribute.ts'
import type { InheritingAttributes } from '../schema/inherit.ts'
import { isJsonText } from '../schema/json.ts'
import { struct } from '../schema/struct.ts'
import { described } from '../util/described.ts'
import { isStructure } from '../util/form.ts'
import { type ActionSpec, isPayloadReference, type PayloadSpec } from './action.ts'
import { checkAttributes } from './check.ts'
import { filledIn, type Origin, settledIn } from './heirs.ts'
import { isMediaType, type MediaType } from './media-type.ts'
import type { Report } from './mistakes.ts'
import type { PayloadForm, ResolvedPayload } from './resolved.ts'

/** Works out an action's payload from its own stanza and the defaults. */
export function resolvePayload(
  mediaType: MediaType | string | undefined,
  defaults: PayloadSpec | undefined,
  spec: ActionSpec,
  report: Report,
): ResolvedPayload | undefined {
  const attribute = payloadAttribute(mediaType, defaults, spec.payload, report)
  if (attribute === undefined) return undefined
  checkAttributes('payload', attribute.kind === 'struct' ? attribute.core.children : { body: attribute }, report)
  if (isJsonText(attribute))
    report('payload', 'it is t.json as a whole, and bodies are JSON already', 'give the attribute without t.json')
  const form = formOf(attribute)
  const files = form === 'structure' && holdsFile(attribute, new Set())
  return { attribute, form, files, consumes: spec.consumes ?? consumed(form, files) }
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
  return struct({
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

/** What attributes of an endpoint inherit from: its media type, if it has one. */
export const originIn = (mediaType: MediaType | string | undefined): Origin =>
  isMediaType(mediaType) ? mediaType : { nothing: 'the endpoint has no media type' }

function formOf(attribute: Attribute): PayloadForm {
  if (attribute.kind === 'file') return 'file'
  if (attribute.kind === 'string') return 'text'
  return attribute.kind === 'struct' || attribute.kind === 'media' ? 'structure' : 'value'
}

/** True when a request without a body is refused: the payload itself is required, or something in its structure. */
export function needsBody({ attribute, form }: ResolvedPayload): boolean {
  if (isMissed(attribute)) return true
  return isEmptyStructure({ attribute, form }) && Object.values(attribute.core.children).some(isMissed)
}

/** True when a request without a body is read as a structure without attributes. */
export function isEmptyStructure({ attribute, form }: Pick<ResolvedPayload, 'attribute' | 'form'>): boolean {
  const { required, default: initial } = attribute.options
  return form === 'structure' && required !== true && initial === undefined
}

const isMissed = ({ options }: Attribute): boolean => options.required === true && options.default === undefined

function holdsFile(attribute: Attribute, seen: Set<Attribute>): boolean {
  if (seen.has(attribute)) return false
  seen.add(attribute)
  return attribute.kind === 'file' || Object.values(attribute.core.children).some((one) => holdsFile(one, seen))
}

const FILES = ['multipart/form-data']
const JSON_TYPES = ['application/json', 'application/*+json']
const TYPES: Readonly<Record<PayloadForm, readonly string[]>> = {
  file: ['*/*'],
  text: ['text/*', ...JSON_TYPES],
  value: JSON_TYPES,
  structure: [...JSON_TYPES, 'application/x-www-form-urlencoded', ...FILES],
}

const consumed = (form: PayloadForm, files: boolean): readonly string[] => (files ? FILES : TYPES[form])
