// The public interface of resources: their methods, and the settings of these.
import type { Value } from '../../../extend.ts'
import type { Attributes, FieldPath, MediaType, ObjectOf, Selected, View } from '../../../index.ts'
import type { Datastore } from '../../query/query.ts'
import type { Where } from '../filters/where.ts'
import type { Model } from '../model/model.ts'
import type { ListQuery, StreamQuery } from '../read/list-query.ts'
import type { ListRequest } from '../read/list-request.ts'
import type { Page } from '../read/portion.ts'

/** The identity of an element: the value of its key, or conditions on fields. */
export type Key<A extends Attributes> = string | number | bigint | Where<A>

/** The attributes to write; structures may be partial, and a related element is given by its key. */
export type Changes<A extends Attributes> = PartialElement<ObjectOf<A>>

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

/** The settings of a write that returns the element. */
export interface ReturnSettings {
  /** The form in which the element is returned: the response of a request, a view, or a media type. */
  readonly shown: ListRequest | View | MediaType
}

/** The settings of an upsert. */
export interface UpsertSettings<A extends Attributes> {
  /**
   * The attributes that identify an existing element: those of the key, or of a unique set of the table.
   * @default those of the key
   */
  readonly by?: readonly (keyof A & string)[]
}

/** The attributes of a key. */
// The intersection makes editors show the attributes instead of this name.
export type KeyOf<A extends Attributes, K extends keyof A> = { readonly [N in K]: Exclude<Value<A[N]>, null> } & {}

/** The settings of a delete. */
export type DeleteSettings = Pick<UpdateSettings, 'request'>

type PartialElement<S> = { readonly [N in keyof S]?: PartialValue<Exclude<S[N], undefined>> | null | undefined }

type PartialValue<V> = V extends Date | readonly unknown[] | string | number | bigint | boolean | null
  ? V
  : V extends object
    ? { readonly [N in keyof V]?: V[N] | undefined }
    : V

/** A media type whose elements are stored in a datastore. */
export interface Resource<A extends Attributes = Attributes, T = unknown, K extends keyof A = keyof A> {
  readonly '~resource': Model
  readonly mediaType: MediaType<A>
  /** Returns the page that a request specifies by pagination, order, filters and fields, among the elements that meet `where`. */
  list(request: ListRequest, where?: Where<A>): Promise<Page<ObjectOf<A>>>
  /** Returns the page that a query specifies: by default at most 100 elements. */
  list<const F extends FieldPath<ObjectOf<A>> = never>(
    query: ListQuery<A, F>,
  ): Promise<Page<[F] extends [never] ? ObjectOf<A> : Selected<ObjectOf<A>, F>>>
  /** Streams the elements that a request specifies by order, filters and fields, among those that meet `where`. */
  stream(request: ListRequest, where?: Where<A>): AsyncIterable<ObjectOf<A>>
  /** Streams the elements that a query specifies, from one snapshot if the database supports it. */
  stream<const F extends FieldPath<ObjectOf<A>> = never>(
    query: StreamQuery<A, F>,
  ): AsyncIterable<[F] extends [never] ? ObjectOf<A> : Selected<ObjectOf<A>, F>>
  /** Returns one element with the attributes of a request's response, of a view, or of the default view. */
  find(key: Key<A>, shown?: ListRequest | View | MediaType): Promise<ObjectOf<A> | undefined>
  /** Creates an element and returns its key. */
  create(values: Changes<A>): Promise<KeyOf<A, K>>
  /** Creates an element and returns it. */
  create(values: Changes<A>, settings: ReturnSettings): Promise<ObjectOf<A>>
  /** Creates all elements or none, and returns their keys in the same order. */
  createMany(list: readonly Changes<A>[]): Promise<KeyOf<A, K>[]>
  /** Creates all elements or none, and returns them in the same order. */
  createMany(list: readonly Changes<A>[], settings: ReturnSettings): Promise<ObjectOf<A>[]>
  /** Creates an element, or updates the one with the same key, and returns its key. */
  upsert(values: Changes<A>, settings?: UpsertSettings<A>): Promise<KeyOf<A, K>>
  /** Creates an element, or updates the one with the same key, and returns it. */
  upsert(values: Changes<A>, settings: UpsertSettings<A> & ReturnSettings): Promise<ObjectOf<A>>
  /** Updates the given attributes of an element and returns it; undefined if there is none. */
  update(key: Key<A>, changes: Changes<A>, settings: UpdateSettings & ReturnSettings): Promise<ObjectOf<A> | undefined>
  /** Updates the given attributes of an element, null clears one; returns whether the element exists. The key stays unless `rekey`. */
  update(key: Key<A>, changes: Changes<A>, settings?: UpdateSettings): Promise<boolean>
  /** Deletes an element and returns whether it existed. */
  delete(key: Key<A>, settings?: DeleteSettings): Promise<boolean>
  /** Returns the same resource in another datastore of the same kind, such as a transaction. */
  withDatastore(datastore: Datastore<T>): Resource<A, T, K>
  /** Returns the same resource for a caller; related resources may have a scope. */
  within(context: object): Resource<A, T, K>
}

/** A resource with a scope, usable only within the context of a caller. */
export interface ScopedResource<A extends Attributes, T, K extends keyof A, C> {
  readonly '~resource': Model
  readonly mediaType: MediaType<A>
  /** Returns the resource restricted to the elements that the caller may see, find, change, count and link to. */
  within(context: C): Resource<A, T, K>
  /** Returns the same resource in another datastore of the same kind, such as a transaction. */
  withDatastore(datastore: Datastore<T>): ScopedResource<A, T, K, C>
}
