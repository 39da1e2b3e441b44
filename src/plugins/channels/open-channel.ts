// An open channel: a declared one with its carrier, for publishing and for streams.
import { form } from '../../extend.ts'
import type { Attribute, Attributes, EventOf, Events } from '../../index.ts'
import { type Carrier, isCarrier } from './carrier.ts'
import type { Channel, StreamTypes } from './channel.ts'
import { EventTexts } from './event-text.ts'
import { type EventFilter, type SharedChannel, Subscription } from './subscription.ts'
import { Tail } from './tail.ts'

/** The options of `openChannel`. */
export interface OpenChannelOptions {
  /** Keeps the events, and carries them to other processes. */
  readonly carrier: Carrier
  /** The events that are kept for clients that reconnect. */
  readonly keep?: {
    /**
     * The number of events.
     * @default 10,000
     */
    readonly count?: number
    /**
     * The age of an event.
     * @default `'1h'`
     */
    readonly age?: form.Duration
  }
  /**
   * Receives failures of the carrier while streams wait; they go on when it responds again.
   * @default ignores them
   */
  readonly onFailure?: (error: unknown) => void
}

/** The options of `follow`. */
export interface FollowOptions<E extends Attributes> {
  /** Returns whether the stream has an event; a gap is always in it. */
  readonly where?: (event: EventOf<Events<E>>) => boolean
}

/** A channel with its carrier. */
export interface OpenChannel<E extends Attributes = Attributes> {
  readonly name: string
  /**
   * Publishes an event; resolves when the carrier keeps it. Rejects with a TypeError for data that does not fit its type, and with a
   * `CarrierError` if the carrier does not respond: whether it keeps the event is unknown then.
   */
  publish<N extends keyof E & string>(event: N, data: E[N]['~type']): Promise<void>
  /**
   * Returns the events behind a position, such as the header `Last-Event-ID`, for a response; without one, those that
   * are published from now on.
   */
  follow(after?: string, options?: FollowOptions<E>): AsyncIterableIterator<EventOf<Events<StreamTypes<E>>>>
  /** Returns the position of the last event: a stream that follows it has everything that is published from now on. */
  position(): Promise<string>
}

const FIELDS: form.Fields<OpenChannelOptions> = {
  carrier: form.required(form.custom('a carrier, such as memoryCarrier()', isCarrier)),
  keep: form.object<NonNullable<OpenChannelOptions['keep']>>({ count: form.integerFrom(1), age: form.duration(1) }),
  onFailure: form.callable,
}

/** Opens a declared channel with a carrier. Each process opens it once. */
export function openChannel<E extends Attributes>(channel: Channel<E>, options: OpenChannelOptions): OpenChannel<E> {
  const { name, events } = channel
  const { carrier, keep = {}, onFailure = () => {} } = form.validateSettings(`openChannel(${name})`, options, FIELDS)
  const { count = 10_000, age = '1h' } = keep
  const bounds = { count, age: form.toMilliseconds(age) }
  const types: Readonly<Record<string, Attribute>> = events.types
  const { gap: _, ...published } = types
  const texts = new EventTexts(name, published)
  const shared: SharedChannel = { name, carrier, texts, tail: new Tail(carrier, name, texts, onFailure) }
  const follow = (after?: string, { where }: FollowOptions<E> = {}): Subscription =>
    new Subscription(shared, after, where as EventFilter | undefined)
  return Object.freeze({
    name,
    publish: async (event, data) => carrier.append(name, [{ text: texts.write({ event, data }) }], bounds),
    follow: follow as OpenChannel<E>['follow'],
    position: () => carrier.last(name),
  } satisfies OpenChannel<E>)
}
