// The verdict on a run, compared with the recorded figures: the rules of the guard, and its tables.

/** @typedef {'lost' | 'unclear' | 'kept' | 'better' | 'no record'} Verdict */
/** @typedef {import('./ratios.js').Ratio} Ratio */

/** The most that a ratio may grow, beyond the noise of the run, and the most that instructions may grow. */
const RATIO_LOSS = 0.1
const INSTRUCTION_LOSS = 0.03

/**
 * A workload has lost if edict's CPU time to node's and to fastify's, lowest rounds of each, are both more than a tenth plus
 * the noise of that ratio in this run above the record. It is unclear if only the noise keeps it from that.
 * @param {Record<string, Ratio>} now
 * @param {Record<string, number> | undefined} before
 * @returns {Verdict}
 */
export function ratioVerdict(now, before) {
  if (before === undefined) return 'no record'
  const changes = Object.entries(now).map(([other, { value, noise }]) => ({ change: value / before[other] - 1, noise }))
  if (changes.every(({ change, noise }) => change > RATIO_LOSS + noise)) return 'lost'
  if (changes.every(({ change }) => change > RATIO_LOSS)) return 'unclear'
  return changes.every(({ change, noise }) => change < -RATIO_LOSS - noise) ? 'better' : 'kept'
}

/**
 * A workload has lost if its instructions grew by more than the limit.
 * @param {number} now
 * @param {number | undefined} before
 * @returns {Verdict}
 */
export function instructionVerdict(now, before) {
  if (before === undefined) return 'no record'
  const change = now / before - 1
  if (change > INSTRUCTION_LOSS) return 'lost'
  return change < -INSTRUCTION_LOSS ? 'better' : 'kept'
}

/**
 * The table of the ratios.
 * @param {Record<string, Record<string, Ratio>>} now
 * @param {Record<string, Record<string, number>>} before
 */
export function ratioTable(now, before) {
  const rows = Object.entries(now).flatMap(([id, ratios]) =>
    Object.entries(ratios).map(([other, { value, noise }]) => {
      const own = before[id]?.[other]
      const figures = [own === undefined ? '–' : own.toFixed(3), value.toFixed(3), change(value, own), percent(noise)]
      return [`${id} edict to ${other}`, ...figures, ratioVerdict(ratios, before[id])]
    }),
  )
  return table(
    ['CPU time', 'recorded', 'now', 'change', 'noise', `workload (limit ${percent(RATIO_LOSS)} + noise)`],
    rows,
  )
}

/**
 * The table of the instructions.
 * @param {Record<string, number>} now
 * @param {Record<string, number>} before
 */
export function instructionTable(now, before) {
  const rows = Object.entries(now).map(([id, count]) => {
    const own = before[id]
    return [
      id,
      own === undefined ? '–' : String(own),
      String(count),
      change(count, own),
      instructionVerdict(count, own),
    ]
  })
  return table(['Instructions', 'recorded', 'now', 'change', `limit ${percent(INSTRUCTION_LOSS)}`], rows)
}

/** @param {number} now @param {number | undefined} before */
function change(now, before) {
  if (before === undefined) return '–'
  return `${now < before ? '' : '+'}${percent(now / before - 1)}`
}

/** @param {number} share */
function percent(share) {
  return `${(share * 100).toFixed(1)} %`
}

/** @param {string[]} head @param {string[][]} rows */
function table(head, rows) {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i].length)))
  const line = (/** @type {string[]} */ cells) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]))
      .join('  ')
      .trimEnd()
  return [head, ...rows].map(line).join('\n')
}
