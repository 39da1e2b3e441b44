// Dumps and stringifies in one pass: values that are written unchanged go straight into the bytes of the response.

import { JSON_FALSE, JSON_NULL, JSON_TRUE, type JsonBuffer } from '../../util/json/json-buffer.ts'
import { type Dumper, type Dumping, isJsonPrimitive, type JsonPrimitive, type JsonWriter } from '../dumping.ts'
import { withWriterCode, writeJsonNull, writeJsonValue } from './writer-code.ts'

/** Returns the writer of a dumper, or one that dumps and stringifies. */
export function getWriter(dump: Dumper): JsonWriter {
  return dump.writer?.() ?? makeDumpWriter(dump)
}

/** Creates a writer that stringifies the output of a dumper. */
export function makeDumpWriter(dump: Dumper): JsonWriter {
  return (value, out, dumping) => {
    const dumped = dump(value, dumping)
    if (dumping.issues !== null) return false
    const text: string | undefined = JSON.stringify(dumped)
    if (text === undefined) return false
    out.writeJson(text)
    return true
  }
}

/**
 * Creates the writer of an attribute: values of the type `passes` are written directly, the others by the dumper's
 * writer.
 */
export function makeElementWriter(dump: Dumper, passes: JsonPrimitive | undefined): JsonWriter {
  const write = getWriter(dump)
  if (passes === undefined) return write
  return withWriterCode(
    (value, out, dumping) => {
      if (!isJsonPrimitive(value, passes)) return write(value, out, dumping)
      if (typeof value === 'string') out.writeString(value)
      else if (typeof value === 'number') out.writeNumber(value)
      else out.writeFragment(value === true ? JSON_TRUE : JSON_FALSE)
      return true
    },
    (code) => code.addFunction('raw, out, dumping', [writeJsonValue(code, write, passes), 'return true']),
  )
}

/** Creates the writer of a list from that of its elements; null is written where it is allowed. */
export function makeListWriter(write: JsonWriter, nulls: 'written' | 'refused'): JsonWriter {
  return withWriterCode(writeList, (code) =>
    code.addFunction('values, out, dumping', [
      `if (!${code.addConstant(Array.isArray)}(values)) return false`,
      'const start = out.length',
      'for (let i = 0; i < values.length; i++) {',
      '  const raw = values[i]',
      '  out.writeComma()',
      '  if (raw !== null && raw !== undefined) {',
      `    ${writeJsonValue(code, write, undefined)}`,
      `  } else ${nulls === 'written' ? writeJsonNull(code) : 'return false'}`,
      '}',
      `out.closeContainer(start, ${OPEN_BRACKET}, ${CLOSE_BRACKET})`,
      'return true',
    ]),
  )

  function writeList(values: unknown, out: JsonBuffer, dumping: Dumping): boolean {
    if (!Array.isArray(values)) return false
    const start = out.length
    for (let i = 0; i < values.length; i++) {
      const value: unknown = values[i]
      out.writeComma()
      if (value !== null && value !== undefined) {
        if (!write(value, out, dumping)) return false
      } else if (nulls === 'written') out.writeFragment(JSON_NULL)
      else return false
    }
    out.closeContainer(start, OPEN_BRACKET, CLOSE_BRACKET)
    return true
  }
}

const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
