// Dumping and stringifying in one: values that leave as they are go straight into the bytes of the answer.
import { type Dumper, isPassing, type Passing, type Writer } from '../dumping.ts'
import { JSON_FALSE, JSON_NULL, JSON_TRUE } from './bytes.ts'

/** The writer of what a dumper dumps: its own, or one that dumps and stringifies. */
export function writerOf(dump: Dumper): Writer {
  return dump.writer?.() ?? dumpingWriter(dump)
}

/** Writes what a dumper makes of a value. */
export function dumpingWriter(dump: Dumper): Writer {
  return (value, out, dumping) => {
    const dumped = dump(value, dumping)
    if (dumping.issues !== null) return false
    const text: string | undefined = JSON.stringify(dumped)
    if (text === undefined) return false
    out.json(text)
    return true
  }
}

/** Makes the writer of an attribute: values that pass are written at once, the others by the dumper's writer. */
export function elementWriter(dump: Dumper, passes: Passing | undefined): Writer {
  const write = writerOf(dump)
  if (passes === undefined) return write
  return (value, out, dumping) => {
    if (!isPassing(value, passes)) return write(value, out, dumping)
    if (typeof value === 'string') out.text(value)
    else if (typeof value === 'number') out.number(value)
    else out.piece(value === true ? JSON_TRUE : JSON_FALSE)
    return true
  }
}

/** Makes the writer of a list from that of its elements; null is written as null where it is allowed. */
export function listWriter(write: Writer, nullable: boolean): Writer {
  return (values, out, dumping) => {
    if (!Array.isArray(values)) return false
    const from = out.length
    for (let i = 0; i < values.length; i++) {
      const value: unknown = values[i]
      out.comma()
      if (value !== null && value !== undefined) {
        if (!write(value, out, dumping)) return false
      } else if (nullable) out.piece(JSON_NULL)
      else return false
    }
    out.close(from, OPEN_LIST, CLOSE_LIST)
    return true
  }
}

const OPEN_LIST = 91
const CLOSE_LIST = 93
