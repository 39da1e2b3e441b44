// The form of a workload, and its parts: requests as bytes, and the check of an answer in JSON.
import { isDeepStrictEqual } from 'node:util'

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {string} headers The head of the answer, as it was sent.
 * @property {string} body
 */

/**
 * A request, and the status of the right answer.
 * @typedef {{ request: Buffer, status: number }} Ask
 */

/**
 * @typedef {object} Workload
 * @property {string} id
 * @property {string} name
 * @property {string} title
 * @property {Ask[]} asks What each connection sends, over and over.
 * @property {(answer: Answer, strict: boolean) => string | undefined} check Says what is wrong with an answer.
 * @property {Refusal[]} refusals Requests near this one that must be refused.
 * @property {number} warmup How many requests come before those that are timed.
 * @property {number} connections
 * @property {Record<string, string>} env What the processes of this workload find in their environment.
 * @property {string[]} without Contestants that do not take part.
 */

/**
 * A request that must be refused, with 400 if nothing else is said.
 * @typedef {{ what: string, request: Buffer, status?: number }} Refusal
 */

/** @typedef {Partial<Workload> & Partial<Ask> & Pick<Workload, 'check'>} Details */

/**
 * A workload: by default one GET that is answered with 200.
 * @param {string} id
 * @param {string} name
 * @param {string} title
 * @param {Details} details
 * @returns {Workload}
 */
export function workload(id, name, title, { request, status = 200, ...rest }) {
  const usual = { refusals: [], warmup: 10_000, connections: 64, env: {}, without: [] }
  const asks = request === undefined ? [] : [{ request, status }]
  return { ...usual, asks, ...rest, id, name, title }
}

/**
 * @param {string} path
 * @param {string[]} headers
 */
export function get(path, ...headers) {
  return Buffer.from(`${[`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`)
}

/**
 * A request with a body: JSON, or a text that claims to be.
 * @param {'POST' | 'PATCH'} method
 * @param {string} path
 * @param {unknown} body
 */
export function send(method, path, body) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return sendBytes(`${method} ${path}`, 'application/json', Buffer.from(text))
}

/**
 * @param {string} line Method and path.
 * @param {string} type
 * @param {Buffer} body
 */
export function sendBytes(line, type, body) {
  const head = `${line} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

/**
 * Says what is wrong with an answer that must be JSON, and this value if one is given.
 * @param {Answer} answer
 * @param {unknown} [expected]
 */
export function json({ headers, body }, expected) {
  if (!/\ncontent-type: [^\r]*json/i.test(headers)) return 'Content-Type is not one of JSON'
  let value
  try {
    value = JSON.parse(body)
  } catch {
    return 'the body is not JSON'
  }
  if (expected === undefined || isDeepStrictEqual(value, expected)) return undefined
  return `the body should be ${JSON.stringify(expected).slice(0, 500)}`
}

/**
 * The same for an answer of articles: those that validate let nothing out that is not declared.
 * @param {Answer} answer
 * @param {boolean} strict
 * @param {unknown} stored The articles as the store holds them.
 * @returns {string | undefined}
 */
export function jsonOfArticles(answer, strict, stored) {
  const held = JSON.parse(JSON.stringify(stored))
  if (!strict) return json(answer, held)
  if (answer.body.includes('"secret"')) return 'the undeclared field "secret" left'
  const declared = ({ secret: _, ...rest }) => rest
  return json(answer, Array.isArray(held) ? held.map(declared) : declared(held))
}
