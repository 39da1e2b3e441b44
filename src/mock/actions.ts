// The functions that implement the actions of a mock.

import type { ActionResponse } from '../design/declare/response.ts'
import type { AnyDefinition, Definition } from '../design/definition.ts'
import type { Context } from '../design/infer/context.ts'
import type { ResolvedAction, ResolvedBody, ResolvedResponse } from '../design/resolve/resolved.ts'
import type { ListRequest } from '../plugins/lists/read/list-request.ts'
import { asPage } from '../plugins/lists/read/portion.ts'
import { ExampleSeed } from '../schema/example.ts'
import { ownValue } from '../util/described.ts'
import { type AnswerParts, answer } from './answers.ts'
import type { Entity } from './entity.ts'
import { elementsOf, listingOf, type Plan } from './roles.ts'
import type { Row } from './rows.ts'
import type { Store } from './store.ts'
import { readText } from './values.ts'
import { createRow, deleteRow, updateRow } from './writes.ts'

type Params = Readonly<Record<string, unknown>>

/** The part of a request that an action sees. */
type Asking = Pick<Context, 'request' | 'href'>

/** Answers one request. */
export type MockAction = (params: Params, context: Asking) => Promise<ActionResponse>

/** Makes the function that implements an action. */
export function mockAction(plan: Plan, store: Store): MockAction {
  return (params, context) => new MockRequest(plan, store, params, context).answer()
}

/** One request. */
class MockRequest {
  readonly #plan: Plan
  readonly #store: Store
  readonly #params: Params
  readonly #context: Asking

  constructor(plan: Plan, store: Store, params: Params, context: Asking) {
    this.#plan = plan
    this.#store = store
    this.#params = params
    this.#context = context
  }

  async answer(): Promise<ActionResponse> {
    const made = await this.#answer()
    if (made.status < 300) await this.#store.files.keep(this.#plan.action, this.#params, this.#request.payload)
    return made
  }

  async #answer(): Promise<ActionResponse> {
    const { role, entity, scope, action } = this.#plan
    const missing = action.responses.get('notFound')
    if (entity === undefined || role === 'none') return this.#success()
    if (missing !== undefined && !(await this.#hasParent())) return this.#reply(missing)
    const where = whereOf(scope, this.#params, action, entity)
    if (role === 'create') return this.#create(entity, where ?? {})
    if (role === 'list') {
      const elements = where === undefined ? nothing() : await this.#store.list(entity, this.#request, where)
      const listing = listingOf(action)
      return this.#success({
        body: (form) => (listing === undefined ? listBody(form, elements) : listing.body(this.#request, elements)),
      })
    }
    const [row] = where === undefined ? [] : await this.#store.rows(entity, where)
    if (row === undefined) return missing === undefined ? this.#success() : this.#reply(missing)
    return this.#onRow(entity, row)
  }

  get #request() {
    return this.#context.request as ListRequest & { readonly payload: unknown }
  }

  get #sent(): Params {
    const { payload } = this.#request
    const isStructure = this.#plan.action.payload?.form === 'structure'
    return isStructure && typeof payload === 'object' && payload !== null ? (payload as Params) : {}
  }

  async #onRow(entity: Entity, row: Row): Promise<ActionResponse> {
    const { role } = this.#plan
    if (role === 'update') await updateRow(this.#store, entity, row, this.#sent)
    const element = await this.#store.element(entity, this.#request, row)
    if (role === 'delete') await deleteRow(this.#store, entity, row)
    return this.#success(this.#elementParts(entity, row, element))
  }

  async #create(entity: Entity, within: Params): Promise<ActionResponse> {
    const row = await createRow(this.#store, entity, this.#sent, within)
    const element = await this.#store.element(entity, this.#request, row)
    const { responses } = this.#plan.action
    const created = [...responses.values()].find(({ status }) => status === 201)
    const parts = this.#elementParts(entity, row, element)
    return created === undefined ? this.#success(parts) : this.#reply(created, parts)
  }

  async #hasParent(): Promise<boolean> {
    const { parentage, action } = this.#plan
    if (parentage === undefined) return true
    const { parent, on } = parentage
    const columns = new Map(on.map(({ param, theirs }) => [param, theirs]))
    const where = whereOf(columns, this.#params, action, parent)
    return where !== undefined && (await this.#store.rows(parent, where)).length > 0
  }

  #elementParts(entity: Entity, row: Row, element: unknown): AnswerParts {
    const body = (form: ResolvedBody): unknown => {
      const shown = elementsOf(form)
      if (shown?.mediaType !== entity.mediaType || shown.within !== undefined) return undefined
      return shown.list ? [element] : element
    }
    return { body, locations: this.#locations(entity, row) }
  }

  // As this application serves it, and as the endpoint alone knows it.
  #locations(entity: Entity, row: Row): readonly string[] {
    const { endpoint } = this.#plan.action
    const definition = endpoint.definition as AnyDefinition as Definition
    const params = Object.entries(endpoint.canonical?.params ?? {})
    const args = params.map(([name, param]) => {
      const value = row[entity.columnOf(name) ?? ''] ?? ownValue(this.#params, name)
      return [name, value === undefined || value === null ? value : readText(param, value)]
    })
    try {
      const known = Object.fromEntries(args) as never
      return [this.#context.href(definition, known), definition.toHref(known)]
    } catch {
      return []
    }
  }

  #success(parts?: AnswerParts): ActionResponse {
    return this.#reply(this.#plan.response as ResolvedResponse, parts)
  }

  #reply(declared: ResolvedResponse, parts: AnswerParts = {}): ActionResponse {
    const { accept } = this.#context.request.env.headers
    const { action } = this.#plan
    const body = (form: ResolvedBody): unknown =>
      parts.body?.(form) ?? this.#store.files.at(action, this.#params, form.identifier)
    return answer(action, declared, accept === undefined ? undefined : String(accept), { ...parts, body })
  }
}

// Params are read once more as the attributes that they name; undefined when there can be no such row.
function whereOf(
  scope: ReadonlyMap<string, string>,
  params: Params,
  action: ResolvedAction,
  entity: Entity,
): Params | undefined {
  const where: Record<string, unknown> = {}
  for (const [name, column] of scope) {
    const value = ownValue(params, name)
    if (value === undefined || value === null) continue
    const attribute = entity.single(column)?.attribute ?? ownValue(action.params, name)
    const read = attribute === undefined ? value : readText(attribute, value)
    if (read === undefined) return undefined
    where[column] = read
  }
  return where
}

const nothing = (): readonly unknown[] => asPage([], { next: false, prev: false, total: 0, ends: undefined })

function listBody(form: ResolvedBody, elements: readonly unknown[]): unknown {
  const { list, within } = elementsOf(form) ?? {}
  if (list !== true) return undefined
  if (within !== undefined)
    return { ...(form.attribute?.core.example(new ExampleSeed()) as object), [within]: elements }
  const { max } = (form.list ? {} : (form.attribute?.options ?? {})) as { readonly max?: number }
  return max !== undefined && elements.length > max ? elements.slice(0, max) : elements
}
