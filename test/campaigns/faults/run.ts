// `npm run campaign -- faults`: faults and load against a server of its own process, with a table of what became of the
// requests. `-- database soak` runs only these; `--short` takes seconds for each; `--without <safeguard>` takes one
// safeguard out and expects broken promises, `--without all` each in turn; `--protocol tls` and `--protocol h2` have the
// clients ask over TLS, in HTTP/1.1 or in HTTP/2.
import { play, type Row, type Scenario } from './scenario.ts'
import { scenarios } from './scenarios/index.ts'
import type { Protocol } from './talks.ts'

const words = process.argv.slice(2)
const short = words.includes('--short')
const given = (option: string): string | undefined => words[words.indexOf(option) + 1 || words.length]
const without = given('--without')
const protocol = (given('--protocol') ?? 'http') as Protocol
const names = words.filter((word) => !word.startsWith('--') && word !== without && word !== protocol)
const known = scenarios.flatMap(({ safeguards }) => safeguards)

function table(rows: readonly Row[]): string {
  const lines = [
    ['fault', 'load held', 'sent', 'failed', 'lost', ''],
    ...rows.map(({ fault, load, sent, failed, lost, note }) => [fault, load, `${sent}`, `${failed}`, `${lost}`, note]),
  ]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, i) => (i < 2 || i === 5 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Runs one scenario and tells of it; true if it came out as it should. */
async function tell(
  scenario: Scenario,
  safeguard: string | undefined,
): Promise<{ rows: readonly Row[]; fine: boolean }> {
  const started = performance.now()
  const { rows, broken, error } = await play(scenario, { short, without: safeguard, protocol })
  const fine = error === undefined && (broken.length === 0) === (safeguard === undefined)
  const form = safeguard === undefined ? '' : ` without ${safeguard}`
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  const kept = broken.length === 0 ? 'kept' : 'broken'
  console.log(`${fine ? 'ok ' : 'NOT OK'} ${scenario.name}${form}: ${scenario.says}: ${kept} (${seconds} s)`)
  if (error !== undefined) console.log(`     ${error}`)
  for (const promise of broken) console.log(`     broken: ${promise}`)
  return { rows, fine }
}

async function main(): Promise<void> {
  const unknown = [...names.filter((name) => !scenarios.some((one) => one.name === name))]
  if (without !== undefined && without !== 'all' && !known.includes(without)) unknown.push(without)
  if (!['http', 'tls', 'h2'].includes(protocol)) throw new Error(`--protocol is http, tls or h2, not ${protocol}`)
  if (unknown.length > 0) {
    const there = scenarios.map(({ name, safeguards }) => `${name} (${safeguards.join(', ')})`).join(', ')
    throw new Error(`There is no ${unknown.join(', ')}; there are, with their safeguards: ${there}`)
  }
  const rows: Row[] = []
  let fine = true
  for (const scenario of scenarios.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const taken = scenario.safeguards.filter((one) => without === 'all' || one === without)
    for (const safeguard of without === undefined ? [undefined] : taken) {
      const told = await tell(scenario, safeguard)
      rows.push(...told.rows)
      fine &&= told.fine
    }
  }
  console.log(`\n${table(rows)}`)
  process.exit(fine ? 0 : 1)
}

await main()
