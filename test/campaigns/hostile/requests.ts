// Requests as bytes: well-formed around the one thing that a case makes hostile.

type Headers = Readonly<Record<string, string>>

/** Texts are bytes, one for each character, so that a case can write any byte: `\xff`. */
export const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

/** The UTF-8 form of a text, as one character for each byte. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1')

/** A request without a body. */
export function ask(method: string, target: string, headers: Headers = {}): string {
  return `${method} ${target} HTTP/1.1\r\n${lines({ Host: 'localhost', ...headers })}\r\n`
}

/** A GET request. */
export const get = (target: string, headers?: Headers): string => ask('GET', target, headers)

/** A request with a body and its length; `line` is its method and its target. */
export function send(line: string, type: string, body: string | Uint8Array, more: Headers = {}): Buffer {
  const [method, target] = line.split(' ', 2) as [string, string]
  const sent = typeof body === 'string' ? bytes(body) : body
  const headers = { 'Content-Type': type, 'Content-Length': String(sent.length), ...more }
  return Buffer.concat([bytes(ask(method, target, headers)), sent])
}

/** A POST of JSON; the text is sent as UTF-8. */
export const json = (target: string, text: string | Uint8Array, headers?: Headers): Buffer =>
  send(`POST ${target}`, 'application/json', typeof text === 'string' ? utf8(text) : text, headers)

/** A POST of a form. */
export const form = (target: string, text: string, headers?: Headers): Buffer =>
  send(`POST ${target}`, 'application/x-www-form-urlencoded', text, headers)

/** A POST of a multipart body whose boundary is `b`. */
export const multipart = (
  target: string,
  body: string | Uint8Array,
  type = 'multipart/form-data; boundary=b',
): Buffer => send(`POST ${target}`, type, body)

/** A part of a multipart body: what follows `form-data` in its disposition, its content, further header lines. */
export const part = (disposition: string, value: string, ...more: readonly string[]): string =>
  `--b\r\nContent-Disposition: form-data${disposition}\r\n${more.map((line) => `${line}\r\n`).join('')}\r\n${value}\r\n`

const lines = (headers: Headers): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
