// The plugin `conditional`: judges requests by their conditions, hands those of changes to resources, and tags answers.
import {
  form,
  isMediaType,
  isView,
  mediaTypeOf,
  type OutgoingResponse,
  type Plugin,
  type PolicyRequest,
  type PolicyResult,
  type PolicySteps,
  problem,
  Refusal,
  type Report,
  type ResolvedAction,
  reportFlaws,
  restrictionOf,
} from '../../extend.ts'
import { ActionResponse, type MediaType } from '../../index.ts'
import { type ElementGuard, guardRequest } from '../mapper/extend.ts'
import { codes } from './codes.ts'
import {
  type RequestConditions,
  buildChangeFilter,
  parseConditions,
  hasChangeCondition,
  findKnownTag,
  refuseMalformed,
  formatVisibilityMark,
  type Validator,
  type Validators,
  type ElementVersion,
  evaluateConditions,
  readVersion,
} from './request-conditions.ts'
import { hashBody } from './hash-body.ts'
import { collectTagMarks } from './tag-marks.ts'
import { type ConditionOptions, type ConditionSettings, isChangeMethod, isReadMethod, POLICY_NAMES, findConditionSettings } from './policy.ts'
import type { TagMarks } from './entity-tags.ts'

/** Enforces `etag` and `lastModified`. */
export function conditional(): Plugin {
  return Object.freeze({
    name: 'conditional',
    codes,
    checkPolicy: ({ settings }, action, report) => checkSettings(settings as ConditionSettings, action, report),
    enforce({ name }, action, application) {
      const settings = findConditionSettings(action)
      // The first of the two does the work of both: which condition counts depends on the other one.
      if (name !== POLICY_NAMES[settings[0]?.by ?? 'tag']) return {}
      const isBody = settings.some(({ of }) => of === 'body')
      return isBody ? bodySteps : createElementSteps(action, settings, collectTagMarks(application))
    },
  } satisfies Plugin)
}

const FIELDS: form.Fields<ConditionOptions> = { required: form.flag }

function checkSettings({ by, of, givenOptions: given, required }: ConditionSettings, action: ResolvedAction, report: Report): void {
  const place = `policies.${POLICY_NAMES[by]}`
  reportFlaws(place, form.accept(given, FIELDS).flaws, report)
  const changes = action.routes.some(({ verb }) => verb === 'ANY' || isChangeMethod(verb))
  if (of === 'body' && by === 'tag') {
    if (required === true && changes)
      report(place, 'a body cannot be a condition of a statement', "name an attribute, such as etag('version')")
    return
  }
  const mediaType = findElementType(action)
  const attribute = mediaType?.attributes[of]
  if (attribute === undefined) {
    const what = mediaType === undefined ? 'the action has no media type' : `${mediaType.name} has no attribute '${of}'`
    report(place, what, by === 'tag' ? "name one of the element's attributes, or use etag('body')" : 'name one')
  } else if (restrictionOf(attribute) !== undefined)
    report(place, `only some clients see '${of}', and the header would reveal it to all`, 'name another one')
  else if (by === 'modified' && attribute.core.scalar !== 'dateTime')
    report(place, `'${of}' is no t.dateTime()`, 'name an attribute that says when the element was changed')
  else if (attribute.core.scalar === undefined)
    report(place, `'${of}' is no single value`, 'name a number, a text or a time')
  else if (!changes && hasListResponse(action))
    report(place, 'the action answers with a list, which has no such attribute', "use etag('body') here")
}

const listSuccesses = ({
  responses,
}: ResolvedAction): ResolvedAction['responses'] extends ReadonlyMap<string, infer R> ? R[] : never =>
  [...responses.values()].filter(({ status }) => status < 300)

const hasListResponse = (action: ResolvedAction): boolean =>
  listSuccesses(action).some(({ bodies }) => bodies.some(({ list, attribute }) => list || attribute?.core.shape === 'list'))

/** The media type of the element that an action is about: that of its answers, or of its endpoint. */
function findElementType(action: ResolvedAction): MediaType | undefined {
  for (const { bodies } of listSuccesses(action))
    for (const { attribute } of bodies)
      if (attribute !== undefined && (isMediaType(attribute) || isView(attribute))) return mediaTypeOf(attribute)
  const { mediaType } = action.endpoint
  return isMediaType(mediaType) ? mediaType : undefined
}

// --- by attributes -----------------------------------------------------------------------

/** The guard of one request, which records whether it was used. */
class ConditionGuard implements ElementGuard {
  readonly mediaType: MediaType
  readonly fields: readonly string[]
  readonly judge: ((element: Readonly<Record<string, unknown>>) => void) | undefined
  readonly #context: ConditionContext
  readonly #conditions: RequestConditions | undefined
  readonly #visibilityMark: string | undefined
  isUsed = false

  constructor(site: ConditionContext, conditions: RequestConditions | undefined, safe: boolean, seen: string | undefined) {
    this.mediaType = site.mediaType
    this.fields = site.fields
    this.#context = site
    this.#conditions = conditions
    this.#visibilityMark = safe ? seen : undefined
    // A change judges in its own statement: what is read for it, or after it, is another matter.
    this.judge = safe && conditions !== undefined ? (element) => this.checkElement(element, true) : undefined
  }

  condition(): ReturnType<ElementGuard['condition']> {
    this.isUsed = true
    return this.#conditions === undefined ? undefined : buildChangeFilter(this.#conditions, this.#context.validators)
  }

  refuse(): never {
    throw new Refusal(codes.failures['precondition-failed'])
  }

  /** Throws what answers a request whose conditions do not hold for an element. */
  checkElement(element: Readonly<Record<string, unknown>> | undefined, safe: boolean): void {
    this.isUsed = true
    const version =
      element === undefined ? undefined : { ...readVersion(element, this.#context.validators), seen: this.#visibilityMark }
    const verdict = this.#conditions === undefined ? 'go' : evaluateConditions(this.#conditions, version, safe)
    if (verdict === 'failed') this.refuse()
    if (verdict === 'known') throw createNotModified(this.#conditions as RequestConditions, version as ElementVersion, formatMarkSuffix(this.#visibilityMark))
  }
}

/** The settings that all requests of one action share. */
interface ConditionContext {
  readonly mediaType: MediaType
  readonly fields: readonly string[]
  readonly validators: Validators
  readonly required: boolean
  readonly marks: TagMarks
  /** The suffix that distinguishes the tags of a body's forms; empty if there is only one form. */
  getFormSuffix(response: ActionResponse, request: PolicyRequest): string
}

const guards = new WeakMap<object, ConditionGuard>()

/** Throws the response to a request whose conditions fail for an element that its action has loaded; pass undefined if it does not exist. */
export function checkConditions(request: object, element: object | undefined): void {
  const { method } = request as { readonly method?: string }
  guards.get(request)?.checkElement(element as Readonly<Record<string, unknown>> | undefined, !isChangeMethod(method ?? 'GET'))
}

function createElementSteps(action: ResolvedAction, settings: readonly ConditionSettings[], marks: TagMarks): PolicySteps {
  const site = createConditionContext(action, settings, marks)
  return {
    admission: ({ method, headers }) => {
      if (!site.required || !isChangeMethod(method)) return undefined
      const conditions = parseConditions(headers, marks)
      if (conditions === undefined) return problem(codes.failures['precondition-required'])
      // Those of another form are refused as such, when the request has been read.
      const isJudged = hasChangeCondition(conditions, site.validators) || conditions.malformed.length > 0
      return isJudged ? undefined : problem(codes.failures['precondition-required'])
    },
    before({ method, headers, input, audiences }) {
      const safe = isReadMethod(method)
      // POST adds an element, which has no version before.
      const conditions = safe || isChangeMethod(method) ? parseConditions(headers, marks) : undefined
      if (conditions !== undefined) refuseMalformed(conditions, !safe)
      const guard = new ConditionGuard(site, conditions, safe, formatVisibilityMark(audiences))
      guards.set(input, guard)
      guardRequest(input, guard)
    },
    after: (response, request) => tagResponse(response, request, site),
  }
}

function createConditionContext(action: ResolvedAction, settings: readonly ConditionSettings[], marks: TagMarks): ConditionContext {
  const mediaType = findElementType(action) as MediaType
  const validator = (by: ConditionSettings['by']): Validator | undefined => {
    const of = settings.find((one) => one.by === by)?.of
    const attribute = of === undefined ? undefined : mediaType.attributes[of]
    return of === undefined || attribute === undefined ? undefined : { field: of, attribute }
  }
  const validators = { tag: validator('tag'), modified: validator('modified') }
  const forms = new Map(listSuccesses(action).map(({ name, bodies }) => [name, bodies.map((body) => body.identifier)]))
  return {
    mediaType,
    marks,
    validators,
    fields: Object.freeze(
      [validators.tag, validators.modified].flatMap((one) => (one === undefined ? [] : [one.field])),
    ),
    required: settings.some(({ required = false }) => required),
    getFormSuffix(response, { input }) {
      const listed = forms.get(response.name) ?? []
      if (listed.length < 2) return ''
      const { accepts } = input as { readonly accepts?: (name: string) => string | undefined }
      const chosen = response.mediaType ?? accepts?.(response.name)
      return `;${Math.max(0, listed.indexOf(chosen ?? ''))}`
    },
  }
}

function tagResponse(response: ActionResponse, request: PolicyRequest, site: ConditionContext): PolicyResult {
  if (response.status >= 300) return
  const { method, input, headers, audiences } = request
  const safe = isReadMethod(method)
  const asked = guards.get(input)?.isUsed === true
  if (isChangeMethod(method) && !asked) throw new Error(explainUnusedGuard(request.action))
  const { body } = response
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  const seen = formatVisibilityMark(audiences)
  const version = { ...readVersion(body as Readonly<Record<string, unknown>>, site.validators), seen }
  // A response need not show the version that the conditions were compared with.
  const conditions = safe && !(asked && version.tag === undefined) ? parseConditions(headers, site.marks) : undefined
  const verdict = conditions === undefined ? 'go' : evaluateConditions(conditions, version, safe)
  if (verdict === 'failed') return problem(codes.failures['precondition-failed'])
  const form = formatMarkSuffix(seen) + site.getFormSuffix(response, request)
  if (verdict === 'known') return createNotModified(conditions as RequestConditions, version, form)
  const { tag, modified } = version
  if (tag !== undefined) response.headers['ETag'] ??= `"${tag}${form}"`
  if (modified !== undefined) response.headers['Last-Modified'] ??= modified.toUTCString()
}

const formatMarkSuffix = (seen: string | undefined): string => (seen === undefined || seen === '' ? '' : `;${seen}`)

const explainUnusedGuard = (action: string): string =>
  `${action} has a policy of edict/conditional, and nothing compared the conditions of the request. Remedy: hand the request to the resource, as in update(id, changes, { request }) and delete(id, { request }), or call checkConditions(request, element) before the change.`

function buildValidatorHeaders({ tag, modified }: ElementVersion, form: string): Record<string, string> {
  return {
    ...(tag !== undefined && { ETag: `"${tag}${form}"` }),
    ...(modified !== undefined && { 'Last-Modified': modified.toUTCString() }),
  }
}

// The tag is the one that the client knows the version by: its representation may be encoded.
function createNotModified(conditions: RequestConditions, version: ElementVersion, form: string): ActionResponse {
  const ETag = findKnownTag(conditions, version)
  const headers = { ...buildValidatorHeaders(version, form), ...(ETag !== undefined && { ETag }) }
  return new ActionResponse('notModified', 304, { headers })
}

// --- by bodies -----------------------------------------------------------------------------

/** The tag of a body is its hash, and nothing follows it. */
const NO_MARKS: TagMarks = { forms: 0, audiences: new Set(), coded: false }

const bodySteps: PolicySteps = {
  before({ method, headers }) {
    const conditions = isReadMethod(method) ? parseConditions(headers, NO_MARKS) : undefined
    if (conditions !== undefined) refuseMalformed(conditions, false)
  },
  answer(response, { method, headers }) {
    const { body, status } = response
    if (status !== 200 || !isReadMethod(method)) return
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) return
    const tag = hashBody(body)
    if (response.get('ETag') === undefined) response.set('ETag', `"${tag}"`)
    const conditions = parseConditions(headers, NO_MARKS)
    const verdict = conditions === undefined ? 'go' : evaluateConditions(conditions, { tag }, true)
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
