// How values are written on the wire: pairs of queries and forms, headers, JSON, multipart bodies.
import type { Draw } from './draw.ts'
import { isSentFile, type SentFile } from './scalars.ts'

type Pair = readonly [name: string, value: string | SentFile]

/** The pairs of a value under a name; what is nested stands in brackets. */
export function pairsOf(name: string, raw: unknown, draw: Draw): Pair[] {
  if (typeof raw === 'string' || isSentFile(raw)) return [[name, raw]]
  if (Array.isArray(raw)) {
    const single = raw.every((one) => typeof one === 'string' || isSentFile(one))
    const style = single ? draw.pick(['name', 'list', 'index']) : 'index'
    const files = raw.some(isSentFile)
    return raw.flatMap((one, i) => {
      if (style === 'index' && !files) return pairsOf(`${name}[${i}]`, one, draw)
      return pairsOf(style === 'list' ? `${name}[]` : name, one, draw)
    })
  }
  return Object.entries(raw as object).flatMap(([key, one]) => pairsOf(`${name}[${key}]`, one, draw))
}

/** The pairs of a structure. */
export const pairsOfAll = (raw: unknown, draw: Draw): Pair[] =>
  Object.entries(raw as object).flatMap(([name, one]) => pairsOf(name, one, draw))

function encoded(text: string, draw: Draw): string {
  const escaped = encodeURIComponent(text)
  const spaced = draw.chance(0.5) ? escaped.replaceAll('%20', '+') : escaped
  return draw.chance(0.5) ? spaced.replaceAll('%5B', '[').replaceAll('%5D', ']') : spaced
}

/** Writes pairs as a query or a form. */
export const queryText = (pairs: readonly Pair[], draw: Draw): string =>
  pairs.map(([name, value]) => `${encoded(name, draw)}=${encoded(String(value), draw)}`).join('&')

/** A header's value; a list is separated by commas. */
export const headerText = (raw: unknown, draw: Draw): string =>
  Array.isArray(raw) ? raw.join(draw.pick([',', ', ', ' , '])) : String(raw)

const BOUNDARY = 'fuzz-boundary-7ma4yw'

/** A body and its content type. */
export interface Body {
  readonly type: string
  readonly bytes: Uint8Array
}

/** Writes pairs as a multipart body. */
export function multipartBody(pairs: readonly Pair[]): Body {
  const parts = pairs.map(([name, value]) => {
    const quoted = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
    const file = isSentFile(value) ? `; filename="${value.name}"\r\nContent-Type: ${value.type}` : ''
    const text = isSentFile(value) ? value.text : value
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted}"${file}\r\n\r\n${text}\r\n`
  })
  const bytes = new TextEncoder().encode(`${parts.join('')}--${BOUNDARY}--\r\n`)
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, bytes }
}

/** Writes JSON; zero keeps its sign, which JSON.stringify would take away. */
export function jsonBody(value: unknown, draw: Draw): Body {
  const type = draw.pick([
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.fuzz+json',
    'Application/JSON',
  ])
  return { type, bytes: new TextEncoder().encode(jsonText(value)) }
}

function jsonText(value: unknown): string {
  if (Object.is(value, -0)) return '-0'
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}:${jsonText(one)}`)
    .join(',')}}`
}
