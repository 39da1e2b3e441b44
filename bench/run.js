// Compares CPU time per request. Contestants are processes of their own, in interleaved rounds; their answers are checked
// before anything is timed. Needs a build and `npm ci` in this folder; `node bench/run.js --help` says what it takes.
import { parseArgs } from 'node:util'
import { faultsOf } from './check.js'
import { contestantNames } from './contestants.js'
import { measure, progress } from './measure.js'
import { coresToPin, pin } from './pin.js'
import { hottest, profile } from './profile.js'
import { summaryTable, targets, workloadTable } from './report.js'
import { readRun, runOf, writeReport, writeRun } from './report-files.js'
import { workloads } from './workloads.js'
import { hasWrk } from './wrk.js'

const HELP = `node bench/run.js [options]

  --only S1,S4             these workloads, by number or name
  --contestants edict,node these contestants
  --rounds 13              how often each has its turn
  --requests 20000         requests of a sample; by default as many as take a third of a second of CPU time
  --load wrk               lets wrk send the requests, for a second each; it must be installed
  --pin                    servers on one core, what sends the requests on the others; needs taskset and two cores
  --quick                  three short rounds: shows that it works, not what is faster
  --json file              writes all samples
  --from file              reports samples that were written, and times nothing
  --write                  puts the summary into docs/notes/performance.md, and draws docs/bench.svg
  --check [contestant...]  only checks answers, and says what is wrong with them
  --profile contestant     writes a CPU profile of a workload into .cache/prof
`
// Disturbances of a machine last longer than a sample: many short rounds see through them. Engines optimise what has run for a
// while, and a server runs longer than that.
const FULL = { rounds: 13, requests: undefined, sampleSeconds: 0.3, warmup: 2, pauseMs: 50, quick: false }
const QUICK = { rounds: 3, requests: undefined, sampleSeconds: 0.15, warmup: 0.5, pauseMs: 20, quick: true }

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean' },
    only: { type: 'string' },
    contestants: { type: 'string' },
    rounds: { type: 'string' },
    requests: { type: 'string' },
    load: { type: 'string' },
    pin: { type: 'boolean' },
    quick: { type: 'boolean' },
    json: { type: 'string' },
    from: { type: 'string' },
    write: { type: 'boolean' },
    check: { type: 'boolean' },
    profile: { type: 'string' },
  },
})

if (options.help) console.log(HELP)
else if (options.check) process.exitCode = (await checked(positionals.length > 0 ? positionals : chosen())) ? 0 : 1
else if (options.profile !== undefined) await profiled(options.profile)
else if (options.from !== undefined) report(readRun(options.from))
else await contest()

async function contest() {
  const names = chosen()
  const selected = selectedWorkloads()
  const settings = settingsOf()
  if (!(await checked(names))) {
    process.exitCode = 1
    return
  }
  if (settings.cores !== undefined) pin(process.pid, settings.cores.load)
  report(runOf(settings, await measure(selected, names, settings)))
}

/** @param {import('./report-files.js').Run} run */
function report(run) {
  for (const result of run.results) console.log(workloadTable(result))
  console.log(`CPU µs/request\n\n${summaryTable(run.results)}\n\n${targets(run.results).join('\n')}`)
  if (options.json !== undefined) writeRun(options.json, run)
  if (options.write) writeReport(run)
}

/** @param {string[]} names */
async function checked(names) {
  let right = true
  for (const name of names) {
    progress(`${name}: its answers are checked`)
    const faults = await faultsOf(name).catch((error) => [error.message])
    progress('')
    if (faults.length > 0) right = false
    if (faults.length > 0) console.error([`${name}:`, ...faults].join('\n'))
    else if (options.check) console.error(`${name}: all answers are right`)
  }
  return right
}

/** @param {string} name */
async function profiled(name) {
  const settings = { ...settingsOf(), sampleSeconds: 3 }
  for (const workload of selectedWorkloads()) {
    if (workload.without.includes(name)) continue
    const file = await profile(name, workload, settings)
    progress('')
    console.log(`${workload.id} ${workload.title}: ${file}\n${hottest(file).join('\n')}\n`)
  }
}

function chosen() {
  const all = contestantNames()
  const wanted = options.contestants?.split(',') ?? all
  for (const name of wanted)
    if (!all.includes(name)) fail(`There is no contestant ${name}; there are ${all.join(', ')}.`)
  return wanted
}

function selectedWorkloads() {
  const wanted = options.only?.split(',')
  if (wanted === undefined) return workloads
  const known = workloads.flatMap(({ id, name }) => [id, name])
  for (const one of wanted)
    if (!known.includes(one)) fail(`There is no workload ${one}; there are ${known.join(', ')}.`)
  return workloads.filter(({ id, name }) => wanted.includes(id) || wanted.includes(name))
}

function settingsOf() {
  const usual = options.quick ? QUICK : FULL
  const rounds = positive('rounds') ?? usual.rounds
  return { ...usual, rounds, requests: positive('requests'), load: loadOf(), cores: options.pin ? cores() : undefined }
}

/** @returns {'own' | 'wrk'} */
function loadOf() {
  const { load = 'own' } = options
  if (load !== 'own' && load !== 'wrk') return fail('--load takes own or wrk.')
  if (load === 'wrk' && !hasWrk()) return fail('--load wrk: there is no wrk here (Debian has it in the package wrk).')
  return load
}

function cores() {
  return coresToPin() ?? fail('--pin: there is no taskset here, or this process may use only one core.')
}

/** @param {'rounds' | 'requests'} name */
function positive(name) {
  if (options[name] === undefined) return undefined
  const value = Number(options[name])
  return Number.isSafeInteger(value) && value > 0 ? value : fail(`--${name} takes a number from 1.`)
}

/** @param {string} message */
function fail(message) {
  console.error(message)
  process.exit(2)
}
