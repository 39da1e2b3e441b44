// The duties of every contestant besides serving: listens, reports its port, its CPU time and that of its garbage collections,
// and ends with its parent.
import { PerformanceObserver } from 'node:perf_hooks'

/** How many more routes `/r<i>/:id/items/:item` a contestant is to have, with i from 0: none but for the workload `routes`. */
export const ROUTES = Number(process.env['ROUTES'] ?? 0)

/** The most bytes of an uploaded file that a contestant must take. */
export const UPLOAD_LIMIT = 16 * 1024 * 1024

/**
 * Listens on a free port.
 * @param {import('node:http').Server} server
 */
export function contest(server) {
  server.listen(0, '127.0.0.1', () => answering(server.address().port))
}

/**
 * For contestants that listen by themselves, on 127.0.0.1.
 * @param {number} port
 */
export function answering(port) {
  observer.observe({ entryTypes: ['gc'] })
  process.send?.({ port })
  process.on('message', (asked) => {
    if (asked === 'usage') process.send?.(usage())
    else void profile(asked).then((profile) => process.send?.({ profile }))
  })
  process.on('disconnect', () => process.exit())
}

// How long collections have stopped the process, in milliseconds. The observer is the same in every contestant.
let collecting = 0
const observer = new PerformanceObserver((list) => addPauses(list.getEntries()))

function usage() {
  addPauses(observer.takeRecords())
  return { cpu: process.cpuUsage(), collecting }
}

function addPauses(entries) {
  for (const { duration } of entries) collecting += duration
}

let session

/**
 * Starts the profiler of V8, or stops it and gives the profile.
 * @param {'profile' | 'profiled'} asked
 */
async function profile(asked) {
  const { Session } = await import('node:inspector/promises')
  if (asked === 'profile') {
    session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
    return undefined
  }
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return profile
}
