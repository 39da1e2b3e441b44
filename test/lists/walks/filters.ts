// Random filters, each written three times: in the language of requests, as plain SQL, and as a test of a row.
import fc from 'fast-check'
import { type Abilities, type Content, type Kind, type Row, type Value, valuesOf } from './contents.ts'
import { FILTERED } from './design.ts'

/** A text that must begin or end in a certain way; both ends open when it may stand anywhere. */
interface Part {
  readonly part: string
  readonly before: boolean
  readonly after: boolean
}

type Match = Value | Part

/** A condition, or several joined by & or |. */
export type Condition =
  | { readonly op: '&' | '|'; readonly of: readonly Condition[] }
  | { readonly op: '!' | '!!'; readonly field: string }
  | { readonly op: '=' | '!=' | '<' | '<=' | '>' | '>='; readonly field: string; readonly matches: readonly Match[] }

/** The kinds of the fields; those that are missing are asked for their presence only. */
export const KINDS: Readonly<Record<string, Kind>> = {
  section: 'text',
  number: 'integer',
  word: 'text',
  note: 'text',
  count: 'integer',
  size: 'integer',
  ratio: 'number',
  big: 'bigint',
  flag: 'boolean',
  day: 'date',
  at: 'moment',
  'owner.id': 'integer',
  'owner.name': 'text',
  'owner.rank': 'integer',
  'owner.town.name': 'text',
  'marks.id': 'integer',
  'marks.score': 'integer',
  'marks.note': 'text',
}
const FUZZY: readonly string[] = ['word', 'note', 'owner.name', 'marks.note']

/** Any filter. */
export function conditions(able: Abilities): fc.Arbitrary<Condition> {
  const { condition } = fc.letrec<{ condition: Condition; joined: Condition }>((tie) => ({
    condition: fc.oneof({ maxDepth: 2, depthSize: 'small' }, fc.constantFrom(...FILTERED).chain(leaf), tie('joined')),
    joined: fc.record({
      op: fc.constantFrom('&' as const, '|' as const),
      of: fc.array(tie('condition'), { minLength: 2, maxLength: 3 }),
    }),
  }))
  function leaf(field: string): fc.Arbitrary<Condition> {
    const presence = fc.record({ op: fc.constantFrom('!' as const, '!!' as const), field: fc.constant(field) })
    const kind = KINDS[field]
    if (kind === undefined) return presence
    // Requests have no more digits than milliseconds.
    const kept: fc.Arbitrary<Match> = valuesOf(kind, { ...able, micros: false })
    // They may ask for more than the columns could ever have.
    const value = kind === 'integer' ? fc.oneof({ weight: 9, arbitrary: kept }, beyondColumns) : kept
    const exact = FUZZY.includes(field) ? fc.oneof(value, parts) : value
    const equality = fc.record({
      op: fc.constantFrom('=' as const, '!=' as const),
      field: fc.constant(field),
      matches: fc.array(exact, { minLength: 1, maxLength: 3 }),
    })
    const comparison = fc.record({
      op: fc.constantFrom('<' as const, '<=' as const, '>' as const, '>=' as const),
      field: fc.constant(field),
      matches: fc.tuple(value),
    })
    return fc.oneof(presence, equality, kind === 'boolean' ? equality : comparison)
  }
  return condition
}

const beyondColumns = fc.constantFrom(-3_000_000_000, 3_000_000_000, Number.MAX_SAFE_INTEGER)

const parts = fc
  .record({ part: fc.constantFrom('a', 'A', '%', '_', ' ', '😀', '*', '[a]', '\\', 'é', ''), where: fc.nat(2) })
  .map(({ part, where }): Part => ({ part, before: part === '' || where !== 0, after: part === '' || where !== 1 }))

/** Tells whether a condition is about a field. */
export const concerns = (condition: Condition, field: string): boolean =>
  'of' in condition ? condition.of.some((one) => concerns(one, field)) : condition.field === field

// --- in the language of requests --------------------------------------------------------

/** Writes a value as requests have it. */
export const wordOf = (value: Value, kind: Kind): string =>
  kind === 'moment' ? `${String(value).slice(0, 23)}Z` : String(value)

/** Writes a filter as requests have it. */
export function textOf(condition: Condition): string {
  if ('of' in condition) return `(${condition.of.map(textOf).join(condition.op)})`
  if (!('matches' in condition)) return condition.field + condition.op
  const kind = KINDS[condition.field] as Kind
  const matches = condition.matches.map((match) => {
    if (typeof match !== 'object') return escaped(wordOf(match, kind))
    if (match.part === '') return '*'
    return `${match.before ? '*' : ''}${escaped(match.part)}${match.after ? '*' : ''}`
  })
  return condition.field + condition.op + matches.join()
}

const escaped = (text: string): string => encodeURIComponent(text).replace(/[!()*']/g, hex)
const hex = (sign: string): string => `%${sign.charCodeAt(0).toString(16)}`

// --- as SQL -------------------------------------------------------------------------------

/** How SQL is written for a datastore. */
export interface Written {
  literal(value: Value | null, kind: Kind): string
  /** Whether a text begins with, ends with or contains another. */
  begins(column: string, part: string): string
  ends(column: string, part: string): string
  contains(column: string, part: string): string
}

/** The SQL of a field: t is the item, o its owner, w the owner's town, m one of its marks. */
export function columnOf(field: string): string {
  const [name, ...rest] = field.split('.').toReversed() as [string, ...string[]]
  if (field === 'owner') return 'o.id'
  if (field === 'owner.town') return 'w.id'
  const alias = { owner: 'o', town: 'w', marks: 'm' }[rest[0] ?? '']
  return `${alias ?? 't'}.${name}`
}

const MARKS = 'from marks m where m.section = t.section and m.number = t.number'

/** Writes a condition as SQL that is true or false, never unknown. */
export function sqlOf(condition: Condition, written: Written): string {
  if ('of' in condition)
    return `(${condition.of.map((one) => sqlOf(one, written)).join(condition.op === '&' ? ' and ' : ' or ')})`
  if (condition.field === 'marks') return `${condition.op === '!' ? '' : 'not '}exists (select 1 ${MARKS})`
  const sql = plainSql(condition, columnOf(condition.field), written)
  return condition.field.startsWith('marks.') ? `exists (select 1 ${MARKS} and ${sql})` : sql
}

function plainSql(condition: Exclude<Condition, { of: unknown }>, column: string, written: Written): string {
  if (!('matches' in condition)) return `(${column} is ${condition.op === '!' ? 'not ' : ''}null)`
  const kind = KINDS[condition.field] as Kind
  const { op } = condition
  const compared = condition.matches.map((match) => {
    if (typeof match !== 'object') return `${column} ${op === '!=' ? '=' : op} ${written.literal(match, kind)}`
    if (match.part === '') return `${column} is not null`
    const part = written.literal(match.part, 'text')
    if (match.before && match.after) return written.contains(column, part)
    return match.before ? written.ends(column, part) : written.begins(column, part)
  })
  const fits = `(${column} is not null and (${compared.join(' or ')}))`
  return op === '!=' ? `(not ${fits})` : fits
}

// --- as a test of a row -----------------------------------------------------------------

/** Gives the value of an item's field that is not one of its marks. */
export function valueAt({ owners, towns }: Content, item: Row, field: string): Value | null {
  if (!field.startsWith('owner')) return item[field] ?? null
  const owner = owners.find(({ id }) => id === item['owner_id'])
  const town = towns.find(({ id }) => id === owner?.['town_id'])
  const [, first = 'id', second = 'id'] = field.split('.')
  return (first === 'town' ? town?.[second] : owner?.[first]) ?? null
}

/** Tells whether an item fits. */
export function fits(condition: Condition, content: Content, item: Row): boolean {
  if ('of' in condition) {
    const results = condition.of.map((one) => fits(one, content, item))
    return condition.op === '&' ? results.every(Boolean) : results.some(Boolean)
  }
  const { field } = condition
  if (!field.startsWith('marks')) return fitsValue(condition, valueAt(content, item, field))
  const marks = marksOf(content, item)
  if (field === 'marks') return marks.length > 0 === (condition.op === '!')
  return marks.some((mark) => fitsValue(condition, mark[field.slice('marks.'.length)] ?? null))
}

/** The marks of an item. */
export const marksOf = ({ marks }: Content, item: Row): readonly Row[] =>
  marks.filter(({ section, number }) => section === item['section'] && number === item['number'])

function fitsValue(condition: Exclude<Condition, { of: unknown }>, value: Value | null): boolean {
  if (!('matches' in condition)) return (value === null) === (condition.op === '!!')
  const { op, matches } = condition
  if (op === '!=') return value === null || !matches.some((match) => equals(value, match))
  if (op === '=') return value !== null && matches.some((match) => equals(value, match))
  if (value === null) return false
  const compared = compare(value, matches[0] as Value)
  return op[0] === '<'
    ? compared < 0 || (op === '<=' && compared === 0)
    : compared > 0 || (op === '>=' && compared === 0)
}

function equals(value: Value, match: Match): boolean {
  if (typeof match !== 'object') return value === match
  const text = String(value)
  if (match.before && match.after) return text.includes(match.part)
  return match.before ? text.endsWith(match.part) : text.startsWith(match.part)
}

/** Compares two values of one kind; bytes of UTF-8 have the order of code points. */
export function compare(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  if (a === b) return 0
  return a < b ? -1 : 1
}
