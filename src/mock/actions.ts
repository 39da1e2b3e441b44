// Implements the actions of a mock.

import type { Context } from '../design/action-context.ts'
import { attributeRules } from '../design/attribute-rules.ts'
import type { ActionResponse } from '../design/declare/action-response.ts'
import type { AnyDefinition, Definition } from '../design/definition.ts'
import { findShownPart } from '../design/fields/shown-part.ts'
import type { ResolvedAction, ResolvedBody, ResolvedResponse } from '../design/resolve/resolved.ts'
import { Refusal } from '../extend.ts'
import { asPage } from '../plugins/mapper/extend.ts'

import type { ListRequest } from '../plugins/mapper/index.ts'
import { describeElement } from '../plugins/pagination/extend.ts'
import { ExampleSeed } from '../schema/example.ts'
import { getOwnValue } from '../util/describe-value.ts'
import { findBodyElements, findListing } from './body-elements.ts'
import type { MockRow } from './create-rows.ts'
import { type Entity, ROW_COLUMN, VALUE_ATTRIBUTE } from './entity.ts'
import { parsePathValue } from './example-values.ts'
import { createMockResponse, type ResponseParts } from './mock-response.ts'
import type { MockStore } from './mock-store.ts'
import { readParamFilters } from './param-filters.ts'
import { type PayloadPart, readSentFields } from './payload-part.ts'
import type { MockPlan } from './roles.ts'
import type { ShownValues } from './value-list.ts'
import { createRow, deleteRow, updateRow } from './write-rows.ts'

type ActionParams = Readonly<Record<string, unknown>>

/** The part of the context that an action uses. */
type MockContext = Pick<Context, 'request' | 'href'> & { readonly principal?: unknown }

/** Responds to one request. */
export type MockAction = (params: ActionParams, context: MockContext) => Promise<ActionResponse>

/** Creates the function that implements an action. */
export function createMockAction(plan: MockPlan, store: MockStore): MockAction {
  return (params, context) => new MockRequest(plan, store, params, context).respond()
}

/** One request to a mock. */
class MockRequest {
  readonly #plan: MockPlan
  readonly #store: MockStore
  readonly #params: ActionParams
  readonly #context: MockContext

  constructor(plan: MockPlan, store: MockStore, params: ActionParams, context: MockContext) {
    this.#plan = plan
    this.#store = store
    this.#params = params
    this.#context = context
  }

  async respond(): Promise<ActionResponse> {
    const response = await this.#createResponse()
    if (response.status < 300) await this.#store.files.save(this.#plan.action, this.#params, this.#request.payload)
    return response
  }

  async #createResponse(): Promise<ActionResponse> {
    const { role, entity, scope, action, values } = this.#plan
    const missing = action.responses.get('notFound')
    if (values !== undefined) return this.#listValues(values)
    if (entity === undefined || role === 'none') return this.#replySuccess()
    if (missing !== undefined && !(await this.#hasParent())) return this.#reply(missing)
    if (role === 'login') return this.#logIn(entity)
    const where = buildWhere(scope, this.#params, action, entity)
    if (role === 'create') {
      const conflict = await this.#checkUniqueness(entity, undefined, where)
      if (conflict !== undefined) return this.#reply(conflict)
      return this.#respondWithNewRow(entity, { ...this.#plan.unmarked, ...(await this.#findOwnership()), ...where })
    }
    if (role === 'list') {
      const filters = await readParamFilters(this.#plan.filters.filters, this.#params, this.#store)
      const elements =
        where === undefined || filters === undefined
          ? createEmptyPage()
          : await this.#store.listElements(entity, this.#request, { ...where, ...filters }, this.#viewer)
      const listing = findListing(action)
      return this.#replySuccess({
        body: (form) => (listing === undefined ? buildListBody(form, elements) : listing.body(this.#request, elements)),
      })
    }
    const self = this.#plan.isCaller && this.#viewer !== undefined ? { [ROW_COLUMN]: this.#viewer } : {}
    const [found] = where === undefined ? [] : await this.#store.findRows(entity, { ...where, ...self })
    // The only element below a parent is created when it is first requested.
    const row = found ?? (this.#plan.isOnly && where ? await createRow(this.#store, entity, {}, where) : undefined)
    if (row === undefined) return this.#replyMissing()
    return this.#respondWithRow(entity, row)
  }

  // Without a declared response for it, an element that is not there is refused as any application would refuse it. What is to be
  // deleted, or has no path of its own, needs not be there.
  #replyMissing(): ActionResponse {
    const { role, scope, action } = this.#plan
    const missing = action.responses.get('notFound')
    if (missing !== undefined) return this.#reply(missing)
    if (role === 'delete' || scope.size === 0) return this.#replySuccess()
    throw new Refusal({ code: 'not-found' })
  }

  get #request() {
    return this.#context.request as ListRequest & { readonly payload: unknown }
  }

  get #sentFields(): ActionParams {
    return readSentFields(this.#request.payload, this.#plan.sent)
  }

  /** The row of the caller, if the credentials identify it. */
  get #viewer(): number | undefined {
    return getCallerRow(this.#context.principal)
  }

  // The columns by which a new element belongs to the caller.
  async #findOwnership(): Promise<ActionParams> {
    const { owner, callers } = this.#plan
    if (owner === undefined || callers === undefined || this.#viewer === undefined) return {}
    const [caller] = await this.#store.findRows(callers.entity, { [ROW_COLUMN]: this.#viewer })
    return Object.fromEntries(owner.on.map(([ours, theirs]) => [ours, caller?.[theirs]]))
  }

  async #listValues({ from, path }: ShownValues): Promise<ActionResponse> {
    const rows = await this.#store.findRows(from, {})
    const distinct = [...new Set(rows.map((row) => row[VALUE_ATTRIBUTE]))]
    return this.#replySuccess({ body: (form) => fillEnvelope(form, path, distinct) })
  }

  // A client is the caller whose element has the values that it sends to a login.
  async #logIn(entity: Entity): Promise<ActionResponse> {
    const where = Object.fromEntries(
      Object.entries(this.#sentFields).flatMap(([name, value]) => {
        const column = entity.findScalarPart(name)?.column ?? entity.secrets.get(name)?.column
        return column === undefined ? [] : [[column, value]]
      }),
    )
    const [row] = await this.#store.findRows(entity, where)
    const refused = [...this.#plan.action.responses.values()].find(({ status }) => status === 401)
    return row === undefined && refused !== undefined
      ? this.#reply(refused)
      : this.#respondWithRow(entity, row as MockRow)
  }

  /** Returns the values of a row that paths to it have before its key. */
  #getPlace(entity: Entity, row: MockRow): ActionParams {
    const columns = entity.identity.filter((column) => !entity.key.includes(column) && row[column] !== undefined)
    return Object.fromEntries(columns.map((column) => [column, row[column]]))
  }

  // Elements that paths and logins find by a value must not share it; those below different parents may share a key. Returns the
  // declared response to that if it has a form of its own; others are refused.
  async #checkUniqueness(
    entity: Entity,
    changed: MockRow | undefined,
    place: ActionParams | undefined,
  ): Promise<ResolvedResponse | undefined> {
    const { action, sent } = this.#plan
    const [declared] = [409, 422].flatMap(
      (status) => [...action.responses.values()].find((one) => one.status === status) ?? [],
    )
    if (declared === undefined) return undefined
    const names = Object.entries(this.#sentFields).flatMap(([name, value]) => {
      const column = entity.findScalarPart(name)?.column
      return column !== undefined && entity.unique.has(column) && value !== undefined
        ? [[name, column, value] as const]
        : []
    })
    const errors: NonNullable<ConstructorParameters<typeof Refusal>[0]['errors']>[number][] = []
    for (const [name, column, value] of names) {
      const within = entity.key.includes(name) ? this.#getPlace(entity, (place ?? {}) as MockRow) : {}
      const others = await this.#store.findRows(entity, { ...within, [column]: value })
      if (others.every((row) => row[ROW_COLUMN] === changed?.[ROW_COLUMN])) continue
      const pointer = `/${[...(sent?.path ?? []), name].join('/')}`
      errors.push({
        in: 'payload',
        pointer,
        code: 'taken',
        message: `The attribute '${name}' has the value of another element`,
      })
    }
    const title = 'The request conflicts with an existing element'
    if (errors.length === 0) return undefined
    if (declared.bodies.length > 0) return declared
    throw new Refusal({ code: 'conflict', status: declared.status, title, errors })
  }

  /** Whether another caller has made the element of a row, and the action may refuse that. */
  async #isForbidden(row: MockRow): Promise<boolean> {
    const { role } = this.#plan
    if (role !== 'update' && role !== 'delete') return false
    return Object.entries(await this.#findOwnership()).some(([column, value]) => row[column] !== value)
  }

  async #respondWithRow(entity: Entity, row: MockRow): Promise<ActionResponse> {
    const { role, mark, action } = this.#plan
    const forbidden = [...action.responses.values()].find(({ status }) => status === 403)
    if (forbidden !== undefined && (await this.#isForbidden(row))) return this.#reply(forbidden)
    if (role === 'update') {
      const conflict = await this.#checkUniqueness(entity, row, this.#getPlace(entity, row))
      if (conflict !== undefined) return this.#reply(conflict)
      await updateRow(this.#store, entity, row, this.#sentFields)
    }
    if (role === 'mark' || role === 'unmark') mark?.set(Number(row[ROW_COLUMN]), this.#viewer, role === 'mark')
    const element = await this.#store.readElement(entity, this.#request, row, this.#viewer)
    if (role === 'delete') await deleteRow(this.#store, entity, row)
    return this.#replySuccess(this.#buildElementParts(entity, row, element))
  }

  async #respondWithNewRow(entity: Entity, within: ActionParams): Promise<ActionResponse> {
    const { sent, action } = this.#plan
    const fields = { ...emptyLists(entity, sent), ...this.#sentFields }
    const row = await createRow(this.#store, entity, fields, within)
    const element = await this.#store.readElement(entity, this.#request, row, this.#viewer)
    const created = [...action.responses.values()].find(({ status }) => status === 201)
    const parts = this.#buildElementParts(entity, row, element)
    return created === undefined ? this.#replySuccess(parts) : this.#reply(created, parts)
  }

  async #hasParent(): Promise<boolean> {
    const { parentLink, action } = this.#plan
    if (parentLink === undefined) return true
    const { parent, on } = parentLink
    const columns = new Map(on.map(({ param, theirs }) => [param, theirs]))
    const where = buildWhere(columns, this.#params, action, parent)
    return where !== undefined && (await this.#store.findRows(parent, where)).length > 0
  }

  #buildElementParts(entity: Entity, row: MockRow, element: unknown): ResponseParts {
    const formed = describeElement(this.#plan.action)
    const selectBody = (form: ResolvedBody): unknown => {
      if (formed?.mediaType === entity.mediaType) return formed.body(this.#request, element)
      const shown = findBodyElements(form, this.#plan.action.endpoint.mediaType)
      if (shown?.mediaType !== entity.mediaType) return undefined
      return fillEnvelope(form, shown.path, shown.isList ? [element] : element)
    }
    return { body: selectBody, locations: this.#buildLocations(entity, row) }
  }

  // Returns the URL under this application first, then that of the endpoint alone.
  #buildLocations(entity: Entity, row: MockRow): readonly string[] {
    const { endpoint } = this.#plan.action
    const definition = endpoint.definition as AnyDefinition as Definition
    const params = Object.entries(endpoint.canonical?.params ?? {})
    const args = params.map(([name, param]) => {
      const value = row[entity.findColumn(name) ?? ''] ?? getOwnValue(this.#params, name)
      return [name, value === undefined || value === null ? value : parsePathValue(param, value)]
    })
    try {
      const hrefArgs = Object.fromEntries(args) as never
      return [this.#context.href(definition, hrefArgs), definition.toHref(hrefArgs)]
    } catch {
      return []
    }
  }

  #replySuccess(parts?: ResponseParts): ActionResponse {
    return this.#reply(this.#plan.response as ResolvedResponse, parts)
  }

  #reply(declared: ResolvedResponse, parts: ResponseParts = {}): ActionResponse {
    const { accept, 'last-event-id': lastEventId } = this.#context.request.env.headers
    const { action } = this.#plan
    const selectBody = (form: ResolvedBody): unknown =>
      parts.body?.(form) ?? this.#store.files.find(action, this.#params, form.identifier)
    return createMockResponse(action, declared, accept === undefined ? undefined : String(accept), {
      ...parts,
      body: selectBody,
      lastEventId,
    })
  }
}

// Builds the condition on rows from params, parsed as the attributes they refer to; undefined if no row can match.
function buildWhere(
  scope: ReadonlyMap<string, string>,
  params: ActionParams,
  action: ResolvedAction,
  entity: Entity,
): ActionParams | undefined {
  const where: Record<string, unknown> = {}
  for (const [name, column] of scope) {
    const value = getOwnValue(params, name)
    if (value === undefined || value === null) continue
    const attribute = entity.findScalarPart(column)?.attribute ?? getOwnValue(action.params, name)
    const parsed = attribute === undefined ? value : parsePathValue(attribute, value)
    if (parsed === undefined) return undefined
    where[column] = parsed
  }
  return where
}

const createEmptyPage = (): readonly unknown[] => asPage([], { next: false, prev: false, total: 0, ends: undefined })

function buildListBody(form: ResolvedBody, elements: readonly unknown[]): unknown {
  const part = form.attribute && findShownPart(form.attribute)
  if (part === undefined || !(form.list || part.isList)) return undefined
  const { max } = (form.list ? {} : part.attribute.options) as { readonly max?: number }
  return fillEnvelope(form, part.path, max !== undefined && elements.length > max ? elements.slice(0, max) : elements)
}

/** Returns a body with a value at a path; the other members are examples. */
function fillEnvelope({ attribute }: ResolvedBody, path: readonly string[], value: unknown): unknown {
  if (path.length === 0 || attribute === undefined) return value
  const replace = (around: unknown, [name, ...rest]: readonly string[]): unknown => {
    if (name === undefined) return value
    const members = (typeof around === 'object' && around !== null ? around : {}) as ActionParams
    return { ...members, [name]: replace(getOwnValue(members, name), rest) }
  }
  return replace(attributeRules.makeExample(attribute, new ExampleSeed()), path)
}

// A list that clients may send, and did not, is empty.
const emptyLists = (entity: Entity, sent: PayloadPart | undefined): ActionParams =>
  Object.fromEntries(
    Object.keys(sent?.attributes ?? {}).flatMap((name) => {
      const part = entity.parts.get(name)
      const { min = 0 } = (part?.attribute.options ?? {}) as { readonly min?: number }
      return part?.type === 'many' && min === 0 ? [[name, []]] : []
    }),
  )

/** The principal of a mock: the row of the caller, where a login identifies callers. */
export interface MockPrincipal {
  readonly id: number
  readonly name: string
  readonly row?: number
}

const getCallerRow = (principal: unknown): number | undefined =>
  typeof principal === 'object' && principal !== null ? (principal as Partial<MockPrincipal>).row : undefined
