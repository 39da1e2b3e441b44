// Fastify with what a service in production has: CORS, security headers, entity tags, a limit in memory, its logger.
import cors from '@fastify/cors'
import etag from '@fastify/etag'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import { fastifyApp } from '../apps/fastify.js'
import { contest } from '../contest.js'
import { LIMIT, LOG, ORIGIN } from './settings.js'

const app = await fastifyApp({ logger: { file: LOG } }, async (one) => {
  await one.register(cors, { origin: [ORIGIN] })
  await one.register(helmet)
  await one.register(etag)
  await one.register(rateLimit, { max: LIMIT, timeWindow: '1 minute' })
})
contest(app.server)
