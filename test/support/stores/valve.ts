// A way to a server that can be shut: what is sent then waits, as with a server that stands still.

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** A valve before a server. */
export interface Valve {
  /** The address of the server through the valve. */
  readonly url: string
  shut(): void
  open(): void
  close(): Promise<void>
}

/** Puts a valve before a server. */
export async function valveTo(url: string): Promise<Valve> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let isOpen = true
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('data', (chunk) => void other.write(chunk))
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      if (!isOpen) one.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const through = new URL(url)
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    shut() {
      isOpen = false
      for (const socket of sockets) socket.pause()
    },
    open() {
      isOpen = true
      for (const socket of sockets) socket.resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
