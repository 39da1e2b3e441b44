// `npm run bench -- quick`: guards the speed. Short ratios and counted instructions are held against those that were recorded;
// a loss ends it with 1. `node bench/quick/run.js --help` says what it takes.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { progress } from '../measure.js'
import { canCount, countInstructions } from './instructions.js'
import { measureOnce, ratiosOf, together } from './ratios.js'
import { KEY, record, recorded } from './record.js'
import { guarded } from './requests.js'
import { instructionTable, instructionVerdict, ratioTable, ratioVerdict } from './verdict.js'

const HELP = `node bench/quick/run.js [options]

  --record        takes this run as what later ones are held against, with more rounds
  --only S1,S4    these workloads
  --ratios        only the ratios of CPU time: edict to node and to fastify
  --instructions  only the instructions per request; needs valgrind
  --rounds 10     how often each contestant has its turn
  --json file     writes the figures
`
const ROUNDS = 10
const STRETCHES = 8

const { values: options } = parseArgs({
  options: {
    help: { type: 'boolean' },
    record: { type: 'boolean' },
    only: { type: 'string' },
    ratios: { type: 'boolean' },
    instructions: { type: 'boolean' },
    rounds: { type: 'string', default: String(ROUNDS) },
    json: { type: 'string' },
  },
})

if (options.help) console.log(HELP)
else await guard()

async function guard() {
  const before = recorded()
  const both = !options.ratios && !options.instructions
  const instructions = both || options.instructions ? await counted() : undefined
  const ratios = both || options.ratios ? await timed(before.ratios ?? {}) : undefined
  const lost = []
  const unclear = []
  console.log(`Node ${KEY}\n`)
  if (ratios !== undefined) {
    console.log(`${ratioTable(ratios, before.ratios ?? {})}\n`)
    for (const [id, now] of Object.entries(ratios)) {
      const verdict = ratioVerdict(now, before.ratios?.[id])
      if (verdict === 'lost') lost.push(`${id} in CPU time`)
      else if (verdict === 'unclear') unclear.push(id)
    }
  }
  if (instructions !== undefined) {
    console.log(`${instructionTable(instructions, before.instructions ?? {})}\n`)
    for (const [id, now] of Object.entries(instructions))
      if (instructionVerdict(now, before.instructions?.[id]) === 'lost') lost.push(`${id} in instructions`)
  }
  if (options.json !== undefined)
    writeJson(options.json, { node: KEY, recorded: before, ratios, instructions, lost, unclear })
  if (options.record) record({ ratios: ratios && values(ratios), instructions })
  conclude(before, lost, unclear)
}

/** @param {import('./record.js').Figures} before @param {string[]} lost @param {string[]} unclear */
function conclude(before, lost, unclear) {
  if (options.record) return console.log('These figures are recorded now.')
  if (before.ratios === undefined && before.instructions === undefined)
    return console.log(
      'There is no record of these workloads for this version of Node: nothing was compared. --record makes one.',
    )
  if (unclear.length > 0)
    console.log(`Too much noise to judge ${unclear.join(', ')} by CPU time: run it on a quieter machine.`)
  console.log(lost.length === 0 ? 'No loss was shown.' : `LOST: ${lost.join(', ')}.`)
  if (lost.length > 0) process.exitCode = 1
}

async function counted() {
  if (!canCount()) {
    progress('There is no valgrind here: instructions are not counted')
    return undefined
  }
  progress('instructions are counted')
  const all = await countInstructions(STRETCHES)
  progress('')
  const ids = chosen().map(({ id }) => id)
  return Object.fromEntries(Object.entries(all).filter(([id]) => ids.includes(id)))
}

/** @param {Record<string, Record<string, number>>} before */
async function timed(before) {
  const rounds = positive(options.rounds)
  const effort = { rounds: options.record ? rounds * 3 : rounds, sampleSeconds: 0.15 }
  const results = await measureOnce(chosen(), effort)
  const ratios = Object.fromEntries(results.map((result) => [result.id, ratiosOf(result)]))
  const seen = (/** @type {string} */ id) => ratioVerdict(ratios[id], before[id])
  const doubtful = options.record ? [] : chosen().filter(({ id }) => ['lost', 'unclear'].includes(seen(id)))
  if (doubtful.length === 0) return ratios
  // A process may have had bad luck with its compiler, and a machine a bad second: no verdict rests on one run.
  progress(`${doubtful.map(({ id }) => id).join(', ')} may have lost: once more, with more rounds`)
  for (const again of await measureOnce(doubtful, { ...effort, rounds: rounds * 2 })) {
    const first = results.find(({ id }) => id === again.id)
    ratios[again.id] = ratiosOf(together(first, again))
  }
  return ratios
}

/** @param {Record<string, Record<string, import('./ratios.js').Ratio>>} ratios */
function values(ratios) {
  const rounded = (/** @type {number} */ value) => Math.round(value * 1000) / 1000
  return Object.fromEntries(
    Object.entries(ratios).map(([id, own]) => [
      id,
      Object.fromEntries(Object.entries(own).map(([other, { value }]) => [other, rounded(value)])),
    ]),
  )
}

function chosen() {
  const wanted = options.only?.split(',')
  const unknown = wanted?.find((id) => !guarded.some((workload) => workload.id === id))
  if (unknown !== undefined) fail(`There is no guarded workload ${unknown}.`)
  return wanted === undefined ? guarded : guarded.filter(({ id }) => wanted.includes(id))
}

/** @param {string} text */
function positive(text) {
  const value = Number(text)
  return Number.isSafeInteger(value) && value > 1 ? value : fail('--rounds takes a number from 2.')
}

/** @param {string} file @param {object} value */
function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

/** @param {string} message */
function fail(message) {
  console.error(message)
  process.exit(2)
}
