// A sample by wrk, the usual load generator, where it is installed: https://github.com/wg/wrk, in Debian the package wrk.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { usageOf } from './contestants.js'

const run = promisify(execFile)
/** The shortest time that wrk knows. */
const SECONDS = 1

/** Tells whether wrk is installed. */
export function hasWrk() {
  return spawnSync('wrk', ['--version']).error === undefined
}

/**
 * Lets wrk send requests of a workload for a second, and tells what they took.
 * @param {import('./contestants.js').Contestant} contestant
 * @param {import('./workload.js').Workload} workload
 * @param {string} [cores] Where wrk is to run.
 * @returns {Promise<import('./measure.js').Sample>}
 */
export async function wrkSample(contestant, { asks, connections }, cores) {
  const folder = mkdtempSync(join(tmpdir(), 'edict-wrk-'))
  try {
    const pinned = cores === undefined ? [] : ['taskset', '-c', cores]
    const script = writeScript(folder, asks)
    const address = `http://127.0.0.1:${contestant.port}/`
    const [command, ...rest] = [...pinned, 'wrk', '-t1', `-c${connections}`, `-d${SECONDS}s`, '-s', script, address]
    const before = await usageOf(contestant)
    const { stdout } = await run(command, rest)
    const after = await usageOf(contestant)
    const told = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1))
    verify(told, asks, connections)
    const { requests, micros, p50, p99 } = told
    const rate = (requests / micros) * 1_000_000
    const own = { micros: (after.micros - before.micros) / requests, gc: (after.gc - before.gc) / requests }
    return { requests, ...own, rate, p50: p50 / 1000, p99: p99 / 1000, client: undefined }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * @param {string} folder
 * @param {import('./workload.js').Ask[]} asks
 */
function writeScript(folder, asks) {
  const files = asks.map(({ request }, i) => {
    const file = join(folder, String(i))
    writeFileSync(file, request)
    return `'${file}'`
  })
  const script = join(folder, 'script.lua')
  writeFileSync(script, scriptOf(files))
  return script
}

/** @param {string[]} files */
function scriptOf(files) {
  return `local requests = {}
for i, name in ipairs({ ${files.join(', ')} }) do
  local file = io.open(name, 'rb')
  requests[i] = file:read('*a')
  file:close()
end
local turn = 0
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\n{"requests":%d,"micros":%d,"refused":%d,"failed":%d,"p50":%d,"p99":%d}\\n',
    summary.requests, summary.duration, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
`
}

/**
 * wrk counts answers with a status from 400: there must be as many as the workload has.
 * @param {{ requests: number, refused: number, failed: number }} told
 * @param {import('./workload.js').Ask[]} asks
 * @param {number} connections
 */
function verify({ requests, refused, failed }, asks, connections) {
  const share = asks.filter(({ status }) => status >= 400).length / asks.length
  if (failed > 0) throw new Error(`wrk counts ${failed} requests without an answer`)
  // A mix ends anywhere in its turn.
  if (Math.abs(refused - requests * share) > (asks.length > 1 ? connections : 0))
    throw new Error(`wrk counts ${refused} of ${requests} answers with a status from 400`)
}
