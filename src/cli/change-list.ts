// Formats the changes of a contract for the terminal, breaking ones first.
import util from 'node:util'
import type { Change, ChangeKind } from '../contract/diff/change.ts'

/** A change as it is printed; `allowed` is set when `--allow` accepts its rule. */
export interface ListedChange extends Change {
  readonly allowed?: true
}

const CHANGE_STYLES = { breaking: 'red', compatible: 'green', documentation: 'dim' } as const

const CHANGE_TITLES: readonly (readonly [ChangeKind, string])[] = [
  ['breaking', 'Breaking'],
  ['compatible', 'Compatible'],
  ['documentation', 'Documentation'],
]

/** Formats changes grouped by kind, one line each with the rule at the end. */
export function formatChanges(changes: readonly ListedChange[], colours: boolean): string {
  if (changes.length === 0) return 'Nothing changed.\n'
  const style = (text: string, name: 'red' | 'green' | 'dim'): string => (colours ? util.styleText(name, text) : text)
  const groups = CHANGE_TITLES.flatMap(([kind, title]) => {
    const own = changes.filter((change) => change.kind === kind)
    const lines = own.map(({ location: place, message: what, rule, allowed }) => {
      return `  ${place}: ${what} ${style(`[${rule}${allowed ? ', allowed' : ''}]`, 'dim')}\n`
    })
    return own.length === 0 ? [] : [`${style(`${title} (${own.length})`, CHANGE_STYLES[kind])}\n${lines.join('')}`]
  })
  return groups.join('\n')
}
