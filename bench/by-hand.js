// Shared by the code by hand: checks of values, and the writing of answers.

const INTEGER = /^-?\d+$/

/** The texts of mistakes that are made in many places. */
export const NO_TEXT = 'must be a text'
export const NO_BOOLEAN = 'must be true or false'

/** Tells texts of at most so many signs. */
export const isText = (value, max = Infinity) => typeof value === 'string' && value.length <= max

/** Tells objects of JSON from its other values. */
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every mistake of a request, with its place and the value that is expected there. */
export const wrong = (pointer, message) => ({ pointer, message })

/** Bounds of whole numbers. */
export const POSITIVE = { min: 1, max: Infinity }
export const TO_100 = { min: 1, max: 100 }
export const ANY = { min: -Infinity, max: Infinity }

/** Reads a whole number from a text, and notes a mistake if there is none. */
export function readInteger(text, name, errors, { min, max }) {
  const value = Number(text)
  if (!INTEGER.test(text) || !Number.isSafeInteger(value) || value < min || value > max)
    errors.push(wrong(`/${name}`, `must be a whole number from ${min} to ${max}`))
  return value
}

/** Reads the pairs of a query; only texts with an encoding in them are decoded. */
export function readPairs(query, take) {
  for (let from = 0; from < query.length; ) {
    const next = query.indexOf('&', from)
    const end = next < 0 ? query.length : next
    const sign = query.indexOf('=', from)
    const cut = sign < 0 || sign > end ? end : sign
    if (end > from) take(decoded(query.slice(from, cut)), decoded(query.slice(cut + 1, end)))
    from = end + 1
  }
}

function decoded(text) {
  if (!text.includes('%') && !text.includes('+')) return text
  // Texts that are not well-formed are replaced, as URLSearchParams does.
  return new URLSearchParams(`_=${text}`).get('_')
}

/** Answers that something is not there. */
export const missing = (res) => send(res, 404, 'application/json', '{"error":"not found"}')

/** Answers what is wrong with a request. */
export const refuse = (res, errors) =>
  send(res, 400, 'application/problem+json', JSON.stringify({ title: 'Bad Request', status: 400, errors }))

/** Answers with a text. */
export function send(res, status, type, text) {
  res.writeHead(status, ['Content-Type', type, 'Content-Length', String(Buffer.byteLength(text))])
  res.end(text)
}
