// The snippets of docs/guide/tls.md.
import { connect } from 'node:http2'
import { request } from 'node:https'
import type { Shown } from '../../scripts/snippets.ts'
import * as certificate from '../../test/support/serving/certificate.ts'

const readFileSync = (name: string): string => (name === 'key.pem' ? certificate.key : certificate.cert)

// #region smallest
import { application, endpoint, route } from 'edict'
import { serve } from 'edict/node'

const Books = endpoint('Books', {
  actions: { index: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
})
const app = application({ controllers: [Books.implement({ index: () => 'Emma, Ulysses' })] })

const server = await serve(app, {
  tls: { key: readFileSync('key.pem'), cert: readFileSync('cert.pem') },
  host: '127.0.0.1',
  port: 0,
})
// #endregion

const both = await Promise.all([byHttp1(), byHttp2()])

// #region renew
server.setSecureContext({ key: readFileSync('key.pem'), cert: readFileSync('cert.pem') })
// #endregion

function byHttp1(): Promise<string> {
  return new Promise((resolve) => {
    request(`${server.url}/books`, { ca: certificate.cert }, (response) => {
      response.on('data', (body) => resolve(`HTTP/${response.httpVersion}  ${response.statusCode}  ${body}`))
    }).end()
  })
}

function byHttp2(): Promise<string> {
  return new Promise((resolve) => {
    const client = connect(server.url, { ca: certificate.cert })
    const stream = client.request({ ':path': '/books' })
    let status = 0
    stream.on('response', (head) => {
      status = head[':status'] ?? 0
    })
    stream.on('data', (body) => {
      resolve(`HTTP/2.0  ${status}  ${body}`)
      client.close()
    })
  })
}

await server.close()

/** The answers that the page shows. */
export const shown: Shown = { answers: async () => both.join('\n') }
