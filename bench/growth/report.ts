// Shared parts of the measuring commands: their options, progress, tables, verdicts and their place in the notes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** A bound, and whether it was met. */
export interface Verdict {
  readonly text: string
  readonly met: boolean
}

/** One table with its title. */
export interface Table {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
}

/** The report of one command. */
export interface Report {
  readonly tables: readonly Table[]
  readonly verdicts: readonly Verdict[]
  /** Everything measured, for `--json`. */
  readonly data: unknown
}

const NOTES = 'docs/notes/growth.md'

/** The options that all of the commands take. */
export const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})

/** Says on stderr what is being measured. */
export function progress(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}

/** A number with three digits that mean something. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '?'
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return digits === 0 ? Math.round(value).toLocaleString('en') : value.toFixed(Math.min(digits, 3))
}

/** Prints what was found; writes it where the options say; the command fails when a bound is missed. */
export function finish(name: string, { tables, verdicts, data }: Report): void {
  if (process.stderr.isTTY) process.stderr.write('\n')
  const made = `${machine()}${options.quick ? ' A quick run.' : ''}`
  const text = [made, ...tables.map(markdown), verdictList(verdicts)].join('\n\n')
  console.log(`\n${text}\n`)
  if (options.json !== undefined) {
    const content = { node: process.version, quick: options.quick, verdicts, data }
    writeFileSync(options.json, `${JSON.stringify(content, null, 2)}\n`)
  }
  if (options.write) writeNotes(name, text)
  const missed = verdicts.filter(({ met }) => !met).length
  if (missed > 0) console.log(`${missed} of ${verdicts.length} targets are missed.`)
  process.exitCode = missed === 0 ? 0 : 1
}

const machine = (): string =>
  `Node ${process.versions.node}, ${process.platform}, ${new Date().toISOString().slice(0, 10)}.`

function markdown({ title, head, rows }: Table): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  const rule = head.map((_, i) => (i === 0 ? '---' : '---:'))
  return [`**${title}**`, '', line(head), line(rule), ...rows.map(line)].join('\n')
}

const verdictList = (verdicts: readonly Verdict[]): string =>
  verdicts.map(({ text, met }) => `- ${met ? 'met' : '**missed**'}: ${text}`).join('\n')

function writeNotes(name: string, text: string): void {
  const [begin, end] = [`<!-- written by bench:${name} -->`, `<!-- end of bench:${name} -->`]
  const notes = existsSync(NOTES) ? readFileSync(NOTES, 'utf8') : ''
  const [from, to] = [notes.indexOf(begin), notes.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${NOTES} has no place for bench:${name}`)
  writeFileSync(NOTES, `${notes.slice(0, from + begin.length)}\n\n${text}\n\n${notes.slice(to)}`)
}
