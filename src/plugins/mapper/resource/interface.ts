// The public interface of resources: their functions, and the settings of those.
import type { Value } from '../../../extend.ts'
import type { Attributes, FieldPath, MediaType, ObjectOf, Selected, View } from '../../../index.ts'
import type { Where } from '../filters/where.ts'
import type { Datastore } from '../../query/query.ts'
import type { ListRequest } from '../read/list-request.ts'
import type { ListQuery, StreamQuery } from '../read/list-query.ts'
import type { Page } from '../read/portion.ts'
import type { Model } from '../model/model.ts'

/** The identity of an element: the value of its key, or conditions on fields. */
export type Key<A extends Attributes> = string | number | bigint | Where<A>

/** Attributes to write; structures may be partial, and a related element is given by its key. */
export type Changes<A extends Attributes> = PartialElement<ObjectOf<A>>

/** Settings of an update. */
export interface UpdateSettings {
  /**
   * Lets the change give the element another key; not for values that a client chooses.
   * @default `false`
   */
  readonly rekey?: boolean
  /** The request that asks for the change: its conditions, such as If-Match, become part of the statement. */
  readonly request?: object
}

/** Settings of a write that returns the element. */
export interface ReturnSettings {
  /** The form in which the element is shown: the response of a request, a view, or a media type. */
  readonly shown: ListRequest | View | MediaType
}

/** Settings of an upsert. */
export interface UpsertSettings<A extends Attributes> {
  /**
   * The attributes that tell whether the element is there: those of the key, or of a unique set of the table.
   * @default those of the key
   */
  readonly by?: readonly (keyof A & string)[]
}

/** The attributes of a key. */
// The intersection has editors show the attributes and not this name.
export type KeyOf<A extends Attributes, K extends keyof A> = { readonly [N in K]: Exclude<Value<A[N]>, null> } & {}

/** Settings of a delete. */
export type DeleteSettings = Pick<UpdateSettings, 'request'>

type PartialElement<S> = { readonly [N in keyof S]?: PartialValue<Exclude<S[N], undefined>> | null | undefined }

type PartialValue<V> = V extends Date | readonly unknown[] | string | number | bigint | boolean | null
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
  /** All elements that a request asks for with its order, filters and fields, within given conditions, read as they are taken. */
  stream(request: ListRequest, where?: Where<A>): AsyncIterable<ObjectOf<A>>
  /** All elements that a query asks for, read as they are taken, from one snapshot where the database has them. */
  stream<const F extends FieldPath<ObjectOf<A>> = never>(
    query: StreamQuery<A, F>,
  ): AsyncIterable<[F] extends [never] ? ObjectOf<A> : Selected<ObjectOf<A>, F>>
  /** One element, with the attributes that a request's answer, a view, or else the default view shows. */
  find(key: Key<A>, shown?: ListRequest | View | MediaType): Promise<ObjectOf<A> | undefined>
  /** Adds an element and gives its key. */
  create(values: Changes<A>): Promise<KeyOf<A, K>>
  /** Adds an element and gives it. */
  create(values: Changes<A>, settings: ReturnSettings): Promise<ObjectOf<A>>
  /** Adds elements, all or none of them, and gives their keys in the same order. */
  createMany(list: readonly Changes<A>[]): Promise<KeyOf<A, K>[]>
  /** Adds elements, all or none of them, and gives them in the same order. */
  createMany(list: readonly Changes<A>[], settings: ReturnSettings): Promise<ObjectOf<A>[]>
  /** Adds an element, or changes the one that has the same key, and gives its key. */
  upsert(values: Changes<A>, settings?: UpsertSettings<A>): Promise<KeyOf<A, K>>
  /** Adds an element, or changes the one that has the same key, and gives it. */
  upsert(values: Changes<A>, settings: UpsertSettings<A> & ReturnSettings): Promise<ObjectOf<A>>
  /** Changes attributes as the next form does, and gives the element; undefined if there is none. */
  update(key: Key<A>, changes: Changes<A>, settings: UpdateSettings & ReturnSettings): Promise<ObjectOf<A> | undefined>
  /** Changes the attributes that are given, a null empties, the key stays unless told otherwise; tells whether there is such an element. */
  update(key: Key<A>, changes: Changes<A>, settings?: UpdateSettings): Promise<boolean>
  /** Removes an element and tells whether there was one. */
  delete(key: Key<A>, settings?: DeleteSettings): Promise<boolean>
  /** The same resource in another datastore of the same kind: a transaction. */
  withDatastore(datastore: Datastore<T>): Resource<A, T, K>
  /** The same resource for a caller: what it is related to may have a scope. */
  within(context: object): Resource<A, T, K>
}

/** A resource with a scope, usable only within the context of a caller. */
export interface ScopedResource<A extends Attributes, T, K extends keyof A, C> {
  readonly '~resource': Model
  readonly mediaType: MediaType<A>
  /** The part of the resource that the caller may see, find, change, count and link to. */
  within(context: C): Resource<A, T, K>
  /** The same resource in another datastore of the same kind: a transaction. */
  withDatastore(datastore: Datastore<T>): ScopedResource<A, T, K, C>
}
