// Ratios of CPU time in short interleaved rounds: edict to code by hand and to the peer that is closest to it.
import { measure } from '../measure.js'

/** Whom edict is compared with; what slows down edict shows in both ratios, what disturbs one of them does not. */
export const OTHERS = ['node', 'fastify']

/**
 * A ratio of CPU time per request, each the lowest of its rounds, and how far its even and odd rounds differ.
 * @typedef {{ value: number, noise: number }} Ratio
 */

/** @typedef {{ rounds: number, sampleSeconds: number }} Effort */

/**
 * Times workloads with edict and the others, every one in a fresh process.
 * @param {import('../workload.js').Workload[]} workloads
 * @param {Effort} effort
 * @returns {Promise<import('../measure.js').Result[]>}
 */
export function measureOnce(workloads, effort) {
  const settings = { ...effort, requests: undefined, warmup: 0.5, pauseMs: 20, quick: true }
  return measure(workloads, ['edict', ...OTHERS], settings)
}

/**
 * Puts the rounds of two runs of a workload together.
 * @param {import('../measure.js').Result} one
 * @param {import('../measure.js').Result} other
 * @returns {import('../measure.js').Result}
 */
export function together(one, other) {
  const samples = one.samples.map((own, i) => ({ ...own, micros: [...own.micros, ...other.samples[i].micros] }))
  return { ...one, samples }
}

/**
 * The ratios of a run, by the name of the other.
 * @param {import('../measure.js').Result} result
 * @returns {Record<string, Ratio>}
 */
export function ratiosOf({ samples }) {
  const named = (/** @type {string} */ name) => samples.find(({ contestant }) => contestant === name)?.micros ?? []
  return Object.fromEntries(OTHERS.map((other) => [other, ratio(named('edict'), named(other))]))
}

/**
 * @param {number[]} own
 * @param {number[]} other
 * @returns {Ratio}
 */
function ratio(own, other) {
  const lowest = (/** @type {number[]} */ values, /** @type {number[]} */ rests) =>
    Math.min(...values.filter((_, round) => rests.includes(round % 2)))
  const [even, odd] = [0, 1].map((rest) => lowest(own, [rest]) / lowest(other, [rest]))
  return { value: lowest(own, [0, 1]) / lowest(other, [0, 1]), noise: Math.max(even, odd) / Math.min(even, odd) - 1 }
}
