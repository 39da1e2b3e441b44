// The files that a run leaves: its samples as JSON, its summary in the notes, and the chart of the README.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus } from 'node:os'
import { chart } from './chart.js'
import { median, summaryTable, targets } from './report.js'

const NOTES = new URL('../docs/notes/performance.md', import.meta.url)
const CHART = new URL('../docs/bench.svg', import.meta.url)
const BEGIN = '<!-- contest: begin, written by node bench/run.js --write -->'
const COLUMNS =
  'CPU µs of the server process for each request, medians of the rounds; ratios are taken within each round: their median, in brackets the least and the greatest. The ratio by the clock is that of requests per second. The last columns are how long collections of garbage stopped the server for each request, and latencies: of edict, of the best peer, of node:http.'
const SHORT = 'This was a short run (`--quick`): it shows that the contest works, not what is faster.'
const END = '<!-- contest: end -->'

/**
 * A whole run, as it is kept.
 * @typedef {object} Run
 * @property {string} node
 * @property {string} machine
 * @property {string} date
 * @property {import('./measure.js').Settings} settings
 * @property {import('./measure.js').Result[]} results
 */

/**
 * Adds to the samples where and when they were taken.
 * @param {import('./measure.js').Settings} settings
 * @param {import('./measure.js').Result[]} results
 * @returns {Run}
 */
export function runOf(settings, results) {
  const machine = `${cpus().length} cores, ${arch()}`
  return { node: process.version, machine, date: new Date().toISOString().slice(0, 10), settings, results }
}

/**
 * Reads a run that was written as JSON.
 * @param {string} file
 * @returns {Run}
 */
export function readRun(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/**
 * Writes a run as JSON.
 * @param {string} file
 * @param {Run} run
 */
export function writeRun(file, run) {
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`)
}

/**
 * Puts the summary between its markers in the notes, and draws the chart.
 * @param {Run} run
 */
export function writeReport(run) {
  const notes = existsSync(NOTES) ? readFileSync(NOTES, 'utf8') : '# Performance: what was measured\n'
  const begin = notes.indexOf(BEGIN)
  const end = notes.indexOf(END)
  const section = `${BEGIN}\n\n${text(run)}\n\n${END}`
  const written =
    begin >= 0 && end > begin
      ? notes.slice(0, begin) + section + notes.slice(end + END.length)
      : `${notes.trimEnd()}\n\n## The contest\n\n${section}\n`
  writeFileSync(NOTES, written)
  writeFileSync(CHART, chart(run))
}

/** @param {Run} run */
function text({ node, machine, date, settings, results }) {
  const seconds = median(
    results.flatMap(({ samples }) => samples.map((one) => (median(one.micros) * one.requests) / 1e6)),
  )
  const names = new Set(results.flatMap(({ samples }) => samples.map(({ contestant }) => contestant)))
  const sent = settings.load === 'wrk' ? 'requests sent by wrk' : 'requests sent by the generator of the bench'
  const pinned = settings.cores === undefined ? '' : ', servers pinned to one core and the generator to another'
  const settled = `${settings.rounds} rounds, samples of about ${seconds.toFixed(1)} s of CPU time, ${sent}${pinned}`
  const words = `${date}, Node ${node.slice(1)}, ${machine}: ${settled}. Contestants: ${[...names].join(', ')}. ${COLUMNS}`
  const lines = targets(results).map((line) => `- ${line}`)
  return `${wrapped(settings.quick ? `${words} ${SHORT}` : words)}\n\n${summaryTable(results)}\n\nTargets:\n\n${lines.join('\n')}`
}

/** @param {string} text */
function wrapped(text) {
  return text.replaceAll(/(.{1,120})(?: |$)/g, '$1\n').trimEnd()
}
