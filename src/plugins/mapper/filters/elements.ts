// Filters on elements in memory: they mean what they mean to a datastore.
import type { Loader } from '../../../extend.ts'
import type { Attribute, Attributes, MediaType } from '../../../index.ts'
import { canonicalValue } from '../fields/canonical.ts'
import { isOrderable } from '../fields/field-paths.ts'
import { compareDecimalValues, compareValues } from '../../query/order-terms.ts'
import { isInOrder, isLike } from '../../query/compare-values.ts'
import type { FilterExpression, Match } from './expression.ts'
import { createValueLoaders } from './filter-fields.ts'
import { createContainsTest, splitWords } from '../../query/case-folding.ts'

type Test = (value: unknown) => boolean

/** Makes the test whether an element of a media type meets a filter. */
export const compileFilter = (expression: FilterExpression, mediaType: MediaType): Test =>
  testOf(expression, mediaType.attributes)

function testOf(expression: FilterExpression, attributes: Attributes): Test {
  if ('of' in expression) {
    const all = expression.of.map((one) => testOf(one, attributes))
    return expression.op === 'and' ? (one) => all.every((test) => test(one)) : (one) => all.some((test) => test(one))
  }
  return testAt(expression.field.split('.'), attributes, (attribute) => fieldTest(expression, attribute))
}

type OnField = Exclude<FilterExpression, { of: unknown }>

/** Finds the value that a path leads to; of lists on the way, some element leads on. */
function testAt(path: readonly string[], attributes: Attributes, end: (attribute: Attribute) => Test): Test {
  const [step = '', ...rest] = path
  const attribute = Object.hasOwn(attributes, step) ? attributes[step] : undefined
  if (attribute === undefined)
    throw new TypeError(`A filter names '${step}', which is not an attribute of the elements`)
  const test = rest.length === 0 ? end(attribute) : testBelow(attribute, rest, end)
  return (element) => test(isStructure(element) && Object.hasOwn(element, step) ? element[step] : undefined)
}

function testBelow(attribute: Attribute, path: readonly string[], end: (attribute: Attribute) => Test): Test {
  const { shape, element, children } = attribute.core
  if (shape !== 'list' || element === undefined) return testAt(path, children, end)
  const test = testBelow(element, path, end)
  return (value) => elementsIn(value).some(test)
}

const isStructure = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const elementsIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function fieldTest(expression: OnField, attribute: Attribute): Test {
  const { element } = attribute.core
  if ('where' in expression) {
    const test = testOf(expression.where, element?.core.children ?? {})
    if (expression.op === 'any') return (value) => elementsIn(value).some(test)
    if (expression.op === 'all') return (value) => elementsIn(value).every(test)
    return (value) => !elementsIn(value).some(test)
  }
  if (!('any' in expression || 'value' in expression || 'texts' in expression))
    return (value) => isPresent(value, attribute) === (expression.op === '!')
  if (element === undefined || isOrderable(attribute)) return valueTest(expression, attribute)
  const test = valueTest(expression, element)
  return (value) => elementsIn(value).some(test)
}

// A structure is there if something below it is, a list if it has elements.
function isPresent(value: unknown, attribute: Attribute): boolean {
  const { shape, children } = attribute.core
  if (shape === 'list') return elementsIn(value).length > 0
  if (shape !== 'object' && shape !== 'reference')
    return canonicalValue(value, attribute, unlimited(attribute)) !== null
  if (!isStructure(value)) return false
  return Object.entries(children).some(([name, one]) => Object.hasOwn(value, name) && isPresent(value[name], one))
}

// Limits of an attribute do not hold in filters.
const unlimited = (attribute: Attribute): Loader => {
  const known = loaders.get(attribute)
  if (known !== undefined) return known
  const { ordered } = createValueLoaders(attribute)
  loaders.set(attribute, ordered)
  return ordered
}

const loaders = new WeakMap<Attribute, Loader>()

type Comparing = Extract<OnField, { any: unknown } | { value: unknown } | { texts: unknown }>

function valueTest(expression: Comparing, attribute: Attribute): Test {
  const load = unlimited(attribute)
  const test = comparison(expression, attribute.core.scalar === 'decimal' ? compareDecimalValues : compareValues)
  return (value) => test(canonicalValue(value, attribute, load))
}

/** Makes the test of a value that may be null. */
function comparison(expression: Comparing, compare: (a: unknown, b: unknown) => number): Test {
  if ('any' in expression) {
    const { op, any } = expression
    const matches: Test = (value) => value !== null && any.some((one) => isMatch(value, one, compare))
    return op === '=' ? matches : (value) => !matches(value)
  }
  if ('texts' in expression) {
    const tests = expression.texts.map(expression.op === '@=' ? havingWords : createContainsTest)
    const isFound: Test = (value) => tests.some((test) => test(value))
    return expression.op === '!~=' ? (value) => !isFound(value) : isFound
  }
  const { op, value: other } = expression
  return (value) => value !== null && isInOrder(op, compare(value, other))
}

function isMatch(value: unknown, match: Match, compare: (a: unknown, b: unknown) => number): boolean {
  return 'pattern' in match ? isLike(value, match.pattern) : compare(value, match.value) === 0
}

// Nothing has all words of a text without words.
function havingWords(text: string): Test {
  const wanted = splitWords(text)
  return (value) => {
    const there = new Set(typeof value === 'string' ? splitWords(value) : [])
    return wanted.length > 0 && wanted.every((word) => there.has(word))
  }
}
