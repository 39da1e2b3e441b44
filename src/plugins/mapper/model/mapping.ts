// Mappings: the sources of a media type's attributes, as users declare them.

import { type FieldUse, form, isClass, type Report, reportFlaws } from '../../../extend.ts'
import type { Attributes, MediaType, ObjectOf } from '../../../index.ts'
import type { FilterExpression } from '../filters/expression.ts'
import { parseWhere } from '../filters/where.ts'
import type { Datastore } from '../../query/query.ts'

/** A resource of any media type in any datastore. */
export interface AnyResource {
  readonly '~resource': object
  readonly mediaType: MediaType
}

/** A resource that can compare its declaration with the database. */
export interface VerifiableResource extends AnyResource {
  readonly datastore: Datastore
  /** Rejects with an InexactListError where the database does not keep a list that uses a field exact. */
  verify(use: ListUse): Promise<void>
}

/** A use of a field by a list: requests may name it, or the list shows it. */
export interface ListUse {
  readonly name: string
  readonly by: FieldUse['by'] | 'showing'
}

/** Another resource, or a function that returns it, for resources that refer to each other. */
export type Target = AnyResource | (() => AnyResource)

/** Pairs of columns: one of ours, and the one of the other table that has the same value. */
export interface ColumnPairs {
  readonly [ours: string]: string
}

/** A resource that at most one element belongs to, read by a join. */
export interface One {
  readonly '~maps': 'one'
  readonly target: Target
  readonly on: ColumnPairs
}

/** Resources that belong to an element, read by one query for all elements together. */
export interface Many {
  readonly '~maps': 'many'
  readonly target: Target
  readonly on: ColumnPairs
  readonly settings: ManySettings
}

/** Settings of a relation to many. */
export interface ManySettings {
  /** The order of the related elements, `-` before a field for descending; by default that of their key. */
  readonly order?: readonly string[]
  /** Conditions on the fields of related elements; those that do not meet them are not part of the list. */
  readonly where?: Readonly<Record<string, unknown>>
  /** The most elements of one list, the first ones in its order. Filters through the relation ask all of them. */
  readonly limit?: number
  /** The one field that stands for a related element where the attribute is a list of plain values. */
  readonly value?: string
  /** The table between the two: its columns that equal ours are in `on`, these lead on to the other resource. */
  readonly through?: { readonly table: unknown; readonly on: ColumnPairs }
}

/** A computed attribute; E has the attributes that it needs. */
export interface Computed<in E = never> {
  readonly '~maps': 'computed'
  readonly needs: readonly string[]
  readonly run: (elements: readonly E[]) => readonly unknown[] | Promise<readonly unknown[]>
  /** The expression that gives the value in SQL, and the function that gives it for one element. */
  readonly expression?: {
    readonly sql: (columns: Readonly<Record<string, string>>) => string
    readonly run: (element: E) => unknown
  }
}

/** Settings of a computed attribute. */
export interface ComputedSettings<N extends string = string> {
  /**
   * Gives an expression of SQL with the same value, of columns as they are written; lists can then be ordered and filtered by
   * the attribute, and the database works it out.
   */
  readonly sql: (columns: { readonly [C in N]: string }) => string
}

/** Where one attribute comes from: a column, a structure of columns, another resource, a computation, or elsewhere (`false`). */
export type Source<E = never> = string | false | One | Many | Computed<E> | AttributeSources

/** Where the attributes of a structure come from, by their names. */
export interface AttributeSources {
  readonly [attribute: string]: Source
}

/**
 * The elements a caller may see: conditions on attributes, or on columns of the table, all of which hold. Of a list of such
 * conditions, one holds.
 */
export type ScopeConditions = Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[]

/** Makes the scope of a resource from the context of a call. */
export type ScopeFunction<C = never> = (context: C) => ScopeConditions

/** Settings of a full-text search, by which the database's index is found. */
export interface SearchSettings {
  /**
   * The columns that are searched together.
   * @default the column of the attribute
   */
  readonly columns?: readonly string[]
  /**
   * The configuration of PostgreSQL, as its index has it.
   * @default `'simple'`
   */
  readonly language?: string
  /**
   * The FTS5 table of SQLite, whose rows have the row ids of the table.
   * @default the name of the table and `_fts`
   */
  readonly index?: string
}

/** The form of full-text searches. */
export const searchForm: form.SettingForm = form.record(
  form.object<SearchSettings>({
    columns: form.list(form.name),
    language: form.custom('the name of a configuration', (value) => typeof value === 'string' && /^\w+$/.test(value)),
    index: form.name,
  }),
)

/** How a resource is kept: its table, its key, and where attributes come from that have no column of their own name. */
export interface Mapping<A extends Attributes, T, K extends keyof A = keyof A, C = never> {
  readonly table: T
  /** The attributes that tell elements apart; by default those of the table's primary key. */
  readonly key?: readonly K[]
  /** An attribute of whole numbers that every change of an element raises by one, in the statement of the change. */
  readonly version?: keyof A & string
  /** Attributes that full-text filters search, with what the database has for it. */
  readonly search?: { readonly [N in keyof A]?: SearchSettings }
  /** The elements a caller may see, find, change, count and link to; the resource then works within a context only. */
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
  one: (given: object) => form.accept(given, ONE_FORM).flaws,
  many: (given: object) => form.accept(given, MANY_FORM).flaws,
  computed: (given: object) => form.accept(given, COMPUTED_FORM).flaws,
}

/** Reports arguments of one, many and computed that do not fit; true when all of them do. */
export function isValidMapping(mapped: One | Many | Computed, path: string, report: Report): boolean {
  const { '~maps': maps, ...given } = mapped
  const flaws = FLAW_FINDERS[maps](given)
  reportFlaws(path, flaws, report)
  return flaws.length === 0
}

/** The conditions of a relation; what cannot be read is reported. */
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

/** Maps an attribute to a function of other attributes, which are read whether or not they are shown. */
export function computed<E, N extends keyof E & string>(
  needs: readonly N[],
  run: (element: Pick<E, N>) => unknown,
  settings?: ComputedSettings<N>,
): Computed<E> {
  // A value that is no function is kept as it is, for the resource to report.
  if (typeof run !== 'function' || isClass(run)) return computedBatch(needs, run as never)
  const batch = computedBatch(needs, (elements: readonly Pick<E, N>[]) => Promise.all(elements.map(run)))
  if (settings === undefined) return batch
  return Object.freeze({ ...batch, expression: { sql: settings.sql as never, run } }) as unknown as Computed<E>
}

/** The same for all elements of a list at once: the function returns one value for each, in their order. */
export function computedBatch<E, N extends keyof E & string>(
  needs: readonly N[],
  run: (elements: readonly Pick<E, N>[]) => readonly unknown[] | Promise<readonly unknown[]>,
): Computed<E> {
  return Object.freeze({ '~maps': 'computed', needs, run })
}
