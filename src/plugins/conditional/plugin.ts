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
import { type ElementGuard, guardRequest } from '../lists/extend.ts'
import { codes } from './codes.ts'
import {
  type Conditions,
  changeFilter,
  conditionsOf,
  isGuarded,
  knownTag,
  refuseMalformed,
  seenMark,
  type Validator,
  type Validators,
  type Version,
  verdictOf,
  versionOf,
} from './conditions.ts'
import { bodyHash } from './hash.ts'
import { marksOf } from './marks.ts'
import { type ConditionOptions, type ConditionSettings, isChange, isRead, NAMES, settingsIn } from './policy.ts'
import type { Marks } from './tags.ts'

/** Enforces `etag` and `lastModified`. */
export function conditional(): Plugin {
  return Object.freeze({
    name: 'conditional',
    codes,
    checkPolicy: ({ settings }, action, report) => check(settings as ConditionSettings, action, report),
    enforce({ name }, action, application) {
      const settings = settingsIn(action)
      // The first of the two does the work of both: which condition counts depends on the other one.
      if (name !== NAMES[settings[0]?.by ?? 'tag']) return {}
      const isBody = settings.some(({ of }) => of === 'body')
      return isBody ? bodySteps : elementSteps(action, settings, marksOf(application))
    },
  } satisfies Plugin)
}

const FIELDS: form.Fields<ConditionOptions> = { required: form.flag }

function check({ by, of, given, required }: ConditionSettings, action: ResolvedAction, report: Report): void {
  const place = `policies.${NAMES[by]}`
  reportFlaws(place, form.accept(given, FIELDS).flaws, report)
  const changes = action.routes.some(({ verb }) => verb === 'ANY' || isChange(verb))
  if (of === 'body' && by === 'tag') {
    if (required === true && changes)
      report(place, 'a body cannot be a condition of a statement', "name an attribute, such as etag('version')")
    return
  }
  const mediaType = elementOf(action)
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
  else if (!changes && showsLists(action))
    report(place, 'the action answers with a list, which has no such attribute', "use etag('body') here")
}

const successes = ({
  responses,
}: ResolvedAction): ResolvedAction['responses'] extends ReadonlyMap<string, infer R> ? R[] : never =>
  [...responses.values()].filter(({ status }) => status < 300)

const showsLists = (action: ResolvedAction): boolean =>
  successes(action).some(({ bodies }) => bodies.some(({ list, attribute }) => list || attribute?.core.shape === 'list'))

/** The media type of the element that an action is about: that of its answers, or of its endpoint. */
function elementOf(action: ResolvedAction): MediaType | undefined {
  for (const { bodies } of successes(action))
    for (const { attribute } of bodies)
      if (attribute !== undefined && (isMediaType(attribute) || isView(attribute))) return mediaTypeOf(attribute)
  const { mediaType } = action.endpoint
  return isMediaType(mediaType) ? mediaType : undefined
}

// --- by attributes -----------------------------------------------------------------------

/** The guard of one request, which records whether it was used. */
class Guard implements ElementGuard {
  readonly mediaType: MediaType
  readonly fields: readonly string[]
  readonly judge: ((element: Readonly<Record<string, unknown>>) => void) | undefined
  readonly #site: Site
  readonly #conditions: Conditions | undefined
  readonly #seen: string | undefined
  asked = false

  constructor(site: Site, conditions: Conditions | undefined, safe: boolean, seen: string | undefined) {
    this.mediaType = site.mediaType
    this.fields = site.fields
    this.#site = site
    this.#conditions = conditions
    this.#seen = safe ? seen : undefined
    // A change judges in its own statement: what is read for it, or after it, is another matter.
    this.judge = safe && conditions !== undefined ? (element) => this.check(element, true) : undefined
  }

  condition(): ReturnType<ElementGuard['condition']> {
    this.asked = true
    return this.#conditions === undefined ? undefined : changeFilter(this.#conditions, this.#site.validators)
  }

  refuse(): never {
    throw new Refusal(codes.failures['precondition-failed'])
  }

  /** Throws what answers a request whose conditions do not hold for an element. */
  check(element: Readonly<Record<string, unknown>> | undefined, safe: boolean): void {
    this.asked = true
    const version =
      element === undefined ? undefined : { ...versionOf(element, this.#site.validators), seen: this.#seen }
    const verdict = this.#conditions === undefined ? 'go' : verdictOf(this.#conditions, version, safe)
    if (verdict === 'failed') this.refuse()
    if (verdict === 'known') throw notModified(this.#conditions as Conditions, version as Version, markOf(this.#seen))
  }
}

/** The settings that all requests of one action share. */
interface Site {
  readonly mediaType: MediaType
  readonly fields: readonly string[]
  readonly validators: Validators
  readonly required: boolean
  readonly marks: Marks
  /** The suffix that distinguishes the tags of a body's forms; empty if there is only one form. */
  formOf(response: ActionResponse, request: PolicyRequest): string
}

const guards = new WeakMap<object, Guard>()

/** Throws the response to a request whose conditions fail for an element that its action has loaded; pass undefined if it does not exist. */
export function checkConditions(request: object, element: object | undefined): void {
  const { method } = request as { readonly method?: string }
  guards.get(request)?.check(element as Readonly<Record<string, unknown>> | undefined, !isChange(method ?? 'GET'))
}

function elementSteps(action: ResolvedAction, settings: readonly ConditionSettings[], marks: Marks): PolicySteps {
  const site = siteOf(action, settings, marks)
  return {
    admission: ({ method, headers }) => {
      if (!site.required || !isChange(method)) return undefined
      const conditions = conditionsOf(headers, marks)
      if (conditions === undefined) return problem(codes.failures['precondition-required'])
      // Those of another form are refused as such, when the request has been read.
      const isJudged = isGuarded(conditions, site.validators) || conditions.malformed.length > 0
      return isJudged ? undefined : problem(codes.failures['precondition-required'])
    },
    before({ method, headers, input, audiences }) {
      const safe = isRead(method)
      // POST adds an element, which has no version before.
      const conditions = safe || isChange(method) ? conditionsOf(headers, marks) : undefined
      if (conditions !== undefined) refuseMalformed(conditions, !safe)
      const guard = new Guard(site, conditions, safe, seenMark(audiences))
      guards.set(input, guard)
      guardRequest(input, guard)
    },
    after: (response, request) => tagged(response, request, site),
  }
}

function siteOf(action: ResolvedAction, settings: readonly ConditionSettings[], marks: Marks): Site {
  const mediaType = elementOf(action) as MediaType
  const validator = (by: ConditionSettings['by']): Validator | undefined => {
    const of = settings.find((one) => one.by === by)?.of
    const attribute = of === undefined ? undefined : mediaType.attributes[of]
    return of === undefined || attribute === undefined ? undefined : { field: of, attribute }
  }
  const validators = { tag: validator('tag'), modified: validator('modified') }
  const forms = new Map(successes(action).map(({ name, bodies }) => [name, bodies.map((body) => body.identifier)]))
  return {
    mediaType,
    marks,
    validators,
    fields: Object.freeze(
      [validators.tag, validators.modified].flatMap((one) => (one === undefined ? [] : [one.field])),
    ),
    required: settings.some(({ required = false }) => required),
    formOf(response, { input }) {
      const listed = forms.get(response.name) ?? []
      if (listed.length < 2) return ''
      const { accepts } = input as { readonly accepts?: (name: string) => string | undefined }
      const chosen = response.mediaType ?? accepts?.(response.name)
      return `;${Math.max(0, listed.indexOf(chosen ?? ''))}`
    },
  }
}

function tagged(response: ActionResponse, request: PolicyRequest, site: Site): PolicyResult {
  if (response.status >= 300) return
  const { method, input, headers, audiences } = request
  const safe = isRead(method)
  const asked = guards.get(input)?.asked === true
  if (isChange(method) && !asked) throw new Error(UNASKED(request.action))
  const { body } = response
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  const seen = seenMark(audiences)
  const version = { ...versionOf(body as Readonly<Record<string, unknown>>, site.validators), seen }
  // A response need not show the version that the conditions were compared with.
  const conditions = safe && !(asked && version.tag === undefined) ? conditionsOf(headers, site.marks) : undefined
  const verdict = conditions === undefined ? 'go' : verdictOf(conditions, version, safe)
  if (verdict === 'failed') return problem(codes.failures['precondition-failed'])
  const form = markOf(seen) + site.formOf(response, request)
  if (verdict === 'known') return notModified(conditions as Conditions, version, form)
  const { tag, modified } = version
  if (tag !== undefined) response.headers['ETag'] ??= `"${tag}${form}"`
  if (modified !== undefined) response.headers['Last-Modified'] ??= modified.toUTCString()
}

const markOf = (seen: string | undefined): string => (seen === undefined || seen === '' ? '' : `;${seen}`)

const UNASKED = (action: string): string =>
  `${action} has a policy of edict/conditional, and nothing compared the conditions of the request. Remedy: hand the request to the resource, as in update(id, changes, { request }) and delete(id, { request }), or call checkConditions(request, element) before the change.`

function headersOf({ tag, modified }: Version, form: string): Record<string, string> {
  return {
    ...(tag !== undefined && { ETag: `"${tag}${form}"` }),
    ...(modified !== undefined && { 'Last-Modified': modified.toUTCString() }),
  }
}

// The tag is the one that the client knows the version by: its representation may be encoded.
function notModified(conditions: Conditions, version: Version, form: string): ActionResponse {
  const ETag = knownTag(conditions, version)
  const headers = { ...headersOf(version, form), ...(ETag !== undefined && { ETag }) }
  return new ActionResponse('notModified', 304, { headers })
}

// --- by bodies -----------------------------------------------------------------------------

/** The tag of a body is its hash, and nothing follows it. */
const UNMARKED: Marks = { forms: 0, audiences: new Set(), coded: false }

const bodySteps: PolicySteps = {
  before({ method, headers }) {
    const conditions = isRead(method) ? conditionsOf(headers, UNMARKED) : undefined
    if (conditions !== undefined) refuseMalformed(conditions, false)
  },
  answer(response, { method, headers }) {
    const { body, status } = response
    if (status !== 200 || !isRead(method)) return
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) return
    const tag = bodyHash(body)
    if (response.get('ETag') === undefined) response.set('ETag', `"${tag}"`)
    const conditions = conditionsOf(headers, UNMARKED)
    const verdict = conditions === undefined ? 'go' : verdictOf(conditions, { tag }, true)
    if (verdict === 'known') forget(response, knownTag(conditions as Conditions, { tag }))
    if (verdict === 'failed') refuse(response)
  },
}

function forget(response: OutgoingResponse, known: string | undefined): void {
  if (known !== undefined) response.set('ETag', known)
  response.status = 304
  response.body = null
  response.delete('Content-Type')
}

function refuse(response: OutgoingResponse): void {
  const { status, title, code } = codes.failures['precondition-failed']
  response.status = status
  response.body = JSON.stringify({ type: 'about:blank', title, status, code })
  response.set('Content-Type', 'application/problem+json')
  response.delete('ETag')
}
