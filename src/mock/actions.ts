// Implements the actions of a mock.

import type { Context } from '../design/action-context.ts'
import { attributeRules } from '../design/attribute-rules.ts'
import type { ActionResponse } from '../design/declare/action-response.ts'
import type { AnyDefinition, Definition } from '../design/definition.ts'
import type { ResolvedAction, ResolvedBody, ResolvedResponse } from '../design/resolve/resolved.ts'
import { asPage } from '../plugins/mapper/extend.ts'
import type { ListRequest } from '../plugins/mapper/index.ts'
import { ExampleSeed } from '../schema/example.ts'
import { getOwnValue } from '../util/describe-value.ts'
import type { MockRow } from './create-rows.ts'
import type { Entity } from './entity.ts'
import { parsePathValue } from './example-values.ts'
import { createMockResponse, type ResponseParts } from './mock-response.ts'
import type { MockStore } from './mock-store.ts'
import { findBodyElements, findListing, type MockPlan } from './roles.ts'
import { createRow, deleteRow, updateRow } from './write-rows.ts'

type ActionParams = Readonly<Record<string, unknown>>

/** The part of the context that an action uses. */
type MockContext = Pick<Context, 'request' | 'href'>

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
    const { role, entity, scope, action } = this.#plan
    const missing = action.responses.get('notFound')
    if (entity === undefined || role === 'none') return this.#replySuccess()
    if (missing !== undefined && !(await this.#hasParent())) return this.#reply(missing)
    const where = buildWhere(scope, this.#params, action, entity)
    if (role === 'create') return this.#respondWithNewRow(entity, where ?? {})
    if (role === 'list') {
      const elements =
        where === undefined ? createEmptyPage() : await this.#store.listElements(entity, this.#request, where)
      const listing = findListing(action)
      return this.#replySuccess({
        body: (form) => (listing === undefined ? buildListBody(form, elements) : listing.body(this.#request, elements)),
      })
    }
    const [row] = where === undefined ? [] : await this.#store.findRows(entity, where)
    if (row === undefined) return missing === undefined ? this.#replySuccess() : this.#reply(missing)
    return this.#respondWithRow(entity, row)
  }

  get #request() {
    return this.#context.request as ListRequest & { readonly payload: unknown }
  }

  get #sentFields(): ActionParams {
    const { payload } = this.#request
    const isStructure = this.#plan.action.payload?.form === 'structure'
    return isStructure && typeof payload === 'object' && payload !== null ? (payload as ActionParams) : {}
  }

  async #respondWithRow(entity: Entity, row: MockRow): Promise<ActionResponse> {
    const { role } = this.#plan
    if (role === 'update') await updateRow(this.#store, entity, row, this.#sentFields)
    const element = await this.#store.readElement(entity, this.#request, row)
    if (role === 'delete') await deleteRow(this.#store, entity, row)
    return this.#replySuccess(this.#buildElementParts(entity, row, element))
  }

  async #respondWithNewRow(entity: Entity, within: ActionParams): Promise<ActionResponse> {
    const row = await createRow(this.#store, entity, this.#sentFields, within)
    const element = await this.#store.readElement(entity, this.#request, row)
    const { responses } = this.#plan.action
    const created = [...responses.values()].find(({ status }) => status === 201)
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
    const selectBody = (form: ResolvedBody): unknown => {
      const shown = findBodyElements(form)
      if (shown?.mediaType !== entity.mediaType || shown.listName !== undefined) return undefined
      return shown.isList ? [element] : element
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
    const { accept } = this.#context.request.env.headers
    const { action } = this.#plan
    const selectBody = (form: ResolvedBody): unknown =>
      parts.body?.(form) ?? this.#store.files.find(action, this.#params, form.identifier)
    return createMockResponse(action, declared, accept === undefined ? undefined : String(accept), {
      ...parts,
      body: selectBody,
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
  const { isList, listName } = findBodyElements(form) ?? {}
  if (isList !== true) return undefined
  if (listName !== undefined && form.attribute !== undefined)
    return { ...(attributeRules.makeExample(form.attribute, new ExampleSeed()) as object), [listName]: elements }
  const { max } = (form.list ? {} : (form.attribute?.options ?? {})) as { readonly max?: number }
  return max !== undefined && elements.length > max ? elements.slice(0, max) : elements
}
