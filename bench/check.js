// Checks that a contestant answers every workload as it must, and refuses what it must: nothing is timed before.
import { isStrict, start, stop } from './contestants.js'
import { once } from './load.js'
import { workloads } from './workloads.js'

/**
 * Runs a contestant through all workloads and gives what is wrong with its answers, one text for each.
 * @param {string} name
 * @returns {Promise<string[]>}
 */
export async function faultsOf(name) {
  const faults = []
  for (const env of environments()) {
    const own = workloads.filter((workload) => JSON.stringify(workload.env) === env && !workload.without.includes(name))
    const contestant = await start(name, { env: JSON.parse(env) })
    try {
      for (const workload of own) faults.push(...(await check(contestant, workload)))
    } finally {
      await stop(contestant)
    }
  }
  return faults
}

function environments() {
  return new Set(workloads.map(({ env }) => JSON.stringify(env)))
}

/**
 * @param {import('./contestants.js').Contestant} contestant
 * @param {import('./workload.js').Workload} workload
 */
async function check({ name, port }, { id, title, asks, check, refusals }) {
  // The requests of a mix are checked where they come from.
  if (asks.length > 1) return []
  const [{ request, status }] = asks
  const strict = isStrict(name)
  const faults = []
  // The second answer is checked too: some mistakes are made only once something is cached.
  for (let i = 0; i < 2 && faults.length === 0; i++) {
    const answer = await ask(port, request)
    const wrong =
      answer.status === status ? check(answer, strict) : `the status is ${answer.status} instead of ${status}`
    if (wrong !== undefined) faults.push(`${id} (${title}): ${wrong}\n${indent(answer)}`)
  }
  for (const { what, request, status = 400 } of strict ? refusals : []) {
    const answer = await ask(port, request)
    if (answer.status !== status) faults.push(`${id}: does not refuse ${what} with ${status}\n${indent(answer)}`)
  }
  return faults
}

/** @param {number} port @param {Buffer} request */
async function ask(port, request) {
  try {
    return await once(port, request)
  } catch (error) {
    return { status: 0, headers: String(error), body: '' }
  }
}

/** @param {import('./workload.js').Answer} answer */
function indent({ headers, body }) {
  return `${headers.trim()}\n${body.slice(0, 1500)}`.replaceAll('\r', '').replaceAll(/^/gm, '    ')
}
