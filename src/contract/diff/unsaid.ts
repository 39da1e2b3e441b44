// Differences in what JSON Schema cannot say: limits of large and of exact numbers and of files, computed defaults.
import type { Direction } from '../../schema/json-schema.ts'
import { compareDecimals, plainDecimal } from '../../util/decimal.ts'
import type { Unsaid } from '../contract.ts'
import { at, type Changes, type Judge, namesOf, quoted, without } from './change.ts'
import { compareBounds } from './keywords.ts'

type AllUnsaid = Readonly<Record<string, Unsaid>>

/** Compares what schemas do not say of something and all below it. */
export function compareUnsaid(
  old: AllUnsaid = {},
  now: AllUnsaid = {},
  place: string,
  { direction, changes }: { readonly direction: Direction; readonly changes: Changes },
): void {
  for (const path of namesOf(old, now)) {
    const spot = path === '' || /^[[<]/.test(path) ? `${place}${path}` : `${place}.${path}`
    compareOne(at(old, path) ?? {}, at(now, path) ?? {}, changes.judge(direction, spot))
  }
}

function compareOne(old: Unsaid, now: Unsaid, tell: Judge): void {
  if (old.kind !== now.kind) tell('changed', 'type-changed', 'another schema checks its values')
  compareBounds(old.min, now.min, { rule: 'minimum', what: 'the least value', upper: false, compare }, tell)
  compareBounds(old.max, now.max, { rule: 'maximum', what: 'the greatest value', upper: true, compare }, tell)
  compareTypes(old.types, now.types, tell)
  if (old.nul !== now.nul)
    tell(
      now.nul ? 'widened' : 'narrowed',
      now.nul ? 'nul-added' : 'nul-removed',
      `U+0000 is ${now.nul ? 'let through' : 'refused'} now`,
    )
  if (old.delimiter !== now.delimiter) {
    const what =
      now.delimiter === undefined ? 'each element comes by itself' : `'${now.delimiter}' separates its elements`
    tell('changed', 'delimiter-changed', `${what} in a query or a form now`)
  }
  if (old.json !== now.json)
    tell(
      'changed',
      'json-changed',
      `it comes as ${now.json ? 'a text of JSON' : 'values of its own'} in a query or a form now`,
    )
  if (old.computed !== now.computed)
    tell(
      now.computed ? 'widened' : 'narrowed',
      now.computed ? 'default-added' : 'default-removed',
      now.computed
        ? 'a computed value takes its place now where it is left out'
        : 'no computed value takes its place any more where it is left out',
    )
}

// Compared exactly: such numbers may have any size and any fraction.
const compare = (a: unknown, b: unknown): number => compareDecimals(plainDecimal(String(a)), plainDecimal(String(b)))

function compareTypes(old: readonly string[] | undefined, now: readonly string[] | undefined, tell: Judge): void {
  if (old === undefined && now === undefined) return
  if (old === undefined)
    return tell('narrowed', 'file-type-removed', `only files of ${quoted(now ?? [])} are taken now`)
  if (now === undefined) return tell('widened', 'file-type-added', 'files of any type are taken now')
  const [gone, fresh] = [without(old, now), without(now, old)]
  if (gone.length > 0) tell('narrowed', 'file-type-removed', `files of ${quoted(gone)} are not taken any more`)
  if (fresh.length > 0) tell('widened', 'file-type-added', `files of ${quoted(fresh)} are taken now`)
}
