// The clients: many open streams over plain sockets, and one that sends other requests meanwhile.
import { Agent, get } from 'node:http'
import { connect } from 'node:net'

const [url = '', streams = '1000'] = process.argv.slice(2)
const { hostname, port, pathname } = new URL(url)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let opened = 0
let received = 0

function open() {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${pathname}/events HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n`)
    })
    let isOpen = false
    socket.setEncoding('latin1')
    socket.on('data', (/** @type {string} */ text) => {
      received += text.split('event: created').length - 1
      if (isOpen || !text.includes('id: ')) return
      isOpen = true
      opened++
      resolve(undefined)
    })
    socket.on('error', reject)
  })
}

/** @returns {Promise<number>} */
function ping() {
  const begin = performance.now()
  return new Promise((resolve, reject) => {
    get(`${url}/ping`, { agent }, (response) => {
      response.resume()
      response.on('end', () => resolve(performance.now() - begin))
    }).on('error', reject)
  })
}

let isPinging = false
/** @type {number[]} */
let times = []
async function keepPinging() {
  while (isPinging) {
    times.push(await ping())
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

/** @param {unknown} message */
async function obey(message) {
  if (message === 'open') {
    const left = Number(streams)
    for (let i = 0; i < left; i += 100) await Promise.all(Array.from({ length: Math.min(100, left - i) }, open))
    process.send?.({ opened })
  } else if (message === 'ping') {
    isPinging = true
    times = []
    void keepPinging()
  } else if (message === 'pinged') {
    isPinging = false
    process.send?.({ times })
  } else process.send?.({ received })
}
process.on('message', (message) => void obey(message))
