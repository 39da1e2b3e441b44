// Measures lists from databases: pages at the start, in the middle and at the end of a long list, against one another and
// against an endpoint written by hand. `npm run bench -- lists [--rows n] [--engine name] [--rounds n] [--seconds s] [--write]`;
// ends with 1 when a bound is broken. Profiles: `--profile folder`.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkPlans, checkRefusals, checkStatements, findPlaces } from './checks.ts'
import { type Contestant, NAMES, start } from './contestants.ts'
import { type EngineName, OPEN } from './engines.ts'
import { measure } from './measure.ts'
import { type Result, table, verdicts, writeNotes } from './report.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', multiple: true, default: ['100000', '1000000'] },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    profile: { type: 'string' },
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

const results: Result[] = []
for (const engine of options.engine as EngineName[])
  for (const rows of options.rows.map(Number)) results.push(await contest(engine, rows))

console.log(`\n${table(results)}\n`)
const judged = verdicts(results)
for (const { text, holds } of judged) console.log(`${holds ? 'holds ' : 'BROKEN'} ${text}`)
if (options.write) writeNotes(table(results))
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`)
const broken = judged.filter(({ holds }) => !holds).length
console.log(broken === 0 ? '\nAll bounds hold.' : `\n${broken} of ${judged.length} bounds are broken.`)
process.exitCode = broken === 0 ? 0 : 1

async function contest(engine: EngineName, rows: number): Promise<Result> {
  const bench = await OPEN[engine](rows)
  const contestants: Contestant[] = []
  try {
    for (const name of NAMES) contestants.push(await start(name, engine, bench.url, options.profile))
    const places = await findPlaces(contestants, rows)
    await checkRefusals(contestants)
    await checkStatements(contestants)
    const plans = await checkPlans(bench, contestants, places)
    const rounds = Number(options.rounds)
    const costs = await measure(bench, contestants, places, {
      rounds,
      seconds: Number(options.seconds),
      title: `${engine}, ${rows} rows`,
    })
    return { engine, rows, plans, costs }
  } finally {
    for (const contestant of contestants) await contestant.stop()
    await bench.close()
  }
}
