// Draws values for the params of lists: pages, orders, conditions and fields that the list allows.
import { parseSelection } from '../../design/fields/selection.ts'
import type { FilterField, OrderTerm } from '../../plugins/mapper/extend.ts'
import type { FilterExpression, Match, Quantifier } from '../../plugins/mapper/index.ts'
import type { Attribute } from '../../schema/attribute.ts'
import type { Draw } from '../values/draw.ts'
import { drawExample } from '../values/examples.ts'
import type { CheckedFilters, CheckedList, CheckedOrder, CheckedPages, ParamPath } from './checked-list.ts'
import { loadElementValue } from './element-values.ts'
import type { JsonElement } from './list-reader.ts'

type ParamValues = Readonly<Record<string, unknown>>

/** Returns params with another value at a path; without a path, with the values of several params. */
export function withValue(params: ParamValues, path: ParamPath, value: unknown): ParamValues {
  const [name, ...below] = path
  if (name === undefined) return { ...params, ...(value as ParamValues | undefined) }
  return {
    ...params,
    [name]: below.length === 0 ? value : withValue((params[name] ?? {}) as ParamValues, below, value),
  }
}

// --- parts -------------------------------------------------------------------------------

/** A part of a list. */
export interface ListPart {
  readonly items: number
  readonly page?: number
  readonly offset?: number
  /** The field of a cursor, and the value to begin after. */
  readonly by?: string
  readonly from?: unknown
  readonly count?: boolean
}

/** Returns params that request a part of a list. */
export function withPart(
  params: ParamValues,
  { path, isSingleParam, hasSize, paramPaths }: CheckedPages,
  part: ListPart,
): ParamValues {
  const { items, count, ...position } = part
  if (isSingleParam)
    return withValue(params, path, { ...position, items, ...(count !== undefined && { total_count: count }) })
  let result = hasSize ? withValue(params, path, items) : params
  for (const [name, at] of Object.entries(paramPaths)) {
    const value = part[name as keyof typeof paramPaths]
    if (value !== undefined) result = withValue(result, at, value)
  }
  return result
}

/** Draws a part of a list; with `first`, the first one. */
export function drawPart(
  pages: CheckedPages,
  draw: Draw,
  { ordered = false, first = false }: { readonly ordered?: boolean; readonly first?: boolean } = {},
): ListPart | undefined {
  const { maxItems, modes, by, isSingleParam, paramPaths } = pages
  const items = 1 + draw.integerBelow(Math.min(maxItems, 5))
  if (!isSingleParam) {
    if (first) return { items }
    return {
      items,
      ...(paramPaths.page !== undefined ? { page: 1 + draw.integerBelow(3) } : { offset: draw.integerBelow(5) }),
    }
  }
  const field = ordered || !modes.includes('cursor') ? undefined : draw.pick(by)
  if (field !== undefined && draw.chance(50)) return { by: field, items }
  if (modes.includes('page')) return { page: first ? 1 : 1 + draw.integerBelow(3), items }
  return first && by[0] !== undefined ? { by: draw.pick(by) as string, items } : undefined
}

// --- orders and conditions ---------------------------------------------------------------

/** Draws an order of a list. */
export function drawOrder({ firstFields, thenFields }: CheckedOrder, draw: Draw): OrderTerm[] | undefined {
  const field = draw.pick(firstFields)
  if (field === undefined) return undefined
  const more = draw.chance(30) ? draw.pick(thenFields.filter((one) => one !== field)) : undefined
  return [field, ...(more === undefined ? [] : [more])].map((one) => ({ field: one, descending: draw.chance(50) }))
}

/** Returns the values that elements have in a field. */
export type FieldValueSource = (field: string, attribute: Attribute) => readonly unknown[]

/** Returns a source of the values of elements, or of slight variations of them. */
export const createFieldValueSource =
  (elements: readonly JsonElement[], draw: Draw): FieldValueSource =>
  (field, attribute) => {
    const values = elements.map((one) => loadElementValue(one, field, attribute)).filter((one) => one !== undefined)
    return draw.chance(25) ? values.map((one) => drawSimilarValue(one, attribute, draw)) : values
  }

/**
 * Returns a slight variation of a string, and other values unchanged. Filters must compare exactly, so letter case, trailing
 * spaces and accents make a difference.
 */
export function drawSimilarValue(value: unknown, { core, options }: Attribute, draw: Draw): unknown {
  const { values, format, pattern } = options as { values?: unknown; format?: unknown; pattern?: unknown }
  const isFree = core.scalar === 'string' && values === undefined && format === undefined && pattern === undefined
  if (typeof value !== 'string' || value === '' || !isFree) return value
  const [upper, lower] = [value.toUpperCase(), value.toLowerCase()]
  return draw.pick([
    upper === value ? lower : upper,
    `${value} `,
    value.normalize('NFD'),
    Array.from(value).slice(0, -1).join(''),
  ])
}

/** Draws a condition on one field; `known` returns the values that elements have in it. */
export function drawCondition(
  { fields }: CheckedFilters,
  draw: Draw,
  known: FieldValueSource,
): FilterExpression | undefined {
  // Texts are more error-prone than other values.
  const texts = draw.chance(25) ? [...fields].filter(([, { attribute }]) => attribute.core.scalar === 'string') : []
  const [name, field] = draw.pick(texts) ?? draw.pick([...fields]) ?? []
  if (name === undefined || field === undefined) return undefined
  const quantifier = draw.chance(50) ? draw.pick(field.elements) : undefined
  if (quantifier !== undefined) return drawQuantified(quantifier, name, fields, draw)
  return drawFieldCondition(name, field, draw, known)
}

// Conditions within a list use the field names of its elements.
function drawQuantified(
  op: Quantifier,
  field: string,
  fields: CheckedFilters['fields'],
  draw: Draw,
): FilterExpression | undefined {
  const below = [...fields].filter(([name, { elements }]) => name.startsWith(`${field}.`) && elements.length === 0)
  const [name, one] = draw.pick(below) ?? []
  if (name === undefined || one === undefined) return undefined
  const where = drawFieldCondition(name, one, draw, () => [])
  return where && 'field' in where ? { op, field, where: { ...where, field: name.slice(field.length + 1) } } : undefined
}

function drawFieldCondition(
  field: string,
  filterField: FilterField,
  draw: Draw,
  known: FieldValueSource,
): FilterExpression | undefined {
  const { attribute, operators, maxValues } = filterField
  // Equality reveals most about how a filter treats a value.
  const op = operators.includes('=') && draw.chance(35) ? '=' : draw.pick(operators)
  if (op === undefined) return undefined
  if (op === '!' || op === '!!') return { op, field }
  const drawOperand = (): unknown => {
    const value = draw.chance(80) ? draw.pick(known(field, attribute)) : undefined
    return value ?? truncateText(drawExample(attribute, draw, { name: field.split('.').at(-1) as string }))
  }
  const value = drawOperand()
  if (isBlank(value)) return undefined
  if (op === '~=' || op === '!~=' || op === '@=') return { op, field, texts: [String(value).slice(0, 200)] }
  if (op !== '=' && op !== '!=') return { op, field, value }
  const others = maxValues > 2 && draw.chance(30) ? [drawOperand(), drawOperand()] : []
  const more = others.filter((one) => !isBlank(one)).map((one): Match => ({ value: one }))
  return { op, field, any: [drawMatch(value, filterField, draw), ...more] }
}

// Filters have a maximum length: long texts would be refused for that.
const truncateText = (value: unknown): unknown =>
  typeof value === 'string' ? Array.from(value).slice(0, 40).join('') : value

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''

function drawMatch(value: unknown, { wildcards }: FilterField, draw: Draw): Match {
  const text = typeof value === 'string' ? value : ''
  if (!wildcards || text === '' || !draw.chance(40)) return { value }
  const characters = Array.from(text)
  const [before, after] = draw.pick([
    [true, false],
    [false, true],
    [true, true],
  ]) as [boolean, boolean]
  const half = Math.ceil(characters.length / 2)
  // A fragment from the middle of the text shows whether the pattern is anchored at the right end.
  const end = before && !after ? characters.length - half : 0
  const from = draw.chance(40) ? draw.integerBelow(half) : end
  const part = characters.slice(from, from + half).join('')
  return { pattern: { text: draw.chance(20) ? part.toUpperCase() : part, before, after } }
}

/** Draws a filter of nested conditions. */
function drawFilter(filters: CheckedFilters, draw: Draw, depth: number): FilterExpression | undefined {
  if (depth === 0 || draw.chance(60)) return drawCondition(filters, draw, () => [])
  const operands = [drawFilter(filters, draw, depth - 1), drawFilter(filters, draw, depth - 1)]
  const drawn = operands.filter((one) => one !== undefined)
  return drawn.length === 2 ? { op: draw.chance(50) ? 'and' : 'or', of: drawn } : drawn[0]
}

/** Draws values for some params of a list. */
export function drawListParams(listed: CheckedList, draw: Draw): ParamValues {
  const { pages, order, filters, fields } = listed
  let drawn: ParamValues = {}
  const add = (path: ParamPath, value: unknown): void => {
    if (value !== undefined) drawn = withValue(drawn, path, value)
  }
  if (filters !== undefined && draw.chance(40)) {
    const filter = drawFilter(filters, draw, 2)
    add(filters.path, filter && filters.toParamValue(filter))
  }
  const terms = order !== undefined && draw.chance(40) ? drawOrder(order, draw) : undefined
  if (order !== undefined) add(order.path, terms)
  const part = pages && draw.chance(50) ? drawPart(pages, draw, { ordered: terms !== undefined }) : undefined
  if (pages !== undefined && part !== undefined) drawn = withPart(drawn, pages, part)
  if (fields !== undefined && draw.chance(40)) {
    const chosen = draw.subset(fields.paths)
    if (chosen.length > 0) add(fields.path, fields.toParamValue(parseSelection(chosen)))
  }
  return drawn
}
