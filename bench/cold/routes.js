// The API that every contestant of the cold start serves: 40 resources of five routes each, every other one with a payload.

/** How many resources there are. */
export const RESOURCES = 40

/** How many routes each of them has. */
export const ROUTES = 5

/** Whether route `b` of resource `a` takes a payload. */
export const takesPayload = (a, b) => (a * ROUTES + b) % 2 === 1

/** The path of a route, with its captures written as `capture` does. */
export const pathOf = (a, b, capture = (name) => `:${name}`) =>
  `/things${a}/${capture('id')}/parts${b}/${capture('part')}`

/** Calls back for every route. */
export function eachRoute(callback) {
  for (let a = 0; a < RESOURCES; a++) for (let b = 0; b < ROUTES; b++) callback(a, b, takesPayload(a, b))
}

/** The bytes of a request for a route; a bad one has a text for an integer. */
export function requestFor(a, b, bad = false) {
  const id = bad ? 'x' : '12'
  const path = pathOf(a, b, (name) => (name === 'id' ? id : '34'))
  if (!takesPayload(a, b)) return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const body = JSON.stringify({ name: 'a thing', count: 3 })
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json`
  return Buffer.from(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
}

/** The answer of a route. */
export const answerOf = (id, part, payload) => ({
  id,
  part,
  name: payload?.name ?? 'nothing',
  count: payload?.count ?? 0,
})

/** Tells whether an answer is the right one. */
export function isRight(a, b, body) {
  const { id, part, name, count } = JSON.parse(body)
  return id === 12 && part === 34 && (takesPayload(a, b) ? name === 'a thing' && count === 3 : name === 'nothing')
}
