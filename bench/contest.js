// What every contestant does besides serving: listens, says where, and tells its CPU time when asked.

/** @param {import('node:http').Server} server */
export function contest(server) {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
  })
  process.on('message', () => process.send?.({ cpu: process.cpuUsage(), memory: process.memoryUsage().rss }))
  process.on('disconnect', () => process.exit())
}
