// The plugin `conditional`: evaluates the conditions of requests, passes those of changes to resources, and tags
// responses.
import {
  findEndpointType,
  findRestriction,
  findShownPart,
  form,
  getMediaType,
  listShownParts,
  type OutgoingResponse,
  type Plugin,
  type PolicyRequest,
  type PolicyResult,
  type PolicySteps,
  problem,
  Refusal,
  type Report,
  type ResolvedAction,
  readShownPart,
  reportFlaws,
} from '../../extend.ts'
import { ActionResponse, type MediaType } from '../../index.ts'
import { type ElementGuard, guardRequest } from '../mapper/extend.ts'
import { codes } from './codes.ts'
import type { TagMarks } from './entity-tags.ts'
import { hashBody } from './hash-body.ts'
import {
  type ConditionOptions,
  type ConditionSettings,
  findConditionSettings,
  isChangeMethod,
  isReadMethod,
  POLICY_NAMES,
  type PolicySettings,
} from './policy.ts'
import {
  buildChangeFilter,
  type ElementVersion,
  evaluateConditions,
  findKnownTag,
  formatVisibilityMark,
  hasChangeCondition,
  parseConditions,
  type RequestConditions,
  type RequestPurpose,
  readVersion,
  refuseMalformed,
  type Validator,
  type Validators,
} from './request-conditions.ts'
import { collectTagMarks } from './tag-marks.ts'

/** Enforces `etag` and `lastModified`. */
export function conditional(): Plugin {
  return Object.freeze({
    name: 'conditional',
    codes,
    checkPolicy: ({ settings }, action, report) => checkSettings(settings as PolicySettings, action, report),
    enforce({ name }, action, application) {
      const settings = findConditionSettings(action)
      // The first of the two policies does the work of both, because the conditions depend on each other.
      if (name !== POLICY_NAMES[settings[0]?.by ?? 'tag']) return {}
      const isBody = settings.some(({ of }) => of === 'body')
      return isBody ? bodySteps : createElementSteps(action, settings, collectTagMarks(application))
    },
  } satisfies Plugin)
}

const FIELDS: form.Fields<ConditionOptions> = { required: form.flag }

function checkSettings(
  { by, of, givenOptions, required }: PolicySettings,
  action: ResolvedAction,
  report: Report,
): void {
  const path = `policies.${POLICY_NAMES[by]}`
  reportFlaws(path, form.accept(givenOptions, FIELDS).flaws, report)
  const changes = action.routes.some(({ verb }) => verb === 'ANY' || isChangeMethod(verb))
  if (of === 'body' && by === 'tag') {
    if (required === true && changes)
      report(path, 'a body cannot be a condition of a statement', "name an attribute, such as etag('version')")
    return
  }
  const mediaType = findElementType(action)
  const attribute = mediaType?.attributes[of]
  if (attribute === undefined) {
    const what = mediaType === undefined ? 'the action has no media type' : `${mediaType.name} has no attribute '${of}'`
    report(path, what, by === 'tag' ? "name one of the element's attributes, or use etag('body')" : 'name one')
  } else if (findRestriction(attribute) !== undefined)
    report(path, `only some clients see '${of}', and the header would reveal it to all`, 'name another one')
  else if (by === 'modified' && attribute.core.scalar !== 'dateTime')
    report(path, `'${of}' is no t.dateTime()`, 'name an attribute that says when the element was changed')
  else if (attribute.core.scalar === undefined)
    report(path, `'${of}' is no single value`, 'name a number, a text or a time')
  else if (mediaType !== undefined && hasSeveral(action, mediaType))
    report(path, `the response shows several of ${mediaType.name}`, "show one of them, or use etag('body')")
  else if (!changes && hasListResponse(action))
    report(path, 'the action responds with a list, which has no such attribute', "use etag('body') here")
}

const listSuccesses = ({
  responses,
}: ResolvedAction): ResolvedAction['responses'] extends ReadonlyMap<string, infer R> ? R[] : never =>
  [...responses.values()].filter(({ status }) => status < 300)

const hasListResponse = (action: ResolvedAction): boolean =>
  listSuccesses(action).some(({ bodies }) =>
    bodies.some(({ list, attribute }) => list || (attribute && findShownPart(attribute)?.isList)),
  )

const hasSeveral = (action: ResolvedAction, mediaType: MediaType): boolean =>
  listSuccesses(action).some(({ bodies }) =>
    bodies.some(
      ({ attribute }) =>
        attribute !== undefined &&
        findShownPart(attribute, mediaType) === undefined &&
        listShownParts(attribute).some(({ resource }) => getMediaType(resource) === mediaType),
    ),
  )

/** Returns the media type of an action's element: that of its responses, or of its endpoint. */
function findElementType(action: ResolvedAction): MediaType | undefined {
  for (const { bodies } of listSuccesses(action))
    for (const { attribute } of bodies) {
      const part = attribute && findShownPart(attribute)
      if (part?.isList === false) return getMediaType(part.resource)
    }
  return findEndpointType(action.endpoint)
}

// --- by attributes -----------------------------------------------------------------------

/** The guard of one request, which records whether it was used. */
class ConditionGuard implements ElementGuard {
  readonly mediaType: MediaType
  readonly fields: readonly string[]
  readonly check: ((element: Readonly<Record<string, unknown>>) => void) | undefined
  readonly #context: ConditionContext
  readonly #conditions: RequestConditions | undefined
  readonly #visibilityMark: string | undefined
  isUsed = false

  constructor(
    context: ConditionContext,
    conditions: RequestConditions | undefined,
    purpose: RequestPurpose,
    visibilityMark: string | undefined,
  ) {
    this.mediaType = context.mediaType
    this.fields = context.fields
    this.#context = context
    this.#conditions = conditions
    this.#visibilityMark = purpose === 'read' ? visibilityMark : undefined
    // The statement of a change evaluates its conditions itself. Elements that are read before or after it are not
    // checked.
    this.check =
      purpose === 'read' && conditions !== undefined ? (element) => this.checkElement(element, 'read') : undefined
  }

  condition(): ReturnType<ElementGuard['condition']> {
    this.isUsed = true
    return this.#conditions === undefined ? undefined : buildChangeFilter(this.#conditions, this.#context.validators)
  }

  refuse(): never {
    throw new Refusal(codes.failures['precondition-failed'])
  }

  /** Throws the response to a request whose conditions fail for an element. */
  checkElement(element: object | undefined, purpose: RequestPurpose): void {
    this.isUsed = true
    const version =
      element === undefined
        ? undefined
        : { ...readVersion(element, this.#context.validators), visibilityMark: this.#visibilityMark }
    const verdict = this.#conditions === undefined ? 'go' : evaluateConditions(this.#conditions, version, purpose)
    if (verdict === 'failed') this.refuse()
    if (verdict === 'known')
      throw createNotModified(
        this.#conditions as RequestConditions,
        version as ElementVersion,
        formatMarkSuffix(this.#visibilityMark),
      )
  }
}

/** The settings that all requests of an action share. */
interface ConditionContext {
  readonly mediaType: MediaType
  readonly fields: readonly string[]
  readonly validators: Validators
  readonly required: boolean
  readonly marks: TagMarks
  /** The names that lead to the element in the body of a response, by the name of the response. */
  readonly paths: ReadonlyMap<string, readonly string[]>
  /** Returns the suffix that distinguishes the tags of a body's representations; empty if there is only one. */
  getFormSuffix(response: ActionResponse, request: PolicyRequest): string
}

/** Returns the guard of a request, if this plugin has set it. */
function findConditionGuard(request: { readonly guard?: object | undefined }): ConditionGuard | undefined {
  const { guard } = request
  return guard !== undefined && 'checkElement' in guard ? (guard as ConditionGuard) : undefined
}

/**
 * Throws the response to a request whose conditions fail for an element that its action has loaded. Pass undefined if the
 * element does not exist.
 */
export function checkConditions(request: object, element: object | undefined): void {
  const { method } = request as { readonly method?: string }
  findConditionGuard(request)?.checkElement(element, isChangeMethod(method ?? 'GET') ? 'change' : 'read')
}

function createElementSteps(
  action: ResolvedAction,
  settings: readonly ConditionSettings[],
  marks: TagMarks,
): PolicySteps {
  const context = createConditionContext(action, settings, marks)
  return {
    admission: ({ method, headers }) => {
      if (!context.required || !isChangeMethod(method)) return undefined
      const conditions = parseConditions(headers, marks)
      if (conditions === undefined) return problem(codes.failures['precondition-required'])
      // Malformed conditions are rejected with a validation error after the request was read.
      const hasCondition = hasChangeCondition(conditions, context.validators) || conditions.malformed.length > 0
      return hasCondition ? undefined : problem(codes.failures['precondition-required'])
    },
    before(request) {
      const { method, headers, audiences } = request
      const purpose = isReadMethod(method) ? 'read' : 'change'
      // POST creates an element, which has no version before.
      const conditions = purpose === 'read' || isChangeMethod(method) ? parseConditions(headers, marks) : undefined
      if (conditions !== undefined) refuseMalformed(conditions, purpose)
      guardRequest(request, new ConditionGuard(context, conditions, purpose, formatVisibilityMark(audiences)))
    },
    after: (response, request) => tagResponse(response, request, context),
  }
}

function createConditionContext(
  action: ResolvedAction,
  settings: readonly ConditionSettings[],
  marks: TagMarks,
): ConditionContext {
  const mediaType = findElementType(action) as MediaType
  const findValidator = (by: ConditionSettings['by']): Validator | undefined => {
    const of = settings.find((one) => one.by === by)?.of
    const attribute = of === undefined ? undefined : mediaType.attributes[of]
    return of === undefined || attribute === undefined ? undefined : { field: of, attribute }
  }
  const validators = { tag: findValidator('tag'), modified: findValidator('modified') }
  const forms = new Map(listSuccesses(action).map(({ name, bodies }) => [name, bodies.map((body) => body.identifier)]))
  const paths = listSuccesses(action).flatMap(({ name, bodies }) =>
    bodies.flatMap(({ attribute }) => {
      const part = attribute && findShownPart(attribute, mediaType)
      return part === undefined ? [] : [[name, part.path] as const]
    }),
  )
  return {
    mediaType,
    marks,
    validators,
    paths: new Map(paths),
    fields: Object.freeze(
      [validators.tag, validators.modified].flatMap((one) => (one === undefined ? [] : [one.field])),
    ),
    required: settings.some(({ required = false }) => required),
    getFormSuffix(response, request) {
      const identifiers = forms.get(response.name) ?? []
      if (identifiers.length < 2) return ''
      const chosen = response.mediaType ?? request.accepts(response.name)
      return `;${Math.max(0, identifiers.indexOf(chosen ?? ''))}`
    },
  }
}

function tagResponse(response: ActionResponse, request: PolicyRequest, context: ConditionContext): PolicyResult {
  if (response.status >= 300) return
  const { method, headers, audiences } = request
  const isSafe = isReadMethod(method)
  const isChecked = findConditionGuard(request)?.isUsed === true
  if (isChangeMethod(method) && !isChecked) throw new Error(explainUnusedGuard(request.action))
  const path = context.paths.get(response.name)
  const body = path === undefined ? response.body : readShownPart(response.body, path)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  const visibilityMark = formatVisibilityMark(audiences)
  const version = {
    ...readVersion(body, context.validators),
    visibilityMark,
  }
  // A response need not contain the version that the conditions were compared with.
  const conditions =
    isSafe && !(isChecked && version.tag === undefined) ? parseConditions(headers, context.marks) : undefined
  const verdict = conditions === undefined ? 'go' : evaluateConditions(conditions, version, 'read')
  if (verdict === 'failed') return problem(codes.failures['precondition-failed'])
  const suffix = formatMarkSuffix(visibilityMark) + context.getFormSuffix(response, request)
  if (verdict === 'known') return createNotModified(conditions as RequestConditions, version, suffix)
  const { tag, modified } = version
  if (tag !== undefined) response.headers['ETag'] ??= `"${tag}${suffix}"`
  if (modified !== undefined) response.headers['Last-Modified'] ??= modified.toUTCString()
}

const formatMarkSuffix = (visibilityMark: string | undefined): string =>
  visibilityMark === undefined || visibilityMark === '' ? '' : `;${visibilityMark}`

const explainUnusedGuard = (action: string): string =>
  `${action} has a policy of edict/conditional, and nothing compared the conditions of the request. Remedy: hand the request to the resource, as in update(id, changes, { request }) and delete(id, { request }), or call checkConditions(request, element) before the change.`

function buildValidatorHeaders({ tag, modified }: ElementVersion, suffix: string): Record<string, string> {
  return {
    ...(tag !== undefined && { ETag: `"${tag}${suffix}"` }),
    ...(modified !== undefined && { 'Last-Modified': modified.toUTCString() }),
  }
}

// Repeats the tag that the client sent, because its representation may be compressed.
function createNotModified(conditions: RequestConditions, version: ElementVersion, suffix: string): ActionResponse {
  const ETag = findKnownTag(conditions, version)
  const headers = { ...buildValidatorHeaders(version, suffix), ...(ETag !== undefined && { ETag }) }
  return new ActionResponse('notModified', 304, { headers })
}

// --- by bodies -----------------------------------------------------------------------------

/** The tag of a body is its hash, without suffixes. */
const NO_MARKS: TagMarks = { maxRepresentations: 0, audiences: new Set(), hasCodings: false }

const bodySteps: PolicySteps = {
  before({ method, headers }) {
    const conditions = isReadMethod(method) ? parseConditions(headers, NO_MARKS) : undefined
    if (conditions !== undefined) refuseMalformed(conditions, 'read')
  },
  response(response, { method, headers }) {
    const { body, status } = response
    if (status !== 200 || !isReadMethod(method)) return
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) return
    const tag = hashBody(body)
    if (response.get('ETag') === undefined) response.set('ETag', `"${tag}"`)
    const conditions = parseConditions(headers, NO_MARKS)
    const verdict = conditions === undefined ? 'go' : evaluateConditions(conditions, { tag }, 'read')
    if (verdict === 'known') setNotModified(response, findKnownTag(conditions as RequestConditions, { tag }))
    if (verdict === 'failed') setPreconditionFailed(response)
  },
}

function setNotModified(response: OutgoingResponse, known: string | undefined): void {
  if (known !== undefined) response.set('ETag', known)
  response.status = 304
  response.body = null
  response.delete('Content-Type')
}

function setPreconditionFailed(response: OutgoingResponse): void {
  const { status, title, code } = codes.failures['precondition-failed']
  response.status = status
  response.body = JSON.stringify({ type: 'about:blank', title, status, code })
  response.set('Content-Type', 'application/problem+json')
  response.delete('ETag')
}
