// A sample by the load generator of this folder, which checks the status of every answer.
import { usageOf } from './contestants.js'
import { Lines } from './load.js'

/** The share of requests that go before those that are timed, on the same connections. */
const LEAD = 0.1

/**
 * Sends so many requests of a workload and tells what they took.
 * @param {import('./contestants.js').Contestant} contestant
 * @param {import('./workload.js').Workload} workload
 * @param {number} requests
 * @returns {Promise<import('./measure.js').Sample>}
 */
export async function ownSample(contestant, { asks, connections }, requests) {
  const lines = await Lines.open(contestant.port, Math.min(connections, requests))
  try {
    // Opening connections, and garbage that other workloads left, are not counted.
    await lines.run(asks, Math.ceil(requests * LEAD))
    const before = await usageOf(contestant)
    const own = process.cpuUsage()
    const { seconds, latencies } = await lines.run(asks, requests)
    const { user, system } = process.cpuUsage(own)
    const after = await usageOf(contestant)
    const at = (/** @type {number} */ share) => latencies[Math.floor(latencies.length * share)]
    return {
      requests,
      micros: (after.micros - before.micros) / requests,
      gc: (after.gc - before.gc) / requests,
      rate: requests / seconds,
      p50: at(0.5),
      p99: at(0.99),
      client: (user + system) / requests,
    }
  } finally {
    lines.close()
  }
}
