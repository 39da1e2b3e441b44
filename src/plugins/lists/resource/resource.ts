// Resources: a media type and its table, with the functions that list, find, create, update and delete elements.
import {
  type DefinitionMistake,
  described,
  form,
  isMediaType,
  isRequestOfAction,
  property,
  type Report,
  refuseMistakes,
  reporter,
  settingsIn,
} from '../../../extend.ts'
import type { Attributes, MediaType, View } from '../../../index.ts'
import { decided, guarded, refusal } from '../faults.ts'
import { isShown } from '../fields/list-param.ts'
import { whereExpression } from '../filters/where.ts'
import { CallerBounds } from '../plan/bounds.ts'
import { and, negated, or } from '../plan/combine.ts'
import { conditions, FieldError, visible } from '../plan/conditions.ts'
import { Plans, type Showing } from '../plan/plan.ts'
import { Scope } from '../plan/scope.ts'
import { type Datastore, type Filter, InexactListError, type Listed, type Values } from '../query.ts'
import { assemble } from '../read/assembly.ts'
import { allAskedBy, askedBy, listPage } from '../read/list.ts'
import type { ListRequest } from '../read/list-request.ts'
import { allAskedPlainly, askedPlainly, plainPointers } from '../read/plain.ts'
import type { Page } from '../read/portion.ts'
import { onPrimary, type Source } from '../read/query.ts'
import { namedRefusal, refusalOf } from '../read/refusals.ts'
import { StreamedList, streamList } from '../read/stream.ts'
import { changesOf, raised, rekeyedOf } from '../write/columns.ts'
import { crossing, isAlways, isNever, linkedAway, linksAway, staying } from '../write/crossing.ts'
import { plainly, rekeyed, returnedBy, type Updating } from '../write/update.ts'
import { upsertElement } from '../write/upsert.ts'
import { createElement, createElements, createKey, keyShowing } from '../write/write.ts'
import { type Caller, showingOf, signalOf } from './caller.ts'
import { guardedFields, guardOf } from './guards.ts'
import type {
  DeleteSettings,
  Resource,
  ReturnSettings,
  ScopedResource,
  UpdateSettings,
  UpsertSettings,
} from './interface.ts'
import { keyOrder, ownFilter, whereKey } from './keys.ts'
import { type ListUse, type Mapping, searchForm, type Target, type VerifiableResource } from './mapping.ts'
import { type Model, resolveModel } from './model.ts'
import { refuseUnscoped } from './relations.ts'

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
  search: searchForm,
  attributes: form.structure,
}

const FUNCTIONS = ['table', 'select', 'count', 'insert', 'update', 'delete'] as const

const isDatastore = (value: unknown): boolean => FUNCTIONS.every((one) => typeof property(value, one) === 'function')

// The result of a function is checked when the application boots.
const modelOf = (target: Target): Model => (typeof target === 'function' ? target() : target)?.['~resource'] as Model

class Stored implements VerifiableResource {
  readonly '~resource': Model
  readonly mediaType: MediaType
  readonly datastore: Datastore
  readonly #source: Source
  readonly #writing: Source
  readonly #caller: Caller

  constructor(datastore: Datastore, model: Model, plans: Plans, caller: Caller = {}) {
    const { bounds, signal } = caller
    this['~resource'] = model
    this.mediaType = model.mediaType
    this.datastore = datastore
    this.#caller = caller
    const wanted = signal === undefined ? datastore : (datastore.withSignal?.(signal) ?? datastore)
    this.#source = { datastore: wanted, model, plans, bounds }
    this.#writing = onPrimary(this.#source)
  }

  /** The same resource, whose statements are cancelled when the request is aborted; its signal is made when first asked for. */
  #while(request: unknown): Stored {
    if (this.datastore.withSignal === undefined) return this
    const signal = signalOf(request)
    if (signal === undefined || signal === this.#caller.signal) return this
    return new Stored(this.datastore, this.#source.model, this.#source.plans, { ...this.#caller, signal })
  }

  list(asked: ListRequest | object, where?: object): Promise<Page<unknown>> {
    const given = where === undefined ? undefined : whereExpression(where)
    const request = isRequestOfAction(asked) ? (asked as ListRequest) : undefined
    const listing = async (source: Source): Promise<Page<unknown>> =>
      listPage(source, request ? askedBy(request, source.model, given) : askedPlainly(asked, source))
    const wanted = this.#while(request)
    return wanted.#run(wanted.#source, listing).catch((error: unknown) => {
      throw request ? namedRefusal(error, request) : refusalOf(error, plainPointers(asked))
    })
  }

  stream(asked: ListRequest | object, where?: object): StreamedList<unknown> {
    const given = where === undefined ? undefined : whereExpression(where)
    const request = isRequestOfAction(asked) ? (asked as ListRequest) : undefined
    const source = this.#while(request).#source
    refuseUnscoped(source)
    const whole = request ? allAskedBy(request, source.model, given) : allAskedPlainly(asked, source)
    return new StreamedList(async function* () {
      try {
        yield* streamList(source, whole)
      } catch (error) {
        const refused = refusal(source.datastore, error)
        throw request ? namedRefusal(refused, request) : refusalOf(refused, plainPointers(asked))
      }
    })
  }

  async find(key: unknown, shown?: ListRequest | View | MediaType): Promise<unknown> {
    const { model } = this.#source
    const guard = shown === undefined || isShown(shown) ? undefined : guardOf(shown, model)
    const wanted = this.#while(shown)
    if (guard?.judge !== undefined) {
      const seen = await wanted.#read(wanted.#source, key, guardedFields(guard))
      if (seen === undefined) return undefined
      guard.judge(seen as Readonly<Record<string, unknown>>)
    }
    return wanted.#read(wanted.#source, key, showingOf(shown, model))
  }

  #read(from: Source, key: unknown, wanted: Showing): Promise<unknown> {
    return this.#run(from, async (source) => {
      const { datastore, model, plans, bounds } = source
      const plan = plans.plan(wanted, keyOrder(model), false)
      const scope = plan.scope.copy(bounds)
      const filter = and([...visible(model, 0, bounds), conditions(whereKey(model, key), model, scope)])
      const { order } = plan
      const read = { from: scope.from, joins: scope.visible(), columns: plan.scope.columns, filter, order }
      const selected = await datastore.select({ ...read, limit: 1, offset: 0 })
      const count = Math.min(1, (selected.undecoded ?? selected).rows.length)
      return (await assemble(plan.shape, selected, count, source))[0]
    })
  }

  create(values: object, settings?: ReturnSettings): Promise<object> {
    if (settings === undefined) return this.#run(this.#writing, (source) => createKey(source, values))
    const showing = showingOf(settings.shown, this.#writing.model)
    const wanted = this.#while(settings.shown)
    return wanted.#run(wanted.#writing, (source) => createElement(source, values, showing))
  }

  createMany(list: readonly object[], settings?: ReturnSettings): Promise<object[]> {
    const { model } = this.#writing
    const showing = settings === undefined ? keyShowing(model) : showingOf(settings.shown, model)
    const wanted = this.#while(settings?.shown)
    return wanted.#run(wanted.#writing, (source) => createElements(source, list, showing))
  }

  upsert(values: object, { by, shown }: UpsertSettings<Attributes> & Partial<ReturnSettings> = {}): Promise<object> {
    const { model } = this.#writing
    const showing = shown === undefined ? keyShowing(model) : showingOf(shown, model)
    const wanted = this.#while(shown)
    return wanted.#run(wanted.#writing, (source) => upsertElement(source, values, by, showing))
  }

  update(key: unknown, changes: object, settings: UpdateSettings & Partial<ReturnSettings> = {}): Promise<unknown> {
    return this.#while(settings.request ?? settings.shown).#update(key, changes, settings)
  }

  async #update(
    key: unknown,
    changes: object,
    { rekey = false, request, shown }: UpdateSettings & Partial<ReturnSettings>,
  ): Promise<unknown> {
    const { model, bounds } = this.#writing
    const returned = shown === undefined ? undefined : returnedBy(this.#writing, showingOf(shown, model))
    const isThere = await this.#change(key, request, async (row) => {
      const fixed = bounds?.fixed(model)
      const written = rekey ? rekeyedOf(model, changes, fixed) : changesOf(model, changes, key, fixed)
      const columns = raised(model, written)
      return columns.size === 0 ? this.#count(row) : this.#write(columns, row, returned?.update)
    })
    if (shown === undefined || returned === undefined) return isThere
    if (!isThere) return undefined
    return (
      (await this.#run(this.#writing, () => returned.element())) ??
      this.#read(this.#writing, rekeyed(model, key, changes), showingOf(shown, model))
    )
  }

  async #write(columns: Values, row: Filter, update: Updating = plainly(this.#writing)): Promise<number> {
    const { datastore, model, bounds } = this.#writing
    if (bounds === undefined) return update(columns, row)
    const write = { datastore, model, bounds, columns, row }
    const stays = await staying(write)
    const crosses = stays !== undefined && isNever(stays)
    const leaves = crosses || (await linksAway(write))
    const filter = stays === undefined || isAlways(stays) ? row : and([row, stays])
    return decided(async () => {
      const changed = leaves ? 0 : await update(columns, filter)
      // An element that cannot be seen is not found, whatever is written to it.
      if (changed > 0 || (!leaves && filter === row) || (await this.#count(row)) === 0) return changed
      if (leaves) throw crosses ? crossing() : linkedAway()
      if ((await this.#count(and([row, negated(stays as Filter)]))) > 0) throw crossing()
      return undefined
    })
  }

  delete(key: unknown, { request }: DeleteSettings = {}): Promise<boolean> {
    const wanted = this.#while(request)
    const { datastore, model } = wanted.#writing
    return wanted.#change(key, request, (filter) => datastore.delete(model.table, filter))
  }

  #count(filter: Filter): Promise<number> {
    return this.#writing.datastore.count({ from: this.#writing.model.table, joins: [], filter })
  }

  // Of writers that race under conditions, the one whose statement comes first changes the row; nothing fits those of the others.
  #change(key: unknown, request: object | undefined, write: (filter: Filter) => Promise<number>): Promise<boolean> {
    return this.#run(this.#writing, async ({ model, bounds }) => {
      const own = and([...visible(model, 0, bounds), ownFilter(model, key)])
      const guard = guardOf(request, model)
      const condition = guard?.condition()
      if (guard === undefined || condition === undefined) return (await write(own)) > 0
      const scope = new Scope(model.table, undefined, bounds)
      const met = condition === 'never' ? or([]) : conditions(condition, model, scope)
      return decided(async () => {
        if (condition !== 'never' && (await write(and([own, met]))) > 0) return true
        if ((await this.#count(own)) === 0) return false
        if ((await this.#count(and([own, negated(met)]))) > 0) guard.refuse()
        return undefined
      })
    })
  }

  /** Runs what a method does; refuses it where it could pass over the scope of a resource. */
  async #run<V>(source: Source, work: (source: Source) => Promise<V>): Promise<V> {
    refuseUnscoped(source)
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
    return new Stored(datastore, this.#source.model, this.#source.plans, this.#caller)
  }

  within(context: unknown): Stored {
    const { model, plans } = this.#source
    const signal = signalOf((context as { readonly request?: unknown } | null)?.request) ?? this.#caller.signal
    return new Stored(this.datastore, model, plans, { bounds: new CallerBounds(context), signal })
  }
}

function listedBy({ model, plans }: Source, { name: field, by }: ListUse): Listed {
  const wanted = by === 'showing' ? { selection: { fields: new Map([[field, undefined]]) } } : {}
  const plan = plans.plan(wanted, by === 'order' ? [{ field, descending: false }] : [], false)
  const scope = plan.scope.copy()
  if (by === 'value') conditions({ op: '=', field, any: [] }, model, scope)
  if (by === 'presence') conditions({ op: '!', field }, model, scope)
  return { from: scope.from, joins: scope.joins, order: plan.order }
}
