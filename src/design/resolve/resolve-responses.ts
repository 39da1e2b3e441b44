// Resolves declared responses: the status of each name, its bodies, and contradictions among them.
import { type Attribute, isAttribute } from '../../schema/attribute.ts'
import { explainUnsupportedPattern } from '../../schema/scalars/text-pattern.ts'
import { isJsonText } from '../../schema/structures/json.ts'
import { describeValue } from '../../util/describe-value.ts'
import { isSettings } from '../../util/setting-form.ts'
import { findNearest } from '../../util/suggest-name.ts'
import {
  type BodySpec,
  getMediaTypeIdentifier,
  isResponseClass,
  type ResponseDeclaration,
  type ResponseSpec,
  toResponseSpec,
} from '../declare/action-response.ts'
import { isCollection } from '../declare/collection.ts'
import { isMediaType, isView, type MediaType } from '../declare/media-type.ts'
import { builtinStatuses } from '../declare/status.ts'
import { listCsvColumns } from '../fields/csv-columns.ts'
import { type Report, readSettings } from '../mistakes.ts'
import { checkAttribute, checkAttributes, checkMediaTypeForm } from './check-attributes.ts'
import type { ResolvedBody, ResolvedResponse, StreamForm } from './resolved.ts'
import { checkHeaderNames, checkIdentifier, settingForms } from './settings.ts'

/** Resolves an action's responses. */
export function resolveResponses(
  mediaType: MediaType | string | undefined,
  declarations: { readonly [name: string]: ResponseDeclaration | undefined },
  report: Report,
): ReadonlyMap<string, ResolvedResponse> {
  const resolved = new Map<string, ResolvedResponse>()
  for (const [name, declaration] of Object.entries(declarations)) {
    if (declaration === undefined) continue
    const response = resolveResponse(name, declaration, mediaType, report)
    if (response !== undefined) resolved.set(name, response)
  }
  return resolved
}

function resolveResponse(
  name: string,
  declaration: ResponseDeclaration,
  mediaType: MediaType | string | undefined,
  report: Report,
): ResolvedResponse | undefined {
  const setting = `responses.${name}`
  if (!isResponseDeclaration(declaration)) {
    const remedy = 'write true, a media type, or { mediaType, headers, … }'
    report(setting, `it is ${describeValue(declaration)}, which declares no response`, remedy)
    return undefined
  }
  const spec = readSettings(setting, toResponseSpec(declaration), settingForms.response, report)
  const status = resolveStatus(name, declaration, spec, report)
  if (status === undefined) return undefined
  checkBodies(setting, resolveNamedBodies(spec), mediaType, report)
  checkResponse(setting, spec, report)
  if (spec.mediaType !== undefined && isBodiless(status)) {
    const problem = `a response with the status ${status} never has a body, but a media type is named for it`
    report(setting, problem, 'leave the media type out, or list a response that has a body, such as ok')
  }
  const bodies = resolveBodies(name, spec, status, mediaType)
  return {
    name,
    status,
    description: spec.description,
    bodies,
    problem: status >= 400 && bodies.length === 0,
    location: spec.location,
    headers: Object.entries(spec.headers ?? {}).filter(([, rule]) => rule !== undefined),
  }
}

/** Returns the bodies of a declared response; mistakes are not checked. */
export function resolveBodies(
  name: string,
  spec: ResponseSpec,
  status: number,
  mediaType: MediaType | string | undefined,
): readonly ResolvedBody[] {
  if (isBodiless(status)) return []
  if (spec.mediaType !== undefined) return resolveNamedBodies(spec)
  // Only `ok` falls back to the endpoint's media type. The others have the body that they declare.
  if (name !== 'ok') return []
  return [mediaType === undefined ? TEXT_BODY : resolveBody(mediaType)]
}

function resolveStatus(
  name: string,
  declaration: ResponseDeclaration,
  spec: ResponseSpec,
  report: Report,
): number | undefined {
  const setting = `responses.${name}`
  const builtin = builtinStatuses.get(name)
  const status = spec.status ?? builtin
  if (isResponseClass(declaration) && declaration.responseName !== name) {
    report(
      setting,
      `the response listed here is called ${describeValue(declaration.responseName)}`,
      'list it by its own name, which is a text',
    )
  }
  if (status === undefined) {
    const nearest = findNearest(name, [...builtinStatuses.keys()])
    const remedy = 'give it a status, such as { status: 429 }'
    const problem = 'it is not a built-in response and has no status'
    report(setting, problem, nearest === undefined ? remedy : `did you mean ${nearest}? If not, ${remedy}`)
    return undefined
  }
  if (builtin !== undefined && status !== builtin) {
    report(
      setting,
      `a built-in response of this name has the status ${builtin}, not ${status}`,
      'choose another name for it',
    )
  }
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    report(setting, `${status} cannot be the status of a response`, 'use a status from 200 to 599')
    return undefined
  }
  return status
}

const resolveNamedBodies = ({ mediaType = [] }: ResponseSpec): readonly ResolvedBody[] =>
  ([mediaType].flat() as readonly BodySpec[]).map(resolveBody)

function resolveBody(body: BodySpec): ResolvedBody {
  const list = isCollection(body)
  const type: unknown = list ? body.of : body
  const attribute = isAttribute(type) ? type : undefined
  const resolved = { identifier: getMediaTypeIdentifier(body), attribute, list, absent: undefined }
  return list && body.as !== 'json' ? { ...resolved, stream: body as StreamForm } : resolved
}

// Responses with these statuses never have a body (RFC 9110).
const isBodiless = (status: number): boolean => status === 204 || status === 205 || status === 304

// An action may return a text as the body of `ok`: without a media type, `ok` has that body.
const TEXT_BODY: ResolvedBody = { identifier: 'text/plain', attribute: undefined, list: false, absent: '' }

function isResponseDeclaration(declaration: unknown): declaration is ResponseDeclaration {
  if (declaration === true || typeof declaration === 'string' || isSettings(declaration)) return true
  return isAttribute(declaration) || isCollection(declaration) || isResponseClass(declaration)
}

function checkBodies(
  setting: string,
  bodies: readonly ResolvedBody[],
  checked: MediaType | string | undefined,
  report: Report,
): void {
  for (const { attribute, identifier, stream } of bodies) {
    if (attribute === undefined) checkIdentifier(setting, String(identifier), report)
    else {
      const isValid = checkAttribute(setting, isMediaType(attribute) ? attribute.name : 'body', attribute, report)
      if (isValid && stream?.as === 'csv') checkColumns(setting, attribute, report)
      if (isValid && stream?.as === 'events') checkEventNames(setting, Object.keys(attribute.core.children), report)
    }
    const mediaType: unknown = isView(attribute) ? attribute.of : attribute
    // The endpoint's media type has already been checked.
    if (isMediaType(mediaType) && mediaType !== checked) checkMediaTypeForm(setting, mediaType, report)
  }
}

function checkColumns(setting: string, element: Attribute, report: Report): void {
  const names = listCsvColumns(element).map(({ name }) => name)
  for (const duplicate of new Set(names.filter((name, i) => names.indexOf(name) < i)))
    report(
      setting,
      `two columns of the CSV would be called '${duplicate}'`,
      'rename the attribute that has a dot in its name',
    )
}

function checkEventNames(setting: string, names: readonly string[], report: Report): void {
  for (const name of names) {
    if (name === 'error' || name === 'open')
      report(setting, `an event is called '${name}', as an event of the connection itself is`, 'choose another name')
    else if (name === '' || /[\0\r\n]/.test(name))
      report(setting, `${describeValue(name)} cannot be the name of an event`, 'choose a name without line ends')
  }
}

function checkResponse(setting: string, spec: ResponseSpec, report: Report): void {
  if (Array.isArray(spec.mediaType) && spec.mediaType.length === 0)
    report(`${setting}.mediaType`, 'it is empty: no body could ever be sent', 'name a media type, or leave it out')
  for (const [header, rule] of Object.entries({ ...spec.headers, location: spec.location })) {
    const reason = rule instanceof RegExp ? explainUnsupportedPattern(rule) : undefined
    const path = header === 'location' ? header : `headers.${header}`
    if (reason !== undefined) report(`${setting}.${path}`, `${rule} is not supported`, reason)
  }
  if (spec.headers === undefined) return
  checkHeaderNames(`${setting}.headers`, Object.keys(spec.headers), report)
  const typed = Object.entries(spec.headers).flatMap(([header, rule]) =>
    isAttribute(rule) ? [[header, rule] as const] : [],
  )
  checkAttributes(`${setting}.headers`, Object.fromEntries(typed), report)
  for (const [header, one] of typed) {
    if (isJsonText(one))
      report(`${setting}.headers.${header}`, 'it is t.json, which is for what clients send', 'declare it as t.string()')
  }
}
