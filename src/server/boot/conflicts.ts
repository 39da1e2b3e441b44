// The last check of a boot: routes that cannot be told apart, and then the refusal of all mistakes together.
import { type DefinitionMistake, refuseMistakes, reporter } from '../../design/resolve/mistakes.ts'
import type { ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { reportConflict, type TableEntry } from '../../routing/table.ts'

/** Pairs of routes that cannot be told apart. */
export type Conflicts = readonly (readonly [TableEntry, TableEntry])[]

/** Adds routes that cannot be told apart to the mistakes, and throws when there are any. */
export function refuseAll(
  conflicts: Conflicts,
  mistakes: DefinitionMistake[],
  endpoints: readonly ResolvedEndpoint[],
): void {
  for (const [first, second] of conflicts)
    reportConflict(first, second, reporter(mistakes, second.action.endpoint.name, second.action.name))
  refuseMistakes(mistakes, ...endpoints)
}
