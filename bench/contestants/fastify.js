// Fastify 5: serves its application.
import { fastifyApp } from '../apps/fastify.js'
import { contest } from '../contest.js'

contest((await fastifyApp()).server)
