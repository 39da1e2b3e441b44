// Resources: a media type and its table, with the functions that list, find, create, update and delete elements.
import {
  type DefinitionMistake,
  describeValue,
  form,
  isMediaType,
  isRequestOfAction,
  readProperty,
  type Report,
  refuseMistakes,
  reporter,
  readSettings,
} from '../../../extend.ts'
import type { Attributes, MediaType, View } from '../../../index.ts'
import { retryUntilDecided, translateFaults, toRefusal } from '../faults.ts'
import { isMediaTypeOrView } from '../fields/list-param.ts'
import { parseWhere } from '../filters/where.ts'
import { CallerBounds } from '../plan/caller-bounds.ts'
import { and, negate, or } from '../../query/combine-filters.ts'
import { buildFilter, FieldError, buildVisibilityFilters } from '../plan/filter-builder.ts'
import { PlanCache, type Projection } from '../plan/query-plan.ts'
import { QueryScope } from '../plan/query-scope.ts'
import { type Datastore, type Filter, InexactListError, type ListTables, type ColumnValues } from '../../query/query.ts'
import { assembleElements } from '../read/assembly.ts'
import { readStreamOptions, readListOptions, readListPage } from '../read/list.ts'
import type { ListRequest } from '../read/list-request.ts'
import { parseStreamQuery, parseListQuery, getQueryPointers } from '../read/list-query.ts'
import type { Page } from '../read/portion.ts'
import { usePrimary, type ResourceSource } from '../read/planned-query.ts'
import { toRequestRefusal, toListRefusal } from '../read/refusals.ts'
import { StreamedList, streamList } from '../read/stream-list.ts'
import { toChangedValues, incrementVersion, toRekeyedValues } from '../write/column-values.ts'
import { createScopeRefusal, isAlwaysTrue, isAlwaysFalse, createLinkRefusal, isLinkedOutOfScope, buildScopeCondition } from '../write/scope-check.ts'
import { createUpdate, getNewKey, createReturningUpdate, type UpdateRows } from '../write/update.ts'
import { upsertElement } from '../write/upsert.ts'
import { createElement, createElements, createKey, getKeyProjection } from '../write/write.ts'
import { type ResourceCaller, resolveProjection, getSignal } from './resource-caller.ts'
import { getGuardProjection, findGuard } from './guards.ts'
import type {
  DeleteSettings,
  Resource,
  ReturnSettings,
  ScopedResource,
  UpdateSettings,
  UpsertSettings,
} from './interface.ts'
import { getKeyOrder, buildRowFilter, parseKey } from './key-filters.ts'
import { type ListUse, type Mapping, searchForm, type Target, type VerifiableResource } from '../model/mapping.ts'
import { type Model, resolveModel } from '../model/model.ts'
import { refuseUnscoped } from '../plan/relations.ts'

/** Maps a media type to the table of a datastore; attributes without a mapping are kept in columns of their own names. */
export function resource<A extends Attributes, T, const K extends keyof A & string = 'id' & keyof A, C = never>(
  datastore: Datastore<T>,
  mediaType: MediaType<A>,
  mapping: Mapping<A, T, K, C>,
): [C] extends [never] ? Resource<A, T, K> : ScopedResource<A, T, K, C> {
  const mistakes: DefinitionMistake[] = []
  const isMedia = isMediaType(mediaType)
  const report: Report = reporter(mistakes, `resource ${isMedia ? mediaType.name : describeValue(mediaType)}`)
  if (!isMedia) report('mediaType', `it is ${describeValue(mediaType)}`, 'give the media type of the elements')
  if (!isDatastore(datastore))
    report('datastore', `it is ${describeValue(datastore)}`, 'give a datastore, such as memoryDatastore({ … })')
  const declared = readSettings('', mapping, MAPPING_FORM, report)
  refuseMistakes(mistakes)
  const model = resolveModel(mediaType, declared as never, { datastore: datastore as Datastore, resolveTarget: resolveTargetModel, report })
  refuseMistakes(mistakes)
  return new DatastoreResource(datastore as Datastore, model, new PlanCache(model)) as never
}

const MAPPING_FORM: form.Fields<Mapping<Attributes, unknown>> = {
  table: form.required(form.anything),
  key: form.list(form.name),
  version: form.name,
  scope: form.callable,
  search: searchForm,
  attributes: form.structure,
}

const REQUIRED_METHODS = ['table', 'select', 'count', 'insert', 'update', 'delete'] as const

const isDatastore = (value: unknown): boolean => REQUIRED_METHODS.every((one) => typeof readProperty(value, one) === 'function')

// The result of a function is checked when the application boots.
const resolveTargetModel = (target: Target): Model => (typeof target === 'function' ? target() : target)?.['~resource'] as Model

class DatastoreResource implements VerifiableResource {
  readonly '~resource': Model
  readonly mediaType: MediaType
  readonly datastore: Datastore
  readonly #source: ResourceSource
  readonly #primarySource: ResourceSource
  readonly #caller: ResourceCaller

  constructor(datastore: Datastore, model: Model, plans: PlanCache, caller: ResourceCaller = {}) {
    const { bounds, signal } = caller
    this['~resource'] = model
    this.mediaType = model.mediaType
    this.datastore = datastore
    this.#caller = caller
    const wanted = signal === undefined ? datastore : (datastore.withSignal?.(signal) ?? datastore)
    this.#source = { datastore: wanted, model, plans, bounds }
    this.#primarySource = usePrimary(this.#source)
  }

  /** The same resource, whose statements are cancelled when the request is aborted; its signal is made when first asked for. */
  #boundTo(request: unknown): DatastoreResource {
    if (this.datastore.withSignal === undefined) return this
    const signal = getSignal(request)
    if (signal === undefined || signal === this.#caller.signal) return this
    return new DatastoreResource(this.datastore, this.#source.model, this.#source.plans, { ...this.#caller, signal })
  }

  list(asked: ListRequest | object, where?: object): Promise<Page<unknown>> {
    const given = where === undefined ? undefined : parseWhere(where)
    const request = isRequestOfAction(asked) ? (asked as ListRequest) : undefined
    const listing = async (source: ResourceSource): Promise<Page<unknown>> =>
      readListPage(source, request ? readListOptions(request, source.model, given) : parseListQuery(asked, source))
    const wanted = this.#boundTo(request)
    return wanted.#run(wanted.#source, listing).catch((error: unknown) => {
      throw request ? toRequestRefusal(error, request) : toListRefusal(error, getQueryPointers(asked))
    })
  }

  stream(asked: ListRequest | object, where?: object): StreamedList<unknown> {
    const given = where === undefined ? undefined : parseWhere(where)
    const request = isRequestOfAction(asked) ? (asked as ListRequest) : undefined
    const source = this.#boundTo(request).#source
    refuseUnscoped(source)
    const whole = request ? readStreamOptions(request, source.model, given) : parseStreamQuery(asked, source)
    return new StreamedList(async function* () {
      try {
        yield* streamList(source, whole)
      } catch (error) {
        const refused = toRefusal(source.datastore, error)
        throw request ? toRequestRefusal(refused, request) : toListRefusal(refused, getQueryPointers(asked))
      }
    })
  }

  async find(key: unknown, shown?: ListRequest | View | MediaType): Promise<unknown> {
    const { model } = this.#source
    const guard = shown === undefined || isMediaTypeOrView(shown) ? undefined : findGuard(shown, model)
    const wanted = this.#boundTo(shown)
    if (guard?.judge !== undefined) {
      const seen = await wanted.#readElement(wanted.#source, key, getGuardProjection(guard))
      if (seen === undefined) return undefined
      guard.judge(seen as Readonly<Record<string, unknown>>)
    }
    return wanted.#readElement(wanted.#source, key, resolveProjection(shown, model))
  }

  #readElement(from: ResourceSource, key: unknown, wanted: Projection): Promise<unknown> {
    return this.#run(from, async (source) => {
      const { datastore, model, plans, bounds } = source
      const plan = plans.getPlan(wanted, getKeyOrder(model), false)
      const scope = plan.scope.copy(bounds)
      const filter = and([...buildVisibilityFilters(model, 0, bounds), buildFilter(parseKey(model, key), model, scope)])
      const { order } = plan
      const read = { from: scope.from, joins: scope.getBoundedJoins(), columns: plan.scope.columns, filter, order }
      const selected = await datastore.select({ ...read, limit: 1, offset: 0 })
      const count = Math.min(1, (selected.undecoded ?? selected).rows.length)
      return (await assembleElements(plan.shape, selected, count, source))[0]
    })
  }

  create(values: object, settings?: ReturnSettings): Promise<object> {
    if (settings === undefined) return this.#run(this.#primarySource, (source) => createKey(source, values))
    const showing = resolveProjection(settings.shown, this.#primarySource.model)
    const wanted = this.#boundTo(settings.shown)
    return wanted.#run(wanted.#primarySource, (source) => createElement(source, values, showing))
  }

  createMany(list: readonly object[], settings?: ReturnSettings): Promise<object[]> {
    const { model } = this.#primarySource
    const showing = settings === undefined ? getKeyProjection(model) : resolveProjection(settings.shown, model)
    const wanted = this.#boundTo(settings?.shown)
    return wanted.#run(wanted.#primarySource, (source) => createElements(source, list, showing))
  }

  upsert(values: object, { by, shown }: UpsertSettings<Attributes> & Partial<ReturnSettings> = {}): Promise<object> {
    const { model } = this.#primarySource
    const showing = shown === undefined ? getKeyProjection(model) : resolveProjection(shown, model)
    const wanted = this.#boundTo(shown)
    return wanted.#run(wanted.#primarySource, (source) => upsertElement(source, values, by, showing))
  }

  update(key: unknown, changes: object, settings: UpdateSettings & Partial<ReturnSettings> = {}): Promise<unknown> {
    return this.#boundTo(settings.request ?? settings.shown).#updateElement(key, changes, settings)
  }

  async #updateElement(
    key: unknown,
    changes: object,
    { rekey = false, request, shown }: UpdateSettings & Partial<ReturnSettings>,
  ): Promise<unknown> {
    const { model, bounds } = this.#primarySource
    const returned = shown === undefined ? undefined : createReturningUpdate(this.#primarySource, resolveProjection(shown, model))
    const isThere = await this.#changeRow(key, request, async (row) => {
      const fixed = bounds?.getFixedValues(model)
      const written = rekey ? toRekeyedValues(model, changes, fixed) : toChangedValues(model, changes, key, fixed)
      const columns = incrementVersion(model, written)
      return columns.size === 0 ? this.#countRows(row) : this.#writeColumns(columns, row, returned?.update)
    })
    if (shown === undefined || returned === undefined) return isThere
    if (!isThere) return undefined
    return (
      (await this.#run(this.#primarySource, () => returned.getElement())) ??
      this.#readElement(this.#primarySource, getNewKey(model, key, changes), resolveProjection(shown, model))
    )
  }

  async #writeColumns(columns: ColumnValues, row: Filter, update: UpdateRows = createUpdate(this.#primarySource)): Promise<number> {
    const { datastore, model, bounds } = this.#primarySource
    if (bounds === undefined) return update(columns, row)
    const write = { datastore, model, bounds, columns, row }
    const stays = await buildScopeCondition(write)
    const crosses = stays !== undefined && isAlwaysFalse(stays)
    const leaves = crosses || (await isLinkedOutOfScope(write))
    const filter = stays === undefined || isAlwaysTrue(stays) ? row : and([row, stays])
    return retryUntilDecided(async () => {
      const changed = leaves ? 0 : await update(columns, filter)
      // An element that cannot be seen is not found, whatever is written to it.
      if (changed > 0 || (!leaves && filter === row) || (await this.#countRows(row)) === 0) return changed
      if (leaves) throw crosses ? createScopeRefusal() : createLinkRefusal()
      if ((await this.#countRows(and([row, negate(stays as Filter)]))) > 0) throw createScopeRefusal()
      return undefined
    })
  }

  delete(key: unknown, { request }: DeleteSettings = {}): Promise<boolean> {
    const wanted = this.#boundTo(request)
    const { datastore, model } = wanted.#primarySource
    return wanted.#changeRow(key, request, (filter) => datastore.delete(model.table, filter))
  }

  #countRows(filter: Filter): Promise<number> {
    return this.#primarySource.datastore.count({ from: this.#primarySource.model.table, joins: [], filter })
  }

  // Of writers that race under conditions, the one whose statement comes first changes the row; nothing fits those of the others.
  #changeRow(key: unknown, request: object | undefined, write: (filter: Filter) => Promise<number>): Promise<boolean> {
    return this.#run(this.#primarySource, async ({ model, bounds }) => {
      const own = and([...buildVisibilityFilters(model, 0, bounds), buildRowFilter(model, key)])
      const guard = findGuard(request, model)
      const condition = guard?.condition()
      if (guard === undefined || condition === undefined) return (await write(own)) > 0
      const scope = new QueryScope(model.table, undefined, bounds)
      const met = condition === 'never' ? or([]) : buildFilter(condition, model, scope)
      return retryUntilDecided(async () => {
        if (condition !== 'never' && (await write(and([own, met]))) > 0) return true
        if ((await this.#countRows(own)) === 0) return false
        if ((await this.#countRows(and([own, negate(met)]))) > 0) guard.refuse()
        return undefined
      })
    })
  }

  /** Runs what a method does; refuses it where it could pass over the scope of a resource. */
  async #run<V>(source: ResourceSource, work: (source: ResourceSource) => Promise<V>): Promise<V> {
    refuseUnscoped(source)
    return translateFaults(source.datastore, () => work(source))
  }

  async verify(use: ListUse): Promise<void> {
    const { datastore, model } = this.#source
    try {
      // The check may change what the plan is made of, and is asked again until it has nothing to do.
      for (let checking = datastore.check?.(planListUse(this.#source, use)); checking !== undefined; ) {
        await checking
        checking = datastore.check?.(planListUse(this.#source, use))
      }
    } catch (error) {
      if (!(error instanceof FieldError) || error.unordered === undefined) throw error
      throw new InexactListError(`The list of ${model.table.name} goes by '${use.name}', and ${error.unordered}`)
    }
  }

  withDatastore(datastore: Datastore): DatastoreResource {
    return new DatastoreResource(datastore, this.#source.model, this.#source.plans, this.#caller)
  }

  within(context: unknown): DatastoreResource {
    const { model, plans } = this.#source
    const signal = getSignal((context as { readonly request?: unknown } | null)?.request) ?? this.#caller.signal
    return new DatastoreResource(this.datastore, model, plans, { bounds: new CallerBounds(context), signal })
  }
}

function planListUse({ model, plans }: ResourceSource, { name: field, by }: ListUse): ListTables {
  const wanted = by === 'showing' ? { selection: { fields: new Map([[field, undefined]]) } } : {}
  const plan = plans.getPlan(wanted, by === 'order' ? [{ field, descending: false }] : [], false)
  const scope = plan.scope.copy()
  if (by === 'value') buildFilter({ op: '=', field, any: [] }, model, scope)
  if (by === 'presence') buildFilter({ op: '!', field }, model, scope)
  return { from: scope.from, joins: scope.joins, order: plan.order }
}
