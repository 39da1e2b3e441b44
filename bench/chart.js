// The chart of the README: for each workload edict, its best peer and code by hand, as bars of an SVG.
import { median, ratio, summaryOf } from './report.js'

const LEFT = 340
const WIDTH = 860
const TOP = 62
const BAR = 15
const GROUP = 3 * BAR + 16
/** The length of the best peer's bar; no bar is longer than fits. */
const UNIT = 240
const LONGEST = WIDTH - LEFT - 200

const STYLE = `
    text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #24292f }
    .title { font-size: 15px; font-weight: 600 }
    .small { font-size: 11.5px }
    .faint { fill: #57606a }
    .edict { fill: #0969da }
    .peer { fill: #8c959f }
    .node { fill: #c4cad1 }
    .strong { font-weight: 600 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .faint { fill: #9198a1 }
      .edict { fill: #4493f8 }
      .peer { fill: #7d8590 }
      .node { fill: #484f58 }
    }`

/**
 * Draws a run, readable on light and on dark ground.
 * @param {import('./report-files.js').Run} run
 */
export function chart({ results, settings, node, date }) {
  const groups = results.map(summaryOf).filter(({ edict, peer }) => edict !== undefined && peer !== undefined)
  const height = TOP + groups.length * GROUP + 24
  const short = settings.quick ? ', a short run that shows little' : ''
  const subtitle = `Relative to the best peer of each workload (1.00). Node ${node.slice(1)}, ${date}${short}.`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">
  <title id="title">CPU time of the server for each request: edict, the best of its peers, and node:http by hand</title>
  <style>${STYLE}
  </style>
  <text class="title" x="0" y="18">CPU time of the server for each request: shorter is better</text>
  <text class="small faint" x="0" y="38">${escaped(subtitle)}</text>
${groups.map((group, i) => drawGroup(group, TOP + i * GROUP)).join('\n')}
</svg>
`
}

/** @param {import('./report.js').Summary} summary @param {number} y */
function drawGroup({ title, edict, peer, node }, y) {
  const rows = [
    { samples: edict, style: 'edict', label: 'edict' },
    { samples: peer, style: 'peer', label: peer.contestant },
    { samples: node, style: 'node', label: 'node:http by hand' },
  ].filter(({ samples }) => samples !== undefined)
  const bars = rows.map(({ samples, style, label }, i) => {
    const share = ratio(samples, peer).median
    const length = Math.min(share * UNIT, LONGEST)
    const at = y + i * BAR
    const strong = style === 'edict' ? ' strong' : ''
    const text = `${label} ${share.toFixed(2)} (${spelled(median(samples.micros))})`
    return `  <rect class="${style}" x="${LEFT}" y="${at}" width="${length.toFixed(1)}" height="${BAR - 3}" rx="2"/>
  <text class="small${strong}" x="${(LEFT + length + 6).toFixed(1)}" y="${at + 10}">${escaped(text)}</text>`
  })
  return `  <text x="${LEFT - 12}" y="${y + 26}" text-anchor="end">${escaped(title)}</text>\n${bars.join('\n')}`
}

/** @param {number} micros */
function spelled(micros) {
  return micros < 1000 ? `${micros.toFixed(1)} µs` : `${(micros / 1000).toFixed(1)} ms`
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
