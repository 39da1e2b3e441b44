// Single values: what a declaration must accept, what it must refuse, and what it reads them as, worked out by itself.
import type { Draw, Source } from '../draw.ts'
import { type NumberShape, PATTERNS, type PlainShape, type Shape, type TextShape } from './shape.ts'

/** A value as it is sent, and as a controller must see it. */
export interface Valid {
  readonly raw: unknown
  readonly loaded: unknown
}

/** A value that must be refused: where below it, and by which code. */
export interface Flaw {
  readonly raw: unknown
  readonly pointer: string
  readonly codes: readonly string[]
}

/** A file, as the generator knows it. */
export interface SentFile {
  readonly '~sent': true
  readonly name: string
  readonly type: string
  readonly text: string
}

/** Tells a file that is to be sent. */
export const isSentFile = (value: unknown): value is SentFile =>
  typeof value === 'object' && value !== null && '~sent' in value

/** A list that is to be sent in one text where that text says the same. */
export interface SentList {
  readonly '~list': readonly unknown[]
  readonly delimiter: string
}

/** Tells a list that is to be sent in one text. */
export const isSentList = (value: unknown): value is SentList =>
  typeof value === 'object' && value !== null && '~list' in value

const two = (number: number): string => String(number).padStart(2, '0')

/** Draws a text that a shape accepts. */
export function goodText({ min = 0, max, pattern, format, values }: TextShape, source: Source, draw: Draw): string {
  if (values !== undefined) return draw.pick(values)
  if (pattern !== undefined) return (PATTERNS[pattern] as (typeof PATTERNS)[0]).good(draw)
  if (format === 'uuid')
    return `${draw.pick(['0f8fad5b', 'ABCDEF01'])}-d9cb-469f-a165-70867728${two(draw.int(0, 99))}0e`
  if (format === 'email') return `${draw.word()}.${draw.word()}@example${draw.int(0, 9)}.com`
  if (format === 'uri') return `https://example.com/${draw.word()}?q=${draw.word()}#${draw.word()}`
  const least = source === 'path' || source === 'header' ? Math.max(1, min) : min
  return draw.text(draw.int(least, Math.min(max ?? least + 9, least + 9)), source)
}

type Numbers = Pick<NumberShape, 'min' | 'max' | 'values'>

/** Draws a whole number within limits; its ends are drawn more often than others. */
export function wholeWithin({ min, max, values }: Numbers, draw: Draw): number {
  if (values !== undefined) return draw.pick(values)
  const least = min ?? (max === undefined ? -1000 : Math.max(max - 1000, Number.MIN_SAFE_INTEGER))
  const most = max ?? Math.min(least + 2000, Number.MAX_SAFE_INTEGER)
  if (draw.chance(0.2)) return draw.chance(0.5) ? least : most
  if (min === undefined && max === undefined && draw.chance(0.2))
    return draw.pick([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0])
  return draw.int(least, Math.min(most, least + 5000))
}

/** Draws a number within limits. */
export function numberWithin({ min, max, values }: Numbers, draw: Draw): number {
  if (values !== undefined) return draw.pick(values)
  const least = min ?? (max ?? 0) - 100
  const most = max ?? least + 200
  if (draw.chance(0.2)) return draw.chance(0.5) ? least : most
  if (min === undefined && max === undefined && draw.chance(0.2)) return draw.pick([1e300, -1e-300, 1e21, 5e-324])
  const drawn = least + draw.unit() * (most - least)
  return Math.min(most, Math.max(least, drawn))
}

/** Draws a day of the calendar. */
export function dayOf(draw: Draw): string {
  const year = draw.pick([0, 1, 99, 1600, 1900, 1999, 2000, 2023, 2024, 9998])
  const month = draw.int(1, 12)
  const last = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(draw.pick([1, 28, last, draw.int(1, last)]))}`
}

/** Draws a time of day. */
export function clockOf(draw: Draw): string {
  const minutes = `${two(draw.int(0, 23))}:${two(draw.int(0, 59))}`
  const seconds = draw.chance(0.6) ? `:${two(draw.int(0, 59))}` : ''
  return `${minutes}${seconds}${seconds !== '' && draw.chance(0.4) ? `.${draw.int(0, 999_999_999)}` : ''}`
}

/** Draws a moment as text with an offset, and what it is. */
export function momentOf(draw: Draw): { readonly text: string; readonly moment: Date } {
  // The day before the first and after the last year would lie outside of them.
  const day = draw.pick([
    '0001-01-02',
    '1582-10-15',
    '1969-12-31',
    '1970-01-01',
    '2024-02-29',
    '2100-03-01',
    '9998-12-31',
  ])
  const fraction = draw.int(0, 999)
  const [hour, minute, second] = [draw.int(0, 23), draw.int(0, 59), draw.int(0, 59)]
  const offset = draw.chance(0.5) ? 0 : draw.int(-23 * 60, 23 * 60 + 59)
  const moment = new Date(0)
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  moment.setUTCFullYear(year, month - 1, date)
  moment.setUTCHours(hour, minute - offset, second, fraction)
  const sign = offset < 0 ? '-' : '+'
  const zone = offset === 0 ? draw.pick(['Z', 'z', '+00:00', '-00:00']) : `${sign}${clock(Math.abs(offset))}`
  const digits = `.${String(fraction).padStart(3, '0')}${draw.pick(['', '0', '000'])}`
  const part = fraction === 0 && draw.chance(0.5) ? '' : digits
  return { text: `${day}${draw.pick(['T', 't'])}${two(hour)}:${two(minute)}:${two(second)}${part}${zone}`, moment }
}

const clock = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`

const same = (value: unknown): Valid => ({ raw: value, loaded: value })

/** Draws a single value that a shape accepts. */
export function goodScalar(shape: TextShape | NumberShape | PlainShape, source: Source, draw: Draw): Valid {
  const json = source === 'json'
  switch (shape.kind) {
    case 'string':
      return same(goodText(shape, source, draw))
    case 'integer': {
      const loaded = wholeWithin(shape, draw)
      if (loaded === 0 && json && draw.chance(0.3)) return { raw: -0, loaded: 0 }
      return { raw: json && draw.chance(0.8) ? loaded : String(loaded), loaded }
    }
    case 'number': {
      const loaded = numberWithin(shape, draw) + 0
      return { raw: json && draw.chance(0.8) ? loaded : numberText(loaded, draw), loaded }
    }
    case 'bigint': {
      const small = BigInt(wholeWithin(shape, draw))
      const free = shape.min === undefined && shape.max === undefined && shape.values === undefined
      const loaded = free && draw.chance(0.4) ? small * 10n ** BigInt(draw.int(0, 60)) : small
      const isSafe = loaded <= BigInt(Number.MAX_SAFE_INTEGER) && loaded >= BigInt(Number.MIN_SAFE_INTEGER)
      return { raw: json && isSafe && draw.chance(0.5) ? Number(loaded) : String(loaded), loaded }
    }
    case 'boolean': {
      const loaded = draw.chance(0.5)
      const texts = loaded ? ['true', 'TRUE', 't', 'T', '1'] : ['false', 'FALSE', 'f', 'F', '0']
      return { raw: json ? draw.pick([loaded, loaded, Number(loaded), ...texts]) : draw.pick(texts), loaded }
    }
    default:
      return goodPlain(shape, source, draw)
  }
}

function numberText(value: number, draw: Draw): string {
  const text = String(value)
  if (text.includes('e')) return draw.chance(0.5) ? text : text.replace('e', 'E')
  if (!draw.chance(0.2)) return text
  return text.includes('.') ? `${text}0` : `${text}.0`
}

/** A time with its seconds, and with no digits that mean nothing. */
function wholeClock(text: string): string {
  const [clock = '', fraction = ''] = text.split('.')
  const digits = [...fraction].reduceRight((kept, digit) => (digit === '0' && kept === '' ? '' : digit + kept), '')
  return `${clock.length === 5 ? `${clock}:00` : clock}${digits === '' ? '' : `.${digits}`}`
}

function goodPlain({ kind }: PlainShape, source: Source, draw: Draw): Valid {
  if (kind === 'date') return same(dayOf(draw))
  if (kind === 'time') {
    const raw = clockOf(draw)
    return { raw, loaded: wholeClock(raw) }
  }
  if (kind === 'dateTime') {
    const { text, moment } = momentOf(draw)
    return { raw: text, loaded: moment }
  }
  if (kind === 'checked' || kind === 'checkedLater') {
    const raw = draw.pick(['a', 'bead', 'facade'])
    return { raw, loaded: kind === 'checked' ? raw.toUpperCase() : raw }
  }
  if (kind === 'file') {
    const file: SentFile = { '~sent': true, name: draw.word(), type: 'text/x-fuzz', text: draw.text(9, 'json') }
    return { raw: file, loaded: file }
  }
  return same(source === 'json' ? anything(draw, 2) : draw.text(draw.int(1, 5), source))
}

/** Draws any JSON value but null. */
export function anything(draw: Draw, depth: number): unknown {
  const kind = draw.int(0, depth === 0 ? 2 : 4)
  if (kind === 0) return draw.text(draw.int(0, 4), 'json')
  if (kind === 1) return draw.int(-9, 9)
  if (kind === 2) return draw.chance(0.5)
  const length = draw.int(0, 2)
  if (kind === 3) return Array.from({ length }, () => anything(draw, depth - 1))
  return Object.fromEntries(Array.from({ length }, () => [draw.word(), anything(draw, depth - 1)]))
}

const flaw = (raw: unknown, ...codes: string[]): Flaw => ({ raw, pointer: '', codes })

/** Draws a single value that a shape must refuse; undefined when its source cannot carry one. */
export function badScalar(shape: TextShape | NumberShape | PlainShape, source: Source, draw: Draw): Flaw | undefined {
  const flaws = flawsOf(shape, source)
  if (source === 'json' && shape.kind !== 'any' && shape.kind !== 'checked' && shape.kind !== 'checkedLater')
    flaws.push(flaw([], 'type'), flaw({ a: 1 }, 'type'))
  return flaws.length === 0 ? undefined : draw.pick(flaws)
}

function flawsOf(shape: Shape, source: Source): Flaw[] {
  const json = source === 'json'
  switch (shape.kind) {
    case 'string':
      return textFlaws(shape, source)
    case 'integer':
    case 'bigint':
      return [
        ...rangeFlaws(shape, json),
        ...['1.5', '01', '1e3', '0x1', '+1', '-0', '1_0', '١'].map((text) => flaw(text, 'type')),
      ].filter(({ raw }) => source !== 'header' || /^[ -~]+$/.test(String(raw)))
    case 'number':
      return [
        ...rangeFlaws(shape, json),
        ...['NaN', 'Infinity', '.5', '1.', '0x1', '01', '1e'].map((text) => flaw(text, 'type')),
      ]
    case 'boolean':
      return ['yes', 'True', '2', 'null'].map((text) => flaw(text, 'type'))
    case 'date':
      return ['2023-02-29', '1900-02-29', '2024-13-01', '2024-00-10', '2024-1-01', '24-01-01', '2024-01-01T'].map(
        (text) => flaw(text, 'format'),
      )
    case 'time':
      return ['24:00', '12:60', '1:00', '12:00:60', '12:00:00.', '12:00Z'].map((text) => flaw(text, 'format'))
    case 'dateTime':
      return [
        '2024-01-01T00:00:00',
        '2024-01-01',
        '2023-02-29T00:00:00Z',
        '2024-01-01T00:00:60Z',
        '2024-01-01T00:00:00.0001Z',
        '2024-01-01T24:00:00Z',
      ].map((text) => flaw(text, 'format'))
    case 'checked':
    case 'checkedLater':
      return [flaw('xyz', 'custom')]
    case 'any':
      return json
        ? ['constructor', 'prototype'].map((name) => ({
            raw: { a: 1, [name]: 1 },
            pointer: `/${name}`,
            codes: ['key'],
          }))
        : []
    case 'file':
      return [flaw('not a file', 'type')]
    default:
      return []
  }
}

function rangeFlaws({ kind, min, max, values }: NumberShape, json: boolean): Flaw[] {
  const flaws: Flaw[] = []
  const step = kind === 'number' ? 0.5 : 1
  const write = (value: number): unknown => (json ? value : String(value))
  if (min !== undefined) flaws.push(flaw(write(min - step), 'min'), flaw(write(min - 1000), 'min'))
  if (max !== undefined) flaws.push(flaw(write(max + step), 'max'), flaw(write(max + 1000), 'max'))
  if (values !== undefined) flaws.push(flaw(write(3), 'values', 'equal'), flaw(write(-400), 'values', 'equal'))
  if (kind === 'integer')
    flaws.push(flaw('9007199254740993', 'range', 'max'), flaw('-99999999999999999999', 'range', 'min'))
  if (kind !== 'number' && json) flaws.push(flaw(1.5, 'type'), flaw(1e300, 'range'))
  if (kind === 'bigint') flaws.push(flaw('1'.repeat(1001), 'max-length'))
  return flaws
}

function textFlaws({ min = 0, max, pattern, format, values }: TextShape, source: Source): Flaw[] {
  const flaws: Flaw[] = []
  const least = source === 'path' || source === 'header' ? 1 : 0
  const free = pattern === undefined && format === undefined && values === undefined
  if (max !== undefined)
    flaws.push(flaw('x'.repeat(max + 1), 'max-length'), flaw('y'.repeat(max * 2 + 9), 'max-length'))
  if (min > least) flaws.push(flaw('z'.repeat(min - 1), 'min-length'))
  if (max !== undefined && source !== 'header') flaws.push(flaw('😀'.repeat(max + 1), 'max-length'))
  if (free && max === undefined && source !== 'header') flaws.push(flaw(`${'n'.repeat(min)}\0`, 'nul'))
  if (free && max === undefined && source === 'json') flaws.push(flaw(`${'n'.repeat(min)}\ud800`, 'format'))
  if (pattern !== undefined) flaws.push(flaw((PATTERNS[pattern] as (typeof PATTERNS)[0]).bad, 'pattern'))
  if (format !== undefined) flaws.push(flaw('not of this format', 'format'))
  if (values !== undefined) flaws.push(flaw('no value', 'values', 'equal'))
  if (source === 'json') flaws.push(flaw(7, 'type'), flaw(true, 'type'))
  return flaws
}
