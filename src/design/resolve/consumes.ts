// The content types of bodies: the defaults of a payload, declared ones, and the payloads that each can carry.
import type { Attribute, Shape } from '../../schema/attribute.ts'
import { hasAttributeWhere } from '../../schema/children.ts'
import { FORM_TYPE, isJsonType, MULTIPART_TYPE } from '../../util/media-type.ts'
import type { Report } from '../mistakes.ts'
import type { ResolvedAction, ResolvedEndpoint, ResolvedPayload } from './resolved.ts'

const JSON_TYPES = ['application/json', 'application/*+json']

/** The properties of a payload that determine its content types. */
type PayloadTraits = Pick<ResolvedPayload, 'attribute' | 'form' | 'files'>

/** The `consumes` that applies to an action, and the path of its setting. */
export interface ConsumesSetting {
  readonly setting: string
  readonly types: readonly string[] | undefined
}

/** Reports declared content types that cannot carry a payload. */
export function checkCarriers(body: PayloadTraits, { setting, types }: ConsumesSetting, report: Report): void {
  if (body.files && !isKeyed(body.attribute))
    report('payload', 'it holds files without names, which no body can carry', 'put them into a structure')
  else if (types !== undefined) checkCarried(body, setting, normalizeTypes(types), report)
}

/** Returns the content types of a payload in lower case: the declared ones, or its defaults. */
export const getContentTypes = (
  body: Pick<PayloadTraits, 'form' | 'files'>,
  types: readonly string[] = [],
): readonly string[] => (types.length === 0 ? getDefaultTypes(body) : normalizeTypes(types))

function getDefaultTypes({ form, files }: Pick<PayloadTraits, 'form' | 'files'>): readonly string[] {
  if (files) return [MULTIPART_TYPE]
  if (form === 'file') return ['*/*']
  return form === 'text' ? ['text/*', ...JSON_TYPES] : JSON_TYPES
}

/** Returns content types in lower case without duplicates. */
export const normalizeTypes = (types: readonly string[]): readonly string[] => [
  ...new Set(types.map((type) => type.toLowerCase())),
]

const MEDIA_RANGE = /^(?:\*\/\*|[\w!#$&^.+-]+\/[\w!#$&^.+*-]+)$/

/** Reports an empty `consumes`, and texts in it that are not content types. */
export function checkConsumes({ setting, types }: ConsumesSetting, report: Report): void {
  if (types?.length === 0) report(setting, 'it is empty: no body could ever be sent', 'name a media type')
  for (const type of types ?? []) {
    if (!MEDIA_RANGE.test(type))
      report(setting, `'${type}' is not a media type`, 'write type/subtype, such as application/json')
  }
}

/** Reports content types of an application that can carry neither structures nor values. */
export function checkApplicationConsumes(types: readonly string[] | undefined, report: Report): void {
  checkConsumes({ setting: 'consumes', types }, report)
  for (const type of normalizeTypes(types ?? [])) {
    if (MEDIA_RANGE.test(type) && !isJsonType(type) && !isFormType(type))
      report('consumes', `${type} carries neither structures nor values`, `name some of ${READABLE_TYPES}`)
  }
}

const READABLE_TYPES = `application/json, types with +json, ${FORM_TYPE}, ${MULTIPART_TYPE}`

/**
 * Applies the content types of an application to an endpoint: payloads without declared types take those that can carry
 * them.
 */
export function withConsumes(endpoint: ResolvedEndpoint, types: readonly string[]): ResolvedEndpoint {
  const actions = new Map<string, ResolvedAction>()
  const changed: ResolvedEndpoint = { ...endpoint, actions }
  endpoint.actions.forEach((action, name) => {
    const { payload } = action
    actions.set(name, {
      ...action,
      endpoint: changed,
      payload: payload && withContentTypes(payload, normalizeTypes(types)),
    })
  })
  return changed
}

function withContentTypes(payload: ResolvedPayload, types: readonly string[]): ResolvedPayload {
  const { form, files, declared } = payload
  if (declared || files || form === 'text' || form === 'file') return payload
  const consumes = types.filter((type) => canCarry(type, payload))
  return consumes.length === 0 ? payload : { ...payload, consumes }
}

/**
 * Formats the value of Accept-Query (RFC 10008): the content types of a QUERY to an action. HTTP has no ranges of
 * suffixes.
 */
export function formatAcceptQuery({ payload, paramTypes }: Pick<ResolvedAction, 'payload' | 'paramTypes'>): string {
  const types = payload?.consumes ?? paramTypes
  return types.filter((type) => !type.includes('*+')).join(', ')
}

// --- carriers ------------------------------------------------------------------------

const isFormType = (type: string): boolean => type === FORM_TYPE || type === MULTIPART_TYPE

/** Returns whether every body of a content type, or of a range of types, can be parsed into a payload. */
function canCarry(type: string, { attribute, form }: PayloadTraits): boolean {
  if (form === 'text' || form === 'file') return true
  return isJsonType(type) || (isFormType(type) && isKeyed(attribute))
}

const KEYED_SHAPES: ReadonlySet<Shape> = new Set(['object', 'record', 'union', 'open'])

// Forms consist of named values: a single value or a list has no names.
const isKeyed = (attribute: Attribute): boolean => KEYED_SHAPES.has(followReferences(attribute).core.shape)

// References may lead to references and, by mistake, back to themselves.
function followReferences(attribute: Attribute): Attribute {
  const seen = new Set<Attribute>()
  let resolved = attribute
  while (resolved.core.target !== undefined && !seen.has(resolved)) {
    seen.add(resolved)
    resolved = resolved.core.target
  }
  return resolved
}

function checkCarried(body: PayloadTraits, setting: string, types: readonly string[], report: Report): void {
  const valid = types.filter((type) => MEDIA_RANGE.test(type))
  for (const type of valid) {
    if (!canCarry(type, body)) report(setting, `${type} cannot carry the payload`, `name ${formatCarriers(body)}`)
  }
  if (body.files && valid.length > 0 && !valid.includes(MULTIPART_TYPE))
    report(setting, `the payload holds a file, which only ${MULTIPART_TYPE} carries`, `add ${MULTIPART_TYPE}`)
}

const formatCarriers = ({ attribute }: PayloadTraits): string =>
  isKeyed(attribute) ? `some of ${READABLE_TYPES}` : 'application/json or types with +json'

/** Returns whether an attribute contains a file. */
export const hasFile = (attribute: Attribute): boolean =>
  hasAttributeWhere(attribute, ({ core }) => core.shape === 'file')
