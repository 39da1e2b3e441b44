// The public interface of resources: their methods, and the settings of these.
import type { Attributes, FieldPath, MediaType, ObjectOf, Selected, View, Views } from '../../../index.ts'
import type { Datastore } from '../../query/query.ts'
import type { Where } from '../filters/where.ts'
import type { Model } from '../model/model.ts'
import type { DistinctQuery, ValueAt } from '../read/distinct.ts'
import type { ListQuery, StreamQuery } from '../read/list-query.ts'
import type { ListRequest } from '../read/list-request.ts'
import type { Page } from '../read/portion.ts'
import type { Changes, Key, KeyOf, NewElement, Shown, ShownElement } from './element-types.ts'

/** The settings of an update. */
export interface UpdateSettings {
  /**
   * Whether the change may include the key; not for values that a client chooses.
   * @default `false`
   */
  readonly rekey?: boolean
  /** The request that causes the change: its conditions, such as If-Match, become part of the statement. */
  readonly request?: object
}

/** The settings of a write that returns the element in the form S. */
export interface ReturnSettings<S = Shown<Attributes>> {
  /** The form in which the element is returned: the response of a request, a view, a media type, or selected fields. */
  readonly shown: S
}

/** The settings of an upsert. */
export interface UpsertSettings<A extends Attributes> {
  /**
   * The attributes that identify an existing element: those of the key, or of a unique set of the table.
   * @default those of the key
   */
  readonly by?: readonly (keyof A & string)[]
}

/** The settings of a delete. */
export type DeleteSettings = Pick<UpdateSettings, 'request'>

/**
 * A media type with the attributes A and the views V whose elements are stored in a datastore. K are the attributes of
 * its key, and R those that a new element requires.
 */
export interface Resource<
  A extends Attributes = Attributes,
  T = unknown,
  K extends keyof A = keyof A,
  V extends Views = Views,
  R extends keyof A = never,
> {
  readonly '~resource': Model
  readonly mediaType: MediaType<A, V>
  /** Returns the page that a request specifies by pagination, order, filters and fields, among the elements that meet `where`. */
  list(request: ListRequest, where?: Where<A>): Promise<Page<ObjectOf<A>>>
  /** Returns the page that a query specifies: by default at most 100 elements. */
  list<const F extends FieldPath<ObjectOf<A>> = never, S extends View | MediaType = never>(
    query: ListQuery<A, F, S>,
  ): Promise<Page<QueriedElement<A, V, F, S>>>
  /** Streams the elements that a request specifies by order, filters and fields, among those that meet `where`. */
  stream(request: ListRequest, where?: Where<A>): AsyncIterable<ObjectOf<A>>
  /** Streams the elements that a query specifies, from one snapshot if the database supports it. */
  stream<const F extends FieldPath<ObjectOf<A>> = never, S extends View | MediaType = never>(
    query: StreamQuery<A, F, S>,
  ): AsyncIterable<QueriedElement<A, V, F, S>>
  /** Returns the values that a field has, each once and in order: of the elements, or of those in their lists. */
  distinct<F extends FieldPath<ObjectOf<A>>>(field: F, query?: DistinctQuery<A>): Promise<ValueAt<ObjectOf<A>, F>[]>
  /** Returns one element in its default view. */
  find(key: Key<A, K>): Promise<MediaType<A, V>['~type'] | undefined>
  /** Returns one element with the attributes of a request's response. */
  find(key: Key<A, K>, request: ListRequest): Promise<ObjectOf<A> | undefined>
  /** Returns one element with the attributes of a view or a media type, or with selected fields. */
  find<const S extends Shown<A>>(key: Key<A, K>, shown: S): Promise<ShownElement<A, S> | undefined>
  /** Creates an element and returns its key. */
  create(values: NewElement<A, R>): Promise<KeyOf<A, K>>
  /** Creates an element and returns it. */
  create<const S extends Shown<A>>(values: NewElement<A, R>, settings: ReturnSettings<S>): Promise<ShownElement<A, S>>
  /** Creates all elements or none, and returns their keys in the same order. */
  createMany(list: readonly NewElement<A, R>[]): Promise<KeyOf<A, K>[]>
  /** Creates all elements or none, and returns them in the same order. */
  createMany<const S extends Shown<A>>(
    list: readonly NewElement<A, R>[],
    settings: ReturnSettings<S>,
  ): Promise<ShownElement<A, S>[]>
  /** Creates an element, or updates the one with the same key, and returns its key. */
  upsert(values: NewElement<A, R>, settings?: UpsertSettings<A>): Promise<KeyOf<A, K>>
  /** Creates an element, or updates the one with the same key, and returns it. */
  upsert<const S extends Shown<A>>(
    values: NewElement<A, R>,
    settings: UpsertSettings<A> & ReturnSettings<S>,
  ): Promise<ShownElement<A, S>>
  /** Updates the given attributes of an element and returns it; undefined if there is none. */
  update<const S extends Shown<A>>(
    key: Key<A, K>,
    changes: Changes<A>,
    settings: UpdateSettings & ReturnSettings<S>,
  ): Promise<ShownElement<A, S> | undefined>
  /** Updates the given attributes of an element, null clears one; returns whether the element exists. The key stays unless `rekey`. */
  update(key: Key<A, K>, changes: Changes<A>, settings?: UpdateSettings): Promise<boolean>
  /** Deletes an element and returns whether it existed. */
  delete(key: Key<A, K>, settings?: DeleteSettings): Promise<boolean>
  /** Returns the same resource in another datastore of the same kind, such as a transaction. */
  withDatastore(datastore: Datastore<T>): Resource<A, T, K, V, R>
  /** Returns the same resource for a caller; related resources may have a scope. */
  within(context: object): Resource<A, T, K, V, R>
}

/** An element of a query with the fields F or in the form S; without both, in its default view. */
type QueriedElement<A extends Attributes, V extends Views, F, S> = [F] extends [never]
  ? [S] extends [never]
    ? MediaType<A, V>['~type']
    : ShownElement<A, S>
  : Selected<ObjectOf<A>, F>

/** A resource that has a scope, or reaches one that does: usable only within the context C of a caller. */
export interface ScopedResource<
  A extends Attributes,
  T,
  K extends keyof A,
  C,
  V extends Views = Views,
  R extends keyof A = never,
> {
  readonly '~resource': Model
  readonly mediaType: MediaType<A, V>
  /** Returns the resource restricted to the elements that the caller may see, find, change, count and link to. */
  within(context: C): Resource<A, T, K, V, R>
  /** Returns the same resource in another datastore of the same kind, such as a transaction. */
  withDatastore(datastore: Datastore<T>): ScopedResource<A, T, K, C, V, R>
}
