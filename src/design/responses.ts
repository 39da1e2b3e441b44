// Declared responses worked out: the status of each name, its bodies, and the contradictions among them.
import { type Attribute, isAttribute } from '../schema/attribute.ts'
import { checkAttributes } from './check.ts'
import { isCollection, isMediaType, type MediaType } from './media-type.ts'
import type { Report } from './mistakes.ts'
import type { ResolvedBody, ResolvedResponse } from './resolved.ts'
import {
  type BodySpec,
  identifierOf,
  isResponseClass,
  type ResponseDeclaration,
  type ResponseSpec,
  responseSpec,
} from './response.ts'
import { builtinStatuses } from './status.ts'

/** Works out an action's responses. */
export function resolveResponses(
  mediaType: MediaType | string | undefined,
  declarations: { readonly [name: string]: ResponseDeclaration | undefined },
  report: Report,
): ReadonlyMap<string, ResolvedResponse> {
  const resolved = new Map<string, ResolvedResponse>()
  for (const [name, declaration] of Object.entries(declarations)) {
    if (declaration === undefined) continue
    const spec = responseSpec(declaration)
    const status = statusOf(name, declaration, spec, report)
    if (status === undefined) continue
    const declared = bodiesOf(spec)
    // A successful answer without a media type of its own is one of the endpoint's.
    const implied = declared.length === 0 && status < 300 && mediaType !== undefined
    resolved.set(name, {
      name,
      status,
      description: spec.description,
      bodies: implied ? [bodyOf(mediaType)] : declared,
      implied,
      location: spec.location,
      headers: Object.entries(spec.headers ?? {}),
    })
    checkBodies(name, declared, report)
  }
  if (Object.values(declarations).every((declaration) => declaration === undefined))
    report('responses', 'the action lists no response', 'list every response it may return, such as ok: true')
  return resolved
}

function statusOf(
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
      `the response listed here is called '${declaration.responseName}'`,
      `list it as ${declaration.responseName}`,
    )
  }
  if (status === undefined) {
    report(setting, 'it is not a built-in response and has no status', 'give it a status, such as { status: 429 }')
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
    report(setting, `${status} cannot be the status of an answer`, 'use a status from 200 to 599')
    return undefined
  }
  return status
}

function bodiesOf({ mediaType }: ResponseSpec): readonly ResolvedBody[] {
  if (mediaType === undefined) return []
  return (Array.isArray(mediaType) ? (mediaType as readonly BodySpec[]) : [mediaType as BodySpec]).map(bodyOf)
}

function bodyOf(body: BodySpec): ResolvedBody {
  const list = isCollection(body)
  const attribute: Attribute | undefined = list ? body.of : isAttribute(body) ? body : undefined
  return { identifier: identifierOf(body), attribute, list }
}

function checkBodies(name: string, bodies: readonly ResolvedBody[], report: Report): void {
  for (const { attribute } of bodies) {
    if (attribute === undefined) continue
    const owner = isMediaType(attribute) ? attribute.name : 'body'
    checkAttributes(`responses.${name}`, { [owner]: attribute }, report)
  }
}
