// `npm test`: runs the checks of the repository, two at a time, then the tests; prints a table of the steps and, as the last
// line, "N passed, N failed". N counts tests and check steps. Slow steps are left to CI, and listed. `npm test -- lint
// floors` runs only those steps, `npm test -- checks` (`npm run check`) all but the tests, `npm test -- long` the checks
// left to CI, `npm test -- all` everything.
// CI provides the report of an `npm test` that has just passed on the same sources (EDICT_PROVED), and runs the rest.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { runInLanes } from './lanes.ts'
import { findLongTests, findProved, leaveOut } from './left-out.ts'
import { inCi } from './machine.ts'
import { filterOtherSkips, formatLack, listLacks, listTests, type Report, readProved, reportFile } from './report.ts'

/** Groups of rules that must be proved completely (see scripts/rules.ts). */
const requiredGroups: readonly string[] = [
  ...['DEF', 'ACT', 'ATT', 'RTE', 'INP', 'HDR', 'PAR', 'CAN', 'DFT', 'RSP', 'CTL', 'REQ', 'RET', 'CBK', 'ERR', 'VER'],
  ...['PGN', 'ORD', 'PLG', 'MAP', 'DOC', 'EXT', 'RTL', 'COR'],
  ...['CND', 'CAC', 'CPR', 'HDS', 'DPR'],
  ...['IDP', 'AUT', 'OBS'],
  ...['LST', 'SCL', 'TKT', 'FOR', 'EVT'],
]

interface Step {
  readonly name: string
  /** The npm script of the step and its arguments; the tests have no script. */
  readonly script?: string
  readonly args?: readonly string[]
  /** Whether its output is printed on success, too. */
  readonly show?: boolean
  /** The steps that must end before it. */
  readonly needs?: readonly string[]
  /** Whether it is left to CI. */
  readonly long?: boolean
}
interface Outcome {
  readonly name: string
  readonly seconds: number
  readonly passed: number
  readonly failed: number
  readonly note: string
  /** Lines about failed and skipped tests. */
  readonly lines?: readonly string[]
}

/** The slowest first, so that two cores are busy to the end. */
const checks: readonly Step[] = [
  { name: 'build', script: 'build' },
  { name: 'types-5.9', script: 'check:types-5.9', long: true },
  { name: 'type-budget', script: 'check:type-budget', show: true, needs: ['build'], long: true },
  { name: 'consumer', script: 'check:consumer', needs: ['build'], long: true },
  { name: 'lint', script: 'check:lint' },
  { name: 'types', script: 'check:types' },
  { name: 'package', script: 'check:package', needs: ['build'], long: true },
  { name: 'exports', script: 'check:exports', needs: ['build'] },
  { name: 'dead', script: 'check:dead' },
  { name: 'floors', script: 'check:floors' },
  { name: 'commits', script: 'check:commits' },
]
/** The tests run alone: some measure time, and all have timeouts. */
const steps: readonly Step[] = [
  ...checks,
  { name: 'tests', show: true, needs: checks.map(({ name }) => name) },
  {
    name: 'rules',
    script: 'check:rules',
    args: ['--summary', '--require', requiredGroups.join(',')],
    show: true,
    needs: ['tests'],
  },
]

/** Returns the command of a step. */
function getCommand({ script, args = [] }: Step): readonly [string, ...string[]] {
  if (script !== undefined) return ['npm', 'run', '--silent', script, '--', ...args]
  return ['npx', 'vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
}

/**
 * Runs one step; the output of the tests is shown immediately, that of other steps at their end if `show` is set or they
 * fail.
 */
function runStep(step: Step): Promise<boolean> {
  const [command, ...args] = getCommand(step)
  const stdio = step.script === undefined ? 'inherit' : 'pipe'
  return new Promise((resolve) => {
    const env = step.script === undefined ? { ...process.env, ...leaveOut(leftOut) } : process.env
    const child = spawn(command, args, { env, stdio: ['ignore', stdio, stdio] })
    const output: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => output.push(chunk))
    child.on('error', (error) => output.push(Buffer.from(String(error))))
    child.on('close', (code) => {
      if (code !== 0 || step.show === true) process.stdout.write(Buffer.concat(output))
      resolve(code === 0)
    })
  })
}

function listFailures(
  file: string,
  status: string,
  tests: Report['testResults'][number]['assertionResults'],
): string[] {
  const failed = tests.filter((one) => one.status === 'failed')
  if (failed.length === 0) return status === 'failed' ? [`failed: ${relative('.', file)} did not load`] : []
  return failed.map(({ fullName, failureMessages: [message = ''] = [] }) => {
    const [reason = ''] = stripVTControlCharacters(message).split('\n')
    return `failed: ${relative('.', file)}: ${fullName}: ${reason.slice(0, 200)}`
  })
}

/** Counts the tests of a run; a file or run that breaks without a failing test counts as one failure. */
function countTests(ok: boolean): Pick<Outcome, 'passed' | 'failed' | 'note' | 'lines'> {
  if (!existsSync(reportFile)) return { passed: 0, failed: 1, note: 'the test run left no report' }
  const report: Report = JSON.parse(readFileSync(reportFile, 'utf8'))
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
  ).length
  const skipped = report.numPendingTests + report.numTodoTests
  const failures = report.numFailedTests + broken + (inCi ? skipped : 0)
  const failed = ok ? failures : Math.max(failures, 1)
  const notes = [
    `${report.numPassedTests} passed`,
    `${report.numFailedTests} failed`,
    ...(broken > 0 ? [`${broken} file(s) did not load`] : []),
    ...(skipped > 0 ? [`${skipped} skipped${inCi ? ', which counts as failed' : ''}`] : []),
    ...(!ok && failures === 0 ? ['the run itself failed'] : []),
  ]
  const lines = [
    ...report.testResults.flatMap(({ name, status, assertionResults }) => listFailures(name, status, assertionResults)),
    ...listLacks(listTests(report)).map(formatLack),
    ...filterOtherSkips(listTests(report)).map(({ fullName }) => `skipped: ${fullName}`),
  ]
  return { passed: report.numPassedTests, failed, note: notes.join(', '), lines }
}

/** Formats a line about the steps and files left to CI. */
function formatLeft(): string {
  const left = steps.filter(({ long }) => long === true).map(({ name }) => name)
  return `left to CI, or npm test -- all: ${left.join(', ')} and ${leftOut.length} test files that take long (scripts/long-tests.ts)`
}

const formatTime = (): string => new Date().toTimeString().slice(0, 8)
const words = process.argv.slice(2)
const isComplete = inCi || words.includes('all')
const groups: Readonly<Record<string, readonly Step[]>> = {
  checks,
  long: checks.filter(({ name, long }) => long === true || name === 'build'),
}
const requested = words
  .filter((word) => word !== 'all')
  .flatMap((word) => groups[word]?.map(({ name }) => name) ?? [word])
const unknown = requested.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(
    `No such step: ${unknown.join(', ')}. Steps: all, checks, long, ${steps.map(({ name }) => name).join(', ')}`,
  )
  process.exit(1)
}
const selected = steps.filter((step) => {
  if (requested.length > 0) return requested.includes(step.name)
  return isComplete || step.long !== true
})
const proved = readProved()
const provedFiles = proved === undefined ? [] : findProved(proved.report, proved.root)
const leftOut = isComplete ? provedFiles : findLongTests()
let started = 0
const outcomes = await runInLanes(selected, Math.min(2, availableParallelism()), async (step): Promise<Outcome> => {
  const start = performance.now()
  console.log(`[${formatTime()}] ${++started}/${selected.length} ${step.name}: ${getCommand(step).join(' ')}`)
  if (step.name === 'tests') rmSync(reportFile, { force: true })
  const ok = await runStep(step)
  const count = step.name === 'tests' ? countTests(ok) : { passed: ok ? 1 : 0, failed: ok ? 0 : 1, note: '' }
  return { name: step.name, seconds: (performance.now() - start) / 1000, ...count }
})

console.log('\nstep         result  seconds')
for (const { name, seconds, failed, note } of outcomes) {
  const result = failed === 0 ? 'ok' : 'FAILED'
  console.log(`${name.padEnd(12)} ${result.padEnd(6)} ${seconds.toFixed(1).padStart(8)}  ${note}`.trimEnd())
}
const lines = [...outcomes.flatMap((outcome) => outcome.lines ?? []), ...(isComplete ? [] : [formatLeft()])]
if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
const sum = (key: 'passed' | 'failed'): number => outcomes.reduce((total, outcome) => total + outcome[key], 0)
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') === 0 ? 0 : 1
