// The law of filters: conditions obey set algebra.

import { compareDecimalValues, compareValues, type FilterField } from '../../plugins/mapper/extend.ts'
import type { FilterExpression, Match } from '../../plugins/mapper/index.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { defineLaw, type Law } from '../check/law.ts'
import { shrinkCall } from '../check/shrink.ts'
import type { CheckedFilters, CheckedList } from '../lists/checked-list.ts'
import { createFieldValueSource, drawCondition, drawSimilarValue } from '../lists/draw-list-params.ts'
import { getElementValue, loadElementValue } from '../lists/element-values.ts'
import type { JsonElement } from '../lists/list-reader.ts'
import { assertLaw, LawViolation, SkipCase } from '../session/law-errors.ts'
import { Draw } from '../values/draw.ts'
import { drawListCase, type ListCase, withParam } from './list-laws.ts'
import {
  assertSameElements,
  findUnlistedAttribute,
  isFieldShown,
  isSingleValued,
  readAllElements,
  subtractElements,
  toJsonText,
} from './read-list.ts'

interface FiltersCase extends ListCase {
  /** The seed for choosing among the values of elements. */
  readonly seed: number
  readonly joined: boolean
}

/** Filters obey set algebra. */
export const filtersLaw: Law = defineLaw<FiltersCase>({
  name: 'filters',
  description:
    'A condition and its opposite divide a list, `&` is what both have, `|` is what either has, and `=` finds exactly its value.',
  needs: 'a list with a param of filters, and elements in it',
  remedy: 'declare the filters of lists, and fill these',
  casesPerRound: 3,
  drawCase(subject, action, draw) {
    const base = drawListCase(subject, action, draw)
    return base?.listed.filters && { ...base, seed: draw.integerBelow(2 ** 31), joined: draw.chance(50) }
  },
  async run({ listed, call, seed, joined }, session) {
    const filters = listed.filters as CheckedFilters
    const { path, fields } = filters
    const allElements = await readAllElements(listed, call, session)
    const draw = new Draw(seed)
    const getValues = createFieldValueSource(allElements, draw)
    const readFiltered = async (expression: FilterExpression): Promise<JsonElement[]> =>
      readAllElements(listed, withParam(call, path, filters.toParamValue(expression)), session)
    const condition = drawCondition(filters, draw, getValues)
    if (condition === undefined || !('field' in condition)) throw new SkipCase('no condition is known')
    const found = await readFiltered(condition)
    assertLaw(
      subtractElements(found, allElements).length === 0,
      'filter-subset',
      () => 'a filter finds elements that the list does not have',
    )
    await checkOpposite(condition, fields, { found, allElements, readFiltered, listed })
    const field = fields.get(condition.field) as FilterField
    checkValues(condition, found, allElements, { field, listed })
    const similar = drawSimilarCondition(condition, field, draw)
    if (similar !== undefined) checkValues(similar, await readFiltered(similar), allElements, { field, listed })
    const other = joined ? drawCondition(filters, draw, getValues) : undefined
    if (other === undefined || new Set(allElements.map(toJsonText)).size < allElements.length) return
    const second = new Set((await readFiltered(other)).map(toJsonText))
    const first = new Set(found.map(toJsonText))
    const both = found.filter((one) => second.has(toJsonText(one)))
    const either = allElements.filter((one) => first.has(toJsonText(one)) || second.has(toJsonText(one)))
    for (const [op, expected, sentence] of [
      ['and', both, 'A&B is not what both A and B find'],
      ['or', either, 'A|B is not what A or B finds'],
    ] as const) {
      const expression: FilterExpression = { op, of: [condition, other] }
      if (filters.toParamValue(expression) !== undefined)
        assertSameElements(await readFiltered(expression), expected, `filter-${op}`, sentence)
    }
  },
  shrink: function* (one) {
    for (const call of shrinkCall(one.call)) yield { ...one, call }
    if (one.joined) yield { ...one, joined: false }
  },
})

type CheckedCondition = Extract<FilterExpression, { field: string }>

const OPPOSITE_OPERATORS: Readonly<Record<string, string>> = {
  '=': '!=',
  '!=': '=',
  '!': '!!',
  '!!': '!',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  any: 'none',
  none: 'any',
}

/** Returns the same condition on a slightly different text: a value equal to one is not equal to the other. */
function drawSimilarCondition(
  condition: CheckedCondition,
  { attribute, wildcards }: FilterField,
  draw: Draw,
): CheckedCondition | undefined {
  const [match] = 'any' in condition && condition.op === '=' ? condition.any : []
  if (match === undefined || !('value' in match)) return undefined
  const value = drawSimilarValue(match.value, attribute, draw)
  if (value === match.value || value === '') return undefined
  // A suffix is not a prefix, and patterns are case-sensitive.
  const inner = Array.from(String(match.value)).slice(1).join('')
  const text = draw.chance(50) ? inner : String(value)
  const isPattern = wildcards && text !== '' && draw.chance(60)
  const any: Match[] = isPattern ? [{ pattern: { text, before: false, after: true } }] : [{ value }]
  return { op: '=', field: condition.field, any }
}

interface FilterRun {
  readonly found: readonly JsonElement[]
  readonly allElements: readonly JsonElement[]
  readonly listed: CheckedList
  readFiltered(expression: FilterExpression): Promise<JsonElement[]>
}

async function checkOpposite(
  condition: CheckedCondition,
  fields: ReadonlyMap<string, FilterField>,
  run: FilterRun,
): Promise<void> {
  const { field, op } = condition
  const filtered = fields.get(field) as FilterField
  const { operators, elements } = filtered
  const opposite = OPPOSITE_OPERATORS[op] as '='
  if (![...operators, ...elements].includes(opposite)) return
  // These operators test the list itself, not one of its elements.
  const isPresence = op === '!' || op === '!!' || op === 'any' || op === 'none'
  const isOrdered = !isPresence && op !== '=' && op !== '!='
  // Within a list, a condition and its opposite may match different elements; only presence operators partition the results.
  const { mediaType } = run.listed
  if (isPresence ? findUnlistedAttribute(field, mediaType) === undefined : !isSingleValued(field, filtered, mediaType))
    return
  // An element without a value satisfies neither side of an order comparison.
  if (
    isOrdered &&
    !run.allElements.every((one) => isFieldShown(field, run.listed.shown) && getElementValue(one, field) !== undefined)
  )
    return
  const others = await run.readFiltered({ ...condition, op: opposite } as FilterExpression)
  const none = isOrdered ? run.allElements.filter((one) => getElementValue(one, field) === null) : []
  assertSameElements(
    [...run.found, ...others, ...none],
    run.allElements,
    'filter-parts',
    `${field}${op} and ${field}${opposite} do not divide the list`,
  )
}

function checkValues(
  condition: CheckedCondition,
  found: readonly JsonElement[],
  allElements: readonly JsonElement[],
  { field, listed }: { readonly field: FilterField; readonly listed: CheckedList },
): void {
  const holds = compileCondition(condition, field.attribute)
  if (holds === undefined) return
  if (!isSingleValued(condition.field, field, listed.mediaType) || !isFieldShown(condition.field, listed.shown)) return
  const fits = (one: JsonElement): boolean => {
    const value = loadElementValue(one, condition.field, field.attribute)
    return value !== undefined && holds(value)
  }
  const text = formatCondition(condition)
  const wrong = found.find((one) => !fits(one))
  if (wrong !== undefined)
    throw new LawViolation('filter-value', `${text} also finds ${toJsonText(wrong).slice(0, 120)}`)
  assertSameElements(found, allElements.filter(fits), 'filter-lost', `${text} does not find all that have it`)
}

/** Returns a predicate for values of the field; undefined when only the application can evaluate the condition. */
function compileCondition(condition: CheckedCondition, { core }: Attribute): ((value: unknown) => boolean) | undefined {
  const compare = core.scalar === 'decimal' ? compareDecimalValues : compareValues
  if ('any' in condition && condition.op === '=')
    return (value) =>
      condition.any.some((match) =>
        'value' in match ? compare(value, match.value) === 0 : isPatternMatch(match, value),
      )
  if (!('value' in condition)) return undefined
  const { op, value: limit } = condition
  const isOrEqual = op === '<=' || op === '>='
  return (value) => {
    const comparison = compare(value, limit)
    return comparison === 0 ? isOrEqual : comparison < 0 === op.startsWith('<')
  }
}

function isPatternMatch({ pattern }: Extract<Match, { pattern: unknown }>, value: unknown): boolean {
  const { text, before, after } = pattern
  const subject = String(value)
  if (before && after) return subject.includes(text)
  return before ? subject.endsWith(text) : subject.startsWith(text)
}

/** Formats a condition in the filter syntax. */
function formatCondition(condition: CheckedCondition): string {
  if (!('any' in condition))
    return `${condition.field}${condition.op}${'value' in condition ? formatOperand(condition) : ''}`
  const words = condition.any.map((match) => {
    if ('value' in match) return formatOperand(match)
    const { text, before, after } = match.pattern
    return `${before ? '*' : ''}${text}${after ? '*' : ''}`
  })
  return `${condition.field}${condition.op}${words.join()}`
}

const formatOperand = ({ value }: { readonly value: unknown }): string =>
  value instanceof Date ? value.toISOString() : String(value)
