// Resources: a media type and its table, with methods that list, find, create, update and delete elements.
import {
  createReporter,
  type DefinitionMistake,
  describeValue,
  form,
  isMediaType,
  isRequestOfAction,
  type Report,
  readProperty,
  readSettings,
  refuseMistakes,
} from '../../../extend.ts'
import type { Attributes, MediaType, Views } from '../../../index.ts'
import { and, negate, or } from '../../query/combine-filters.ts'
import { type Datastore, type Filter, InexactListError, type ListTables } from '../../query/query.ts'
import { retryUntilDecided, toRefusal, translateFaults } from '../faults.ts'
import { isMediaTypeOrView } from '../fields/list-param.ts'
import { parseListWhere } from '../filters/where.ts'
import {
  type ListUse,
  type Mapping,
  type ScopeConditions,
  type Sources,
  searchForm,
  type Target,
  type VerifiableResource,
} from '../model/mapping.ts'
import { type Model, resolveModel } from '../model/model.ts'
import { CallerBounds } from '../plan/caller-bounds.ts'
import { FieldError } from '../plan/comparison.ts'
import { buildFilter, buildVisibilityFilters } from '../plan/filter-builder.ts'
import { PlanCache, type Projection } from '../plan/query-plan.ts'
import { QueryScope } from '../plan/query-scope.ts'
import { refuseUnscoped } from '../plan/relations.ts'
import { assembleElements } from '../read/assembly.ts'
import { readDistinctValues } from '../read/distinct.ts'
import { readListOptions, readListPage, readStreamOptions } from '../read/list.ts'
import { getQueryPointers, parseListQuery, parseStreamQuery } from '../read/list-query.ts'
import type { ListRequest } from '../read/list-request.ts'
import { type ResourceSource, usePrimary } from '../read/planned-query.ts'
import type { Page } from '../read/portion.ts'
import { toListRefusal, toRequestRefusal } from '../read/refusals.ts'
import { StreamedList, streamList } from '../read/stream-list.ts'
import { incrementVersion, toChangedValues, toRekeyedValues } from '../write/column-values.ts'
import { withNamedConflicts } from '../write/conflicts.ts'
import { readByElementKeys, runInTransaction, splitAllLists, writeListsOf } from '../write/elements-with-lists.ts'
import { type SplitValues, splitLists } from '../write/related-lists.ts'
import { createReturningUpdate, getNewKey, updateWithinScope } from '../write/update.ts'
import { upsertElement } from '../write/upsert.ts'
import { createElement, createElements, createKey, getKeyProjection } from '../write/write.ts'
import { checkLists } from '../write/write-lists.ts'
import type { RequiredContext, RequiredNames, ScopeNames, Shown, SourceContext } from './element-types.ts'
import { findGuard, getGuardProjection } from './guards.ts'
import type {
  DeleteSettings,
  Resource,
  ReturnSettings,
  ScopedResource,
  UpdateSettings,
  UpsertSettings,
} from './interface.ts'
import { buildRowFilter, getKeyOrder, parseKey } from './key-filters.ts'
import { getSignal, type ResourceCaller, resolveProjection } from './resource-caller.ts'

/** Maps a media type to a table of a datastore; attributes without a source use the column of the same name. */
export function resource<
  A extends Attributes,
  V extends Views,
  T,
  const K extends keyof A & string = 'id' & keyof A,
  C = never,
  const S extends Sources<A> = {},
  const F extends keyof A & string = never,
  const R extends ScopeConditions = never,
  D = T,
>(
  datastore: Datastore<T>,
  mediaType: MediaType<A, V>,
  mapping: Mapping<A, T, K, C, S, F, R> & { readonly table: D },
): MappedResource<A, T, K, RequiredContext<C, R, SourceContext<S>>, V, RequiredNames<A, K, S, F | ScopeNames<R>, D>> {
  const mistakes: DefinitionMistake[] = []
  const isMedia = isMediaType(mediaType)
  const report: Report = createReporter(mistakes, `resource ${isMedia ? mediaType.name : describeValue(mediaType)}`)
  if (!isMedia) report('mediaType', `it is ${describeValue(mediaType)}`, 'give the media type of the elements')
  if (!isDatastore(datastore))
    report('datastore', `it is ${describeValue(datastore)}`, 'give a datastore, such as memoryDatastore({ … })')
  const declared = readSettings('', mapping, MAPPING_FORM, report)
  refuseMistakes(mistakes)
  const model = resolveModel(mediaType, declared as never, {
    datastore: datastore as Datastore,
    resolveTarget: resolveTargetModel,
    report,
  })
  refuseMistakes(mistakes)
  return new DatastoreResource(datastore as Datastore, model, new PlanCache(model)) as never
}

type MappedResource<
  A extends Attributes,
  T,
  K extends keyof A,
  C,
  V extends Views,
  R extends keyof A,
> = unknown extends C ? Resource<A, T, K, V, R> : ScopedResource<A, T, K, C, V, R>
interface InnerUpdateSettings extends UpdateSettings, Partial<ReturnSettings> {
  /** Whether the row is locked and raises its version even if nothing of it changes: its related lists do. */
  readonly isLocked?: boolean
}

const MAPPING_FORM: form.Fields<Mapping<Attributes, unknown>> = {
  table: form.required(form.anything),
  key: form.list(form.name),
  version: form.name,
  generated: form.list(form.name),
  scope: form.callable,
  search: searchForm,
  attributes: form.structure,
}

const REQUIRED_METHODS = ['table', 'select', 'count', 'insert', 'update', 'delete'] as const

const isDatastore = (value: unknown): boolean =>
  REQUIRED_METHODS.every((one) => typeof readProperty(value, one) === 'function')

// The result of the function is checked at boot.
const resolveTargetModel = (target: Target): Model =>
  (typeof target === 'function' ? target() : target)?.['~resource'] as Model

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
    const boundDatastore = signal === undefined ? datastore : (datastore.withSignal?.(signal) ?? datastore)
    this.#source = { datastore: boundDatastore, model, plans, bounds }
    this.#primarySource = usePrimary(this.#source)
  }

  /** Returns the resource with statements that are cancelled when the request is aborted; the signal is created lazily. */
  #boundTo(request: unknown): DatastoreResource {
    if (this.datastore.withSignal === undefined) return this
    const signal = getSignal(request)
    if (signal === undefined || signal === this.#caller.signal) return this
    return new DatastoreResource(this.datastore, this.#source.model, this.#source.plans, { ...this.#caller, signal })
  }

  list(query: ListRequest | object, where?: object): Promise<Page<unknown>> {
    const conditions = where === undefined ? undefined : parseListWhere(where)
    const request = isRequestOfAction(query) ? (query as ListRequest) : undefined
    const readPage = async (source: ResourceSource): Promise<Page<unknown>> =>
      readListPage(source, request ? readListOptions(request, source.model, conditions) : parseListQuery(query, source))
    const bound = this.#boundTo(request)
    return bound.#run(bound.#source, readPage).catch((error: unknown) => {
      throw request ? toRequestRefusal(error, request) : toListRefusal(error, getQueryPointers(query))
    })
  }

  stream(query: ListRequest | object, where?: object): StreamedList<unknown> {
    const conditions = where === undefined ? undefined : parseListWhere(where)
    const request = isRequestOfAction(query) ? (query as ListRequest) : undefined
    const source = this.#boundTo(request).#source
    refuseUnscoped(source)
    const options = request ? readStreamOptions(request, source.model, conditions) : parseStreamQuery(query, source)
    return new StreamedList(async function* () {
      try {
        yield* streamList(source, options)
      } catch (error) {
        const refused = toRefusal(source.datastore, error)
        throw request ? toRequestRefusal(refused, request) : toListRefusal(refused, getQueryPointers(query))
      }
    })
  }

  distinct(field: string, query: object = {}): Promise<readonly unknown[]> {
    return this.#run(this.#source, (source) => readDistinctValues(source, field, query))
  }

  async find(key: unknown, shown?: Shown<Attributes>): Promise<unknown> {
    const { model } = this.#source
    const guard = shown === undefined || isMediaTypeOrView(shown) ? undefined : findGuard(shown, model)
    const bound = this.#boundTo(shown)
    if (guard?.check !== undefined) {
      const guarded = await bound.#readElement(bound.#source, key, getGuardProjection(guard))
      if (guarded === undefined) return undefined
      guard.check(guarded as Readonly<Record<string, unknown>>)
    }
    return bound.#readElement(bound.#source, key, resolveProjection(shown, model))
  }

  #readElement(from: ResourceSource, key: unknown, projection: Projection): Promise<unknown> {
    return this.#run(from, async (source) => {
      const { datastore, model, plans, bounds } = source
      const plan = plans.getPlan(projection, getKeyOrder(model), false)
      const scope = plan.scope.copy(bounds)
      const filter = and([...buildVisibilityFilters(model, 0, bounds), buildFilter(parseKey(model, key), model, scope)])
      const { order } = plan
      const query = { from: scope.from, joins: scope.getBoundedJoins(), columns: plan.scope.columns, filter, order }
      const selected = await datastore.select({ ...query, limit: 1, offset: 0 })
      const count = Math.min(1, (selected.undecoded ?? selected).rows.length)
      return (await assembleElements(plan.shape, selected, count, source))[0]
    })
  }

  create(values: object, settings?: ReturnSettings): Promise<object> {
    const split = splitLists(this.#primarySource.model, values)
    if (split !== undefined)
      return this.#writeWithLists([split], settings, async (source) => ({
        keys: [await createElement(source, split.plain, getKeyProjection(source.model))],
        isNew: true,
      })).then(([element]) => element as object)
    if (settings === undefined) return this.#run(this.#primarySource, (source) => createKey(source, values))
    const projection = resolveProjection(settings.shown, this.#primarySource.model)
    const bound = this.#boundTo(settings.shown)
    return bound.#run(bound.#primarySource, (source) => createElement(source, values, projection))
  }

  createMany(list: readonly object[], settings?: ReturnSettings): Promise<object[]> {
    const { model } = this.#primarySource
    const splits = splitAllLists(model, list)
    if (splits !== undefined) {
      const plain = splits.map((one) => one.plain)
      return this.#writeWithLists(splits, settings, async (source) => ({
        keys: await createElements(source, plain, getKeyProjection(model)),
        isNew: true,
      }))
    }
    const projection = settings === undefined ? getKeyProjection(model) : resolveProjection(settings.shown, model)
    const bound = this.#boundTo(settings?.shown)
    return bound.#run(bound.#primarySource, (source) => createElements(source, list, projection))
  }

  upsert(values: object, { by, shown }: UpsertSettings<Attributes> & Partial<ReturnSettings> = {}): Promise<object> {
    const { model } = this.#primarySource
    const split = splitLists(model, values)
    if (split !== undefined)
      return this.#writeWithLists([split], shown === undefined ? undefined : { shown }, async (source) => ({
        keys: [await upsertElement(source, split.plain, by, getKeyProjection(model))],
        isNew: false,
      })).then(([element]) => element as object)
    const projection = shown === undefined ? getKeyProjection(model) : resolveProjection(shown, model)
    const bound = this.#boundTo(shown)
    return bound.#run(bound.#primarySource, (source) => upsertElement(source, values, by, projection))
  }

  update(key: unknown, changes: object, settings: UpdateSettings & Partial<ReturnSettings> = {}): Promise<unknown> {
    const bound = this.#boundTo(settings.request ?? settings.shown)
    const split = splitLists(this.#primarySource.model, changes)
    return split === undefined
      ? bound.#updateElement(key, changes, settings)
      : bound.#updateWithLists(key, split, settings)
  }

  /** Writes elements, then their related lists, in one transaction; returns their keys or the elements. */
  #writeWithLists(
    splits: readonly SplitValues[],
    settings: ReturnSettings | undefined,
    write: (source: ResourceSource) => Promise<{ readonly keys: readonly object[]; readonly isNew: boolean }>,
  ): Promise<object[]> {
    const { model } = this.#primarySource
    return this.#inTransaction(splits, async ({ source }) => {
      const { keys, isNew } = await write(source)
      const elements = splits.map(({ changes }, i) => ({ changes, key: keys[i] as object }))
      await writeListsOf(source, elements, { isNew })
      if (settings === undefined) return [...keys]
      return readByElementKeys(source, keys, resolveProjection(settings.shown, model))
    })
  }

  #updateWithLists(
    key: unknown,
    { plain, changes }: SplitValues,
    { shown, ...settings }: UpdateSettings & Partial<ReturnSettings>,
  ): Promise<unknown> {
    return this.#inTransaction([{ plain, changes }], async ({ source, resource: within }) => {
      const exists = (await within.#updateElement(key, plain, { ...settings, isLocked: true })) === true
      if (!exists) return shown === undefined ? false : undefined
      const newKey = getNewKey(source.model, key, plain)
      await writeListsOf(source, [{ key: newKey, changes }], { isNew: false })
      return shown === undefined || within.#readElement(source, newKey, resolveProjection(shown, source.model))
    })
  }

  /** Runs a write of related lists in a transaction; what their payload says wrongly is refused before it begins. */
  #inTransaction<V>(
    splits: readonly SplitValues[],
    work: (within: { readonly source: ResourceSource; readonly resource: DatastoreResource }) => Promise<V>,
  ): Promise<V> {
    return this.#run(this.#primarySource, async (outer) => {
      for (const { changes } of splits) checkLists(outer, changes)
      return runInTransaction({ ...outer, datastore: this.datastore }, (datastore) => {
        const { bounds } = this.#caller
        const within = new DatastoreResource(datastore, outer.model, outer.plans, { bounds })
        return work({ source: within.#primarySource, resource: within })
      })
    })
  }

  async #updateElement(
    key: unknown,
    changes: object,
    { rekey = false, request, shown, isLocked = false }: InnerUpdateSettings,
  ): Promise<unknown> {
    const { datastore, model, bounds } = this.#primarySource
    const returning =
      shown === undefined ? undefined : createReturningUpdate(this.#primarySource, resolveProjection(shown, model))
    const exists = await this.#changeRow(key, request, async (row) => {
      const fixed = bounds?.getFixedValues(model)
      const values = rekey ? toRekeyedValues(model, changes, fixed) : toChangedValues(model, changes, key, fixed)
      const columns = incrementVersion(model, values, isLocked)
      if (columns.size === 0) return (isLocked ? datastore.lock?.(model.table, row) : undefined) ?? this.#countRows(row)
      const write = { datastore, model, rows: [columns], locate: () => ({ values: changes, path: '' }) }
      return withNamedConflicts(write, () => updateWithinScope(this.#primarySource, columns, row, returning?.update))
    })
    if (shown === undefined || returning === undefined) return exists
    if (!exists) return undefined
    return (
      (await this.#run(this.#primarySource, () => returning.getElement())) ??
      this.#readElement(this.#primarySource, getNewKey(model, key, changes), resolveProjection(shown, model))
    )
  }

  delete(key: unknown, { request }: DeleteSettings = {}): Promise<boolean> {
    const bound = this.#boundTo(request)
    const { datastore, model } = bound.#primarySource
    return bound.#changeRow(key, request, (filter) => datastore.delete(model.table, filter))
  }

  #countRows(filter: Filter): Promise<number> {
    return this.#primarySource.datastore.count({ from: this.#primarySource.model.table, joins: [], filter })
  }

  // Of concurrent conditional writes, the first statement changes the row; the conditions of the others no longer match.
  #changeRow(key: unknown, request: object | undefined, write: (filter: Filter) => Promise<number>): Promise<boolean> {
    return this.#run(this.#primarySource, async ({ model, bounds }) => {
      const rowFilter = and([...buildVisibilityFilters(model, 0, bounds), buildRowFilter(model, key)])
      const guard = findGuard(request, model)
      const condition = guard?.condition()
      if (guard === undefined || condition === undefined) return (await write(rowFilter)) > 0
      const scope = new QueryScope(model.table, undefined, bounds)
      const conditionFilter = condition === 'never' ? or([]) : buildFilter(condition, model, scope)
      return retryUntilDecided(async () => {
        if (condition !== 'never' && (await write(and([rowFilter, conditionFilter]))) > 0) return true
        if ((await this.#countRows(rowFilter)) === 0) return false
        if ((await this.#countRows(and([rowFilter, negate(conditionFilter)]))) > 0) guard.refuse()
        return undefined
      })
    })
  }

  /** Runs the work of a method; refuses it if it would bypass the scope of a resource. */
  async #run<V>(source: ResourceSource, work: (source: ResourceSource) => Promise<V>): Promise<V> {
    refuseUnscoped(source)
    return translateFaults(source.datastore, () => work(source))
  }

  async verify(use: ListUse): Promise<void> {
    const { datastore, model } = this.#source
    try {
      // The check may change the columns of the plan, so it is repeated until there is nothing to check.
      for (let pendingCheck = datastore.check?.(planListUse(this.#source, use)); pendingCheck !== undefined; ) {
        await pendingCheck
        pendingCheck = datastore.check?.(planListUse(this.#source, use))
      }
    } catch (error) {
      if (!(error instanceof FieldError) || error.unorderedReason === undefined) throw error
      throw new InexactListError(`The list of ${model.table.name} goes by '${use.name}', and ${error.unorderedReason}`)
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
  const projection = by === 'showing' ? { selection: { fields: new Map([[field, undefined]]) } } : {}
  const plan = plans.getPlan(projection, by === 'order' ? [{ field, descending: false }] : [], false)
  const scope = plan.scope.copy()
  if (by === 'value') buildFilter({ op: '=', field, any: [] }, model, scope)
  if (by === 'presence') buildFilter({ op: '!', field }, model, scope)
  return { from: scope.from, joins: scope.joins, order: plan.order }
}
