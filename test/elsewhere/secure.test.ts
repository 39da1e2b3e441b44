// HTTP/1.1 over TLS and HTTP/2 give the answers that app.fetch gives, whatever is asked.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { serve } from '../../src/adapters/node/index.ts'
import { anyApplication, anyRequest, byFetch, bySocket, comparable } from '../support/requests.ts'
import { runs } from '../support/runs.ts'
import { cert, key } from '../support/serving/certificate.ts'
import { askOn, session } from '../support/serving/streams.ts'

it('HTTP/1.1 over TLS, HTTP/2 and app.fetch answer alike', async () => {
  const app = anyApplication('/api')
  const server = await serve(app, { port: 0, host: '127.0.0.1', signals: false, fatal: false, tls: { key, cert } })
  const client = await session(server.port)
  await fc.assert(
    fc.asyncProperty(anyRequest, async (request) => {
      const expected = await byFetch(app, request)
      expect(await bySocket(server.url, '/api', request)).toEqual(expected)
      const { method, path, headers, body } = request
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const head = { ...headers, ...length, ':method': method, ':path': `/api${path}` }
      const answer = await askOn(client, head, body)
      expect(comparable(answer.status, Object.entries(answer.headers), answer.bytes)).toEqual(expected)
    }),
    { numRuns: runs(60, 3000) },
  )
  client.destroy()
  await server.close()
})
