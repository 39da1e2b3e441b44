// A load generator on raw sockets: some keep-alive connections, each sending its next request when the answer is complete.
import { connect } from 'node:net'

/**
 * Sends `count` requests over `connections` sockets and gives the time each answer took, in milliseconds.
 * @param {number} port
 * @param {string} request
 * @param {number} count
 * @param {number} connections
 * @returns {Promise<{ seconds: number, latencies: Float64Array }>}
 */
export async function load(port, request, count, connections) {
  const bytes = Buffer.from(request)
  const latencies = new Float64Array(count)
  const started = performance.now()
  let sent = 0
  let done = 0
  await Promise.all(Array.from({ length: connections }, () => talk()))
  return { seconds: (performance.now() - started) / 1000, latencies: latencies.sort() }

  function talk() {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let pending = ''
      let from = 0
      const next = () => {
        if (sent >= count) return socket.end(resolve)
        sent++
        from = performance.now()
        socket.write(bytes)
      }
      socket.setNoDelay(true)
      socket.on('connect', next)
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        pending = pending === '' ? chunk.latin1Slice() : pending + chunk.latin1Slice()
        const answer = complete(pending)
        if (answer === undefined) return
        pending = pending.slice(answer)
        latencies[done++] = performance.now() - from
        next()
      })
    })
  }
}

/**
 * The length of the first complete answer in a text, or undefined.
 * @param {string} text
 */
function complete(text) {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))
  if (length === null) throw new Error('an answer without Content-Length')
  const end = head + 4 + Number(length[1])
  return text.length >= end ? end : undefined
}

/**
 * Sends one request on its own connection.
 * @param {number} port
 * @param {string} request
 * @returns {Promise<{ status: number, headers: string, body: string }>}
 */
export function once(port, request) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    let text = ''
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const end = complete(text)
      if (end === undefined) return
      socket.destroy()
      const head = text.indexOf('\r\n\r\n')
      const body = Buffer.from(text.slice(head + 4, end), 'latin1').toString()
      resolve({ status: Number(text.slice(9, 12)), headers: text.slice(0, head + 2), body })
    })
  })
}
