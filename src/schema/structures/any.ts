// Any JSON value, for structures that a declaration cannot describe. Responses contain plain data only.
import { type Attribute, type KindOutline, type KindRules, makeAttribute, type Options } from '../attribute.ts'
import type { AllowedDefault, BooleanOption } from '../attribute-options.ts'
import type { Dumping } from '../dumping.ts'
import { escapePointer, INVALID, prefixIssues } from '../issue.ts'
import { applyOptions, type JsonSchema } from '../json-schema.ts'
import { type Loading, MAX_LOAD_DEPTH } from '../loading.ts'
import type { PresenceOf } from '../types.ts'
import { isFile } from './file.ts'
import { forbiddenKeys } from './record.ts'

/** Declares a value of any JSON type. */
export function any<
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<unknown, R> = undefined,
>(options?: Options<unknown, R, N, D>): Attribute<unknown, PresenceOf<R, D>> {
  return makeAttribute(anyKind, undefined, options)
}

/** Converts a value of any type to plain JSON data. */
export const writeAnyJson: NonNullable<KindOutline<never>['write']> = (value, _, fail) => {
  try {
    const text: string | undefined = JSON.stringify(value, (__, one) => (typeof one === 'bigint' ? String(one) : one))
    return text === undefined ? fail('must be a JSON value') : JSON.parse(text)
  } catch {
    return fail('must be a JSON value')
  }
}

/** The outline of `t.any`. */
export const anyKind: KindOutline<undefined> = { name: 'any', shape: 'open', write: writeAnyJson }

/** The rules of `t.any`. */
export const anyRules: KindRules<undefined> = {
  options: {},
  loader: () => (value, loading) => (isPlainJson(value, loading, 0) ? value : INVALID),
  dumper: () => dumpAny,
  jsonSchema: (_, options) =>
    options.nullable ? applyOptions({}, pickDescription(options)) : applyOptions(NOT_NULL, options),
  example: (_, __, seed) => ({ [seed.name || 'name']: 'value' }),
}

// Every type except null; the values of an object may be anything.
const NOT_NULL: JsonSchema = { type: ['object', 'array', 'string', 'number', 'boolean'], additionalProperties: true }

const pickDescription = ({ description }: Options<unknown>): { description?: string } =>
  description === undefined ? {} : { description }

// The value itself is passed on; the walk rejects names that would pollute the prototype of an object that it is merged
// into.
function isPlainJson(value: unknown, loading: Loading, depth: number): boolean {
  if (typeof value !== 'object' || value === null || isFile(value)) return true
  if (depth === MAX_LOAD_DEPTH) {
    loading.fail('depth', { limit: MAX_LOAD_DEPTH })
    return false
  }
  let plain = true
  // By index: listing the keys of a long array would take more memory than the array itself.
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isPlainJsonAt(value[i], i, loading, depth)) plain = false
    return plain
  }
  for (const name of Object.keys(value)) {
    if (forbiddenKeys.has(name) && !(loading.isResponse && name !== '__proto__')) {
      loading.failAt(`/${escapePointer(name)}`, 'key')
      plain = false
    } else if (!isPlainJsonAt((value as Record<string, unknown>)[name], name, loading, depth)) plain = false
  }
  return plain
}

function isPlainJsonAt(value: unknown, step: string | number, loading: Loading, depth: number): boolean {
  const since = loading.issues === null ? 0 : loading.issues.length
  if (isPlainJson(value, loading, depth + 1)) return true
  prefixIssues(loading.issues, step, since)
  return false
}

/**
 * Converts any value to plain JSON data: values that JSON cannot represent are left out, or become null within a list.
 */
export function dumpAny(value: unknown, dumping: Dumping): unknown {
  const dumped = toPlainJson(value, dumping)
  return dumped === undefined ? dumping.fail('type', { expected: 'a JSON value', kind: 'any' }) : dumped
}

function toPlainJson(value: unknown, dumping: Dumping): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value !== 'object') return undefined
  if (!dumping.enter()) return INVALID
  const dumped = dumpObject(value, dumping)
  dumping.leave()
  return dumped
}

function dumpObject(value: object, dumping: Dumping): unknown {
  if (value instanceof Date && Number.isNaN(value.getTime())) return null
  const { toJSON } = value as { toJSON?: unknown }
  if (typeof toJSON === 'function') return toPlainJson((toJSON as () => unknown).call(value), dumping)
  return Array.isArray(value) ? dumpItems(value, dumping) : dumpMembers(value as Record<string, unknown>, dumping)
}

function dumpItems(items: readonly unknown[], dumping: Dumping): unknown {
  const dumped: unknown[] = []
  for (let i = 0; i < items.length; i++) {
    const since = dumping.issues === null ? 0 : dumping.issues.length
    const item = toPlainJson(items[i], dumping)
    if (dumping.issues !== null) prefixIssues(dumping.issues, i, since)
    if (item === INVALID) return INVALID
    dumped.push(item ?? null)
  }
  return dumped
}

function dumpMembers(members: Readonly<Record<string, unknown>>, dumping: Dumping): unknown {
  const dumped: Record<string, unknown> = {}
  for (const name of Object.keys(members)) {
    if (name === '__proto__') continue
    const since = dumping.issues === null ? 0 : dumping.issues.length
    const member = toPlainJson(members[name], dumping)
    if (dumping.issues !== null) prefixIssues(dumping.issues, name, since)
    if (member === INVALID) return INVALID
    if (member !== undefined) dumped[name] = member
  }
  return dumped
}
