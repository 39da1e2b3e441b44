// The report of the samples: medians, ratios within each round, tables as markdown, and whether the targets are met.
import { isPeer } from './contestants.js'

/** @typedef {import('./measure.js').Result} Result */
/** @typedef {import('./measure.js').Samples} Samples */

/** The most that edict may take: of the best peer everywhere, and of code by hand in all workloads but two. */
const PEER_TARGET = 0.8
const NODE_TARGET = 1
const NO_NODE_TARGET = ['S8', 'S9']
/** Refused requests say more than the code by hand does; a mix of all is allowed less than the single ones. */
const OTHER_TARGETS = { S7: { node: 1.1 }, S17: { peer: 0.75 } }

/**
 * Ratios of two contestants, taken within each round.
 * @typedef {{ median: number, min: number, max: number }} Ratio
 */

/**
 * The three that are compared in a workload, as far as they took part.
 * @typedef {object} Summary
 * @property {string} id
 * @property {string} title
 * @property {Samples | undefined} edict
 * @property {Samples | undefined} peer The peer with the lowest median.
 * @property {Samples | undefined} node
 * @property {Ratio | undefined} toPeer
 * @property {Ratio | undefined} toNode
 * @property {Ratio | undefined} clockToPeer The same as `toPeer` by the clock, from requests per second.
 */

/**
 * The figures of a workload that matter most.
 * @param {Result} result
 * @returns {Summary}
 */
export function summaryOf({ id, title, samples }) {
  const named = (/** @type {string} */ name) => samples.find(({ contestant }) => contestant === name)
  const edict = named('edict')
  const node = named('node')
  const peer = bestPeer(samples)
  const [toPeer, toNode, clockToPeer] = [ratio(edict, peer), ratio(edict, node), clockRatio(edict, peer)]
  return { id, title, edict, peer, node, toPeer, toNode, clockToPeer }
}

/** @param {Samples[]} samples */
function bestPeer(samples) {
  const peers = samples.filter(({ contestant }) => isPeer(contestant))
  return peers.sort((a, b) => median(a.micros) - median(b.micros))[0]
}

/**
 * Compares two contestants round by round, if both took part.
 * @param {Samples | undefined} one
 * @param {Samples | undefined} other
 * @returns {Ratio | undefined}
 */
export function ratio(one, other) {
  if (one === undefined || other === undefined) return undefined
  return ratioOf(one.micros.map((micros, round) => micros / other.micros[round]))
}

/**
 * The same by the clock: how long a request takes, from requests per second. It says something where processes are pinned.
 * @param {Samples | undefined} one
 * @param {Samples | undefined} other
 * @returns {Ratio | undefined}
 */
function clockRatio(one, other) {
  if (one === undefined || other === undefined) return undefined
  return ratioOf(one.rates.map((rate, round) => other.rates[round] / rate))
}

/** @param {number[]} ratios */
function ratioOf(ratios) {
  return { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) }
}

/**
 * The value in the middle, or half way between the two there.
 * @param {number[]} values
 */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * The table of a workload, the contestant with the least CPU time first.
 * @param {Result} result
 */
export function workloadTable({ id, title, samples }) {
  const node = samples.find(({ contestant }) => contestant === 'node')
  const peer = bestPeer(samples)
  const head = [
    'Contestant',
    'CPU µs/request',
    'lowest',
    'to node',
    'to best peer',
    'GC µs',
    'requests/s',
    'p50 ms',
    'p99 ms',
  ]
  const rows = [...samples]
    .sort((a, b) => median(a.micros) - median(b.micros))
    .map((own) => [
      own.contestant,
      micros(own),
      Math.min(...own.micros).toFixed(1),
      written(ratio(own, node)),
      written(ratio(own, peer)),
      median(own.gc).toFixed(1),
      String(Math.round(median(own.rates))),
      median(own.p50).toFixed(2),
      median(own.p99).toFixed(2),
    ])
  return `${id} ${title}\n\n${table(head, rows)}\n\n${generator(samples)}\n`
}

// Servers that wait for the load generator wake up more often, which costs them something.
/** @param {Samples[]} samples */
function generator(samples) {
  const client = samples.flatMap((own) => own.client)
  const generator =
    client.length === 0
      ? 'wrk sent the requests'
      : `The load generator itself took ${median(client).toFixed(1)} µs for each request`
  const busy = samples.map((own) => median(own.micros.map((micros, round) => (micros * own.rates[round]) / 10_000)))
  const shares = `${Math.min(...busy).toFixed(0)} to ${Math.max(...busy).toFixed(0)} %`
  return `${generator}; servers took ${shares} of one core.`
}

/**
 * The table over all workloads.
 * @param {Result[]} results
 */
export function summaryTable(results) {
  const head = [
    'Workload',
    'edict',
    'best peer',
    'node:http',
    'edict to best peer',
    'by the clock',
    'edict to node:http',
    'GC µs',
    'p99 ms',
  ]
  const rows = results.map((result) => {
    const { id, title, edict, peer, node, toPeer, toNode, clockToPeer } = summaryOf(result)
    const best = peer === undefined ? '–' : `${micros(peer)} (${peer.contestant})`
    const ratios = [written(toPeer), written(clockToPeer), written(toNode)]
    const three = [edict, peer, node]
    const [gc, p99] = [three.map((one) => middle(one?.gc, 1)), three.map((one) => middle(one?.p99, 2))]
    return [`${id} ${title}`, micros(edict), best, micros(node), ...ratios, gc.join(' / '), p99.join(' / ')]
  })
  return table(head, rows)
}

/**
 * One line for each target: met, or missed and by how much.
 * @param {Result[]} results
 * @returns {string[]}
 */
export function targets(results) {
  return results
    .map(summaryOf)
    .flatMap(({ id, peer, toPeer, toNode }) => [
      ...(toPeer === undefined
        ? []
        : [target(`${id} edict to ${peer?.contestant}`, toPeer, OTHER_TARGETS[id]?.peer ?? PEER_TARGET)]),
      ...(toNode === undefined || NO_NODE_TARGET.includes(id)
        ? []
        : [target(`${id} edict to node`, toNode, OTHER_TARGETS[id]?.node ?? NODE_TARGET)]),
    ])
}

/** @param {string} what @param {Ratio} ratio @param {number} most */
function target(what, { median }, most) {
  const distance = (median - most).toFixed(2)
  const verdict = median <= most ? 'met' : `MISSED by ${distance}`
  return `${what}: ${median.toFixed(2)}, at most ${most.toFixed(2)}: ${verdict}`
}

/** @param {Samples | undefined} samples */
function micros(samples) {
  return middle(samples?.micros, 1)
}

/** @param {number[] | undefined} values @param {number} digits */
function middle(values, digits) {
  return values === undefined ? '–' : median(values).toFixed(digits)
}

/** @param {Ratio | undefined} ratio */
function written(ratio) {
  if (ratio === undefined) return '–'
  return `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})`
}

/** @param {string[]} head @param {string[][]} rows */
function table(head, rows) {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i].length)))
  const line = (/** @type {string[]} */ cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
