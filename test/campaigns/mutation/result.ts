// Stryker's final result for a mutant, as campaigns count it.
import type { MutantResult } from '@stryker-mutator/api/core'
import type { Mutant } from './report.ts'
import { sampledOf } from './sample.ts'

type Result = Pick<MutantResult, 'fileName' | 'location' | 'mutatorName' | 'replacement' | 'status'>

type Spot = { readonly line: number; readonly column: number }

const before = ({ line, column }: Spot): Spot => ({ line: line - 1, column: column - 1 })

/** A result with the place that its mutant had while it ran: results count lines and columns from 1, mutants from 0. */
export const fromZero = <R extends Result>(result: R): R => ({
  ...result,
  location: { start: before(result.location.start), end: before(result.location.end) },
})

/** A mutant with the text that it stands in the place of; `read` gives the text of a source. */
export function mutantOf(result: Result, read: (file: string) => string): Mutant {
  const { location, status } = fromZero(result)
  const { file, mutator, replacement } = sampledOf(result)
  return { file, line: location.start.line + 1, mutator, original: textAt(read(file), location), replacement, status }
}

function textAt(text: string, { start, end }: { readonly start: Spot; readonly end: Spot }): string {
  const lines = text.split('\n').slice(start.line, end.line + 1)
  // The end first: both may be in one line.
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column)
  lines[0] = lines[0]!.slice(start.column)
  return lines.join('\n')
}
