// Mappings: the sources of a media type's attributes, as users declare them.

import { type FieldUse, form, isClass, type Report, reportFlaws } from '../../../extend.ts'
import type { Attributes, MediaType, ObjectOf } from '../../../index.ts'
import type { Datastore } from '../../query/query.ts'
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

/** A relation to at most one element of another resource, read by a join. */
export interface One {
  readonly '~maps': 'one'
  readonly target: Target
  readonly on: ColumnPairs
}

/** A relation to several elements of another resource, read by one query for all elements. */
export interface Many {
  readonly '~maps': 'many'
  readonly target: Target
  readonly on: ColumnPairs
  readonly settings: ManySettings
}

/** The settings of a relation to many. */
export interface ManySettings {
  /** The order of the related elements, `-` before a field for descending; by default that of their key. */
  readonly order?: readonly string[]
  /** Conditions on the fields of related elements; only those that meet them are in the list. */
  readonly where?: Readonly<Record<string, unknown>>
  /** The maximum number of elements in one list: the first ones in its order. Filters on the relation consider all of them. */
  readonly limit?: number
  /** The field whose value represents a related element, if the attribute is a list of plain values. */
  readonly value?: string
  /** The join table: `on` of the relation connects it to this table, and this `on` to the other resource. */
  readonly through?: { readonly table: unknown; readonly on: ColumnPairs }
}

/** A computed attribute; E has the attributes that it depends on. */
export interface Computed<in E = never> {
  readonly '~maps': 'computed'
  readonly needs: readonly string[]
  readonly run: (elements: readonly E[]) => readonly unknown[] | Promise<readonly unknown[]>
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

/** The source of one attribute: a column, a structure of columns, another resource, a computation, or none (`false`). */
export type Source<E = never> = string | false | One | Many | Computed<E> | AttributeSources

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
export type ScopeFunction<C = never> = (context: C) => ScopeConditions

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

/** The mapping of a resource: its table, its key, and the sources of attributes that have no column of the same name. */
export interface Mapping<A extends Attributes, T, K extends keyof A = keyof A, C = never> {
  readonly table: T
  /** The attributes that identify an element; by default those of the table's primary key. */
  readonly key?: readonly K[]
  /** An integer attribute that every change of an element increments, in the same statement. */
  readonly version?: keyof A & string
  /** The attributes that have a full-text search, with its settings in the database. */
  readonly search?: { readonly [N in keyof A]?: SearchSettings }
  /** The elements that a caller may see, find, change, count and link to; the resource then requires a context. */
  readonly scope?: ScopeFunction<C>
  readonly attributes?: { readonly [N in keyof A]?: Source<ObjectOf<A>> }
}

const isResource = (value: unknown): boolean => typeof value === 'object' && value !== null && '~resource' in value

const targetForm = form.required(form.either(form.custom('a resource', isResource), form.callable))
const pairsForm = form.required(form.record(form.name))

const ONE_FORM: form.Fields<Omit<One, '~maps'>> = { target: targetForm, on: pairsForm }
const MANY_FORM: form.Fields<Omit<Many, '~maps'>> = {
  target: targetForm,
  on: pairsForm,
  settings: form.object<ManySettings>({
    order: form.list(form.name),
    where: form.structure,
    limit: form.integerFrom(1),
    value: form.name,
    through: form.object<NonNullable<ManySettings['through']>>({ table: form.required(form.anything), on: pairsForm }),
  }),
}
const COMPUTED_FORM: form.Fields<Omit<Computed, '~maps'>> = {
  needs: form.required(form.list(form.name)),
  run: form.required(form.callable),
  expression: form.object<NonNullable<Computed['expression']>>({
    sql: form.required(form.callable),
    run: form.required(form.callable),
  }),
}

const FLAW_FINDERS = {
  one: (options: object) => form.accept(options, ONE_FORM).flaws,
  many: (options: object) => form.accept(options, MANY_FORM).flaws,
  computed: (options: object) => form.accept(options, COMPUTED_FORM).flaws,
}

/** Reports invalid arguments of `one`, `many` and `computed`; returns whether all are valid. */
export function isValidMapping(mapped: One | Many | Computed, path: string, report: Report): boolean {
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
export const one = (target: Target, on: ColumnPairs): One => Object.freeze({ '~maps': 'one', target, on })

/** Maps an attribute to all elements of another resource, by equal columns. */
export const many = (target: Target, on: ColumnPairs, settings: ManySettings = {}): Many =>
  Object.freeze({ '~maps': 'many', target, on, settings })

/** Maps an attribute to a function of other attributes, which are read even if the response does not include them. */
export function computed<E, N extends keyof E & string>(
  needs: readonly N[],
  run: (element: Pick<E, N>) => unknown,
  settings?: ComputedSettings<N>,
): Computed<E> {
  // A value that is not a function is stored as it is; the resource reports it.
  if (typeof run !== 'function' || isClass(run)) return computedBatch(needs, run as never)
  const batch = computedBatch(needs, (elements: readonly Pick<E, N>[]) => Promise.all(elements.map(run)))
  if (settings === undefined) return batch
  return Object.freeze({ ...batch, expression: { sql: settings.sql as never, run } }) as unknown as Computed<E>
}

/** Maps an attribute to a function of all elements of a list, which returns one value per element, in their order. */
export function computedBatch<E, N extends keyof E & string>(
  needs: readonly N[],
  run: (elements: readonly Pick<E, N>[]) => readonly unknown[] | Promise<readonly unknown[]>,
): Computed<E> {
  return Object.freeze({ '~maps': 'computed', needs, run })
}
