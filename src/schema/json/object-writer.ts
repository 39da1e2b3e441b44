// Writes a structure as JSON: the declared attributes in their order, and nothing else.

import { encodeFragment, JSON_FALSE, JSON_NULL, JSON_TRUE } from '../../util/json/json-buffer.ts'
import { type Dumper, isJsonPrimitive, type JsonPrimitive, type JsonWriter } from '../dumping.ts'
import { getWriter, makeDumpWriter } from './writer.ts'

/** The part of a declared attribute that the writer of a structure needs. */
interface WritableField {
  readonly name: string
  readonly dump: Dumper
  readonly isPrototypeName: boolean
  readonly passes: JsonPrimitive | undefined
}

const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** Creates the writer of a structure; values that it cannot write directly go to its dumper. */
export function makeObjectWriter(shown: readonly WritableField[], dump: Dumper): JsonWriter {
  const fields = shown.map(({ name, dump: dumpOne, isPrototypeName, passes }) => ({
    name,
    // The key begins with a comma; for the first one, the brace overwrites it.
    key: encodeFragment(`,${JSON.stringify(name)}:`),
    isPrototypeName,
    passes,
    write: getWriter(dumpOne),
  }))
  const fallback = makeDumpWriter(dump)
  return function writeStruct(value, out, dumping) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !dumping.enter())
      return fallback(value, out, dumping)
    const source = value as Record<string, unknown>
    const start = out.length
    for (let i = 0; i < fields.length; i++) {
      const one = fields[i] as (typeof fields)[number]
      const raw = one.isPrototypeName && !Object.hasOwn(source, one.name) ? undefined : source[one.name]
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
    out.closeContainer(start, OPEN_BRACE, CLOSE_BRACE)
    return true
  }
}
