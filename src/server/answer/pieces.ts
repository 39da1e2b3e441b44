// Elements written one by one into the pieces of a body: lines of JSON, lines of CSV, or one JSON array.
import { columnsOf, csvHeader, csvLine } from '../../design/fields/columns.ts'
import { BYTE_ORDER_MARK } from '../../design/fields/csv.ts'
import type { StreamForm } from '../../design/resolve/resolved.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { Dumping } from '../../schema/dumping.ts'
import { INVALID } from '../../schema/issue.ts'
import { JsonBytes, type Piece, pieceOf } from '../../schema/json/bytes.ts'
import { writerOf } from '../../schema/json/writer.ts'
import { memo } from '../../util/memo.ts'

/** Writes elements one behind the other. */
export interface Pieces {
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
export function piecesOf(attribute: Attribute, form: StreamForm | undefined): Pieces {
  if (form?.as === 'csv') return new CsvPieces(attribute, form.spreadsheet)
  return new JsonPieces(attribute, form === undefined ? ARRAY : LINES)
}

const writerFor = memo(({ core }: Attribute) => writerOf(core.dumper))

/** The signs before the first element and between two, behind each, and behind the last of some, or of none. */
interface Signs {
  readonly open: Piece
  readonly between: Piece
  readonly behind: Piece
  readonly close: Piece
  readonly empty: Piece
}

const NONE = pieceOf('')
const LINES: Signs = { open: NONE, between: NONE, behind: pieceOf('\n'), close: NONE, empty: NONE }
const ARRAY: Signs = {
  open: pieceOf('['),
  between: pieceOf(','),
  behind: NONE,
  close: pieceOf(']'),
  empty: pieceOf('[]'),
}

class JsonPieces implements Pieces {
  readonly #out = new JsonBytes()
  readonly #attribute: Attribute
  readonly #signs: Signs
  // Nothing is left in it by elements that fit.
  #plain = new Dumping(false)
  #begun = false

  constructor(attribute: Attribute, signs: Signs) {
    this.#attribute = attribute
    this.#signs = signs
  }

  get size(): number {
    return this.#out.length
  }

  add(element: unknown, dumping: Dumping): boolean {
    const out = this.#out
    const { open, between, behind } = this.#signs
    const from = out.length
    out.piece(this.#begun ? between : open)
    if (!this.#written(element, dumping)) {
      const dumped = dumpedBy(this.#attribute, element, dumping)
      if (dumped === INVALID) {
        out.cut(from)
        return false
      }
      out.json(JSON.stringify(dumped))
    }
    out.piece(behind)
    this.#begun = true
    return true
  }

  #written(element: unknown, { checks }: Dumping): boolean {
    if (checks || typeof element !== 'object' || element === null) return false
    const from = this.#out.length
    if (writerFor(this.#attribute)(element, this.#out, this.#plain)) return true
    this.#out.cut(from)
    this.#plain = new Dumping(false)
    return false
  }

  end(): void {
    this.#out.piece(this.#begun ? this.#signs.close : this.#signs.empty)
  }

  take(): Uint8Array {
    return this.#out.take()
  }
}

const columnsFor = memo(columnsOf)

class CsvPieces implements Pieces {
  readonly #attribute: Attribute
  readonly #guarded: boolean
  #text: string

  constructor(attribute: Attribute, guarded: boolean) {
    this.#attribute = attribute
    this.#guarded = guarded
    this.#text = (guarded ? BYTE_ORDER_MARK : '') + csvHeader(columnsFor(attribute), guarded)
  }

  get size(): number {
    return this.#text.length
  }

  add(element: unknown, dumping: Dumping): boolean {
    const dumped = dumpedBy(this.#attribute, element, dumping)
    if (dumped === INVALID) return false
    this.#text += csvLine(columnsFor(this.#attribute), dumped, this.#guarded)
    return true
  }

  end(): void {}

  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }
}

const dumpedBy = ({ core }: Attribute, element: unknown, dumping: Dumping): unknown =>
  element === null || element === undefined ? dumping.fail('null') : core.dumper(element, dumping)
