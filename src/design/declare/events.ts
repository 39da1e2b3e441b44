// Streams of events as bodies: named, typed events that a browser's EventSource reads, in the format of the HTML standard.

import { type Attribute, type Attributes, isAttribute } from '../../schema/attribute.ts'
import type { AnyOptions } from '../../schema/attribute-options.ts'
import { string } from '../../schema/scalars/string.ts'
import { union } from '../../schema/structures/union.ts'
import { createFollower, type FollowEvents } from '../../util/event-stream/follow-events.ts'
import { createEventOpener, type OpenEvents } from '../../util/event-stream/read-events.ts'
import { type Duration, isSettings, toMilliseconds } from '../../util/setting-form.ts'
import type { MistakenType } from '../mistakes.ts'
import type { Collection } from './collection.ts'
import { checkEvents } from './declaration-checks.ts'

/** The types of events by name. */
export type EventTypes = Attributes & {
  readonly [N in ReservedEvent]?: MistakenType<'error and open are events of the connection: choose another name'>
}

/** The names of events that every stream has: the browser's `open`, and `error` for a stream that fails. */
type ReservedEvent = 'error' | 'open'

/** One event of a stream, as an action gives it. */
export interface DeclaredEvent<out N = string, out D = unknown> {
  /** The declared name. */
  readonly event: N
  readonly data: D
  /** The position in the stream: a client that reconnects sends the last one as `Last-Event-ID`. */
  readonly id?: string
}

/** The events of the types E, distinguished by `event`. */
type EventsOf<E> = {
  [N in keyof E & string]: E[N] extends Attribute ? DeclaredEvent<N, E[N]['~type']> : never
}[keyof E & string]

/** A declared stream of events, of the types E by name. */
export interface Events<E extends Attributes = Attributes>
  extends Collection<Attribute<EventsOf<E>>, 'events'>,
    EventSettings {
  readonly identifier: 'text/event-stream'
  /** The types of events by name. */
  readonly types: E
}

/** The events of a declared stream: `EventOf<typeof OrderEvents>`. */
export type EventOf<X extends { readonly of: Attribute; readonly as: 'events' }> = X['of']['~type']

/** The settings that keep a stream of events open, and the limits of its reader. */
export interface EventSettings {
  /** The milliseconds without an event after which a comment is sent; 0 for none. */
  readonly heartbeat: number
  /** The milliseconds after which a client reconnects. */
  readonly retry: number
  /** The milliseconds after which policies are asked again whether they admit the client; 0 for never. */
  readonly recheck: number
  /** Reads the events of one response. */
  readonly open: OpenEvents
  /** Reads the events of one response after the other. */
  readonly follow: FollowEvents
}

/** The options of `events`. */
export interface EventsOptions {
  /**
   * The time without an event after which a comment is sent, so that neither side and nothing between them takes the
   * connection for dead; 0 sends none.
   * @default `'15s'`
   */
  readonly heartbeat?: Duration
  /**
   * The time after which a client reconnects. When the server stops, each client gets one to three times as many.
   * @default `'2s'`
   */
  readonly retry?: Duration
  /**
   * The time after which credentials are verified again, while the stream is open: it ends when they are no longer valid,
   * or now stand for another principal. 0 verifies them again only when they expire, as far as their verifier knows.
   * @default `'30s'`
   */
  readonly recheck?: Duration
}

/** Declares a stream of events by their names: `events({ created: Order, gone: t.object({ id: t.integer() }) })`. */
export function events<const E extends EventTypes>(types: E, options: EventsOptions = {}): Events<E> {
  checkEvents(options)
  const { heartbeat = '15s', retry = '2s', recheck = '30s' } = options
  const entries: [string, unknown][] = Object.entries(isSettings(types) ? types : {})
  const id = createEventId()
  const variants = Object.fromEntries(entries.map(([name, type]) => [name, { id, data: requireData(type) }]))
  const times = {
    heartbeat: toMilliseconds(heartbeat),
    retry: toMilliseconds(retry),
    recheck: toMilliseconds(recheck),
  }
  return Object.freeze({
    '~collection': true as const,
    of: union('event', variants) as Attribute as Attribute<EventsOf<E>>,
    as: 'events' as const,
    identifier: 'text/event-stream' as const,
    spreadsheet: false,
    types,
    ...times,
    open: createEventOpener(Object.keys(variants)),
    follow: createFollower(times),
  })
}

// Of the characters of an id, the standard excludes these: an id with NUL is ignored, and the others end its line.
const createEventId = (): Attribute =>
  string({ pattern: /[^\0\r\n]*/, description: 'The position of the event in its stream.' })

// Values other than attributes are reported at boot.
const requireData = (type: unknown): Attribute =>
  isAttribute(type) ? type.core.derive({ required: true } as AnyOptions) : (type as Attribute)
