// The duties of every contestant besides serving: listens, reports its port and CPU time, and ends with its parent.

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
  process.send?.({ port })
  process.on('message', (asked) => {
    if (asked === 'cpu') process.send?.({ cpu: process.cpuUsage() })
    else void profile(asked).then((profile) => process.send?.({ profile }))
  })
  process.on('disconnect', () => process.exit())
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
