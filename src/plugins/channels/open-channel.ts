// An open channel: a declared one with its carrier, for publishing and for streams.
import { form, readProperty } from '../../extend.ts'
import type { Attribute, Attributes, EventOf, Events } from '../../index.ts'
import type { Outbox } from '../outbox/index.ts'
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
   * Keeps events that are published in a transaction of the application until it commits.
   * @default none
   */
  readonly outbox?: Outbox
  /**
   * Receives failures of the carrier while streams wait; they go on when it responds again.
   * @default ignores them
   */
  readonly onFailure?: (error: unknown) => void
}

/** The options of `publish`. */
export interface PublishOptions {
  /**
   * An open transaction of the application: the event is published after its commit, and never after a rollback. It needs the
   * option `outbox` of the channel.
   */
  readonly within: object
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
   * `CarrierError` if the carrier does not respond: whether it keeps the event is unknown then. Within a transaction it
   * resolves when the event is a part of that.
   */
  publish<N extends keyof E & string>(event: N, data: E[N]['~type'], options?: PublishOptions): Promise<void>
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
  outbox: form.custom('an outbox, such as outbox(datastore)', isOutbox),
  onFailure: form.callable,
}
const PUBLISH_FIELDS: form.Fields<PublishOptions> = {
  within: form.required(form.custom('an open transaction', isObject)),
}

/** Opens a declared channel with a carrier. Each process opens it once. */
export function openChannel<E extends Attributes>(channel: Channel<E>, options: OpenChannelOptions): OpenChannel<E> {
  const { name, events } = channel
  const settings = form.validateSettings(`openChannel(${name})`, options, FIELDS)
  const { carrier, outbox, keep = {}, onFailure = () => {} } = settings
  const { count = 10_000, age = '1h' } = keep
  const bounds = { count, age: form.toMilliseconds(age) }
  const types: Readonly<Record<string, Attribute>> = events.types
  const { gap: _, ...published } = types
  const texts = new EventTexts(name, published)
  const shared: SharedChannel = { name, carrier, texts, tail: new Tail(carrier, name, texts, onFailure) }
  const follow = (after?: string, { where }: FollowOptions<E> = {}): Subscription =>
    new Subscription(shared, after, where as EventFilter | undefined)
  const topic = `channel:${name}`
  outbox?.route(topic, (messages) => carrier.append(name, messages, bounds))
  return Object.freeze({
    name,
    async publish(event, data, publishOptions) {
      const text = texts.write({ event, data })
      if (publishOptions === undefined) return carrier.append(name, [{ text }], bounds)
      const { within } = form.validateSettings(`publish(${name})`, publishOptions, PUBLISH_FIELDS)
      return requireOutbox(name, outbox).add(within, [{ topic, text }])
    },
    follow: follow as OpenChannel<E>['follow'],
    position: () => carrier.last(name),
  } satisfies OpenChannel<E>)
}

function requireOutbox(channel: string, outbox: Outbox | undefined): Outbox {
  if (outbox !== undefined) return outbox
  throw new TypeError(
    `channel '${channel}': there is no outbox for an event of a transaction. Remedy: give openChannel the option outbox, such as outbox(datastore)`,
  )
}

function isOutbox(value: unknown): boolean {
  return ['add', 'route'].every((method) => typeof readProperty(value, method) === 'function')
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
