// Compares constraints that JSON Schema cannot express: limits of big and decimal numbers and of files, computed
// defaults.
import type { Direction } from '../../schema/json-schema.ts'
import { compareDecimals, expandExponent } from '../../util/decimal.ts'
import type { ExtraConstraints } from '../contract.ts'
import {
  type ChangeCollector,
  collectNames,
  getRecordValue,
  quoteList,
  type ReportChange,
  subtractNames,
} from './change.ts'
import { compareLimitKeyword } from './compare-keywords.ts'

type ConstraintsByPath = Readonly<Record<string, ExtraConstraints>>

/** Compares the extra constraints of an attribute and everything below it. */
export function compareExtraConstraints(
  old: ConstraintsByPath = {},
  now: ConstraintsByPath = {},
  location: string,
  { direction, changes }: { readonly direction: Direction; readonly changes: ChangeCollector },
): void {
  for (const path of collectNames(old, now)) {
    const memberLocation = path === '' || /^[[<]/.test(path) ? `${location}${path}` : `${location}.${path}`
    compareConstraints(
      getRecordValue(old, path) ?? {},
      getRecordValue(now, path) ?? {},
      changes.createReporter(direction, memberLocation),
    )
  }
}

function compareConstraints(old: ExtraConstraints, now: ExtraConstraints, report: ReportChange): void {
  if (old.kind !== now.kind) report('changed', 'type-changed', 'another schema checks its values')
  compareLimitKeyword(
    old.min,
    now.min,
    { rule: 'minimum', what: 'the least value', upper: false, compare: compareExactNumbers },
    report,
  )
  compareLimitKeyword(
    old.max,
    now.max,
    { rule: 'maximum', what: 'the greatest value', upper: true, compare: compareExactNumbers },
    report,
  )
  compareFileTypes(old.types, now.types, report)
  if (old.allowNul !== now.allowNul)
    report(
      now.allowNul ? 'widened' : 'narrowed',
      now.allowNul ? 'nul-added' : 'nul-removed',
      `U+0000 is ${now.allowNul ? 'let through' : 'refused'} now`,
    )
  if (old.delimiter !== now.delimiter) {
    const what =
      now.delimiter === undefined ? 'each element comes by itself' : `'${now.delimiter}' separates its elements`
    report('changed', 'delimiter-changed', `${what} in a query or a form now`)
  }
  if (old.json !== now.json)
    report(
      'changed',
      'json-changed',
      `it comes as ${now.json ? 'a text of JSON' : 'values of its own'} in a query or a form now`,
    )
  if (old.computed !== now.computed)
    report(
      now.computed ? 'widened' : 'narrowed',
      now.computed ? 'default-added' : 'default-removed',
      now.computed ? 'it has a computed default now' : 'it has no computed default any more',
    )
}

// Compares decimal strings, because these numbers have any size and precision.
const compareExactNumbers = (a: unknown, b: unknown): number =>
  compareDecimals(expandExponent(String(a)), expandExponent(String(b)))

function compareFileTypes(
  old: readonly string[] | undefined,
  now: readonly string[] | undefined,
  report: ReportChange,
): void {
  if (old === undefined && now === undefined) return
  if (old === undefined)
    return report('narrowed', 'file-type-removed', `only files of ${quoteList(now ?? [])} are taken now`)
  if (now === undefined) return report('widened', 'file-type-added', 'files of any type are taken now')
  const [removed, added] = [subtractNames(old, now), subtractNames(now, old)]
  if (removed.length > 0)
    report('narrowed', 'file-type-removed', `files of ${quoteList(removed)} are not taken any more`)
  if (added.length > 0) report('widened', 'file-type-added', `files of ${quoteList(added)} are taken now`)
}
