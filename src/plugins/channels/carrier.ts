// The interface of carriers, which keep the events of channels and hand them to the readers of every process.
import { readProperty, waitAtMost } from '../../extend.ts'

/** An event as a carrier keeps it. */
export interface CarriedEvent {
  /** The position of the event in its channel: a text without spaces. */
  readonly position: string
  readonly text: string
}

/** An event to append. */
export interface AppendedEvent {
  /** A well-formed text without U+0000, such as JSON. */
  readonly text: string
  /** A carrier appends one event for each key, however often it is asked to within a day; absent for no such promise. */
  readonly key?: string
}

/** The events that a channel keeps, at most. */
export interface CarrierBounds {
  /** The number of events. */
  readonly count: number
  /** Their age in milliseconds. */
  readonly age: number
}

/** Some events behind a position, in their order. */
export interface Batch {
  /**
   * The position behind which the events begin: the one that was asked for; another one, if events between the two are
   * lost or no longer kept.
   */
  readonly from: string
  /** The events; none at the end of the channel. */
  readonly events: readonly CarriedEvent[]
}

/**
 * Carries the events of channels between processes. Every method fails with a `CarrierError` within a bounded time if the
 * carrier does not respond.
 */
export interface Carrier {
  /** Appends events to a channel, in this order, all of them or none; resolves when they are kept. */
  append(channel: string, events: readonly AppendedEvent[], bounds: CarrierBounds): Promise<void>
  /**
   * Reads at most `limit` events behind a position. A position that the channel never had, or that lies before events that are
   * lost, gives a batch that begins elsewhere.
   */
  read(channel: string, after: string, limit: number): Promise<Batch>
  /** Returns the position of the last event; of a channel without events, one before the first. */
  last(channel: string): Promise<string>
  /**
   * Waits until there may be an event behind a position. Resolves early rather than late: after a while, and when `signal`
   * aborts.
   */
  wait(channel: string, after: string, signal: AbortSignal): Promise<void>
}

/** A carrier that opens a connection of its own when a reader waits. */
export interface ConnectedCarrier extends Carrier {
  /** Closes that connection; readers that still wait look from time to time. */
  close(): Promise<void>
}

/** Thrown if a carrier does not respond in time, or cannot keep an event. */
export class CarrierError extends Error {
  override readonly name = 'CarrierError'
  readonly '~carrierError' = true
}

const CARRIER_METHODS = ['append', 'read', 'last', 'wait']

/** Returns whether a value is a carrier. */
export const isCarrier = (value: unknown): value is Carrier =>
  CARRIER_METHODS.every((name) => typeof readProperty(value, name) === 'function')

/** Runs `work` with a timeout; every failure becomes a `CarrierError`. */
export function withCarrierTimeout<T>(carrier: string, timeout: number, work: () => Promise<T>): Promise<T> {
  const run = async (): Promise<T> => {
    try {
      return await work()
    } catch (cause) {
      throw new CarrierError(`${carrier} failed`, { cause })
    }
  }
  return waitAtMost(timeout, run(), () =>
    Promise.reject(new CarrierError(`${carrier} did not respond within ${timeout} ms`)),
  )
}

/**
 * A position as numbers. A carrier that may have lost the end of a channel begins another generation, so that no position
 * ever means two events.
 */
export interface Position {
  /** When the generation began, in milliseconds. */
  readonly generation: number
  /** The number of the event in its generation. */
  readonly number: number
}

export const formatPosition = ({ generation, number }: Position): string => `${generation}-${number}`

/** Compares two positions: negative if the first is before the other. */
export const comparePositions = (one: Position, other: Position): number =>
  one.generation - other.generation || one.number - other.number

/** Parses a position; undefined for other texts, which clients may send. */
export function parsePosition(text: string): Position | undefined {
  const [, generation, number] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? []
  return generation === undefined ? undefined : { generation: Number(generation), number: Number(number) }
}
