// Writes a CPU profile of one contestant under a workload, after the warm-up with all, and says where its time went.
import { once as event } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { start, stop } from './contestants.js'
import { load } from './load.js'
import { warmUp } from './measure.js'

const FOLDER = fileURLToPath(new URL('../.cache/prof/', import.meta.url))

/**
 * Profiles a contestant and gives the file, which the developer tools of a browser open.
 * @param {string} name
 * @param {import('./workload.js').Workload} workload
 * @param {import('./measure.js').Settings} settings
 * @returns {Promise<string>}
 */
export async function profile(name, workload, settings) {
  mkdirSync(FOLDER, { recursive: true })
  const file = `${FOLDER}${name}-${workload.name}.cpuprofile`
  const contestant = await start(name, { env: workload.env })
  try {
    const sizes = await warmUp(contestant, workload, settings)
    const { asks, connections } = workload
    await told(contestant, 'profile')
    await load({ port: contestant.port, asks, count: sizes.get(workload.id), connections })
    writeFileSync(file, JSON.stringify(await told(contestant, 'profiled')))
  } finally {
    await stop(contestant)
  }
  return file
}

/**
 * @param {import('./contestants.js').Contestant} contestant
 * @param {'profile' | 'profiled'} question
 */
async function told({ child }, question) {
  const answer = event(child, 'message')
  child.send(question)
  const [{ profile }] = await answer
  return profile
}

/**
 * The functions of a profile that took most time by themselves, one line each.
 * @param {string} file
 * @param {number} [count]
 * @returns {string[]}
 */
export function hottest(file, count = 25) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8'))
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]))
  const micros = new Map()
  let total = 0
  for (const [i, id] of samples.entries()) {
    const place = places.get(id)
    if (place === '(idle)') continue
    total += timeDeltas[i]
    micros.set(place, (micros.get(place) ?? 0) + timeDeltas[i])
  }
  return [...micros]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([place, own]) => `${((own / total) * 100).toFixed(1).padStart(5)} %  ${place}`)
}

/** @param {{ functionName: string, url: string, lineNumber: number }} frame */
function placeOf({ functionName, url, lineNumber }) {
  const name = functionName || '(anonymous)'
  return url === '' ? name : `${name}  ${url.replace(/^.*\/(?=(?:[^/]+\/){2}[^/]+$)/, '')}:${lineNumber + 1}`
}
