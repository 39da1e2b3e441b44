// Express 5 with zod, called by each handler. It has no schemas for responses, and checks none.
import express from 'express'
import { z } from 'zod'
import { answering } from '../answering.js'
import { answerOf, eachRoute, pathOf } from '../routes.js'

const app = express()
app.use(express.json())
const integer = () => z.coerce.number().int().min(1)
eachRoute((a, b, payload) => {
  const params = z.object({ id: integer(), part: integer() })
  const body = payload
    ? z.object({ name: z.string().min(1).max(100), count: z.number().int().min(0).optional() })
    : z.undefined()
  app[payload ? 'post' : 'get'](pathOf(a, b), (request, response) => {
    const sent = params.safeParse(request.params)
    const loaded = body.safeParse(request.body)
    if (!sent.success || !loaded.success) return response.status(400).json({ error: 'refused' })
    response.json(answerOf(sent.data.id, sent.data.part, loaded.data))
  })
})
const server = app.listen(0, '127.0.0.1', () => answering(server.address().port))
