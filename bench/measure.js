// Times one workload: every contestant in a fresh process, warmed up, then rounds in which each has its turn.
import { setTimeout as pause } from 'node:timers/promises'
import { cpuTime, start, stop } from './contestants.js'
import { load } from './load.js'

/**
 * @typedef {object} Settings
 * @property {number} rounds
 * @property {number | undefined} requests Requests of a sample; without it, as many as take the CPU time below.
 * @property {number} sampleSeconds The CPU time of the server that a sample is to take.
 * @property {number} warmup The share of the workload's usual warm-up.
 * @property {number} pauseMs The time between two samples.
 * @property {boolean} quick The samples are too short to say what is faster.
 */

/**
 * What one contestant took in each round, in the order of the rounds.
 * @typedef {object} Samples
 * @property {string} contestant
 * @property {number} requests
 * @property {number[]} micros CPU time of the server process for each request, user and system.
 * @property {number[]} rates Requests per second.
 * @property {number[]} p50 Milliseconds.
 * @property {number[]} p99
 * @property {number[]} client CPU time of the load generator for each request, in microseconds.
 */

/** @typedef {{ id: string, name: string, title: string, samples: Samples[] }} Result */

/**
 * Times a workload.
 * @param {import('./workload.js').Workload} workload
 * @param {string[]} names
 * @param {Settings} settings
 * @returns {Promise<Result>}
 */
export async function measure(workload, names, settings) {
  const { id, name, title, env } = workload
  const contestants = []
  try {
    for (const own of names.filter((one) => !workload.without.includes(one)))
      contestants.push(await start(own, { env }))
    const samples = []
    for (const contestant of contestants) {
      progress(`${id} ${title}: ${contestant.name} warms up`)
      samples.push(await warmUp(contestant, workload, settings))
    }
    for (let round = 0; round < settings.rounds; round++) {
      progress(`${id} ${title}: round ${round + 1} of ${settings.rounds}`)
      // Each round begins with another contestant, so that none always follows the same neighbour.
      for (let i = 0; i < contestants.length; i++) {
        const turn = (i + round) % contestants.length
        await sample(contestants[turn], workload, samples[turn], settings)
      }
    }
    progress('')
    return { id, name, title, samples }
  } finally {
    await Promise.all(contestants.map(stop))
  }
}

/**
 * Gives no samples yet, only how many requests each of them is to have.
 * @param {import('./contestants.js').Contestant} contestant
 * @param {import('./workload.js').Workload} workload
 * @param {Settings} settings
 * @returns {Promise<Samples>}
 */
async function warmUp(contestant, workload, settings) {
  const half = Math.max(workload.connections, Math.ceil((workload.warmup * settings.warmup) / 2))
  await timed(contestant, workload, half)
  const { micros } = await timed(contestant, workload, half)
  const wanted = Math.round((settings.sampleSeconds * 1_000_000) / micros)
  const requests = settings.requests ?? Math.max(wanted, workload.connections * 2)
  return { contestant: contestant.name, requests, micros: [], rates: [], p50: [], p99: [], client: [] }
}

/**
 * @param {import('./contestants.js').Contestant} contestant
 * @param {import('./workload.js').Workload} workload
 * @param {Samples} samples
 * @param {Settings} settings
 */
async function sample(contestant, workload, samples, settings) {
  // What a sample leaves behind, such as closing its connections, is not counted to the next.
  await pause(settings.pauseMs)
  const { micros, client, seconds, latencies } = await timed(contestant, workload, samples.requests)
  samples.micros.push(micros)
  samples.client.push(client)
  samples.rates.push(samples.requests / seconds)
  samples.p50.push(latencies[Math.floor(latencies.length * 0.5)])
  samples.p99.push(latencies[Math.floor(latencies.length * 0.99)])
}

/**
 * @param {import('./contestants.js').Contestant} contestant
 * @param {import('./workload.js').Workload} workload
 * @param {number} count
 */
async function timed(contestant, { asks, connections }, count) {
  const before = await cpuTime(contestant)
  const own = process.cpuUsage()
  try {
    const { seconds, latencies } = await load({ port: contestant.port, asks, count, connections })
    const { user, system } = process.cpuUsage(own)
    return {
      micros: ((await cpuTime(contestant)) - before) / count,
      client: (user + system) / count,
      seconds,
      latencies,
    }
  } catch (error) {
    throw new Error(`${contestant.name}: ${error.message}`, { cause: error })
  }
}

/**
 * Replaces the line of progress on stderr.
 * @param {string} text
 */
export function progress(text) {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : text === '' ? '' : `${text}\n`)
}
