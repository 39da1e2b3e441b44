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

/** Opens the events of a response; `parse` and `convert` throw for data that is not as it is declared. */
export type OpenEvents = (
  body: ReadableStream<Uint8Array> | null,
  parse: (json: string) => unknown,
  convert: (event: ConvertedEvent) => unknown,
) => OpenedEvents

/** An event with its data parsed. */
interface ConvertedEvent {
  readonly event: string
  readonly id: string
  readonly data: unknown
}

/** The events of one response, read as they are consumed. */
class EventReader implements OpenedEvents {
  onPiece: () => void = () => {}
  readonly #parser = new EventParser()
  readonly #body: ReadableStream<Uint8Array> | null
  readonly #convert: (event: ReceivedEvent) => unknown
  #lastEventId = ''

  /** `convert` returns undefined for an event that is not declared: a newer server may have others. */
  constructor(body: ReadableStream<Uint8Array> | null, convert: (event: ReceivedEvent) => unknown) {
    this.#body = body
    this.#convert = convert
  }

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
          if (converted !== undefined) yield converted
        }
        // The standard lets a position change without an event, by an id with no data.
        this.#lastEventId = this.#parser.lastEventId
      }
    } finally {
      await reader?.cancel().catch(() => {})
    }
  }
}

/** Creates the function that opens a stream with events of some names. */
export function createEventOpener(names: readonly string[]): OpenEvents {
  return (body, parse, convert) =>
    new EventReader(body, ({ event, id, data }) => {
      if (event === 'error') return { event, id, data: parseOr(data) }
      return names.includes(event) ? convert({ event, id, data: parse(data) }) : undefined
    })
}

// A failure may be in another format than JSON.
function parseOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
