// The types of response bodies in clients.
import type { Collection } from '../declare/collection.ts'
import type { FailedResponse } from '../declare/status.ts'
import type { BodyOf, NamedBody } from './inference.ts'

/** The names in D of failures that are declared with `true` only, whose bodies are unknown. */
export type UndescribedFailures<D> = UndescribedAmong<D, keyof D>

type UndescribedAmong<D, R extends keyof D> = R extends FailedResponse ? (D[R] extends true ? R : never) : never

/** The type of a response body in a client. */
export type Received<D, R, M> = D extends
  | string
  | Collection
  | { readonly mediaType: string | Collection | readonly unknown[] }
  ? ReceivedBody<D>
  : BodyOf<D, R, M>

type ReceivedBody<D> = D extends { readonly mediaType: infer B }
  ? ReceivedBody<B extends readonly (infer E)[] ? E : B>
  : D extends Collection<infer T, infer F>
    ? ReceivedList<T['~type'], F>
    : D extends string
      ? ReceivedText<D, Lowercase<D>>
      : NamedBody<D>

type ReceivedList<E, F> = 'json' extends F
  ? readonly E[]
  : F extends 'csv'
    ? string
    : F extends 'events'
      ? EventStream<ReceivedEvents<E>>
      : AsyncIterable<E>

/** The events of one response, in a client. */
export interface EventStream<out E> extends AsyncIterable<E> {
  /** The id of the last event, from which another call can go on. */
  readonly lastEventId: string
}

type ReceivedEvents<E> = (E extends unknown ? E & PlacedEvent : never) | StreamFailure

interface PlacedEvent {
  /** The position in the stream; empty if the stream has no ids. */
  readonly id: string
}

/** The event of a stream that failed: an event could not be sent, or the action threw. The server ends the stream with it. */
interface StreamFailure {
  readonly event: 'error'
  /** The failure: a problem document, or what the application's encoder made of it. */
  readonly data: unknown
  readonly id: string
}

// Bytes arrive as a stream if the call requests one, and so do CSV and events.
type ReceivedText<D extends string, L extends string> = string extends D
  ? unknown
  : L extends `${string}json${string}`
    ? unknown
    : L extends `text/${'csv' | 'event-stream'}${string}`
      ? string | ReadableStream<Uint8Array>
      : L extends `text/${string}`
        ? string
        : Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
