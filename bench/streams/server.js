// The part of the measurement that both servers share: they publish when they are told to, and report their memory and CPU.

/** The event that is published. */
export const event = {
  id: 1234,
  customer: 'Ann Example',
  placed: new Date('2026-05-01T12:00:00Z'),
  lines: [
    { item: 'tea', count: 2 },
    { item: 'coffee', count: 1 },
  ],
}

/**
 * Follows the orders of the parent process.
 * @param {string} url
 * @param {() => unknown} publish
 */
export function follow(url, publish) {
  /** @param {unknown} message */
  const obey = async (message) => {
    if (message === 'publish') await publish()
    else {
      global.gc?.()
      global.gc?.()
    }
    const { rss, heapUsed, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    process.send?.({ rss, heap: heapUsed + external, cpu: user + system })
  }
  process.on('message', (message) => void obey(message))
  process.send?.({ url })
}
