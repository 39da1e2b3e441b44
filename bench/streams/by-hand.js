// The same streams on node:http, by hand: a set of responses, one text for all, a heartbeat of 15 s.
import { createServer } from 'node:http'
import { event, follow } from './server.js'

const HEARTBEAT = 15_000
/** @type {Set<import('node:http').ServerResponse>} */
const streams = new Set()
let count = 0

const server = createServer((request, response) => {
  if (request.url === '/orders/ping') {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ ok: true }))
    return
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  response.write(`retry: 2000\n\nid: ${count}\n\n`)
  streams.add(response)
  const heartbeat = setInterval(() => response.write(':\n\n'), HEARTBEAT)
  response.on('close', () => {
    clearInterval(heartbeat)
    streams.delete(response)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  follow(`http://127.0.0.1:${address.port}/orders`, () => {
    count++
    const data = JSON.stringify({ ...event, placed: event.placed.toISOString() })
    const text = `event: created\nid: ${count}\ndata: ${data}\n\n`
    for (const response of streams) response.write(text)
  })
})
