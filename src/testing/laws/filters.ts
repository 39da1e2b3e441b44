// The law of filters: conditions obey the laws of sets.
import type { FilterExpression, Match } from '../../plugins/lists/filters/expression.ts'
import type { FilterField } from '../../plugins/lists/filters/field.ts'
import { compareDecimalValues, compareValues } from '../../plugins/lists/plan/order.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { Broken, insist, Void } from '../check/broken.ts'
import { smallerCalls } from '../check/smaller.ts'
import { drawCondition, knownIn, nearby } from '../lists/draw-list.ts'
import type { Filters, Listed } from '../lists/listed.ts'
import type { Element } from '../lists/reading.ts'
import { loadedAt, valueAt } from '../lists/values-at.ts'
import { difference, insistSame, isShown, isSingle, textOf, throughNoList, wholeOf } from '../lists/whole-list.ts'
import { Draw } from '../values/draw.ts'
import { type Law, law } from './law.ts'
import { drawList, type ListCase, withParam } from './lists.ts'

interface FiltersCase extends ListCase {
  /** How values are chosen among those that elements have. */
  readonly seed: number
  readonly joined: boolean
}

/** Filters obey the laws of sets. */
export const filters: Law = law<FiltersCase>({
  name: 'filters',
  says: 'A condition and its opposite divide a list, `&` is what both have, `|` is what either has, and `=` finds exactly its value.',
  times: 3,
  draw(subject, action, draw) {
    const base = drawList(subject, action, draw)
    return base?.listed.filters && { ...base, seed: draw.below(2 ** 31), joined: draw.percent(50) }
  },
  async run({ listed, call, seed, joined }, session) {
    const filters = listed.filters as Filters
    const { path, fields } = filters
    const whole = await wholeOf(listed, call, session)
    const draw = new Draw(seed)
    const known = knownIn(whole, draw)
    const ask = async (expression: FilterExpression): Promise<Element[]> =>
      wholeOf(listed, withParam(call, path, filters.value(expression)), session)
    const condition = drawCondition(filters, draw, known)
    if (condition === undefined || !('field' in condition)) throw new Void('no condition is known')
    const found = await ask(condition)
    insist(
      difference(found, whole).length === 0,
      'filter-subset',
      () => 'a filter finds elements that the list does not have',
    )
    await checkOpposite(condition, fields, { found, whole, ask, listed })
    const field = fields.get(condition.field) as FilterField
    checkValues(condition, found, whole, { field, listed })
    const near = nearCondition(condition, field, draw)
    if (near !== undefined) checkValues(near, await ask(near), whole, { field, listed })
    const other = joined ? drawCondition(filters, draw, known) : undefined
    if (other === undefined || new Set(whole.map(textOf)).size < whole.length) return
    const second = new Set((await ask(other)).map(textOf))
    const first = new Set(found.map(textOf))
    const both = found.filter((one) => second.has(textOf(one)))
    const either = whole.filter((one) => first.has(textOf(one)) || second.has(textOf(one)))
    for (const [op, expected, sentence] of [
      ['and', both, 'A&B is not what both A and B find'],
      ['or', either, 'A|B is not what A or B finds'],
    ] as const) {
      const expression: FilterExpression = { op, of: [condition, other] }
      if (filters.value(expression) !== undefined) insistSame(await ask(expression), expected, `filter-${op}`, sentence)
    }
  },
  smaller: function* (one) {
    for (const call of smallerCalls(one.call)) yield { ...one, call }
    if (one.joined) yield { ...one, joined: false }
  },
})

type Condition = Extract<FilterExpression, { field: string }>

const OPPOSITES: Readonly<Record<string, string>> = {
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

/** The same condition on a text that differs in little: what is equal to one is not equal to the other. */
function nearCondition(condition: Condition, { attribute, wildcards }: FilterField, draw: Draw): Condition | undefined {
  const [match] = 'any' in condition && condition.op === '=' ? condition.any : []
  if (match === undefined || !('value' in match)) return undefined
  const value = nearby(match.value, attribute, draw)
  if (value === match.value || value === '') return undefined
  // The end of a text is not its beginning, and a pattern regards letter case as well.
  const inner = Array.from(String(match.value)).slice(1).join('')
  const text = draw.percent(50) ? inner : String(value)
  const isPattern = wildcards && text !== '' && draw.percent(60)
  const any: Match[] = isPattern ? [{ pattern: { text, before: false, after: true } }] : [{ value }]
  return { op: '=', field: condition.field, any }
}

interface Asked {
  readonly found: readonly Element[]
  readonly whole: readonly Element[]
  readonly listed: Listed
  ask(expression: FilterExpression): Promise<Element[]>
}

async function checkOpposite(
  condition: Condition,
  fields: ReadonlyMap<string, FilterField>,
  asked: Asked,
): Promise<void> {
  const { field, op } = condition
  const filtered = fields.get(field) as FilterField
  const { operators, elements } = filtered
  const opposite = OPPOSITES[op] as '='
  if (![...operators, ...elements].includes(opposite)) return
  // These ask for a whole list, and not for some element of it.
  const isPresence = op === '!' || op === '!!' || op === 'any' || op === 'none'
  const isOrdered = !isPresence && op !== '=' && op !== '!='
  // Below a list, a condition and its opposite both ask for some element of it; only the presence of a list divides.
  const { mediaType } = asked.listed
  if (isPresence ? throughNoList(field, mediaType) === undefined : !isSingle(field, filtered, mediaType)) return
  // An element without a value is on no side of an order.
  if (isOrdered && !asked.whole.every((one) => isShown(field, asked.listed.shown) && valueAt(one, field) !== undefined))
    return
  const others = await asked.ask({ ...condition, op: opposite } as FilterExpression)
  const none = isOrdered ? asked.whole.filter((one) => valueAt(one, field) === null) : []
  insistSame(
    [...asked.found, ...others, ...none],
    asked.whole,
    'filter-parts',
    `${field}${op} and ${field}${opposite} do not divide the list`,
  )
}

function checkValues(
  condition: Condition,
  found: readonly Element[],
  whole: readonly Element[],
  { field, listed }: { readonly field: FilterField; readonly listed: Listed },
): void {
  const holds = holdsFor(condition, field.attribute)
  if (holds === undefined) return
  if (!isSingle(condition.field, field, listed.mediaType) || !isShown(condition.field, listed.shown)) return
  const fits = (one: Element): boolean => {
    const value = loadedAt(one, condition.field, field.attribute)
    return value !== undefined && holds(value)
  }
  const text = wordsOf(condition)
  const wrong = found.find((one) => !fits(one))
  if (wrong !== undefined) throw new Broken('filter-value', `${text} also finds ${textOf(wrong).slice(0, 120)}`)
  insistSame(found, whole.filter(fits), 'filter-lost', `${text} does not find all that have it`)
}

/** Tells of a value whether a condition holds for it; undefined where only the application can tell. */
function holdsFor(condition: Condition, { core }: Attribute): ((value: unknown) => boolean) | undefined {
  const compare = core.scalar === 'decimal' ? compareDecimalValues : compareValues
  if ('any' in condition && condition.op === '=')
    return (value) =>
      condition.any.some((match) => ('value' in match ? compare(value, match.value) === 0 : matches(match, value)))
  if (!('value' in condition)) return undefined
  const { op, value: limit } = condition
  const isOrEqual = op === '<=' || op === '>='
  return (value) => {
    const order = compare(value, limit)
    return order === 0 ? isOrEqual : order < 0 === op.startsWith('<')
  }
}

function matches({ pattern }: Extract<Match, { pattern: unknown }>, value: unknown): boolean {
  const { text, before, after } = pattern
  const whole = String(value)
  if (before && after) return whole.includes(text)
  return before ? whole.endsWith(text) : whole.startsWith(text)
}

/** A condition as filters are written, as far as it is short. */
function wordsOf(condition: Condition): string {
  if (!('any' in condition)) return `${condition.field}${condition.op}${'value' in condition ? wordOf(condition) : ''}`
  const words = condition.any.map((match) => {
    if ('value' in match) return wordOf(match)
    const { text, before, after } = match.pattern
    return `${before ? '*' : ''}${text}${after ? '*' : ''}`
  })
  return `${condition.field}${condition.op}${words.join()}`
}

const wordOf = ({ value }: { readonly value: unknown }): string =>
  value instanceof Date ? value.toISOString() : String(value)
