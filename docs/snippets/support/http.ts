// Asks an application and writes the request and its answer as the pages show them.
import { STATUS_CODES } from 'node:http'
import type { Application, RouteRow } from 'edict'
import { formatAlignedTable } from '../../../src/cli/terminal/table.ts'

/** The headers and the body of a request; a body that is not text is sent as JSON. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Headers of every answer or of the connection, which the pages leave out. */
const quiet = new Set(['connection', 'content-length', 'date', 'keep-alive', 'x-content-type-options'])

/** Asks an application through app.fetch; `line` is the verb and the path. */
export function ask({ fetch }: Pick<Application, 'fetch'>, line: string, sent: Sent = {}): Promise<Response> {
  const [method, path] = line.split(' ') as [string, string]
  const { headers, text } = message(sent)
  return fetch(new Request(`http://localhost${path}`, { method, headers, ...(text !== undefined && { body: text }) }))
}

/** Asks an application and writes both sides down. */
export async function exchange(app: Pick<Application, 'fetch'>, line: string, sent: Sent = {}): Promise<string> {
  const answer = await ask(app, line, sent)
  const { headers, text } = message(sent)
  const request = [line, ...lines(Object.entries(headers)), ...(text === undefined ? [] : ['', pretty(text)])]
  return `${request.join('\n')}\n\n${await answered(answer)}`
}

/** Asks several times; each request and its answer become one line. */
export async function answers(
  app: Pick<Application, 'fetch'>,
  asked: readonly (string | readonly [line: string, sent: Sent])[],
): Promise<string> {
  const pairs = asked.map((one) => (typeof one === 'string' ? ([one, {}] as const) : one))
  const written = pairs.map(([line, { headers = {}, body }]) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return [line, ...lines(Object.entries(headers)), ...(text === undefined ? [] : [text])].join('  ')
  })
  const width = Math.max(...written.map((line) => line.length))
  const told = pairs.map(async ([line, sent], i) => {
    const answer = await ask(app, line, sent)
    return `${written[i]?.padEnd(width)}  →  ${answer.status} ${gist(answer, await answer.text())}`.trimEnd()
  })
  return (await Promise.all(told)).join('\n')
}

function gist(answer: Response, text: string): string {
  const type = answer.headers.get('Content-Type') ?? ''
  if (type.includes('problem+json')) {
    const { title, detail = title } = JSON.parse(text) as { title: string; detail?: string }
    return detail
  }
  const allow = answer.headers.get('Allow')
  return text === '' && allow !== null ? `Allow: ${allow}` : text
}

/** The message of the error that a function throws. */
export function thrown(act: () => unknown): string {
  try {
    return `nothing was thrown, but given: ${String(act())}`
  } catch (error) {
    return String(error)
  }
}

/** Writes the routing table as the command `edict routes` does. */
export function table(rows: readonly RouteRow[]): string {
  const columns = ['version', 'path', 'verb', 'resource', 'action', 'implementation'] as const
  return formatAlignedTable(
    columns,
    rows.map((row) => columns.map((column) => row[column])),
  )
}

/** Writes an answer down. */
export async function answered(answer: Response): Promise<string> {
  const text = await answer.text()
  const shown = [...answer.headers].filter(([name]) => !quiet.has(name))
  const head = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`, ...lines(shown)]
  return text === '' ? head.join('\n') : `${head.join('\n')}\n\n${pretty(text)}`
}

/** Writes JSON with short structures on one line; other text stays as it is. */
export function pretty(text: string): string {
  try {
    return write(JSON.parse(text) as unknown, '')
  } catch {
    return text
  }
}

function message({ headers = {}, body }: Sent): { headers: Record<string, string>; text: string | undefined } {
  if (body === undefined || typeof body === 'string') return { headers: { ...headers }, text: body }
  return { headers: { 'Content-Type': 'application/json', ...headers }, text: JSON.stringify(body) }
}

function lines(headers: readonly (readonly [string, string])[]): string[] {
  return headers.map(([name, value]) => `${name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())}: ${value}`)
}

function write(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const members = Object.entries(value).map(([name, one]) => {
    const written = write(one, inner)
    return isList ? written : `${JSON.stringify(name)}: ${written}`
  })
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (members.length === 0) return `${open}${close}`
  const short = isList ? `[${members.join(', ')}]` : `{ ${members.join(', ')} }`
  const fits = indent.length + short.length <= 120 && !short.includes('\n')
  if (fits && (indent !== '' || !isList || !short.includes('{'))) return short
  return `${open}\n${inner}${members.join(`,\n${inner}`)}\n${indent}${close}`
}
