// Resources: a media type and where its elements are kept. What lists, finds, creates, changes and deletes them is here.
import {
  type DefinitionMistake,
  described,
  form,
  isMediaType,
  isRequestOfAction,
  isView,
  property,
  type Report,
  refuseMistakes,
  reporter,
  settingsIn,
  type Value,
} from '../../../extend.ts'
import type { Attributes, FieldPath, MediaType, ObjectOf, Selected, View } from '../../../index.ts'
import { guarded } from '../faults.ts'
import { type Where, whereExpression } from '../filters/where.ts'
import { CallerBounds } from '../plan/bounds.ts'
import { and } from '../plan/combine.ts'
import { conditions, FieldError, visible } from '../plan/conditions.ts'
import { Plans, type Showing } from '../plan/plan.ts'
import { Scope } from '../plan/scope.ts'
import { type Datastore, type Filter, InexactListError, type Listed, type Values } from '../query.ts'
import { assemble } from '../read/assembly.ts'
import { askedBy, listPage, type Source, wantedBy } from '../read/list.ts'
import type { ListRequest } from '../read/list-request.ts'
import { askedPlainly, type ListQuery } from '../read/plain.ts'
import type { Page } from '../read/portion.ts'
import { namedRefusal } from '../read/refusals.ts'
import { crossing, isAlways, isNever, linkedAway, linksAway, staying, type Write } from './crossing.ts'
import { besideGuarded, guardedFields, guardOf } from './guards.ts'
import { keyOrder, ownFilter, whereKey } from './keys.ts'
import type { ListUse, Mapping, Target, VerifiableResource } from './mapping.ts'
import { type Model, resolveModel } from './model.ts'
import { reachesScope } from './relations.ts'
import { changesOf, columnsOf, raised, rekeyedOf, withFirstVersion } from './writes.ts'

/** What identifies an element: the value of its key, or conditions on fields. */
export type Key<A extends Attributes> = string | number | bigint | Where<A>

/** Attributes to be written; those of structures may be given in part, another resource by what identifies it. */
export type Changes<A extends Attributes> = Partially<ObjectOf<A>>

/** Settings of a change. */
export interface UpdateSettings {
  /**
   * Lets the change give the element another key; not for values that a client chooses.
   * @default `false`
   */
  readonly rekey?: boolean
  /** The request that asks for the change: its conditions, such as If-Match, become part of the statement. */
  readonly request?: object
}

/** Settings of a removal. */
export type DeleteSettings = Pick<UpdateSettings, 'request'>

type Partially<S> = { readonly [N in keyof S]?: PartOf<Exclude<S[N], undefined>> | null | undefined }

type PartOf<V> = V extends Date | readonly unknown[] | string | number | bigint | boolean | null
  ? V
  : V extends object
    ? { readonly [N in keyof V]?: V[N] | undefined }
    : V

/** A media type whose elements are kept in a datastore. */
export interface Resource<A extends Attributes = Attributes, T = unknown, K extends keyof A = keyof A> {
  readonly '~resource': Model
  readonly mediaType: MediaType<A>
  /** The part of all elements that a request asks for with its pagination, order, filters and fields, within given conditions. */
  list(request: ListRequest, where?: Where<A>): Promise<Page<ObjectOf<A>>>
  /** The part of all elements that a query asks for: at most 100 of them unless it says otherwise. */
  list<const F extends FieldPath<ObjectOf<A>> = never>(
    query: ListQuery<A, F>,
  ): Promise<Page<[F] extends [never] ? ObjectOf<A> : Selected<ObjectOf<A>, F>>>
  /** One element, with the attributes that a request's answer, a view, or else the default view shows. */
  find(key: Key<A>, shown?: ListRequest | View | MediaType): Promise<ObjectOf<A> | undefined>
  /** Adds an element and gives its key. */
  create(values: Changes<A>): Promise<{ readonly [N in K]: Exclude<Value<A[N]>, null> }>
  /** Changes the attributes that are given, a null empties, the key stays unless told otherwise; tells whether there is such an element. */
  update(key: Key<A>, changes: Changes<A>, settings?: UpdateSettings): Promise<boolean>
  /** Removes an element and tells whether there was one. */
  delete(key: Key<A>, settings?: DeleteSettings): Promise<boolean>
  /** The same resource in another datastore of the same kind: a transaction. */
  withDatastore(datastore: Datastore<T>): Resource<A, T, K>
  /** The same resource for a caller: what it is related to may have a scope. */
  within(context: object): Resource<A, T, K>
}

/** A resource with a scope: it can be used within the context of a caller only. */
export interface ScopedResource<A extends Attributes, T, K extends keyof A, C> {
  readonly '~resource': Model
  readonly mediaType: MediaType<A>
  /** The part of the resource that the caller may see, find, change, count and link to. */
  within(context: C): Resource<A, T, K>
  /** The same resource in another datastore of the same kind: a transaction. */
  withDatastore(datastore: Datastore<T>): ScopedResource<A, T, K, C>
}

/** Maps a media type to the table of a datastore; attributes without a mapping are kept in columns of their own names. */
export function resource<A extends Attributes, T, const K extends keyof A & string = 'id' & keyof A, C = never>(
  datastore: Datastore<T>,
  mediaType: MediaType<A>,
  mapping: Mapping<A, T, K, C>,
): [C] extends [never] ? Resource<A, T, K> : ScopedResource<A, T, K, C> {
  const mistakes: DefinitionMistake[] = []
  const isMedia = isMediaType(mediaType)
  const report: Report = reporter(mistakes, `resource ${isMedia ? mediaType.name : described(mediaType)}`)
  if (!isMedia) report('mediaType', `it is ${described(mediaType)}`, 'give the media type of the elements')
  if (!isDatastore(datastore))
    report('datastore', `it is ${described(datastore)}`, 'give a datastore, such as memoryDatastore({ … })')
  const declared = settingsIn('', mapping, MAPPING, report)
  refuseMistakes(mistakes)
  const model = resolveModel(mediaType, declared as never, { datastore: datastore as Datastore, modelOf, report })
  refuseMistakes(mistakes)
  return new Stored(datastore as Datastore, model, new Plans(model)) as never
}

const MAPPING: form.Fields<Mapping<Attributes, unknown>> = {
  table: form.required(form.anything),
  key: form.list(form.name),
  version: form.name,
  scope: form.callable,
  attributes: form.structure,
}

const FUNCTIONS = ['table', 'select', 'count', 'insert', 'update', 'delete'] as const

const isDatastore = (value: unknown): boolean => FUNCTIONS.every((one) => typeof property(value, one) === 'function')

// What a function gives is looked at when the application boots.
const modelOf = (target: Target): Model => (typeof target === 'function' ? target() : target)?.['~resource'] as Model

class Stored implements VerifiableResource {
  readonly '~resource': Model
  readonly mediaType: MediaType
  readonly datastore: Datastore
  readonly #source: Source

  constructor(datastore: Datastore, model: Model, plans: Plans, bounds?: CallerBounds) {
    this['~resource'] = model
    this.mediaType = model.mediaType
    this.datastore = datastore
    this.#source = { datastore, model, plans, bounds }
  }

  list(asked: ListRequest | object, where?: object): Promise<Page<unknown>> {
    if (!isRequestOfAction(asked)) return this.#run(async (source) => listPage(source, askedPlainly(asked, source)))
    const request = asked as ListRequest
    const given = where === undefined ? undefined : whereExpression(where as Record<string, unknown>)
    return this.#run((source) => listPage(source, askedBy(request, source.model, given))).catch((error: unknown) => {
      throw namedRefusal(error, request)
    })
  }

  async find(key: unknown, shown?: ListRequest | View | MediaType): Promise<unknown> {
    const { model } = this.#source
    if (shown === undefined || isShown(shown)) return this.#read(key, { of: shown })
    const wanted = wantedBy(shown, model)
    const guard = guardOf(shown, model)
    if (guard === undefined) return this.#read(key, wanted)
    if (guard.judge !== undefined) {
      const seen = await this.#read(key, guardedFields(guard))
      if (seen === undefined) return undefined
      guard.judge(seen as Readonly<Record<string, unknown>>)
    }
    return this.#read(key, besideGuarded(wanted, guard, model))
  }

  #read(key: unknown, wanted: Showing): Promise<unknown> {
    return this.#run(async (source) => {
      const { datastore, model, plans, bounds } = source
      const plan = plans.plan(wanted, keyOrder(model), false)
      const scope = plan.scope.copy(bounds)
      const filter = and([...visible(model, 0, bounds), conditions(whereKey(model, key), model, scope)])
      const part = { filter, order: plan.order, limit: 1, offset: 0 }
      const selected = await datastore.select({
        from: scope.from,
        joins: scope.visible(),
        columns: plan.scope.columns,
        ...part,
      })
      const count = Math.min(1, (selected.undecoded ?? selected).rows.length)
      return (await assemble(plan.shape, selected, count, source))[0]
    })
  }

  create(values: object): Promise<object> {
    return this.#run(async ({ datastore, model, bounds }) => {
      const columns = withFirstVersion(model, columnsOf(model, values, bounds?.fixed(model)))
      if (bounds !== undefined) await refuseCrossing({ datastore, model, bounds, columns, row: undefined })
      const made = await datastore.insert(model.table, columns)
      const key = model.key.map(({ name, node }) => {
        const value = made.get(node.column) ?? columns.get(node.column)
        return [name, value === undefined || value === null ? value : node.codec.fromColumn(value)]
      })
      return Object.fromEntries(key)
    })
  }

  update(key: unknown, changes: object, { rekey = false, request }: UpdateSettings = {}): Promise<boolean> {
    const { model, bounds } = this.#source
    return this.#change(key, request, async (row) => {
      const fixed = bounds?.fixed(model)
      const written = rekey ? rekeyedOf(model, changes, fixed) : changesOf(model, changes, key, fixed)
      const columns = raised(model, written)
      return columns.size === 0 ? this.#count(row) : this.#write(columns, row)
    })
  }

  async #write(columns: Values, row: Filter): Promise<number> {
    const { datastore, model, bounds } = this.#source
    if (bounds === undefined) return datastore.update(model.table, columns, row)
    const write = { datastore, model, bounds, columns, row }
    const stays = await staying(write)
    const crosses = stays !== undefined && isNever(stays)
    const leaves = crosses || (await linksAway(write))
    const filter = stays === undefined || isAlways(stays) ? row : and([row, stays])
    const changed = leaves ? 0 : await datastore.update(model.table, columns, filter)
    // An element that cannot be seen is not found, whatever is written to it.
    if (changed > 0 || (!leaves && filter === row) || (await this.#count(row)) === 0) return changed
    throw leaves && !crosses ? linkedAway() : crossing()
  }

  delete(key: unknown, { request }: DeleteSettings = {}): Promise<boolean> {
    return this.#change(key, request, (filter) => this.datastore.delete(this.#source.model.table, filter))
  }

  #count(filter: Filter): Promise<number> {
    return this.#source.datastore.count({ from: this.#source.model.table, joins: [], filter })
  }

  // Of writers that race under conditions, the one whose statement comes first changes the row; nothing fits those of the others.
  #change(key: unknown, request: object | undefined, write: (filter: Filter) => Promise<number>): Promise<boolean> {
    return this.#run(async ({ model, bounds }) => {
      const own = and([...visible(model, 0, bounds), ownFilter(model, key)])
      const guard = guardOf(request, model)
      const condition = guard?.condition()
      if (guard === undefined || condition === undefined) return (await write(own)) > 0
      const scope = new Scope(model.table, undefined, bounds)
      const filters = condition === 'never' ? undefined : and([own, conditions(condition, model, scope)])
      if (filters !== undefined && (await write(filters)) > 0) return true
      if ((await this.#count(own)) > 0) guard.refuse()
      return false
    })
  }

  /** Runs what a method does; refuses it where it could pass over the scope of a resource. */
  async #run<V>(work: (source: Source) => Promise<V>): Promise<V> {
    const source = this.#source
    const scoped = source.bounds === undefined ? reachesScope(source.model) : undefined
    if (scoped !== undefined)
      throw new TypeError(
        `${scoped.mediaType.name} has a scope, and nothing says who asks. ` +
          `Remedy: use the resource of ${this.mediaType.name} within the context of the action, resource.within(context)`,
      )
    return guarded(source.datastore, () => work(source))
  }

  async verify(use: ListUse): Promise<void> {
    const { datastore, model } = this.#source
    try {
      // The check may change what the plan is made of, and is asked again until it has nothing to do.
      for (let checking = datastore.check?.(listedBy(this.#source, use)); checking !== undefined; ) {
        await checking
        checking = datastore.check?.(listedBy(this.#source, use))
      }
    } catch (error) {
      if (!(error instanceof FieldError) || error.unordered === undefined) throw error
      throw new InexactListError(`The list of ${model.table.name} goes by '${use.name}', and ${error.unordered}`)
    }
  }

  withDatastore(datastore: Datastore): Stored {
    return new Stored(datastore, this.#source.model, this.#source.plans, this.#source.bounds)
  }

  within(context: unknown): Stored {
    const { datastore, model, plans } = this.#source
    return new Stored(datastore, model, plans, new CallerBounds(context))
  }
}

async function refuseCrossing(write: Write): Promise<void> {
  const stays = await staying(write)
  if (stays !== undefined && !isAlways(stays)) throw crossing()
  if (await linksAway(write)) throw linkedAway()
}

function listedBy({ model, plans }: Source, { name: field, by }: ListUse): Listed {
  const wanted = by === 'showing' ? { selection: { fields: new Map([[field, undefined]]) } } : {}
  const plan = plans.plan(wanted, by === 'order' ? [{ field, descending: false }] : [], false)
  const scope = plan.scope.copy()
  if (by === 'value') conditions({ op: '=', field, any: [] }, model, scope)
  if (by === 'presence') conditions({ op: '!', field }, model, scope)
  return { from: scope.from, joins: scope.joins, order: plan.order }
}

const isShown = (shown: object): shown is View | MediaType => isView(shown) || isMediaType(shown)
