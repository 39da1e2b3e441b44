// One value through one attribute, from outside: for tests, for tools, and for code that holds a single value.
import type { Attribute } from './attribute.ts'
import { Dumping } from './dumping.ts'
import { INVALID, type Issue } from './issue.ts'
import { Loading } from './loading.ts'

/** The result of loading: the value, or every issue it has. */
export type Outcome<T> =
  | { readonly valid: true; readonly value: T }
  | { readonly valid: false; readonly issues: readonly Issue[]; readonly total: number }

/** Loads a value as JSON, or as text where the source knows nothing else; a promise only when a check is asynchronous. */
export function load<T>(
  attribute: Attribute<T>,
  value: unknown,
  { text = false, ignores }: { readonly text?: boolean; readonly ignores?: (name: string) => boolean } = {},
): Outcome<T> | Promise<Outcome<T>> {
  const loading = new Loading(text, ignores)
  const { core, options } = attribute
  const slot: { value: unknown } = { value: undefined }
  if (value === null || value === undefined) {
    if (value === undefined) loading.fail('missing')
    else if (options.nullable !== true) loading.fail('null')
    slot.value = null
  } else {
    slot.value = core.loader(value, loading)
  }
  if (loading.deferred === null) return outcomeOf(slot, loading)
  loading.hold(slot, 'value')
  return loading.settle().then(() => outcomeOf(slot, loading))
}

/** Dumps a value; by default, limits are checked as well. */
export function dump(attribute: Attribute, value: unknown, checks = true): Outcome<unknown> {
  const dumping = new Dumping(checks)
  if (value === null && attribute.options.nullable !== true) dumping.fail('null')
  return outcomeOf({ value: value === null ? null : attribute.core.dumper(value, dumping) }, dumping)
}

function outcomeOf<T>({ value }: { value: unknown }, { issues, total }: Loading | Dumping): Outcome<T> {
  if (issues === null && value !== INVALID) return { valid: true, value: value as T }
  return { valid: false, issues: issues ?? [], total }
}
