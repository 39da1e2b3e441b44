// Content types of bodies: those that a payload takes by itself, those that declarations name, and what each can carry.
import type { Attribute, Shape } from '../../schema/attribute.ts'
import { hasAttributeWhere } from '../../schema/children.ts'
import type { Report } from '../mistakes.ts'
import type { ResolvedAction, ResolvedEndpoint, ResolvedPayload } from './resolved.ts'

/** The content type of HTML forms. */
export const FORM_TYPE = 'application/x-www-form-urlencoded'
/** The content type of bodies in parts, some of which may be files. */
export const MULTIPART_TYPE = 'multipart/form-data'

const JSON_TYPES = ['application/json', 'application/*+json']
/** True for application/json, for every type with the suffix +json, and for every range of such types. */
export const isJsonType = (type: string): boolean => type === 'application/json' || type.endsWith('+json')

/** The facts about a payload that decide its content types. */
type PayloadTraits = Pick<ResolvedPayload, 'attribute' | 'form' | 'files'>

/** The `consumes` that counts for an action, and the setting that it stands in. */
export interface ConsumesSetting {
  readonly setting: string
  readonly types: readonly string[] | undefined
}

/** Reports content types of a declaration that cannot carry a payload. */
export function checkCarriers(body: PayloadTraits, { setting, types }: ConsumesSetting, report: Report): void {
  if (body.files && !isKeyed(body.attribute))
    report('payload', 'it holds files without names, which no body can carry', 'put them into a structure')
  else if (types !== undefined) checkCarried(body, setting, normalizeTypes(types), report)
}

/** The content types of a payload, in lower case: its own, unless a declaration names some. */
export const getContentTypes = (body: Pick<PayloadTraits, 'form' | 'files'>, types: readonly string[] = []): readonly string[] =>
  types.length === 0 ? getDefaultTypes(body) : normalizeTypes(types)

function getDefaultTypes({ form, files }: Pick<PayloadTraits, 'form' | 'files'>): readonly string[] {
  if (files) return [MULTIPART_TYPE]
  if (form === 'file') return ['*/*']
  return form === 'text' ? ['text/*', ...JSON_TYPES] : JSON_TYPES
}

/** Content types in lower case, each once. */
export const normalizeTypes = (types: readonly string[]): readonly string[] => [
  ...new Set(types.map((type) => type.toLowerCase())),
]

const MEDIA_RANGE = /^(?:\*\/\*|[\w!#$&^.+-]+\/[\w!#$&^.+*-]+)$/

/** Reports texts in a `consumes` that are not content types, and one without any. */
export function checkConsumes({ setting, types }: ConsumesSetting, report: Report): void {
  if (types?.length === 0) report(setting, 'it is empty: no body could ever be sent', 'name a media type')
  for (const type of types ?? []) {
    if (!MEDIA_RANGE.test(type))
      report(setting, `'${type}' is not a media type`, 'write type/subtype, such as application/json')
  }
}

/** Reports content types of an application that carry neither structures nor values. */
export function checkApplicationConsumes(types: readonly string[] | undefined, report: Report): void {
  checkConsumes({ setting: 'consumes', types }, report)
  for (const type of normalizeTypes(types ?? [])) {
    if (MEDIA_RANGE.test(type) && !isJsonType(type) && !isFormType(type))
      report('consumes', `${type} carries neither structures nor values`, `name some of ${READABLE_TYPES}`)
  }
}

const READABLE_TYPES = `application/json, types with +json, ${FORM_TYPE}, ${MULTIPART_TYPE}`

/** An endpoint in an application that names content types: payloads whose declarations name none take those that carry them. */
export function withConsumes(endpoint: ResolvedEndpoint, types: readonly string[]): ResolvedEndpoint {
  const actions = new Map<string, ResolvedAction>()
  const made: ResolvedEndpoint = { ...endpoint, actions }
  endpoint.actions.forEach((action, name) => {
    const { payload } = action
    actions.set(name, { ...action, endpoint: made, payload: payload && withContentTypes(payload, normalizeTypes(types)) })
  })
  return made
}

function withContentTypes(payload: ResolvedPayload, types: readonly string[]): ResolvedPayload {
  const { form, files, declared } = payload
  if (declared || files || form === 'text' || form === 'file') return payload
  const consumes = types.filter((type) => canCarry(type, payload))
  return consumes.length === 0 ? payload : { ...payload, consumes }
}

/** The value of Accept-Query (RFC 10008): the content types that a QUERY to an action may have; HTTP has no range of suffixes. */
export function formatAcceptQuery({ payload, paramTypes }: Pick<ResolvedAction, 'payload' | 'paramTypes'>): string {
  const types = payload?.consumes ?? paramTypes
  return types.filter((type) => !type.includes('*+')).join(', ')
}

// --- what a type can carry -----------------------------------------------------------

const isFormType = (type: string): boolean => type === FORM_TYPE || type === MULTIPART_TYPE

/** Returns whether every body of a content type, or of a range of them, can be read into a payload. */
function canCarry(type: string, { attribute, form }: PayloadTraits): boolean {
  if (form === 'text' || form === 'file') return true
  return isJsonType(type) || (isFormType(type) && isKeyed(attribute))
}

const KEYED_SHAPES: ReadonlySet<Shape> = new Set(['object', 'record', 'union', 'open'])

// Forms are values by their names: a single value or a list has none.
const isKeyed = (attribute: Attribute): boolean => KEYED_SHAPES.has(followReferences(attribute).core.shape)

// References may lead to references, and, by mistake, back to themselves.
function followReferences(attribute: Attribute): Attribute {
  const seen = new Set<Attribute>()
  let meant = attribute
  while (meant.core.target !== undefined && !seen.has(meant)) {
    seen.add(meant)
    meant = meant.core.target
  }
  return meant
}

function checkCarried(body: PayloadTraits, setting: string, types: readonly string[], report: Report): void {
  const known = types.filter((type) => MEDIA_RANGE.test(type))
  for (const type of known) {
    if (!canCarry(type, body)) report(setting, `${type} cannot carry the payload`, `name ${formatCarriers(body)}`)
  }
  if (body.files && known.length > 0 && !known.includes(MULTIPART_TYPE))
    report(setting, `the payload holds a file, which only ${MULTIPART_TYPE} carries`, `add ${MULTIPART_TYPE}`)
}

const formatCarriers = ({ attribute }: PayloadTraits): string =>
  isKeyed(attribute) ? `some of ${READABLE_TYPES}` : 'application/json or types with +json'

/** True when a file stands in an attribute. */
export const hasFile = (attribute: Attribute): boolean => hasAttributeWhere(attribute, ({ core }) => core.shape === 'file')
