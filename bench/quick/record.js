// The recorded figures: ratios and instructions per request, for each version of Node and architecture.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, loadavg } from 'node:os'
import { guarded } from './requests.js'

const FILE = new URL('../recorded.json', import.meta.url)

/** Which record is compared with: machine code differs from version to version of Node, and so do its instructions. */
export const KEY = `${process.version} ${arch()}`

/** Which workloads one process answers: with others beside it, the same workload takes other machine code. */
const TOGETHER = guarded.map(({ id }) => id).join(' ')

/**
 * The figures of each workload, by its id.
 * @typedef {object} Figures
 * @property {string} [together] The workloads of that process.
 * @property {Record<string, Record<string, number>>} [ratios] By the name of the other.
 * @property {Record<string, number>} [instructions]
 */

/**
 * The record for this version of Node and this architecture, taken from processes with the same workloads.
 * @returns {Figures}
 */
export function recorded() {
  const own = readAll()[KEY]
  return own?.together === TOGETHER ? own : {}
}

/**
 * Puts figures into the place of those that were recorded; what was not measured now stays.
 * @param {Figures} figures
 */
export function record({ ratios, instructions }) {
  const all = readAll()
  const before = recorded()
  all[KEY] = {
    ...before,
    together: TOGETHER,
    ...(ratios && { ratiosTaken: taken(), ratios: { ...before.ratios, ...ratios } }),
    ...(instructions && { instructionsTaken: taken(), instructions: { ...before.instructions, ...instructions } }),
  }
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`)
}

// The load says how far ratios that were taken then can be trusted.
function taken() {
  const load = loadavg()[0].toFixed(1)
  return `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, load ${load}`
}

function readAll() {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}
}
