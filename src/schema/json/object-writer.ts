// Writing a structure as JSON: the declared attributes in their order, and nothing else.
import { type Dumper, isPassing, type Passing, type Writer } from '../dumping.ts'
import { JSON_FALSE, JSON_NULL, JSON_TRUE, pieceOf } from './bytes.ts'
import { dumpingWriter, writerOf } from './writer.ts'

/** The part of a declared attribute that the writer of a structure needs. */
interface Written {
  readonly name: string
  readonly dump: Dumper
  readonly inherited: boolean
  readonly passes: Passing | undefined
}

const OPEN = 123
const CLOSE = 125

/** Makes the writer of a structure; what it cannot write at once goes to its dumper. */
export function structWriter(shown: readonly Written[], dump: Dumper): Writer {
  const fields = shown.map(({ name, dump: dumpOne, inherited, passes }) => ({
    name,
    // With the comma in front, which the brace takes the place of when it is the first.
    key: pieceOf(`,${JSON.stringify(name)}:`),
    inherited,
    passes,
    write: writerOf(dumpOne),
  }))
  const otherwise = dumpingWriter(dump)
  return function writeStruct(value, out, dumping) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !dumping.enter())
      return otherwise(value, out, dumping)
    const source = value as Record<string, unknown>
    const from = out.length
    for (let i = 0; i < fields.length; i++) {
      const one = fields[i] as (typeof fields)[number]
      const raw = one.inherited && !Object.hasOwn(source, one.name) ? undefined : source[one.name]
      if (raw === undefined) continue
      out.piece(one.key)
      if (raw === null) out.piece(JSON_NULL)
      else if (one.passes !== undefined && isPassing(raw, one.passes)) {
        if (typeof raw === 'string') out.text(raw)
        else if (typeof raw === 'number') out.number(raw)
        else out.piece(raw === true ? JSON_TRUE : JSON_FALSE)
      } else if (!one.write(raw, out, dumping)) return false
    }
    dumping.leave()
    out.close(from, OPEN, CLOSE)
    return true
  }
}
