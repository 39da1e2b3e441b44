// Parses streams of events as the HTML standard has it, whatever pieces the network cuts them into.

/** An event as it was received: its data is a text. */
export interface ReceivedEvent {
  /** The name; `message` if the stream gives none. */
  readonly event: string
  readonly data: string
  /** The id of the last event that had one, up to this one. */
  readonly id: string
}

const LINE_END = /\r\n|\n|\r/g
const BYTE_ORDER_MARK = '\ufeff'

/** Parses one stream of events, piece by piece. */
export class EventParser {
  /** The id of the last event that had one. */
  lastEventId: string
  /** The milliseconds after which to reconnect, if the stream says so. */
  retry: number | undefined
  #event = ''
  #data: string | undefined
  #id: string
  #rest = ''
  /** A character that is ignored if the next piece begins with it. */
  #skipped: string | undefined = BYTE_ORDER_MARK

  constructor(lastEventId = '') {
    this.lastEventId = lastEventId
    this.#id = lastEventId
  }

  /** Parses the next piece of text; returns the events that it completes. An event that the end cuts off is dropped. */
  parse(piece: string): readonly ReceivedEvent[] {
    if (piece === '') return []
    // A line that ended with CR is complete at once; the LF that may follow belongs to it.
    const isMark = this.#skipped !== undefined && piece.startsWith(this.#skipped)
    const text = this.#rest + (isMark ? piece.slice(1) : piece)
    const events: ReceivedEvent[] = []
    let start = 0
    LINE_END.lastIndex = this.#rest.length
    for (let end = LINE_END.exec(text); end !== null; end = LINE_END.exec(text)) {
      const event = this.#takeLine(text.slice(start, end.index))
      if (event !== undefined) events.push(event)
      start = LINE_END.lastIndex
    }
    this.#rest = text.slice(start)
    this.#skipped = text.endsWith('\r') ? '\n' : undefined
    return events
  }

  #takeLine(line: string): ReceivedEvent | undefined {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1))
    if (field === 'event') this.#event = value
    else if (field === 'data') this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
    else if (field === 'id' && !value.includes('\0')) this.#id = value
    else if (field === 'retry' && /^\d+$/.test(value)) this.retry = Number(value)
    return undefined
  }

  #dispatch(): ReceivedEvent | undefined {
    const [event, data] = [this.#event, this.#data]
    this.#event = ''
    this.#data = undefined
    this.lastEventId = this.#id
    return data === undefined ? undefined : { event: event === '' ? 'message' : event, data, id: this.lastEventId }
  }
}

/** Formats an event. Data with several lines has several `data` lines, which readers join again. */
export function formatEvent(event: string, data: string, id?: string): string {
  const lines = data.split(LINE_END).map((line) => `data: ${line}\n`)
  return `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}${lines.join('')}\n`
}

/** Formats a position without an event: readers that reconnect go on behind it. */
export const formatEventId = (id: string): string => `id: ${id}\n\n`

/** Returns whether a text can be the id of an event: NUL would have it ignored, and a line end would cut it off. */
export const isEventId = (value: unknown): value is string => typeof value === 'string' && !/[\0\r\n]/.test(value)

/** A comment: readers ignore it, and it shows that the stream is alive. */
export const COMMENT = ':\n\n'

/** Formats the time after which readers reconnect. */
export const formatRetry = (milliseconds: number): string => `retry: ${Math.round(milliseconds)}\n\n`
