// The contestants as processes: every file of the folder contestants is one, started for a run and ended after it.
import { fork } from 'node:child_process'
import { once as event } from 'node:events'
import { readdirSync } from 'node:fs'
import { pin } from './pin.js'

const FOLDER = new URL('./contestants/', import.meta.url)
/** Contestants that are no framework: the others are the peers. */
const NOT_PEERS = ['edict', 'node', 'node-bare']

/** @typedef {{ name: string, port: number, child: import('node:child_process').ChildProcess }} Contestant */

/**
 * The names of all contestants, edict first, then its peers, then those by hand.
 * @returns {string[]}
 */
export function contestantNames() {
  const names = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.js'))
    .map((file) => file.slice(0, -3))
  const place = (/** @type {string} */ name) => {
    if (name === 'edict') return 0
    return isPeer(name) ? 1 : 2
  }
  return names.sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
}

/**
 * Tells the frameworks that edict competes with from itself and from code by hand.
 * @param {string} name
 */
export function isPeer(name) {
  return !NOT_PEERS.includes(name)
}

/**
 * Tells contestants that validate from the one that does not.
 * @param {string} name
 */
export function isStrict(name) {
  return name !== 'node-bare'
}

/**
 * Starts a contestant and waits until it listens.
 * @param {string} name
 * @param {{ env?: Record<string, string>, core?: string }} [options] The core is where it is pinned to.
 * @returns {Promise<Contestant>}
 */
export function start(name, { env = {}, core } = {}) {
  return new Promise((resolve, reject) => {
    const child = fork(new URL(`${name}.js`, FOLDER), {
      env: { ...process.env, NODE_ENV: 'production', ...env },
      // Its output must not mix with the tables.
      stdio: ['ignore', 2, 2, 'ipc'],
    })
    const patience = setTimeout(() => child.kill() && reject(new Error(`${name} did not listen in a minute`)), 60_000)
    child.once('message', ({ port }) => {
      clearTimeout(patience)
      if (core !== undefined) pin(child.pid, core)
      resolve({ name, child, port })
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearTimeout(patience)
      reject(new Error(`${name} ended with ${code ?? signal} before it listened`))
    })
  })
}

/**
 * Ends a contestant and waits until it is gone.
 * @param {Contestant} contestant
 */
export async function stop({ child }) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = event(child, 'exit')
  child.disconnect()
  const impatience = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await gone
  clearTimeout(impatience)
}

/**
 * What a contestant has taken since it was started, in microseconds: CPU time, user and system, and how long collections of
 * garbage stopped it.
 * @typedef {{ micros: number, gc: number }} Usage
 */

/**
 * @param {Contestant} contestant
 * @returns {Promise<Usage>}
 */
export async function usageOf({ name, child }) {
  if (!child.connected) throw new Error(`${name} is not running any more`)
  const answer = event(child, 'message')
  child.send('usage')
  const [{ cpu, collecting }] = await answer
  return { micros: cpu.user + cpu.system, gc: collecting * 1000 }
}
