// edict with what a service in production has: CORS, security headers, entity tags, a limit in memory, a line for each answer.
import { openSync, writeSync } from 'node:fs'
import { serve } from '../../dist/adapters/node/index.js'
import { conditional, etag } from '../../dist/plugins/conditional/index.js'
import { cors } from '../../dist/plugins/cors/index.js'
import { rateLimit, rateLimits } from '../../dist/plugins/rate-limit/index.js'
import { securityHeaders } from '../../dist/plugins/security-headers/index.js'
import { memoryStore } from '../../dist/plugins/stores/index.js'
import { edictApp } from '../apps/edict.js'
import { answering } from '../contest.js'
import { LIMIT, LOG, ORIGIN } from './settings.js'

const log = openSync(LOG, 'a')
const app = edictApp([rateLimit({ limit: LIMIT, per: '1m', by: 'address' }), etag('body')], {
  plugins: [cors({ origins: [ORIGIN] }), securityHeaders(), conditional(), rateLimits(memoryStore())],
  logRequests: true,
  logger: {
    info: (fields, message) => writeSync(log, `${JSON.stringify({ ...fields, message })}\n`),
    warn() {},
    error() {},
  },
})
const { port } = await serve(app, {
  port: 0,
  host: '127.0.0.1',
  signals: false,
  logger: { info() {}, warn() {}, error() {} },
})
answering(port)
