// Payloads: attributes of an action's body, inherited from a media type where the declaration gives only a name.
import { type Attribute, type Attributes, isAttribute } from '../schema/attribute.ts'
import { struct } from '../schema/struct.ts'
import { described } from '../util/described.ts'
import { isStructure } from '../util/form.ts'
import { type ActionSpec, isInherit, isPayloadReference, type PayloadAttributes, type PayloadSpec } from './action.ts'
import { checkAttributes } from './check.ts'
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
  if (isAttribute(own)) return own
  if (own === undefined && isAttribute(defaults)) return defaults
  return struct({
    ...(defaults !== undefined && !isAttribute(defaults) && filled(defaults, mediaType, report)),
    ...(own !== undefined && filled(own, mediaType, report)),
  })
}

function filled(
  spec: Exclude<PayloadSpec, Attribute>,
  mediaType: MediaType | string | undefined,
  report: Report,
): Attributes {
  const reference = isPayloadReference(spec) ? spec['~reference'] : isMediaType(mediaType) ? mediaType : undefined
  const attributes = (isPayloadReference(spec) ? spec.attributes : spec) as PayloadAttributes
  if (reference !== undefined && !isMediaType(reference))
    report('payload', `payloadOf refers to ${described(reference)}`, 'give a media type to inherit from')
  if (!isStructure(attributes) || (reference !== undefined && !isMediaType(reference))) {
    if (!isStructure(attributes))
      report('payload', `its attributes are ${described(attributes)}`, 'give attributes by their names')
    return {}
  }
  const resolved: Record<string, Attribute> = {}
  for (const [name, one] of Object.entries(attributes)) {
    if (isAttribute(one)) resolved[name] = one
    else if (!isInherit(one)) {
      report(
        `payload.${name}`,
        `it is ${described(one)}, not an attribute`,
        'declare it with t, for example t.string(), or inherit',
      )
    }
    if (!isInherit(one)) continue
    const source =
      reference !== undefined && Object.hasOwn(reference.attributes, name) ? reference.attributes[name] : undefined
    if (source === undefined) {
      const known =
        reference === undefined ? 'the endpoint has no media type' : `${reference.name} has no attribute '${name}'`
      report(
        `payload.${name}`,
        `${known} to inherit from`,
        'give the attribute a type of its own, or name another reference with payloadOf',
      )
      continue
    }
    const own = one['~inherit']
    resolved[name] = isStructure(own) && Object.keys(own).length === 0 ? source : source.core.derive(own)
  }
  return resolved
}

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
