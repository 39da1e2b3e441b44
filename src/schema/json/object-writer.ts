// Writes a structure as JSON: the declared attributes in their order, and nothing else.

import type { GeneratedCode } from '../../util/generated-code.ts'
import {
  encodeFragment,
  JSON_FALSE,
  JSON_NULL,
  JSON_TRUE,
  type JsonBuffer,
  type JsonFragment,
} from '../../util/json/json-buffer.ts'
import { type Dumper, type Dumping, isJsonPrimitive, type JsonPrimitive, type JsonWriter } from '../dumping.ts'
import { getWriter, makeDumpWriter } from './writer.ts'
import { withWriterCode, writeJsonNull, writeJsonValue } from './writer-code.ts'

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
  const fields: readonly WrittenField[] = shown.map(({ name, dump: dumpOne, isPrototypeName, passes }) => ({
    name,
    // The key begins with a comma; for the first one, the brace overwrites it.
    key: encodeFragment(`,${JSON.stringify(name)}:`),
    isPrototypeName,
    passes,
    write: getWriter(dumpOne),
  }))
  const fallback = makeDumpWriter(dump)
  if (fields.length > MAX_GENERATED_FIELDS) return writeStruct
  return withWriterCode(writeStruct, (code) => writeObjectWriter(code, fields, fallback))

  function writeStruct(value: unknown, out: JsonBuffer, dumping: Dumping): boolean {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !dumping.enter())
      return fallback(value, out, dumping)
    const source = value as Record<string, unknown>
    const start = out.length
    for (let i = 0; i < fields.length; i++) {
      const one = fields[i] as WrittenField
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

/** A declared attribute with everything that writing it needs. */
interface WrittenField extends Pick<WritableField, 'name' | 'isPrototypeName' | 'passes'> {
  readonly key: JsonFragment
  readonly write: JsonWriter
}

// Engines do not optimise functions of any length.
const MAX_GENERATED_FIELDS = 150

function writeObjectWriter(code: GeneratedCode, fields: readonly WrittenField[], fallback: JsonWriter): string {
  return code.addFunction('value, out, dumping', [
    `if (typeof value !== 'object' || value === null || ${code.addConstant(Array.isArray)}(value) || !dumping.enter())`,
    `  return ${code.addConstant(fallback)}(value, out, dumping)`,
    'const start = out.length',
    'let raw',
    ...fields.map((one) => writeField(code, one)),
    'dumping.leave()',
    `out.closeContainer(start, ${OPEN_BRACE}, ${CLOSE_BRACE})`,
    'return true',
  ])
}

function writeField(code: GeneratedCode, { name, key, isPrototypeName, passes, write }: WrittenField): string {
  const member = code.writeMember('value', name)
  const own = `${code.addConstant(Object.hasOwn)}(value, ${code.addConstant(name)}) ? ${member} : undefined`
  return `raw = ${isPrototypeName ? own : member}
if (raw !== undefined) {
  out.writeFragment(${code.addConstant(key)})
  if (raw === null) ${writeJsonNull(code)}
  else ${writeJsonValue(code, write, passes)}
}`
}
