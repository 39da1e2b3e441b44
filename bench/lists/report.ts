// Ratios within one run, the bounds that they have to keep, and the table in the notes.
import { readFileSync, writeFileSync } from 'node:fs'
import { PLACES, type Place, type Planned } from './checks.ts'
import { NAMES, type Name, TITLES } from './contestants.ts'
import type { EngineName } from './engines.ts'
import type { Cost } from './measure.ts'

/** The result of one engine with so many rows. */
export interface Result {
  readonly engine: EngineName
  readonly rows: number
  readonly plans: readonly Planned[]
  readonly costs: readonly Cost[]
}

/** A bound, and whether it holds. */
export interface Verdict {
  readonly text: string
  readonly holds: boolean
}

const DEEP = 1.2
const HAND = 1.25
const NOTES = new URL('../../docs/notes/lists-performance.md', import.meta.url)

const costOf = ({ costs }: Result, contestant: Name, place: Place): Cost =>
  costs.find((one) => one.contestant === contestant && one.place === place) as Cost

const whole = ({ node, database }: Cost): number[] => node.map((micros, i) => micros + (database[i] ?? 0))

/** The middle of some values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}

/** The median over the rounds of what one is to the other in the same round. */
export const ratio = (one: readonly number[], other: readonly number[]): number =>
  median(one.map((value, i) => value / other[i]!))

/** The cost of a page at a place compared to one at another, the database included. */
const depth = (result: Result, contestant: Name, place: Place, than: Place): number =>
  ratio(whole(costOf(result, contestant, place)), whole(costOf(result, contestant, than)))

/** The cost of a contestant's process compared to the one by hand. */
const toHand = (result: Result, contestant: Name, place: Place): number =>
  ratio(costOf(result, contestant, place).node, costOf(result, 'raw', place).node)

/** Names of engines as the notes have them. */
export const ENGINES: Readonly<Record<EngineName, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** Writes the results as a table. */
export function table(results: readonly Result[]): string {
  const head = [
    'Engine, rows',
    'Endpoint',
    'Page',
    'CPU µs',
    'database µs',
    'to the first page',
    'to the start',
    'to by hand',
  ]
  const lines = results.flatMap((result) =>
    NAMES.flatMap((name) =>
      PLACES.map((place) => {
        const { node, database } = costOf(result, name, place)
        return [
          `${ENGINES[result.engine]}, ${result.rows.toLocaleString('en')}`,
          TITLES[name],
          place,
          median(node).toFixed(0),
          result.engine === 'sqlite' ? 'within' : median(database).toFixed(0),
          depth(result, name, place, 'first').toFixed(2),
          depth(result, name, place, 'start').toFixed(2),
          toHand(result, name, place).toFixed(2),
        ]
      }),
    ),
  )
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Judges the results. */
export function verdicts(results: readonly Result[]): Verdict[] {
  return results.flatMap((result) => {
    const title = `${ENGINES[result.engine]}, ${result.rows} rows`
    const deep = (['middle', 'end'] as const).map((place) => {
      const found = depth(result, 'drizzle', place, 'start')
      return {
        text: `${title}: the page at the ${place} takes ${found.toFixed(2)} times the start (at most ${DEEP})`,
        holds: found <= DEEP,
      }
    })
    const hand = PLACES.map((place) => {
      const found = toHand(result, 'drizzle', place)
      return {
        text: `${title}: ${place} takes ${found.toFixed(2)} times the endpoint by hand (at most ${HAND})`,
        holds: found <= HAND,
      }
    })
    const plans = result.plans
      .filter(({ contestant }) => contestant !== 'raw')
      .map(({ contestant, place, isIndexed }) => ({
        text: `${title}: ${contestant} reads ${place} by the index alone`,
        holds: isIndexed,
      }))
    return [...deep, ...hand, ...plans]
  })
}

/** Puts a table between its two marks in the notes. */
export function writeNotes(written: string, mark = 'bench:lists'): void {
  const notes = readFileSync(NOTES, 'utf8')
  const begin = `<!-- written by ${mark} -->`
  const from = notes.indexOf(begin) + begin.length
  const end = notes.indexOf('<!-- end -->', from)
  if (from < begin.length || end < 0) throw new Error('The notes have no place for the table')
  const made = `Node ${process.versions.node}, ${process.platform}.`
  writeFileSync(NOTES, `${notes.slice(0, from)}\n\n${made}\n\n${written}\n\n${notes.slice(end)}`)
}

/** Runs a contest on each engine that was asked for; the process ends with 1 when one of them breaks its bound. */
export async function judgeEach<O extends { close(): Promise<unknown> }>(
  engines: readonly string[],
  open: Readonly<Record<string, () => Promise<O>>>,
  contest: (opened: O) => Promise<boolean>,
): Promise<void> {
  for (const engine of engines) {
    const opened = await (open[engine] as () => Promise<O>)()
    try {
      if (!(await contest(opened))) process.exitCode = 1
    } finally {
      await opened.close()
    }
  }
}
