// The last check of a boot: routes that requests cannot reach, and then the refusal of all mistakes together.
import { type DefinitionMistake, type Report, refuseMistakes, reporter } from '../../design/mistakes.ts'
import type { ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { reportShadow } from '../../routing/shadows.ts'
import { reportConflict, type TableEntry } from '../../routing/route-table.ts'

type RoutePairs = readonly (readonly [TableEntry, TableEntry])[]

/** Routes that requests cannot reach. */
export interface UnreachableRoutes {
  /** Pairs that no request can tell apart. */
  readonly indistinguishable: RoutePairs
  /** Routes without a version, each behind that of a version which answers in its place. */
  readonly shadows: RoutePairs
}

const createEntryReporter = ({ action }: TableEntry, mistakes: DefinitionMistake[]): Report =>
  reporter(mistakes, action.endpoint.name, action.name)

/** Adds routes that requests cannot reach to the mistakes, and throws when there are any. */
export function refuseUnreachable(
  { indistinguishable, shadows }: UnreachableRoutes,
  mistakes: DefinitionMistake[],
  endpoints: readonly ResolvedEndpoint[],
): void {
  for (const [first, second] of indistinguishable) reportConflict(first, second, createEntryReporter(second, mistakes))
  for (const [shadow, entry] of shadows) reportShadow(shadow, entry, createEntryReporter(entry, mistakes))
  refuseMistakes(mistakes, ...endpoints)
}
