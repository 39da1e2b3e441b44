// Mappings: the sources of a media type's attributes, as users declare them.

import { type FieldUse, form, isClass, type Report, readProperty, reportFlaws } from '../../../extend.ts'
import type { Attributes, MediaType, ObjectOf } from '../../../index.ts'
import type { AggregateOperation, Datastore } from '../../query/query.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { parseWhere } from '../filters/where.ts'

/** A resource of any media type in any datastore. */
export interface AnyResource {
  readonly '~resource': object
  readonly mediaType: MediaType
}

/** A resource that can compare its declaration with the database. */
export interface VerifiableResource extends AnyResource {
  readonly datastore: Datastore
  /** Rejects with an InexactListError if the database cannot keep a list that uses the field exact. */
  verify(use: ListUse): Promise<void>
}

/** A use of a field by a list: requests may name it, or the list includes it. */
export interface ListUse {
  readonly name: string
  readonly by: FieldUse['by'] | 'showing'
}

/** Another resource, or a function that returns it, for resources that refer to each other. */
export type Target = AnyResource | (() => AnyResource)

/** Pairs of columns with equal values: a column of this table, and one of the other table. */
export interface ColumnPairs {
  readonly [ours: string]: string
}

/** The context that a target requires; unknown if it requires none, or if its type does not say so. */
export type TargetContext<R> = R extends () => infer X
  ? TargetContext<X>
  : R extends { readonly list: unknown }
    ? unknown
    : R extends { within(context: infer C): unknown }
      ? C
      : unknown

/** A relation to at most one element of another resource, which requires the context C, read by a join. */
export interface One<in C = never> {
  readonly '~maps': 'one'
  readonly '~context'?: (context: C) => void
  readonly target: Target
  readonly on: ColumnPairs
}

/** A relation to several elements of another resource, which requires the context C, read by one query for all elements. */
export interface Many<in C = never> {
  readonly '~maps': 'many'
  readonly '~context'?: (context: C) => void
  readonly target: Target
  readonly on: ColumnPairs
  readonly settings: ManySettings
}

/** The settings of a relation to many, whose conditions depend on the context C. */
export interface ManySettings<in C = never> {
  /** The order of the related elements, `-` before a field for descending; by default that of their key. */
  readonly order?: readonly string[]
  /**
   * Conditions on the fields of related elements; only those that meet them are in the list. A function gives those for the
   * context of a call, as a scope does; `false` is met by none.
   */
  readonly where?: Readonly<Record<string, unknown>> | RelationConditions<C>
  /** The maximum number of elements in one list: the first ones in its order. Filters on the relation consider all of them. */
  readonly limit?: number
  /** The field whose value represents a related element, if the attribute is a list of plain values. */
  readonly value?: string
  /**
   * The column with the index of each element in the list, in the table of the related elements or in the join table: writes
   * of the list number it from 0, and the list is in its order unless `order` says otherwise.
   */
  readonly position?: string
  /** The join table: `on` of the relation connects it to this table, and this `on` to the other resource. */
  readonly through?: { readonly table: unknown; readonly on: ColumnPairs }
}

/** Returns the conditions on related elements for the context of a call; `false` is met by none. */
export type RelationConditions<C = never> = (context: C) => ScopeConditions | false

/**
 * One value of all elements of a relation, such as their number, which the database computes; C is the context that the
 * relation requires.
 */
export interface Aggregated<in C = never> {
  readonly '~maps': 'aggregate'
  readonly '~context'?: (context: C) => void
  readonly relation: Many<C>
  readonly operation: AggregateOperation
  /** The field that is summed or compared. */
  readonly field?: string
}

/** A computed attribute; E has the attributes that it depends on, and C is the context. */
export interface Computed<in E = never, in C = never> {
  readonly '~maps': 'computed'
  readonly '~context'?: (context: C) => void
  readonly needs: readonly string[]
  readonly run: (elements: readonly E[], context: unknown) => readonly unknown[] | Promise<readonly unknown[]>
  /** Whether the function has the context of the call as its second parameter. */
  readonly dependsOnCaller?: boolean
  /** The SQL expression of the value, and the function that computes it for one element. */
  readonly expression?: {
    readonly sql: (columns: Readonly<Record<string, string>>) => string
    readonly run: (element: E) => unknown
  }
}

/** The settings of a computed attribute. */
export interface ComputedSettings<N extends string = string> {
  /**
   * Returns an SQL expression for the same value; `columns` has the columns in SQL. The database then computes the attribute,
   * and lists can be ordered and filtered by it.
   */
  readonly sql: (columns: { readonly [C in N]: string }) => string
}

/**
 * The source of one attribute: a column, a structure of columns, another resource, what is known of its elements, a computation,
 * or none (`false`).
 */
export type Source<E = never> = string | false | One | Many | Aggregated | Computed<E> | AttributeSources

/** The sources of a structure's attributes, by name. */
export interface AttributeSources {
  readonly [attribute: string]: Source
}

/**
 * The elements that a caller may see: conditions on attributes, or on columns of the table, combined with AND. The
 * conditions of a list are combined with OR.
 */
export type ScopeConditions = Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[]

/** Returns the scope of a resource for the context of a call. */
export type ScopeFunction<C = never, R = ScopeConditions> = (context: C) => R

/** The settings of a full-text search, which identify the index in the database. */
export interface SearchSettings {
  /**
   * The columns that are searched together.
   * @default the column of the attribute
   */
  readonly columns?: readonly string[]
  /**
   * The text search configuration of PostgreSQL, as in its index.
   * @default `'simple'`
   */
  readonly language?: string
  /**
   * The FTS5 table of SQLite; its rows have the row ids of the table.
   * @default the name of the table and `_fts`
   */
  readonly index?: string
}

export const searchForm: form.SettingForm = form.record(
  form.object<SearchSettings>({
    columns: form.list(form.name),
    language: form.custom('the name of a configuration', (value) => typeof value === 'string' && /^\w+$/.test(value)),
    index: form.name,
  }),
)

/**
 * The mapping of a resource: its table, its key, and the sources S of attributes that have no column of the same name.
 * F are the attributes that get a value without one, and R the conditions of the scope.
 */
export interface Mapping<
  A extends Attributes,
  T,
  K extends keyof A = keyof A,
  C = never,
  S = Sources<A>,
  F = keyof A & string,
  R = ScopeConditions,
> {
  readonly table: T
  /** The attributes that identify an element; by default those of the table's primary key. */
  readonly key?: readonly K[]
  /** An integer attribute that every change of an element increments, in the same statement. */
  readonly version?: F
  /** The attributes that the database sets in new elements, by a default or otherwise: `create` does not require them. */
  readonly generated?: readonly F[]
  /** The attributes that have a full-text search, with its settings in the database. */
  readonly search?: { readonly [N in keyof A]?: SearchSettings }
  /** The elements that a caller may see, find, change, count and link to; the resource then requires a context. */
  readonly scope?: ScopeFunction<C, R>
  readonly attributes?: CheckedSources<S, A>
}

// With an unknown attribute, the sources of the known ones: the compiler then underlines it and suggests another.
type CheckedSources<S, A extends Attributes> = [Exclude<keyof S, keyof A>] extends [never] ? S : Sources<A>

/** The sources of a media type's attributes. */
export type Sources<A extends Attributes> = { readonly [N in keyof A]?: Source<ObjectOf<A>> }

const isResource = (value: unknown): boolean => typeof value === 'object' && value !== null && '~resource' in value

const targetForm = form.required(form.either(form.custom('a resource', isResource), form.callable))
const pairsForm = form.required(form.record(form.name))

const ONE_FORM: form.Fields<Omit<One, '~maps' | '~context'>> = { target: targetForm, on: pairsForm }
const MANY_FORM: form.Fields<Omit<Many, '~maps' | '~context'>> = {
  target: targetForm,
  on: pairsForm,
  settings: form.object<ManySettings>({
    order: form.list(form.name),
    where: form.either(form.structure, form.callable),
    limit: form.integerFrom(1),
    value: form.name,
    position: form.name,
    through: form.object<NonNullable<ManySettings['through']>>({ table: form.required(form.anything), on: pairsForm }),
  }),
}
const isMany = (value: unknown): boolean => readProperty(value, '~maps') === 'many'
const AGGREGATED_FORM: form.Fields<Omit<Aggregated, '~maps' | '~context'>> = {
  relation: form.required(form.custom('a relation, many(…)', isMany)),
  operation: form.required(form.name),
  field: form.name,
}
const COMPUTED_FORM: form.Fields<Omit<Computed, '~maps' | '~context'>> = {
  needs: form.required(form.list(form.name)),
  run: form.required(form.callable),
  dependsOnCaller: form.flag,
  expression: form.object<NonNullable<Computed['expression']>>({
    sql: form.required(form.callable),
    run: form.required(form.callable),
  }),
}

const FLAW_FINDERS = {
  one: (options: object) => form.accept(options, ONE_FORM).flaws,
  many: (options: object) => form.accept(options, MANY_FORM).flaws,
  aggregate: (options: object) => form.accept(options, AGGREGATED_FORM).flaws,
  computed: (options: object) => form.accept(options, COMPUTED_FORM).flaws,
}

/** Reports invalid arguments of `one`, `many`, `count` and others, and `computed`; returns whether all are valid. */
export function isValidMapping(mapped: One | Many | Aggregated | Computed, path: string, report: Report): boolean {
  const { '~maps': maps, ...options } = mapped
  const flaws = FLAW_FINDERS[maps](options)
  reportFlaws(path, flaws, report)
  return flaws.length === 0
}

/** Parses the conditions of a relation, and reports invalid ones. */
export function parseRelationWhere(
  where: Readonly<Record<string, unknown>>,
  path: string,
  report: Report,
): FilterExpression | undefined {
  try {
    return parseWhere(where)
  } catch (error) {
    report(`${path}.where`, (error as Error).message, 'write conditions as those of a list: { stars: { ">=": 3 } }')
    return undefined
  }
}

/** Maps an attribute to one element of another resource, by equal columns. */
export const one = <R extends Target>(target: R, on: ColumnPairs): One<TargetContext<R>> =>
  Object.freeze({ '~maps': 'one', target, on })

/** Maps an attribute to all elements of another resource, by equal columns. */
export const many = <R extends Target, C = unknown>(
  target: R,
  on: ColumnPairs,
  settings: ManySettings<C> = {},
): Many<NoInfer<C> & TargetContext<R>> => Object.freeze({ '~maps': 'many', target, on, settings })

/** Maps an attribute to the number of elements of a relation. */
export const count = <C>(relation: Many<C>): Aggregated<C> => aggregate('count', relation)

/** Maps an attribute to whether a relation has elements. */
export const exists = <C>(relation: Many<C>): Aggregated<C> => aggregate('exists', relation)

/** Maps an attribute to the sum of a field over the elements of a relation; 0 if there are none. */
export const sum = <C>(relation: Many<C>, field: string): Aggregated<C> => aggregate('sum', relation, field)

/** Maps an attribute to the least value of a field among the elements of a relation; absent or null if there is none. */
export const min = <C>(relation: Many<C>, field: string): Aggregated<C> => aggregate('min', relation, field)

/** Maps an attribute to the greatest value of a field among the elements of a relation; absent or null if there is none. */
export const max = <C>(relation: Many<C>, field: string): Aggregated<C> => aggregate('max', relation, field)

const aggregate = <C>(operation: AggregateOperation, relation: Many<C>, field?: string): Aggregated<C> =>
  Object.freeze({ '~maps': 'aggregate', relation, operation, ...(field !== undefined && { field }) })

/**
 * Maps an attribute to a function of other attributes, which are read even if the response does not include them. A second
 * parameter is the context of the call.
 */
export function computed<E, N extends keyof E & string, C = unknown>(
  needs: readonly N[],
  run: (element: Pick<E, N>, context: C) => unknown,
  settings?: ComputedSettings<N>,
): Computed<E, NoInfer<C>> {
  // A value that is not a function is stored as it is; the resource reports it.
  if (typeof run !== 'function' || isClass(run)) return computedBatch(needs, run as never)
  const batch = computedBatch(needs, (elements: readonly Pick<E, N>[], context: C) =>
    Promise.all(elements.map((element) => run(element, context))),
  )
  const dependsOnCaller = run.length > 1
  if (settings === undefined) return Object.freeze({ ...batch, dependsOnCaller })
  return Object.freeze({
    ...batch,
    dependsOnCaller,
    expression: { sql: settings.sql as never, run },
  }) as unknown as Computed<E, C>
}

/** Maps an attribute to a function of all elements of a list, which returns one value per element, in their order. */
export function computedBatch<E, N extends keyof E & string, C = unknown>(
  needs: readonly N[],
  run: (elements: readonly Pick<E, N>[], context: C) => readonly unknown[] | Promise<readonly unknown[]>,
): Computed<E, NoInfer<C>> {
  return Object.freeze({
    '~maps': 'computed',
    needs,
    run: run as Computed<E>['run'],
    dependsOnCaller: typeof run === 'function' && run.length > 1,
  })
}
