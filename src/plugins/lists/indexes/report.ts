// The tool `indexes`: for every list that clients may ask for, which index serves it.
import { type ApiDescription, ExampleSeed, originOf } from '../../../extend.ts'
import type { Attribute, MediaType } from '../../../index.ts'
import { filterFieldAt } from '../fields/field.ts'
import type { CallerBounds } from '../plan/bounds.ts'
import { and } from '../plan/combine.ts'
import { columnOf, conditions, type FieldError, visible } from '../plan/conditions.ts'
import { Plans } from '../plan/plan.ts'
import { Scope } from '../plan/scope.ts'
import type { Datastore, Filter, Indexable } from '../query.ts'
import type { VerifiableResource } from '../resource/mapping.ts'
import type { ManyNode, Model, Nodes } from '../resource/model.ts'
import { boundsOf } from './anyone.ts'
import { type AskedList, askedOf, usesIn } from './asked.ts'

/** Which index serves a list of an action, or a relation. */
export interface ListReport {
  /** The action, `Books.index`, or the relation, `Book.reviews`. */
  readonly place: string
  readonly table: string
  /** The order, as clients write it; the key comes behind it, or alone. */
  readonly order: string
  /** The condition of the client, as it writes it without a value. */
  readonly filters: string
  /** The conditions of the scope. */
  readonly scope: string
  /** The index that serves it. */
  readonly index?: string
  /** The statement that creates the index which is missing. */
  readonly create?: string
  /** Why no index serves it. */
  readonly never?: string
  readonly passes: readonly string[]
  /** The statement that reads the beginning of the list, without its values. */
  readonly statement?: string
}

/** The report of the tool. */
export interface IndexesReport {
  readonly lists: readonly ListReport[]
  /** The statements that create what is missing, each with the number of lists that it serves. */
  readonly missing: readonly { readonly create: string; readonly serves: number }[]
  /** Lists that clients may ask for and that were not judged. */
  readonly leftOut: readonly { readonly place: string; readonly what: string }[]
}

/** Settings of the tool. */
export interface IndexesSettings {
  /** The context that scopes are asked with. */
  readonly context?: unknown
  /** The most lists of one action. */
  readonly most?: number
  /** Whether lists with filters are judged as well. */
  readonly filters?: boolean
}

/** How many lists of one action are judged unless more are wanted. */
const MOST = 200

/** Judges the lists of an application. */
export async function reportIndexes(
  { endpoints }: ApiDescription,
  resources: readonly VerifiableResource[],
  { context, most = MOST, filters = true }: IndexesSettings,
): Promise<IndexesReport> {
  const bounds = boundsOf(context)
  const leftOut: { place: string; what: string }[] = []
  const wanted: Wanted[] = []
  for (const action of endpoints.flatMap(({ actions }) => [...actions.values()])) {
    const place = `${action.endpoint.name}.${action.name}`
    for (const resource of resources) {
      const uses = usesIn(action).filter(({ of }) => isOf(of, resource))
      if (uses.length === 0) continue
      const isOwn = (field: string) => isOwnField(field, resource['~resource'] as Model)
      const asked = askedOf(uses, { most, filters, isOwn })
      leftOut.push(...asked.leftOut.map((what) => ({ place, what })))
      for (const list of asked.lists) wanted.push(await wantedOf(place, resource, list, bounds))
    }
  }
  for (const resource of resources) wanted.push(...relationsOf(resource))
  return { ...(await judged(wanted)), leftOut }
}

const isOf = (of: Attribute, { mediaType }: VerifiableResource): boolean => originOf(of as MediaType) === mediaType

/** A list that is to be judged. */
interface Wanted extends Pick<ListReport, 'place' | 'table' | 'order' | 'filters' | 'scope' | 'never'> {
  readonly datastore: Datastore
  /** Undefined where it is known already that nothing serves it. */
  readonly list?: Indexable
}

async function wantedOf(
  place: string,
  resource: VerifiableResource,
  asked: AskedList,
  bounds: CallerBounds,
): Promise<Wanted> {
  const model = resource['~resource'] as Model
  const { datastore } = resource
  const filters = asked.filter === undefined ? '' : asked.filter.field + asked.filter.op
  const common = { place, table: model.table.name, order: asked.order.text, filters, datastore }
  try {
    const scoped = visible(model, 0, model.scope === undefined ? undefined : bounds)
    const scope = scoped.flatMap(namesIn).join(', ')
    return { ...common, scope, list: await listOf(resource, asked, bounds, scoped) }
  } catch (error) {
    return { ...common, scope: '', never: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  const { name, message, unordered, field } = error as FieldError
  if (name === 'FieldError') return unordered ?? `the field '${field}' has no column`
  if (name === 'UnknownCallerError' || name === 'InexactListError') return message
  throw error
}

async function listOf(
  { datastore, ...resource }: Pick<VerifiableResource, 'datastore' | '~resource'>,
  asked: AskedList,
  bounds: CallerBounds,
  scoped: readonly Filter[],
): Promise<Indexable> {
  const model = resource['~resource'] as Model
  const plan = new Plans(model).plan({}, asked.order.terms, false)
  const scope = plan.scope.copy(bounds)
  const own = asked.filter === undefined ? [] : [conditionOf(asked.filter, model, scope)]
  const checking = datastore.check?.({ from: scope.from, joins: scope.joins, order: plan.order })
  if (checking !== undefined) {
    await checking
    // The check may have changed what the plan is made of.
    return listOf({ datastore, '~resource': model }, asked, bounds, scoped)
  }
  const filter = [...scoped, ...own]
  return {
    from: scope.from,
    joins: scope.visible(),
    filter: filter.length === 0 ? undefined : and(filter),
    order: plan.order,
  }
}

function isOwnField(field: string, model: Model): boolean {
  const filter = conditions({ op: '!', field }, model, new Scope(model.table))
  return 'reference' in filter && filter.reference.source === 0
}

function conditionOf({ field, op }: NonNullable<AskedList['filter']>, model: Model, scope: Scope): Filter {
  const value = filterFieldAt(model.mediaType, field)?.core.example(new ExampleSeed())
  return op === '='
    ? conditions({ op, field, any: [{ value }] }, model, scope)
    : conditions({ op, field, value }, model, scope)
}

function namesIn(filter: Filter): string[] {
  if ('of' in filter) return filter.op === 'and' ? filter.of.flatMap(namesIn) : [filter.of.flatMap(namesIn).join('|')]
  if ('from' in filter) return [filter.from.name]
  return [
    filter.op === 'null' ? `${filter.reference.column.name} is null` : `${filter.reference.column.name}${filter.op}`,
  ]
}

// --- relations ---------------------------------------------------------------------------

// Related elements are looked for by the columns that connect them, for lists and for filters through them.
function relationsOf({ datastore, ...resource }: VerifiableResource): readonly Wanted[] {
  const model = resource['~resource'] as Model
  return manyIn(model.nodes, model.mediaType.name).map(([place, node]) => {
    const target = node.target()
    const from = node.through?.table ?? target.table
    const columns = node.on.map(([, name]) => columnOf({ table: from, mediaType: target.mediaType }, name))
    const filter = and(columns.map((column) => ({ op: '=', reference: { source: 0, column }, place: 1 })))
    const filters = columns.map(({ name }) => `${name}=`).join(' ')
    return {
      place,
      table: from.name,
      order: '',
      filters,
      scope: '',
      datastore,
      list: { from, joins: [], filter, order: [] },
    }
  })
}

function manyIn(nodes: Nodes, above: string): (readonly [string, ManyNode])[] {
  return [...nodes].flatMap(([name, node]) => {
    if (node.type === 'struct') return manyIn(node.nodes, `${above}.${name}`)
    return node.type === 'many' ? [[`${above}.${name}`, node] as const] : []
  })
}

// --- judgements --------------------------------------------------------------------------

async function judged(wanted: readonly Wanted[]): Promise<Omit<IndexesReport, 'leftOut'>> {
  const reports = new Map<Wanted, ListReport>()
  const missing: { create: string; serves: number }[] = []
  for (const datastore of new Set(wanted.map((one) => one.datastore))) {
    const own = wanted.filter((one) => one.datastore === datastore)
    const lists = own.flatMap(({ list }) => list ?? [])
    const { servings, missing: lacking } = (await datastore.indexing?.(lists)) ?? { servings: [], missing: [] }
    const counts = lacking.map((create, i) => ({ create, serves: servings.filter((one) => one.missing === i).length }))
    missing.push(...counts)
    let at = 0
    for (const { datastore: _, list, ...one } of own) {
      const found =
        list === undefined ? undefined : (servings[at++] ?? { never: 'its datastore has no indexes', passes: [] })
      const { missing: number, ...rest } = { missing: undefined, passes: [], ...found }
      const create = number === undefined ? undefined : lacking[number]
      reports.set(one as Wanted, { ...one, ...rest, ...(create !== undefined && { create }) } as ListReport)
    }
  }
  return { lists: [...reports.values()], missing }
}
