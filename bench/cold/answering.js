// The duties of every contestant of the cold start besides serving: reports its port, and its CPU time and memory when asked.

/** @param {number} port */
export function answering(port) {
  process.send?.({ port })
  process.on('message', (asked) => process.send?.(asked === 'cpu' ? cpu() : memory()))
  process.on('disconnect', () => process.exit())
}

function cpu() {
  const { user, system } = process.cpuUsage()
  return { cpu: (user + system) / 1000 }
}

function memory() {
  globalThis.gc()
  globalThis.gc()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss, heapUsed }
}
