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

/** Reads a whole number from a text, and notes a mistake if there is none. */
export function integer(text, name, errors, { min = -Infinity, max = Infinity } = {}) {
  const value = Number(text)
  if (!INTEGER.test(text) || !Number.isSafeInteger(value) || value < min || value > max)
    errors.push(wrong(`/${name}`, `must be a whole number from ${min} to ${max}`))
  return value
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
