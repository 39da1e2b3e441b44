// A value that is a JSON text in text-only sources (`?filter={"a":1}`), and plain data everywhere else.

import { measureJson } from '../../util/json/measure-json.ts'
import { JSON_DELIMITERS, type JsonFault, MAX_JSON_DEPTH, parseJson } from '../../util/json/parse-json.ts'
import { type Attribute, type KindOutline, type KindRules, makeAttribute, type Options } from '../attribute.ts'
import type { AllowedDefault, BooleanOption } from '../attribute-options.ts'
import { getChildAttribute, hasAttributeWhere } from '../children.ts'
import { asAttribute } from '../invalid-attribute.ts'
import { INVALID } from '../issue.ts'
import { applyOptions } from '../json-schema.ts'
import type { Loader, Loading } from '../loading.ts'
import type { Nullable, PresenceOf } from '../types.ts'
import { refuseType } from '../value-checks.ts'

/** Declares a value that queries, headers and forms carry as a JSON text. */
export function json<
  E extends Attribute,
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<E['~type'], R> = undefined,
>(element: E, options?: Options<E['~type'], R, N, D>): Attribute<Nullable<E['~type'], N>, PresenceOf<R, D>> {
  const inner = asAttribute(element)
  const { nullable, default: initial } = inner.options
  if (nullable !== true && initial === undefined) return makeAttribute(jsonKind, inner, options)
  const merged = nullable === true ? { nullable, ...options } : options
  return makeAttribute(jsonKind, stripNullAndDefault(inner), merged)
}

// Nullability and default are set on the JSON attribute itself, once.
function stripNullAndDefault(inner: Attribute): Attribute {
  const { example } = inner.options
  return inner.core.derive({
    nullable: false,
    default: undefined,
    ...(example === null && { example: undefined }),
  } as {})
}

const jsonKind: KindOutline<Attribute> = {
  name: 'json',
  children: (inner) => inner.core.children,
  target: (inner) => inner,
  shown: (inner) => inner.core.shown,
  related: (inner) => inner.core.related,
}

/** The rules of `t.json`. */
export const jsonRules: KindRules<Attribute> = {
  options: {},
  loader: (inner, { nullable = false }, rules) => makeJsonLoader(rules.getLoader(inner), nullable),
  dumper: (inner, _, rules) => rules.getDumper(inner),
  narrow: (inner, see) => see(inner) as Attribute,
  isAsync: (inner, rules) => rules.isAsync(inner),
  jsonSchema: (inner, options, schemas, rules) => applyOptions(rules.buildSchema(inner, schemas), options),
  example: (inner, _, seed, rules) => rules.makeExample(inner, seed),
  mistakes: (inner, _, rules) => [...rules.findMistakes(inner), ...findInnerMistakes(inner)],
}

/** Returns whether queries, headers and forms carry the value of an attribute as a JSON text. */
export function isJsonText(attribute: Attribute | undefined): boolean {
  let one = attribute
  for (let steps = 0; one !== undefined && steps <= MAX_REFERENCES; steps++) {
    if (one.core.kindName === 'json') return true
    one = one.core.target
  }
  return false
}

// References may form a cycle; the limit ends the loop.
const MAX_REFERENCES = 16

/** Finds the mistake of a list or record whose elements are JSON texts: no document can express that. */
export const findElementMistakes = (element: Attribute, kind: string): string[] =>
  isJsonText(element) ? [`its elements are t.json; make the whole of it one text: t.json(t.${kind}(…))`] : []

function findInnerMistakes(inner: Attribute): string[] {
  if (isJsonText(inner)) return ['it is JSON twice: write t.json once']
  return hasAttributeWhere(inner, ({ core }) => core.shape === 'file') ? ['a file cannot be a part of JSON'] : []
}

function makeJsonLoader(load: Loader, nullable: boolean): Loader {
  return function loadJson(value, loading) {
    if (loading.source !== 'text') return load(value, loading)
    if (typeof value !== 'string') return refuseType(value, loading, { expected: 'a text of JSON', kind: 'json' })
    const parsed = parseJsonText(value, loading)
    if (parsed === INVALID) return INVALID
    if (parsed === null) return nullable ? null : loading.fail('null')
    loading.source = 'json'
    const loaded = load(parsed, loading)
    loading.source = 'text'
    return loaded
  }
}

const encoder = new TextEncoder()

function parseJsonText(text: string, loading: Loading): unknown {
  const { delimiters: count, depth } = measureJson(encoder.encode(text), loading.remainingJsonTokens, MAX_JSON_DEPTH)
  if (depth > MAX_JSON_DEPTH) return refuseJson({ fault: 'depth' }, loading)
  if (count > loading.remainingJsonTokens) return refuseJson({ fault: 'signs', limit: JSON_DELIMITERS }, loading)
  loading.remainingJsonTokens -= count
  const parsed = parseJson(text)
  return 'fault' in parsed ? refuseJson(parsed, loading) : parsed.value
}

function refuseJson(failure: JsonFault, loading: Loading): typeof INVALID {
  if (failure.fault === 'depth') return loading.fail('depth', { limit: MAX_JSON_DEPTH })
  if (failure.fault === 'signs') return loading.fail('json-size', { limit: failure.limit })
  const { line, column } = failure
  if (line === undefined || column === undefined) return loading.fail('json', { where: 'because it ends too early' })
  return loading.fail('json', { where: `at line ${line}, column ${column}`, line, column })
}

/**
 * Converts the values of JSON attributes within parsed JSON back to texts: parts of a multipart body are JSON or text,
 * and its loader reads them as text.
 */
export function stringifyJsonTexts(attribute: Attribute | undefined, value: unknown): unknown {
  if (attribute === undefined || value === undefined) return value
  if (isJsonText(attribute)) return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value))
    return value.map((one) => stringifyJsonTexts(attribute.core.children['*'] ?? attribute, one))
  const entries = Object.entries(value).map(
    ([name, one]) => [name, stringifyJsonTexts(getChildAttribute(attribute, name), one)] as const,
  )
  return Object.fromEntries(entries)
}
