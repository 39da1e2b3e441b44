// Elements written one by one into the pieces of a body: lines of JSON, lines of CSV, or one JSON array.
import { listCsvColumns, formatCsvHeader, formatCsvLine } from '../../design/fields/csv-columns.ts'
import { BYTE_ORDER_MARK } from '../../design/fields/csv.ts'
import type { StreamForm } from '../../design/resolve/resolved.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { Dumping } from '../../schema/dumping.ts'
import { INVALID } from '../../schema/issue.ts'
import { JsonBuffer, type JsonFragment, encodeFragment } from '../../util/json/json-buffer.ts'
import { getWriter } from '../../schema/json/writer.ts'
import { memoize } from '../../util/memoize.ts'

/** Writes elements one behind the other. */
export interface ElementWriter {
  /** How much has been written since the last piece was taken. */
  readonly size: number
  /** Adds an element; false if it must not be sent, and then nothing of it is added. */
  add(element: unknown, dumping: Dumping): boolean
  /** Adds what stands behind the last element. */
  end(): void
  /** Gives what has been written. */
  take(): string | Uint8Array
}

/** Begins a body of elements in a form; without one, it is a JSON array. */
export function createElementWriter(attribute: Attribute, form: StreamForm | undefined): ElementWriter {
  if (form?.as === 'csv') return new CsvElementWriter(attribute, form.spreadsheet)
  return new JsonElementWriter(attribute, form === undefined ? ARRAY_DELIMITERS : LINE_DELIMITERS)
}

const getJsonWriter = memoize(({ core }: Attribute) => getWriter(core.dumper))

/** The signs before the first element and between two, behind each, and behind the last of some, or of none. */
interface Delimiters {
  readonly open: JsonFragment
  readonly between: JsonFragment
  readonly after: JsonFragment
  readonly close: JsonFragment
  readonly empty: JsonFragment
}

const NO_DELIMITER = encodeFragment('')
const LINE_DELIMITERS: Delimiters = { open: NO_DELIMITER, between: NO_DELIMITER, after: encodeFragment('\n'), close: NO_DELIMITER, empty: NO_DELIMITER }
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
  // Nothing is left in it by elements that fit.
  #unchecked = new Dumping(false)
  #begun = false

  constructor(attribute: Attribute, signs: Delimiters) {
    this.#attribute = attribute
    this.#delimiters = signs
  }

  get size(): number {
    return this.#out.length
  }

  add(element: unknown, dumping: Dumping): boolean {
    const out = this.#out
    const { open, between, after: behind } = this.#delimiters
    const from = out.length
    out.writeFragment(this.#begun ? between : open)
    if (!this.#tryWrite(element, dumping)) {
      const dumped = dumpElement(this.#attribute, element, dumping)
      if (dumped === INVALID) {
        out.truncate(from)
        return false
      }
      out.writeJson(JSON.stringify(dumped))
    }
    out.writeFragment(behind)
    this.#begun = true
    return true
  }

  #tryWrite(element: unknown, { checks }: Dumping): boolean {
    if (checks || typeof element !== 'object' || element === null) return false
    const from = this.#out.length
    if (getJsonWriter(this.#attribute)(element, this.#out, this.#unchecked)) return true
    this.#out.truncate(from)
    this.#unchecked = new Dumping(false)
    return false
  }

  end(): void {
    this.#out.writeFragment(this.#begun ? this.#delimiters.close : this.#delimiters.empty)
  }

  take(): Uint8Array {
    return this.#out.take()
  }
}

const getColumns = memoize(listCsvColumns)

class CsvElementWriter implements ElementWriter {
  readonly #attribute: Attribute
  readonly #guarded: boolean
  #text: string

  constructor(attribute: Attribute, guarded: boolean) {
    this.#attribute = attribute
    this.#guarded = guarded
    this.#text = (guarded ? BYTE_ORDER_MARK : '') + formatCsvHeader(getColumns(attribute), guarded)
  }

  get size(): number {
    return this.#text.length
  }

  add(element: unknown, dumping: Dumping): boolean {
    const dumped = dumpElement(this.#attribute, element, dumping)
    if (dumped === INVALID) return false
    this.#text += formatCsvLine(getColumns(this.#attribute), dumped, this.#guarded)
    return true
  }

  end(): void {}

  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}

const dumpElement = ({ core }: Attribute, element: unknown, dumping: Dumping): unknown =>
  element === null || element === undefined ? dumping.fail('null') : core.dumper(element, dumping)
