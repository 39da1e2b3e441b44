// Filters on elements in memory, with the semantics of a datastore.
import type { Loader } from '../../../extend.ts'
import type { Attribute, Attributes, MediaType } from '../../../index.ts'
import { createContainsTest, splitWords } from '../../query/case-folding.ts'
import { isInOrder, isLike } from '../../query/compare-values.ts'
import { compareDecimalValues, compareValues } from '../../query/order-terms.ts'
import { toCanonicalValue } from '../fields/canonical.ts'
import { isOrderable, readAttribute } from '../fields/field-paths.ts'
import type { FilterExpression, Match } from './expression.ts'
import { createValueLoaders } from './filter-fields.ts'

type Test = (value: unknown) => boolean

/** Compiles a filter to a predicate on elements of a media type. */
export const compileFilter = (expression: FilterExpression, mediaType: MediaType): Test =>
  compileExpression(expression, mediaType.attributes)

function compileExpression(expression: FilterExpression, attributes: Attributes): Test {
  if ('of' in expression) {
    const tests = expression.of.map((one) => compileExpression(one, attributes))
    return expression.op === 'and'
      ? (one) => tests.every((test) => test(one))
      : (one) => tests.some((test) => test(one))
  }
  return compileAtPath(expression.field.split('.'), attributes, (attribute) => compileFieldTest(expression, attribute))
}

type FieldExpression = Exclude<FilterExpression, { of: unknown }>

/** Compiles a predicate on the value at a path; for lists on the path, one matching element suffices. */
function compileAtPath(
  path: readonly string[],
  attributes: Attributes,
  compileEnd: (attribute: Attribute) => Test,
): Test {
  const [step = '', ...rest] = path
  const attribute = Object.hasOwn(attributes, step) ? attributes[step] : undefined
  if (attribute === undefined)
    throw new TypeError(`A filter names '${step}', which is not an attribute of the elements`)
  const test = rest.length === 0 ? compileEnd(attribute) : compileBelow(attribute, rest, compileEnd)
  return (element) => test(isStructure(element) ? readAttribute(element, step) : undefined)
}

function compileBelow(attribute: Attribute, path: readonly string[], compileEnd: (attribute: Attribute) => Test): Test {
  const { shape, element, children } = attribute.core
  if (shape !== 'list' || element === undefined) return compileAtPath(path, children, compileEnd)
  const test = compileBelow(element, path, compileEnd)
  return (value) => getElements(value).some(test)
}

const isStructure = (value: unknown): value is object => typeof value === 'object' && value !== null

const getElements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function compileFieldTest(expression: FieldExpression, attribute: Attribute): Test {
  const { element } = attribute.core
  if ('where' in expression) {
    const test = compileExpression(expression.where, element?.core.children ?? {})
    if (expression.op === 'any') return (value) => getElements(value).some(test)
    if (expression.op === 'all') return (value) => getElements(value).every(test)
    return (value) => !getElements(value).some(test)
  }
  if (!('any' in expression || 'value' in expression || 'texts' in expression))
    return (value) => isPresent(value, attribute) === (expression.op === '!')
  if (element === undefined || isOrderable(attribute)) return compileValueTest(expression, attribute)
  const test = compileValueTest(expression, element)
  return (value) => getElements(value).some(test)
}

// A structure is present if one of its values is, a list if it has elements.
function isPresent(value: unknown, attribute: Attribute): boolean {
  const { shape, children } = attribute.core
  if (shape === 'list') return getElements(value).length > 0
  if (shape !== 'object' && shape !== 'reference')
    return toCanonicalValue(value, attribute, getUnlimitedLoader(attribute)) !== null
  if (!isStructure(value)) return false
  return Object.entries(children).some(([name, one]) => isPresent(readAttribute(value, name), one))
}

// The limits of an attribute do not apply to filter values.
const getUnlimitedLoader = (attribute: Attribute): Loader => {
  const cached = loaders.get(attribute)
  if (cached !== undefined) return cached
  const { ordered } = createValueLoaders(attribute)
  loaders.set(attribute, ordered)
  return ordered
}

const loaders = new WeakMap<Attribute, Loader>()

type ComparisonExpression = Extract<FieldExpression, { any: unknown } | { value: unknown } | { texts: unknown }>

function compileValueTest(expression: ComparisonExpression, attribute: Attribute): Test {
  const load = getUnlimitedLoader(attribute)
  const test = compileComparison(expression, attribute.core.scalar === 'decimal' ? compareDecimalValues : compareValues)
  return (value) => test(toCanonicalValue(value, attribute, load))
}

/** Compiles the predicate of a comparison; its value may be null. */
function compileComparison(expression: ComparisonExpression, compare: (a: unknown, b: unknown) => number): Test {
  if ('any' in expression) {
    const { op, any } = expression
    const matches: Test = (value) => value !== null && any.some((one) => isMatch(value, one, compare))
    return op === '=' ? matches : (value) => !matches(value)
  }
  if ('texts' in expression) {
    const tests = expression.texts.map(expression.op === '@=' ? createWordsTest : createContainsTest)
    const isFound: Test = (value) => tests.some((test) => test(value))
    return expression.op === '!~=' ? (value) => !isFound(value) : isFound
  }
  const { op, value: other } = expression
  return (value) => value !== null && isInOrder(op, compare(value, other))
}

function isMatch(value: unknown, match: Match, compare: (a: unknown, b: unknown) => number): boolean {
  return 'pattern' in match ? isLike(value, match.pattern) : compare(value, match.value) === 0
}

// A text without words matches nothing.
function createWordsTest(text: string): Test {
  const words = splitWords(text)
  return (value) => {
    const found = new Set(typeof value === 'string' ? splitWords(value) : [])
    return words.length > 0 && words.every((word) => found.has(word))
  }
}
