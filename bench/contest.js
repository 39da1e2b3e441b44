// What every contestant does besides serving: listens, says where, and tells its CPU time when asked.

/** @param {import('node:http').Server} server */
export function contest(server) {
  server.listen(0, '127.0.0.1', () => answering(server.address().port))
}

/** @param {number} port */
export function answering(port) {
  process.send?.({ port })
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
  process.on('disconnect', () => process.exit())
}
