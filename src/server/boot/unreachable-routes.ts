// Runs the last check of a boot: reports unreachable routes, then throws all mistakes together.
import { createReporter, type DefinitionMistake, type Report, refuseMistakes } from '../../design/mistakes.ts'
import type { ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { reportConflict, type TableEntry } from '../../routing/route-table.ts'
import { reportShadow } from '../../routing/shadows.ts'

type RoutePairs = readonly (readonly [TableEntry, TableEntry])[]

/** Routes that requests cannot reach. */
export interface UnreachableRoutes {
  /** Pairs that no request can distinguish. */
  readonly indistinguishable: RoutePairs
  /** Routes without a version, each shadowed by a versioned route. */
  readonly shadows: RoutePairs
}

const createEntryReporter = ({ action }: TableEntry, mistakes: DefinitionMistake[]): Report =>
  createReporter(mistakes, action.endpoint.name, action.name)

/** Adds unreachable routes to the mistakes, and throws if there are any mistakes. */
export function refuseUnreachable(
  { indistinguishable, shadows }: UnreachableRoutes,
  mistakes: DefinitionMistake[],
  endpoints: readonly ResolvedEndpoint[],
): void {
  for (const [first, second] of indistinguishable) reportConflict(first, second, createEntryReporter(second, mistakes))
  for (const [shadow, entry] of shadows) reportShadow(shadow, entry, createEntryReporter(entry, mistakes))
  refuseMistakes(mistakes, ...endpoints)
}
