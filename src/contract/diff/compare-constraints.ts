// Differences in what JSON Schema cannot say: limits of large and of exact numbers and of files, computed defaults.
import type { Direction } from '../../schema/json-schema.ts'
import { compareDecimals, expandExponent } from '../../util/decimal.ts'
import type { ExtraConstraints } from '../contract.ts'
import { getRecordValue, type ChangeCollector, type JudgeChange, collectNames, quoteList, subtractNames } from './change.ts'
import { compareLimitKeyword } from './compare-keywords.ts'

type ConstraintsByPath = Readonly<Record<string, ExtraConstraints>>

/** Compares what schemas do not say of something and all below it. */
export function compareExtraConstraints(
  old: ConstraintsByPath = {},
  now: ConstraintsByPath = {},
  place: string,
  { direction, changes }: { readonly direction: Direction; readonly changes: ChangeCollector },
): void {
  for (const path of collectNames(old, now)) {
    const spot = path === '' || /^[[<]/.test(path) ? `${place}${path}` : `${place}.${path}`
    compareConstraints(getRecordValue(old, path) ?? {}, getRecordValue(now, path) ?? {}, changes.makeJudge(direction, spot))
  }
}

function compareConstraints(old: ExtraConstraints, now: ExtraConstraints, tell: JudgeChange): void {
  if (old.kind !== now.kind) tell('changed', 'type-changed', 'another schema checks its values')
  compareLimitKeyword(old.min, now.min, { rule: 'minimum', what: 'the least value', upper: false, compare: compareExactNumbers }, tell)
  compareLimitKeyword(old.max, now.max, { rule: 'maximum', what: 'the greatest value', upper: true, compare: compareExactNumbers }, tell)
  compareFileTypes(old.types, now.types, tell)
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
const compareExactNumbers = (a: unknown, b: unknown): number => compareDecimals(expandExponent(String(a)), expandExponent(String(b)))

function compareFileTypes(old: readonly string[] | undefined, now: readonly string[] | undefined, tell: JudgeChange): void {
  if (old === undefined && now === undefined) return
  if (old === undefined)
    return tell('narrowed', 'file-type-removed', `only files of ${quoteList(now ?? [])} are taken now`)
  if (now === undefined) return tell('widened', 'file-type-added', 'files of any type are taken now')
  const [gone, fresh] = [subtractNames(old, now), subtractNames(now, old)]
  if (gone.length > 0) tell('narrowed', 'file-type-removed', `files of ${quoteList(gone)} are not taken any more`)
  if (fresh.length > 0) tell('widened', 'file-type-added', `files of ${quoteList(fresh)} are taken now`)
}
