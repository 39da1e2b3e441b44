// Writes elements one by one into the pieces of a body: JSON lines, JSON text sequences, CSV lines, events, or one JSON
// array.

import { attributeRules } from '../../design/attribute-rules.ts'
import { BYTE_ORDER_MARK } from '../../design/fields/csv.ts'
import { formatCsvHeader, formatCsvLine, listCsvColumns } from '../../design/fields/csv-columns.ts'
import type { StreamForm } from '../../design/resolve/resolved.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { Dumping } from '../../schema/dumping.ts'
import { INVALID } from '../../schema/issue.ts'
import { getWriter } from '../../schema/json/writer.ts'
import { formatEvent, formatEventId, isEventId } from '../../util/event-stream/parse-events.ts'
import { isSharedEvent } from '../../util/event-stream/shared-event.ts'
import { encodeFragment, JsonBuffer, type JsonFragment } from '../../util/json/json-buffer.ts'
import { memoize } from '../../util/memoize.ts'

/** Writes elements one after another. */
export interface ElementWriter {
  /** The size of the output since the last piece was taken. */
  readonly size: number
  /** Adds an element; returns false if it must not be sent, and then adds nothing of it. */
  add(element: unknown, dumping: Dumping): boolean
  /** Takes the last element back, if that is possible. */
  remove?(): void
  /** Adds the text after the last element. */
  end(): void
  /** Returns the output since the last piece was taken. */
  take(): string | Uint8Array
}

/** Creates the writer of a body in a format; without one, it is a JSON array. */
export function createElementWriter(attribute: Attribute, form: StreamForm | undefined): ElementWriter {
  if (form?.as === 'csv') return new CsvElementWriter(attribute, form.spreadsheet)
  return new JsonElementWriter(attribute, form === undefined ? ARRAY_DELIMITERS : chooseDelimiters(form))
}

const chooseDelimiters = ({ as }: StreamForm): Delimiters => (as === 'json-seq' ? SEQUENCE_DELIMITERS : LINE_DELIMITERS)

const getJsonWriter = memoize(({ core }: Attribute) => getWriter(attributeRules.getDumper({ core })))

/** The text before the first element, between two, after each, after the last, and the text of an empty list. */
interface Delimiters {
  readonly open: JsonFragment
  readonly between: JsonFragment
  readonly after: JsonFragment
  readonly close: JsonFragment
  readonly empty: JsonFragment
}

const NO_DELIMITER = encodeFragment('')
const LINE_DELIMITERS: Delimiters = {
  open: NO_DELIMITER,
  between: NO_DELIMITER,
  after: encodeFragment('\n'),
  close: NO_DELIMITER,
  empty: NO_DELIMITER,
}
// A record separator begins each text, so that a reader finds the next one after a text that was cut off (RFC 7464).
const SEQUENCE_DELIMITERS: Delimiters = {
  open: encodeFragment('\x1e'),
  between: encodeFragment('\x1e'),
  after: encodeFragment('\n'),
  close: NO_DELIMITER,
  empty: NO_DELIMITER,
}
const ARRAY_DELIMITERS: Delimiters = {
  open: encodeFragment('['),
  between: encodeFragment(','),
  after: NO_DELIMITER,
  close: encodeFragment(']'),
  empty: encodeFragment('[]'),
}

class JsonElementWriter implements ElementWriter {
  readonly #out = new JsonBuffer()
  readonly #attribute: Attribute
  readonly #delimiters: Delimiters
  // Valid elements leave nothing in it.
  #unchecked = new Dumping('unchecked')
  #started = false

  constructor(attribute: Attribute, delimiters: Delimiters) {
    this.#attribute = attribute
    this.#delimiters = delimiters
  }

  get size(): number {
    return this.#out.length
  }

  add(element: unknown, dumping: Dumping): boolean {
    const out = this.#out
    const { open, between, after } = this.#delimiters
    const from = out.length
    out.writeFragment(this.#started ? between : open)
    if (!this.#tryWrite(element, dumping)) {
      const dumped = dumpElement(this.#attribute, element, dumping)
      if (dumped === INVALID) {
        out.truncate(from)
        return false
      }
      out.writeJson(JSON.stringify(dumped))
    }
    out.writeFragment(after)
    this.#started = true
    return true
  }

  #tryWrite(element: unknown, { checks }: Dumping): boolean {
    if (checks || typeof element !== 'object' || element === null) return false
    const from = this.#out.length
    if (getJsonWriter(this.#attribute)(element, this.#out, this.#unchecked)) return true
    this.#out.truncate(from)
    this.#unchecked = new Dumping('unchecked')
    return false
  }

  end(): void {
    this.#out.writeFragment(this.#started ? this.#delimiters.close : this.#delimiters.empty)
  }

  take(): Uint8Array {
    return this.#out.take()
  }
}

const getColumns = memoize(listCsvColumns)

class CsvElementWriter implements ElementWriter {
  readonly #attribute: Attribute
  readonly #forSpreadsheet: boolean
  #text: string

  constructor(attribute: Attribute, forSpreadsheet: boolean) {
    this.#attribute = attribute
    this.#forSpreadsheet = forSpreadsheet
    this.#text = (forSpreadsheet ? BYTE_ORDER_MARK : '') + formatCsvHeader(getColumns(attribute), forSpreadsheet)
  }

  get size(): number {
    return this.#text.length
  }

  add(element: unknown, dumping: Dumping): boolean {
    const dumped = dumpElement(this.#attribute, element, dumping)
    if (dumped === INVALID) return false
    this.#text += formatCsvLine(getColumns(this.#attribute), dumped, this.#forSpreadsheet)
    return true
  }

  end(): void {}

  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}

/** An event as it is written. */
interface DumpedEvent {
  readonly event: string
  readonly id?: string
  readonly data: unknown
}

/** Returns whether an element is a position without an event. */
function isPosition(element: unknown): element is { readonly id: string } {
  if (typeof element !== 'object' || element === null || 'event' in element || 'data' in element) return false
  return 'id' in element && isEventId(element.id)
}

/** Writes events, and what keeps their stream open. */
export class EventWriter implements ElementWriter {
  readonly #attribute: Attribute
  #text = ''
  /** The length of the text before the last event. */
  #before = 0

  constructor(attribute: Attribute) {
    this.#attribute = attribute
  }

  get size(): number {
    return this.#text.length
  }

  add(element: unknown, dumping: Dumping): boolean {
    if (isPosition(element)) {
      this.#addEvent(formatEventId(element.id))
      return true
    }
    const shared = isSharedEvent(element) ? element : undefined
    const known = shared?.texts.get(this.#attribute)
    if (known !== undefined) {
      this.#addEvent(known)
      return true
    }
    const dumped = dumpElement(this.#attribute, element, dumping)
    if (dumped === INVALID) return false
    const { event, id, data } = dumped as DumpedEvent
    // Whatever is checked of bodies: browsers ignore an event without data.
    if (data === undefined || (data === null && !this.#mayBeNull(event))) {
      if (dumping.issues === null) dumping.failAt('/data', data === undefined ? 'missing' : 'null')
      return false
    }
    if (id !== undefined && !isEventId(id)) {
      dumping.failAt('/id', 'pattern', {})
      return false
    }
    const text = formatEvent(event, JSON.stringify(data), id)
    if (dumping.issues === null) shared?.texts.set(this.#attribute, text)
    this.#addEvent(text)
    return true
  }

  #addEvent(text: string): void {
    this.#before = this.#text.length
    this.#text += text
  }

  #mayBeNull(event: string): boolean {
    return this.#attribute.core.children[event]?.core.children['data']?.options.nullable === true
  }

  remove(): void {
    this.#text = this.#text.slice(0, this.#before)
  }

  /** Adds a text of the format that is no declared event. */
  addText(text: string): void {
    this.#text += text
  }

  end(): void {}

  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}

const dumpElement = (attribute: Attribute, element: unknown, dumping: Dumping): unknown =>
  element === null || element === undefined
    ? dumping.fail('null')
    : attributeRules.getDumper(attribute)(element, dumping)
