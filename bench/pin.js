// Pins processes to cores, so that the server and what sends the requests do not take each other's.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * The core of the servers, and those of the load generator, as taskset writes them.
 * @typedef {{ server: string, load: string }} Cores
 */

/**
 * The last core that this process may use for servers, and the others for the load; undefined where that is not possible.
 * @returns {Cores | undefined}
 */
export function coresToPin() {
  if (spawnSync('taskset', ['--version']).error !== undefined) return undefined
  const allowed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
  const cores = allowed.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
  return cores.length < 2 ? undefined : { server: String(cores.at(-1)), load: cores.slice(0, -1).join(',') }
}

/**
 * Pins a process with all its threads.
 * @param {number} pid
 * @param {string} cores
 */
export function pin(pid, cores) {
  const { status, stderr } = spawnSync('taskset', ['-acp', cores, String(pid)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`taskset could not pin ${pid} to ${cores}: ${stderr}`)
}
