// node:http by hand: a map of routes, and checks written out. The floor for everybody else.
import { createServer } from 'node:http'
import { answering } from '../answering.js'
import { answerOf, eachRoute } from '../routes.js'

const routes = new Map()
eachRoute((a, b, payload) => {
  routes.set(`${payload ? 'POST' : 'GET'} things${a} parts${b}`, (id, part, body) => {
    if (!(id >= 1 && part >= 1)) return undefined
    if (!payload) return answerOf(id, part)
    const { name, count } = body
    if (typeof name !== 'string' || name.length < 1 || name.length > 100) return undefined
    if (count !== undefined && !(Number.isInteger(count) && count >= 0)) return undefined
    return answerOf(id, part, { name, count })
  })
})
const integer = (text) => (/^\d{1,15}$/.test(text) ? Number(text) : Number.NaN)
const server = createServer((request, response) => {
  const [, thing, id, parts, part] = request.url.split('/')
  const route = routes.get(`${request.method} ${thing} ${parts}`)
  let text = ''
  const finish = () => {
    const answer = route?.(integer(id), integer(part), text === '' ? undefined : JSON.parse(text))
    const body = JSON.stringify(answer ?? { error: 'refused' })
    response.writeHead(answer === undefined ? 400 : 200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    })
    response.end(body)
  }
  if (request.method === 'GET') return finish()
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', finish)
})
server.listen(0, '127.0.0.1', () => answering(server.address().port))
