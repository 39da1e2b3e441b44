// Writing a structure as JSON: the declared attributes in their order, and nothing else.
import { type Dumper, isJsonPrimitive, type JsonPrimitive, type JsonWriter } from '../dumping.ts'
import { JSON_FALSE, JSON_NULL, JSON_TRUE, encodeFragment } from '../../util/json/json-buffer.ts'
import { makeDumpWriter, getWriter } from './writer.ts'

/** The part of a declared attribute that the writer of a structure needs. */
interface WritableField {
  readonly name: string
  readonly dump: Dumper
  readonly isPrototypeName: boolean
  readonly passes: JsonPrimitive | undefined
}

const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** Makes the writer of a structure; what it cannot write at once goes to its dumper. */
export function makeObjectWriter(shown: readonly WritableField[], dump: Dumper): JsonWriter {
  const fields = shown.map(({ name, dump: dumpOne, isPrototypeName: inherited, passes }) => ({
    name,
    // With the comma in front, which the brace takes the place of when it is the first.
    key: encodeFragment(`,${JSON.stringify(name)}:`),
    inherited,
    passes,
    write: getWriter(dumpOne),
  }))
  const otherwise = makeDumpWriter(dump)
  return function writeStruct(value, out, dumping) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !dumping.enter())
      return otherwise(value, out, dumping)
    const source = value as Record<string, unknown>
    const from = out.length
    for (let i = 0; i < fields.length; i++) {
      const one = fields[i] as (typeof fields)[number]
      const raw = one.inherited && !Object.hasOwn(source, one.name) ? undefined : source[one.name]
      if (raw === undefined) continue
      out.writeFragment(one.key)
      if (raw === null) out.writeFragment(JSON_NULL)
      else if (one.passes !== undefined && isJsonPrimitive(raw, one.passes)) {
        if (typeof raw === 'string') out.writeString(raw)
        else if (typeof raw === 'number') out.writeNumber(raw)
        else out.writeFragment(raw === true ? JSON_TRUE : JSON_FALSE)
      } else if (!one.write(raw, out, dumping)) return false
    }
    dumping.leave()
    out.closeContainer(from, OPEN_BRACE, CLOSE_BRACE)
    return true
  }
}
