// Writes a problem as JSON: attackers cause many rejected requests, so problems are written as fast as bodies.
import { JsonBytes, type Piece, pieceOf } from '../../schema/json/bytes.ts'

/** The members of one error that are written. */
interface WrittenError {
  readonly in: string
  readonly pointer: string
  readonly code: string
  readonly message: string
}

const out = new JsonBytes()

const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [123, 125, 91, 93]
const keyOf = (name: string): Piece => pieceOf(`,${JSON.stringify(name)}:`)
const KEYS: ReadonlyMap<string, Piece> = new Map(
  ['type', 'title', 'status', 'detail', 'code', 'errors', 'errorCount'].map((name) => [name, keyOf(name)]),
)
const [IN, POINTER, CODE, MESSAGE] = [keyOf('in'), keyOf('pointer'), keyOf('code'), keyOf('message')]

/** The JSON of a problem that the framework made, as JSON.stringify writes it. */
export function problemText(problem: { readonly [member: string]: unknown }): string | Uint8Array {
  out.reset()
  for (const name in problem) {
    const value = problem[name]
    out.piece(KEYS.get(name) ?? keyOf(name))
    if (typeof value === 'string') out.text(value)
    else if (typeof value === 'number' && Number.isFinite(value)) out.number(value)
    else if (name === 'errors' && Array.isArray(value) && value.every(isPlain)) writeErrors(value)
    // JSON.stringify writes every other value: the fast writer might change it.
    else return JSON.stringify(problem)
  }
  out.close(0, OPEN, CLOSE)
  return out.take()
}

const isPlain = (error: WrittenError): boolean =>
  typeof error.in === 'string' &&
  typeof error.pointer === 'string' &&
  typeof error.code === 'string' &&
  typeof error.message === 'string'

function writeErrors(errors: readonly WrittenError[]): void {
  const list = out.length
  for (const error of errors) {
    out.comma()
    const from = out.length
    out.piece(IN)
    out.text(error.in)
    out.piece(POINTER)
    out.text(error.pointer)
    out.piece(CODE)
    out.text(error.code)
    out.piece(MESSAGE)
    out.text(error.message)
    out.close(from, OPEN, CLOSE)
  }
  out.close(list, OPEN_LIST, CLOSE_LIST)
}
