// A server that does everything wrong, each on its path: what the judge must find.
import { createServer } from 'node:http'
import { underGauge } from './gauge.ts'

const kept: Buffer[] = []

/** Burns a tenth of a second. */
function burn(): void {
  const { user } = process.cpuUsage()
  while (process.cpuUsage().user - user < 500_000);
}

const server = createServer((request, response) => {
  const answers: Record<string, () => void> = {
    '/health': () => response.end('ok'),
    '/fails': () => response.writeHead(500).end(),
    '/traces': () => response.writeHead(400).end(String(new Error('a').stack)),
    '/engine': () => response.writeHead(400).end('Unexpected token } in JSON at position 3'),
    '/sql': () => response.writeHead(400).end('select "id" from "people" where "token" = ?'),
    '/nonsense': () => request.socket.end('HELLO 200 OK\r\n\r\n'),
    '/short': () => request.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'),
    '/twice': () => request.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'.repeat(2)),
    '/framed': () =>
      request.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
    '/folded': () => request.socket.end('HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\nContent-Length: 0\r\n\r\n'),
    '/closes': () => request.socket.destroy(),
    '/silent': () => {},
    '/burns': () => {
      burn()
      response.end()
    },
    '/grows': () => {
      kept.push(Buffer.alloc(30 * 1024 * 1024, 1))
      response.end()
    },
    '/pollutes': () => {
      Object.assign(Object.prototype, { polluted: 1 })
      response.end()
    },
    '/dies': () => process.exit(1),
    '/stops': () => {
      response.end()
      server.close()
    },
  }
  const answer = Object.hasOwn(answers, request.url ?? '') ? answers[request.url ?? ''] : undefined
  if (answer === undefined) response.writeHead(404).end()
  else answer()
})

server.listen(0, '127.0.0.1', () => underGauge({ surface: (server.address() as { port: number }).port }))
