// Times workloads: every contestant in one process for all of them, warmed up with all shapes before any is timed, as an
// application is that answers many; then rounds in which each contestant has its turn in each workload.
import { setTimeout as pause } from 'node:timers/promises'
import { start, stop } from './contestants.js'
import { ownSample } from './own-load.js'
import { workloads } from './workloads.js'
import { wrkSample } from './wrk.js'

/** @typedef {import('./workload.js').Workload} Workload */
/** @typedef {import('./contestants.js').Contestant} Contestant */

/**
 * @typedef {object} Settings
 * @property {number} rounds
 * @property {number | undefined} requests Requests of a sample; without it, as many as take the CPU time below.
 * @property {number} sampleSeconds The CPU time of the server that a sample is to take.
 * @property {number} warmup The share of the workloads' usual warm-up.
 * @property {number} pauseMs The time between two samples.
 * @property {boolean} quick The samples are too short to say what is faster.
 * @property {'own' | 'wrk'} [load] What sends the requests.
 * @property {import('./pin.js').Cores} [cores] Where processes run, if they are pinned.
 */

/**
 * The time of one contestant in each round, in the order of the rounds.
 * @typedef {object} Samples
 * @property {string} contestant
 * @property {number} requests
 * @property {number[]} micros CPU time of the server process for each request, user and system.
 * @property {number[]} gc How long collections of garbage stopped the server for each request, in microseconds.
 * @property {number[]} rates Requests per second.
 * @property {number[]} p50 Milliseconds.
 * @property {number[]} p99
 * @property {number[]} client CPU time of the load generator for each request, in microseconds; none of wrk's.
 */

/**
 * The figures of a contestant in one round.
 * @typedef {object} Sample
 * @property {number} requests
 * @property {number} micros
 * @property {number} gc
 * @property {number} rate
 * @property {number} p50
 * @property {number} p99
 * @property {number | undefined} client
 */

/** @typedef {{ id: string, name: string, title: string, samples: Samples[] }} Result */

/** In how many turns the warm-up goes through the workloads. */
const TURNS = 10

/**
 * Times workloads.
 * @param {Workload[]} selected
 * @param {string[]} names
 * @param {Settings} settings
 * @returns {Promise<Result[]>}
 */
export async function measure(selected, names, settings) {
  const results = new Map()
  for (const env of new Set(selected.map(envOf))) {
    const own = selected.filter((workload) => envOf(workload) === env)
    for (const result of await measureTogether(own, names, settings)) results.set(result.id, result)
  }
  return selected.map(({ id }) => results.get(id))
}

const envOf = (/** @type {Workload} */ { env }) => JSON.stringify(env)

/**
 * @param {Workload[]} selected Workloads of the same processes.
 * @param {string[]} names
 * @param {Settings} settings
 * @returns {Promise<Result[]>}
 */
async function measureTogether(selected, names, settings) {
  const results = selected.map(({ id, name, title }) => ({ id, name, title, samples: [] }))
  const contestants = []
  try {
    for (const name of names) {
      const contestant = await start(name, { env: selected[0].env, core: settings.cores?.server })
      contestants.push(contestant)
      const sizes = await warmUp(contestant, selected[0], settings)
      selected.forEach((workload, i) => {
        if (takesPart(contestant, workload)) results[i].samples.push(noSamples(name, sizes.get(workload.id)))
      })
    }
    for (let round = 0; round < settings.rounds; round++)
      for (const [i, workload] of selected.entries()) {
        progress(`round ${round + 1} of ${settings.rounds}: ${workload.id} ${workload.title}`)
        await measureRound(contestants, workload, { round, samples: results[i].samples, settings })
      }
    progress('')
    return results
  } finally {
    await Promise.all(contestants.map(stop))
  }
}

const takesPart = (/** @type {Contestant} */ { name }, /** @type {Workload} */ { without }) => !without.includes(name)

/**
 * @param {string} contestant
 * @param {number} requests
 * @returns {Samples}
 */
function noSamples(contestant, requests) {
  return { contestant, requests, micros: [], gc: [], rates: [], p50: [], p99: [], client: [] }
}

/**
 * Sends requests of all workloads that a process knows, in turns, so that no code is optimised for one of them alone. Gives
 * how many requests a sample of each is to have.
 * @param {Contestant} contestant
 * @param {Workload} selected One of those that are measured in this process.
 * @param {Settings} settings
 * @returns {Promise<Map<string, number>>}
 */
export async function warmUp(contestant, selected, settings) {
  progress(`${contestant.name} warms up`)
  const all = workloads.filter((one) => envOf(one) === envOf(selected) && takesPart(contestant, one))
  const sizes = new Map()
  for (let turn = 0; turn < TURNS; turn++)
    for (const workload of all) {
      const count = Math.max(workload.connections, Math.ceil((workload.warmup * settings.warmup) / TURNS))
      const { micros } = await ownSample(contestant, workload, count)
      const wanted = Math.round((settings.sampleSeconds * 1_000_000) / micros)
      sizes.set(workload.id, settings.requests ?? Math.max(wanted, workload.connections * 2))
    }
  return sizes
}

/**
 * @param {Contestant[]} contestants
 * @param {Workload} workload
 * @param {{ round: number, samples: Samples[], settings: Settings }} state
 */
async function measureRound(contestants, workload, { round, samples, settings }) {
  // Each round begins with another contestant, so that none always follows the same neighbour.
  for (let i = 0; i < samples.length; i++) {
    const own = samples[(i + round) % samples.length]
    const contestant = contestants.find(({ name }) => name === own.contestant)
    // The rest of a sample, such as closing its connections, is not counted to the next.
    await pause(settings.pauseMs)
    add(own, await sampleOf(contestant, workload, own.requests, settings))
  }
}

/**
 * @param {Contestant} contestant
 * @param {Workload} workload
 * @param {number} requests
 * @param {Settings} settings
 * @returns {Promise<Sample>}
 */
async function sampleOf(contestant, workload, requests, settings) {
  try {
    if (settings.load === 'wrk') return await wrkSample(contestant, workload, settings.cores?.load)
    return await ownSample(contestant, workload, requests)
  } catch (error) {
    throw new Error(`${workload.id}, ${contestant.name}: ${error.message}`, { cause: error })
  }
}

/**
 * @param {Samples} samples
 * @param {Sample} sample
 */
function add(samples, { requests, micros, gc, rate, p50, p99, client }) {
  samples.requests = requests
  samples.micros.push(micros)
  samples.gc.push(gc)
  samples.rates.push(rate)
  samples.p50.push(p50)
  samples.p99.push(p99)
  if (client !== undefined) samples.client.push(client)
}

/**
 * Replaces the line of progress on stderr.
 * @param {string} text
 */
export function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  else if (text !== '') process.stderr.write(`${text}\n`)
}
