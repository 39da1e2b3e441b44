// Writes a problem as JSON: attackers cause many rejected requests, so problems are written as fast as bodies.
import { encodeFragment, JsonBuffer, type JsonFragment } from '../../util/json/json-buffer.ts'

/** The members of an error that are written. */
interface WrittenError {
  readonly in: string
  readonly pointer: string
  readonly code: string
  readonly message: string
}

const out = new JsonBuffer()

const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [123, 125, 91, 93]
const encodeKey = (name: string): JsonFragment => encodeFragment(`,${JSON.stringify(name)}:`)
const KEYS: ReadonlyMap<string, JsonFragment> = new Map(
  ['type', 'title', 'status', 'detail', 'code', 'errors', 'errorCount'].map((name) => [name, encodeKey(name)]),
)
const [IN, POINTER, CODE, MESSAGE] = [encodeKey('in'), encodeKey('pointer'), encodeKey('code'), encodeKey('message')]

/** Writes a problem of the framework as JSON, with the same output as JSON.stringify. */
export function stringifyProblem(problem: { readonly [member: string]: unknown }): string | Uint8Array {
  out.reset()
  for (const name in problem) {
    const value = problem[name]
    out.writeFragment(KEYS.get(name) ?? encodeKey(name))
    if (typeof value === 'string') out.writeString(value)
    else if (typeof value === 'number' && Number.isFinite(value)) out.writeNumber(value)
    else if (name === 'errors' && Array.isArray(value) && value.every(isWritableError)) writeErrors(value)
    // Every other value needs JSON.stringify: the fast writer might change it.
    else return JSON.stringify(problem)
  }
  out.closeContainer(0, OPEN, CLOSE)
  return out.take()
}

const isWritableError = (error: WrittenError): boolean =>
  typeof error.in === 'string' &&
  typeof error.pointer === 'string' &&
  typeof error.code === 'string' &&
  typeof error.message === 'string'

function writeErrors(errors: readonly WrittenError[]): void {
  const list = out.length
  for (const error of errors) {
    out.writeComma()
    const from = out.length
    out.writeFragment(IN)
    out.writeString(error.in)
    out.writeFragment(POINTER)
    out.writeString(error.pointer)
    out.writeFragment(CODE)
    out.writeString(error.code)
    out.writeFragment(MESSAGE)
    out.writeString(error.message)
    out.closeContainer(from, OPEN, CLOSE)
  }
  out.closeContainer(list, OPEN_LIST, CLOSE_LIST)
}
