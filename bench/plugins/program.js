// The program under valgrind: the same short request to applications with one plugin each, in turn until it is optimised,
// then stretches of one application each. `node bench/plugins/program.js <stretches>` prints their sizes.
import { getPriority } from 'node:os'
import { application, endpoint, mediaType, route, t } from '../../dist/index.js'
import { accessLog } from '../../dist/plugins/access-log/index.js'
import { cacheControl } from '../../dist/plugins/cache/index.js'
import { compression } from '../../dist/plugins/compression/index.js'
import { conditional, etag } from '../../dist/plugins/conditional/index.js'
import { cors } from '../../dist/plugins/cors/index.js'
import { diagnostics } from '../../dist/plugins/diagnostics/index.js'
import { drift } from '../../dist/plugins/drift/index.js'
import { health } from '../../dist/plugins/health/index.js'
import { opentelemetry } from '../../dist/plugins/opentelemetry/index.js'
import { prometheus } from '../../dist/plugins/prometheus/index.js'
import { securityHeaders } from '../../dist/plugins/security-headers/index.js'

const WARMUP = 3000
const STRETCH = 300

const Book = mediaType('Book', {
  attributes: { id: t.integer(), title: t.string(), version: t.integer(), notes: t.array(t.string()) },
})
const book = { id: 1, title: 'Emma', version: 7, notes: ['a', 'b', 'c'].map((one) => one.repeat(60)) }

/** @param {object[]} plugins @param {object} settings */
function served(plugins, settings = {}) {
  const Books = endpoint('Books', {
    mediaType: Book,
    actions: {
      show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: Book }, ...settings },
    },
  })
  return application({ controllers: [Books.implement({ show: (_, { reply }) => reply.ok(book) })], plugins })
}

const origin = 'https://shop.example'
const shop = cors({ origins: [origin] })
const subjects = [
  ['none', served([]), {}],
  ['cors, no origin', served([shop]), {}],
  ['cors, allowed origin', served([shop]), { origin }],
  ["etag('version')", served([conditional()], { policies: [etag('version')] }), {}],
  ["etag('version'), 304", served([conditional()], { policies: [etag('version')] }), { 'if-none-match': '"7"' }, 304],
  ["etag('body')", served([conditional()], { policies: [etag('body')] }), {}],
  ['cacheControl', served([], { policies: [cacheControl({ maxAge: 60 })] }), {}],
  ['deprecated', served([], { deprecated: { since: '2026-10-01' } }), {}],
  ['securityHeaders', served([securityHeaders()]), {}],
  // The plainest plugin that is told of the end of requests: what others cost beyond it is their own.
  ['a plugin with arrival and end', served([{ name: 'plain', arrival() {}, end() {} }]), {}],
  ['opentelemetry, no SDK', served([opentelemetry()]), {}],
  ['prometheus', served([prometheus()]), {}],
  ['compression, below the threshold', served([compression()]), { 'accept-encoding': 'gzip, br' }],
  ['accessLog', served([accessLog({ write() {} })]), {}],
  ['diagnostics, no subscriber', served([diagnostics()]), {}],
  ['drift', served([drift()]), {}],
  ['health', served([health()]), {}],
]

const signal = new AbortController().signal
/** @param {any} app @param {object} headers @param {number} status */
function ask(app, headers, status) {
  let given
  const transport = { method: 'GET', url: '/books/1', headers, raw: null, signal, collect() {}, async *pieces() {} }
  app.handle(transport, (answer) => {
    given = answer
    answer.done?.(answer.status, 'sent', 300)
  })
  if (given?.status !== status) throw new Error(`the status is ${given?.status} instead of ${status}`)
}

for (let i = 0; i < WARMUP; i++) for (const [, app, headers, status = 200] of subjects) ask(app, headers, status)
const sizes = []
for (let i = 0; i < Number(process.argv[2] ?? 1); i++) {
  for (const [id, app, headers, status = 200] of subjects) {
    globalThis.gc?.({ type: 'minor' })
    // Valgrind notes the count so far whenever the function behind this is entered.
    getPriority()
    for (let n = 0; n < STRETCH; n++) ask(app, headers, status)
    getPriority()
    sizes.push({ id, count: STRETCH })
  }
}
console.log(JSON.stringify(sizes))
