// Reads the events of one response: parsed, with the id to go on from.
import { EventParser, type ReceivedEvent } from './parse-events.ts'

/** The events of one response. */
export interface OpenedEvents extends AsyncIterable<unknown> {
  /** The id of the last event that was read. */
  readonly lastEventId: string
  /** The milliseconds after which to reconnect, if the stream says so. */
  readonly retry: number | undefined
  /** Called for everything that arrives, comments included. */
  onPiece: () => void
}

/** Converts an event; returns false for one that is not declared. */
export type ConvertEvent = (event: ReceivedEvent) => unknown

/** Opens the events of a response. */
export type OpenEvents = (body: ReadableStream<Uint8Array> | null, convert: ConvertEvent) => OpenedEvents

/** The events of one response, read as they are consumed. */
export class EventReader implements OpenedEvents {
  onPiece: () => void = () => {}
  readonly #parser = new EventParser()
  readonly #body: ReadableStream<Uint8Array> | null
  readonly #convert: ConvertEvent
  #lastEventId = ''

  constructor(body: ReadableStream<Uint8Array> | null, convert: ConvertEvent) {
    this.#body = body
    this.#convert = convert
  }

  static readonly open: OpenEvents = (body, convert) => new EventReader(body, convert)

  get lastEventId(): string {
    return this.#lastEventId
  }

  get retry(): number | undefined {
    return this.#parser.retry
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    const reader = this.#body?.getReader()
    try {
      for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
        this.onPiece()
        for (const event of this.#parser.parse(decoder.decode(piece.value, { stream: true }))) {
          const converted = this.#convert(event)
          this.#lastEventId = event.id
          if (converted !== false) yield converted
        }
        // The standard lets a position change without an event, by an id with no data.
        this.#lastEventId = this.#parser.lastEventId
      }
    } finally {
      await reader?.cancel().catch(() => {})
    }
  }
}
