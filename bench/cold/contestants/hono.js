// Hono with zod-validator. It has no schemas for responses, and checks none.
import { serve } from '@hono/node-server'
import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { z } from 'zod'
import { answering } from '../answering.js'
import { answerOf, eachRoute, pathOf } from '../routes.js'

const app = new Hono()
const integer = () => z.coerce.number().int().min(1)
eachRoute((a, b, payload) => {
  const params = zValidator('param', z.object({ id: integer(), part: integer() }))
  const answer = (c) => {
    const { id, part } = c.req.valid('param')
    return c.json(answerOf(id, part, payload ? c.req.valid('json') : undefined))
  }
  if (!payload) return app.get(pathOf(a, b), params, answer)
  const body = z.object({ name: z.string().min(1).max(100), count: z.number().int().min(0).optional() })
  app.post(pathOf(a, b), params, zValidator('json', body), answer)
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => answering(port))
