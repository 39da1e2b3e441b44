// Sends bytes as they are, and tells what came back.
import { connect } from 'node:net'

/** The bytes that came back on one connection. */
export interface Heard {
  readonly text: string
  /** The status of each answer, in order. */
  readonly statuses: readonly number[]
  readonly closed: boolean
}

/** Sends pieces on one connection; gives up when nothing more comes for `quiet` milliseconds, and later before the first byte. */
export function speak(port: number, pieces: readonly string[], quiet = 250, longest = 60_000): Promise<Heard> {
  return new Promise((resolve) => {
    let text = ''
    let closed = false
    const socket = connect(port, '127.0.0.1')
    const finish = (): void => {
      clearTimeout(timer)
      clearTimeout(end)
      socket.destroy()
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
      resolve({ text, statuses, closed })
    }
    let timer = setTimeout(finish, 20 * quiet)
    const end = setTimeout(finish, longest)
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      clearTimeout(timer)
      timer = setTimeout(finish, quiet)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      closed = true
      finish()
    })
    socket.on('connect', () => {
      for (const piece of pieces) socket.write(piece, 'latin1')
    })
  })
}
