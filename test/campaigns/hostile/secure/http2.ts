// Says hostile cases in HTTP/2, as far as they can be said: one whole request whose framing is not what is hostile about it.
import { type ClientHttp2Session, type OutgoingHttpHeaders, sensitiveHeaders } from 'node:http2'
import { answerOf } from '../../../support/serving/streams.ts'
import type { HostileCase } from '../case.ts'
import type { Seen } from '../wire.ts'

/** A request of a case, as HTTP/2 has it. */
export interface Said {
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer | undefined
}

const LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\/[\x21-\x7e\x80-\xff]*) HTTP\/1\.1$/
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*?)[\t ]*$/
/** Headers that speak of a connection of HTTP/1.1, or wait for an answer before the body. */
const UNSAYABLE =
  /^(?:connection|keep-alive|proxy-connection|transfer-encoding|upgrade|te|trailer|expect|http2-settings)$/

/** The request of a case; undefined if HTTP/2 has no words for it. */
export function saidInHttp2({ steps, sequence }: HostileCase): Said | undefined {
  if (sequence !== undefined || steps.some((step) => !isBytes(step))) return undefined
  const bytes = Buffer.concat(steps.map((step) => Buffer.from(step as string, 'latin1')))
  const end = bytes.indexOf('\r\n\r\n')
  const [line = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n')
  const request = LINE.exec(line)
  // A CONNECT has no path there.
  if (end < 0 || request === null || request[1] === 'CONNECT') return undefined
  const said = headersOf(fields)
  const rest = bytes.subarray(end + 4)
  const length = said?.['content-length']
  if (said === undefined || Number(length ?? 0) !== rest.length) return undefined
  return {
    headers: { ':method': request[1], ':path': request[2], ...said },
    body: length === undefined ? undefined : rest,
  }
}

const isBytes = (step: unknown): boolean =>
  step instanceof Uint8Array || (typeof step === 'string' && !['END', 'RESET', 'DEAF'].includes(step))

function headersOf(fields: readonly string[]): OutgoingHttpHeaders | undefined {
  const headers: Record<string, string | string[]> = Object.create(null)
  for (const field of fields) {
    const found = FIELD.exec(field)
    const name = found?.[1]?.toLowerCase()
    if (found === null || name === undefined || UNSAYABLE.test(name)) return undefined
    const key = name === 'host' ? ':authority' : name
    const before = headers[key]
    if (before !== undefined && SINGLE.has(key)) return undefined
    headers[key] = before === undefined ? (found[2] as string) : [before, found[2] as string].flat()
  }
  return headers[':authority'] === undefined ? undefined : headers
}

/** Headers that node:http2 sends once only. */
const SINGLE = new Set([':authority', 'content-length', 'content-type', 'authorization', 'if-match', 'if-none-match'])

/** Plays a request; the reset of its stream is what closing is to HTTP/1.1. */
export async function playHttp2(client: ClientHttp2Session, { headers, body }: Said): Promise<Seen> {
  const stream = client.request({ ...headers, [sensitiveHeaders]: [] }, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
  const { status, headers: fields, bytes, code } = await answerOf(stream)
  const names = Object.entries(fields).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one] as const),
  )
  const answers = status === 0 ? [] : [{ status, headers: names, body: bytes }]
  const text = `${names.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${bytes.toString('latin1')}`
  return { answers, interim: [], closed: status === 0 || code !== 0, silent: false, text }
}
