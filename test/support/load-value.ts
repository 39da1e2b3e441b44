// Loads or dumps a single value with an attribute.
import { attributeRules } from '../../src/design/attribute-rules.ts'
import type { Attribute } from '../../src/schema/attribute.ts'
import { Dumping } from '../../src/schema/dumping.ts'
import { INVALID, type Issue } from '../../src/schema/issue.ts'
import { Loading, type ValueSource } from '../../src/schema/loading.ts'

/** The result of loading: the value, or all its issues. */
export type LoadOutcome<T> =
  | { readonly valid: true; readonly value: T }
  | { readonly valid: false; readonly issues: readonly Issue[]; readonly total: number }

/** Loads a value from JSON data, or from text with `source: 'text'`. Returns a promise only when a check is asynchronous. */
export function loadAttributeValue<T>(
  attribute: Attribute<T>,
  value: unknown,
  { source = 'json', ignores }: { readonly source?: ValueSource; readonly ignores?: (name: string) => boolean } = {},
): LoadOutcome<T> | Promise<LoadOutcome<T>> {
  const loading = new Loading(source, ignores)
  const { options } = attribute
  const slot: { value: unknown } = { value: undefined }
  if (value === null || value === undefined) {
    if (value === undefined) loading.fail('missing')
    else if (options.nullable !== true) loading.fail('null')
    slot.value = null
  } else {
    slot.value = attributeRules.getLoader(attribute)(value, loading)
  }
  if (loading.deferred === null) return toOutcome(slot, loading)
  loading.bindRoot(slot, 'value')
  return loading.settle().then(() => toOutcome(slot, loading))
}

/** Dumps a value; by default, limits are checked, too. */
export function dumpAttributeValue(attribute: Attribute, value: unknown, checks = true): LoadOutcome<unknown> {
  const dumping = new Dumping(checks ? 'checked' : 'unchecked')
  if (value === null && attribute.options.nullable !== true) dumping.fail('null')
  return toOutcome({ value: value === null ? null : attributeRules.getDumper(attribute)(value, dumping) }, dumping)
}

function toOutcome<T>({ value }: { value: unknown }, { issues, total }: Loading | Dumping): LoadOutcome<T> {
  if (issues === null && value !== INVALID) return { valid: true, value: value as T }
  return { valid: false, issues: issues ?? [], total }
}
