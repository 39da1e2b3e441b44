// How values are written on the wire: pairs of queries and forms, headers, JSON, multipart bodies.

import { isSentFile, isSentList, type SentFile, type SentList } from '../declarations/scalars.ts'
import type { Draw } from '../draw.ts'

type Pair = readonly [name: string, value: string | SentFile | SentList]

/** The pairs of a value under a name; what is nested stands in brackets. */
function pairsOf(name: string, raw: unknown, draw: Draw): Pair[] {
  if (typeof raw === 'string' || isSentFile(raw)) return [[name, raw]]
  if (isSentList(raw)) return listPairs(name, raw, draw)
  if (Array.isArray(raw)) {
    const single = raw.every((one) => typeof one === 'string' || isSentFile(one))
    const style = single ? draw.pick(['name', 'list', 'index']) : 'index'
    const repeated = single || draw.chance(0.5) ? undefined : repeatedPairs(name, raw, draw)
    if (repeated !== undefined) return repeated
    const files = raw.some(isSentFile)
    return raw.flatMap((one, i) => {
      if (style === 'index' && !files) return pairsOf(`${name}[${i}]`, one, draw)
      return pairsOf(style === 'list' ? `${name}[]` : name, one, draw)
    })
  }
  return Object.entries(raw as object).flatMap(([key, one]) => pairsOf(`${name}[${key}]`, one, draw))
}

// An element that has the separator in it, or is empty and alone, needs a name of its own.
function listPairs(name: string, list: SentList, draw: Draw): Pair[] {
  const { '~list': elements, delimiter } = list
  const joins = elements.every((one) => typeof one === 'string' && !one.includes(delimiter))
  if (joins && (elements.length !== 1 || elements[0] !== '') && draw.chance(0.8)) return [[name, list]]
  // An element that is sent twice is told from two elements by its number.
  const style = elements.every((one) => typeof one === 'string') ? draw.pick(['list', 'index']) : 'index'
  return elements.flatMap((one, i) => pairsOf(style === 'list' ? `${name}[]` : `${name}[${i}]`, one, draw))
}

/** The pairs of structures as `items[][id]`; undefined where their names do not tell the elements apart. */
function repeatedPairs(name: string, elements: readonly unknown[], draw: Draw): Pair[] | undefined {
  const all = elements.map((one) =>
    typeof one === 'object' && one !== null && !Array.isArray(one) && !isSentFile(one) && !isSentList(one)
      ? pairsOf(`${name}[]`, one, draw)
      : [],
  )
  const told = all.every((pairs, i) => {
    const names = pairs.map(([own]) => own.slice(name.length + 2))
    const before = all[i - 1]?.map(([own]) => own.slice(name.length + 2))
    const plain = names.every((own) => /^(?:\[[^[\]]+\])+$/.test(own)) && new Set(names).size === names.length
    return names.length > 0 && plain && (before === undefined || before.includes(names[0] as string))
  })
  return told ? all.flat() : undefined
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
  pairs.map(([name, value]) => `${encoded(name, draw)}=${encodedValue(value, draw)}`).join('&')

function encodedValue(value: Pair[1], draw: Draw): string {
  if (!isSentList(value)) return encoded(String(value), draw)
  const { '~list': elements, delimiter } = value
  const between = delimiter === ',' ? ',' : encoded(delimiter, draw)
  return elements.map((one) => encoded(String(one), draw)).join(between)
}

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
    const plain = isSentList(value) ? value['~list'].join(value.delimiter) : value
    const text = isSentFile(plain) ? plain.text : plain
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

/** Writes a text of JSON. */
export function jsonText(value: unknown): string {
  if (Object.is(value, -0)) return '-0'
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, one]) => `${JSON.stringify(name)}:${jsonText(one)}`)
    .join(',')}}`
}
