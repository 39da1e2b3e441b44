// Instructions per request, counted by valgrind in one process without sockets: the same on a busy machine as on a quiet one.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('./program.js', import.meta.url))
/** The function of Node's that the program's marks enter. */
const MARK = 'uv_os_getpriority'
const CALLGRIND = ['--tool=callgrind', '--cache-sim=no', '--smc-check=all-non-file', `--dump-before=${MARK}`]
/** Everything that would differ from run to run, or from machine to machine, is settled. */
const SETTLED = [
  ...['--single-threaded', '--predictable', '--expose-gc', '--hash-seed=1', '--random-seed=1'],
  ...['--no-flush-bytecode', '--max-old-space-size=512', '--max-semi-space-size=16'],
]

/** Tells whether instructions can be counted here. */
export function canCount() {
  return spawnSync('valgrind', ['--version']).status === 0
}

/**
 * Counts the instructions of a request, for each workload by its id.
 * @param {number} stretches How often each workload has its turn.
 * @param {string} program What runs: a script that prints the sizes of its stretches.
 * @returns {Promise<Record<string, number>>}
 */
export async function countInstructions(stretches, program = PROGRAM) {
  const folder = mkdtempSync(join(tmpdir(), 'edict-count-'))
  try {
    const sizes = JSON.parse(await underValgrind(folder, stretches, program))
    return perRequest(sizes, partsIn(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {string} folder @param {number} stretches @param {string} script @returns {Promise<string>} What the program prints. */
function underValgrind(folder, stretches, script) {
  const program = [process.execPath, ...SETTLED, script, String(stretches)]
  const child = spawn('valgrind', ['-q', ...CALLGRIND, `--callgrind-out-file=${join(folder, 'part')}`, ...program], {
    // The environment lies in the memory of the process: another one would move what comes after it.
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let complaints = ''
  child.stdout.on('data', (text) => {
    printed += text
  })
  child.stderr.on('data', (text) => {
    complaints += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(printed) : reject(new Error(`valgrind ended with ${code}: ${complaints}`)),
    )
  })
}

/**
 * The counts of the stretches, in their order: valgrind numbers its files, and every second one is between two stretches.
 * @param {string} folder
 */
function partsIn(folder) {
  const numbers = readdirSync(folder)
    .filter((file) => file.startsWith('part.'))
    .map((file) => Number(file.slice(5)))
  return numbers
    .filter((number) => number % 2 === 0)
    .sort((a, b) => a - b)
    .map((number) => totalOf(readFileSync(join(folder, `part.${number}`), 'utf8')))
}

/** @param {string} text */
function totalOf(text) {
  const total = /^totals: (\d+)$/m.exec(text)
  if (total === null) throw new Error('valgrind left a file without a total')
  return Number(total[1])
}

/**
 * The lowest stretch of each workload: in others, V8 was still compiling.
 * @param {{ id: string, count: number }[]} sizes
 * @param {number[]} parts
 * @returns {Record<string, number>}
 */
function perRequest(sizes, parts) {
  if (sizes.length !== parts.length)
    throw new Error(`valgrind saw ${parts.length} of ${sizes.length} stretches: it does not find ${MARK} in this Node`)
  /** @type {Record<string, number>} */
  const lowest = {}
  sizes.forEach(({ id, count }, i) => {
    lowest[id] = Math.min(lowest[id] ?? Infinity, Math.round(parts[i] / count))
  })
  return lowest
}
