// Writers as generated code: the declared attributes in straight lines. Values that they do not write directly go to the
// closures of the kinds; a kind without code takes part through its closure.
import { GeneratedCode, generateWhenBusy } from '../../util/generated-code.ts'
import { JSON_FALSE, JSON_NULL, JSON_TRUE, type JsonBuffer } from '../../util/json/json-buffer.ts'
import type { Dumping, JsonPrimitive, JsonWriter } from '../dumping.ts'

/** Writes a function that does what a writer does, and returns its name. */
export type WriterCode = (code: GeneratedCode) => string

const codes = new WeakMap<JsonWriter, WriterCode>()

/** Attaches code to a writer: it writes the same bytes, and returns false for the same values. */
export function withWriterCode(write: JsonWriter, code: WriterCode): JsonWriter {
  codes.set(write, code)
  return write
}

/** Returns the writer that becomes generated code when it has been called often. */
export function writeFasterWhenBusy(write: JsonWriter): JsonWriter {
  return codes.has(write)
    ? generateWhenBusy<unknown, JsonBuffer, Dumping, boolean>(write, () => generateWriter(write))
    : write
}

/** Makes the code of a writer; undefined if it has none, or where no code can be made. */
export function generateWriter(write: JsonWriter): JsonWriter | undefined {
  const code = new GeneratedCode()
  return codes.has(write) ? code.make<JsonWriter>(nameWriter(code, write)) : undefined
}

/** Returns the name of a function that writes like a writer: its code, or the closure itself. */
export function nameWriter(code: GeneratedCode, write: JsonWriter): string {
  const own = codes.get(write)
  return own === undefined ? code.addConstant(write) : code.ensureFunction(write, () => own(code))
}

/**
 * Writes the statements for the present value of the variable `raw`: values of the type `passes` directly, others by
 * the writer. They return false if the value does not match its declaration.
 */
export function writeJsonValue(code: GeneratedCode, write: JsonWriter, passes: JsonPrimitive | undefined): string {
  const otherwise = `if (!${nameWriter(code, write)}(raw, out, dumping)) return false`
  const direct = passes === undefined ? [] : DIRECT[passes](code)
  return [...direct, otherwise].join('\nelse ')
}

/** Returns the statement that writes null. */
export const writeJsonNull = (code: GeneratedCode): string => `out.writeFragment(${code.addConstant(JSON_NULL)})`

const DIRECT: Readonly<Record<JsonPrimitive, (code: GeneratedCode) => readonly string[]>> = {
  string: () => [`if (typeof raw === 'string') out.writeString(raw)`],
  boolean: (code) => [
    `if (raw === true) out.writeFragment(${code.addConstant(JSON_TRUE)})`,
    `if (raw === false) out.writeFragment(${code.addConstant(JSON_FALSE)})`,
  ],
  number: (code) => [`if (typeof raw === 'number' && ${code.addConstant(Number.isFinite)}(raw)) out.writeNumber(raw)`],
  whole: (code) => [
    `if (typeof raw === 'number' && ${code.addConstant(Number.isSafeInteger)}(raw)) out.writeNumber(raw)`,
  ],
}
