// Channels as declarations: a name, and the events that are published.
import { describeValue, type MistakenType } from '../../extend.ts'
import { type Attribute, type Attributes, type Events, type EventsOptions, events, t } from '../../index.ts'

/** The types of the events of a channel, by name. */
export type ChannelTypes = Attributes & {
  readonly [N in
    | 'error'
    | 'open'
    | 'gap']?: MistakenType<'error, open and gap are events of every channel: choose another name'>
}

/** The types of a channel's stream: those of the channel, and the gap. */
export type StreamTypes<E extends Attributes> = E & { readonly gap: Gap }

/** A declared channel. */
export interface Channel<E extends Attributes = Attributes> {
  readonly name: string
  /** The stream of the channel, as the body of a response: its events, and `gap`. */
  readonly events: Events<StreamTypes<E>>
}

/** The event of a gap. */
type Gap = Attribute<{ after: string }>

const gap: Gap = t.object(
  { after: t.string({ required: true, description: 'The position behind which events are missing.' }) },
  { description: 'Events are missing here: they are lost, or are kept no longer.' },
)

/** Declares a channel by its name and its events: `channel('orders', { created: Order })`. */
export function channel<const E extends ChannelTypes>(name: string, types: E, options?: EventsOptions): Channel<E> {
  checkName(name)
  const declared: Readonly<Record<string, Attribute>> = types
  if (Object.hasOwn(declared, 'gap'))
    throw new TypeError(`channel '${name}': gap is an event of every channel. Remedy: choose another name`)
  const all: Attributes = { ...types, gap }
  return Object.freeze({ name, events: events(all, options) as unknown as Channel<E>['events'] })
}

function checkName(name: unknown): void {
  if (typeof name === 'string' && /^[!-~]{1,100}$/.test(name)) return
  throw new TypeError(
    `channel: the name is ${describeValue(name)}. Remedy: give 1 to 100 printable ASCII characters without spaces, such as 'orders'`,
  )
}
