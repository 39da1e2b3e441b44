// The bodies of responses as clients get them.
import type { Collection } from '../declare/collection.ts'
import type { EndpointSpec } from '../declare/endpoint.ts'
import type { BodyOf, DeclaredOf, NamedBody } from './inference.ts'

/** The bodies of the responses of an action as clients get them: lists element by element, CSV as its text. */
export type BodiesReceived<S extends EndpointSpec, N extends keyof S['actions']> = string extends N
  ? {}
  : { readonly [R in keyof DeclaredOf<S, N>]: Received<DeclaredOf<S, N>[R], R, S['mediaType']> }

type Received<D, R, M> = D extends Collection | { readonly mediaType: Collection | readonly unknown[] }
  ? ReceivedBody<D>
  : BodyOf<D, R, M>

type ReceivedBody<D> = D extends { readonly mediaType: infer B }
  ? ReceivedBody<B extends readonly (infer E)[] ? E : B>
  : D extends Collection<infer T, infer F>
    ? ReceivedList<T['~type'], F>
    : NamedBody<D>

type ReceivedList<E, F> = 'json' extends F ? readonly E[] : F extends 'csv' ? string : AsyncIterable<E>
