// A value that comes as a text of JSON where a source knows only text (`?filter={"a":1}`), and as itself everywhere else.

import { measureJson } from '../../util/json/measure-json.ts'
import { MAX_JSON_DEPTH, JSON_DELIMITERS, type JsonFault, parseJson } from '../../util/json/parse-json.ts'
import { type Attribute, makeAttribute, type KindOutline, type KindRules, type Options } from '../attribute.ts'
import { INVALID } from '../issue.ts'
import { describe } from '../json-schema.ts'
import type { Loader, Loading } from '../loading.ts'
import type { AllowedDefault, OptionalFlag } from '../attribute-options.ts'
import { asAttribute } from '../invalid-attribute.ts'
import { refuseType } from '../value-checks.ts'
import type { Nullable, Present } from '../types.ts'
import { getChildAttribute, hasAttributeWhere } from '../children.ts'

/** Declares a value that queries, headers and forms carry as a text of JSON. */
export function json<
  E extends Attribute,
  R extends OptionalFlag = undefined,
  N extends OptionalFlag = undefined,
  D extends AllowedDefault<E['~type'], R> = undefined,
>(of: E, options?: Options<E['~type'], R, N, D>): Attribute<Nullable<E['~type'], N>, Present<R, D>> {
  const inner = asAttribute(of)
  const { nullable, default: initial } = inner.options
  if (nullable !== true && initial === undefined) return makeAttribute(jsonKind, inner, options)
  const own = nullable === true ? { nullable, ...options } : options
  return makeAttribute(jsonKind, stripNullAndDefault(inner), own)
}

// Null and defaults are what the attribute itself says of them, once.
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
  children: (of) => of.core.children,
  target: (of) => of,
  shown: (of) => of.core.shown,
  related: (of) => of.core.related,
}

/** The rules of texts of JSON. */
export const jsonRules: KindRules<Attribute> = {
  options: {},
  loader: (of, { nullable = false }) => makeJsonLoader(of, nullable),
  dumper: (of) => of.core.dumper,
  narrow: (of, see) => see(of) as Attribute,
  defers: (of) => of.core.defers,
  jsonSchema: (of, options, schemas) => describe(of.core.jsonSchema(schemas), options),
  example: (of, _, seed) => of.core.example(seed),
  mistakes: (of) => [...of.core.mistakes(), ...findInnerMistakes(of)],
}

/** Returns whether queries, headers and forms bring the value of an attribute as a text of JSON. */
export const isJsonText = (attribute: Attribute | undefined, steps: number = MAX_REFERENCES): boolean =>
  attribute?.core.kindName === 'json' || (steps > 0 && isJsonText(attribute?.core.target, steps - 1))

// References may refer to each other in a circle, which is of no use, and must not be without an end here.
const MAX_REFERENCES = 16

/** A mistake in the element of a list or of an object with free names: no document can say that each one is a text of JSON. */
export const findElementMistakes = (of: Attribute, kind: string): string[] =>
  isJsonText(of) ? [`its elements are t.json; make the whole of it one text: t.json(t.${kind}(…))`] : []

function findInnerMistakes(of: Attribute): string[] {
  if (isJsonText(of)) return ['it is JSON twice: write t.json once']
  return hasAttributeWhere(of, ({ core }) => core.shape === 'file') ? ['a file cannot be a part of JSON'] : []
}

function makeJsonLoader({ core }: Attribute, nullable: boolean): Loader {
  const load = core.loader
  return function loadJson(value, loading) {
    if (!loading.text) return load(value, loading)
    if (typeof value !== 'string') return refuseType(value, loading, { expected: 'a text of JSON', kind: 'json' })
    const read = parseJsonText(value, loading)
    if (read === INVALID) return INVALID
    if (read === null) return nullable ? null : loading.fail('null')
    loading.text = false
    const loaded = load(read, loading)
    loading.text = true
    return loaded
  }
}

const encoder = new TextEncoder()

function parseJsonText(text: string, loading: Loading): unknown {
  const { delimiters: signs, depth } = measureJson(encoder.encode(text), loading.remainingJsonTokens, MAX_JSON_DEPTH)
  if (depth > MAX_JSON_DEPTH) return refuseJson({ fault: 'depth' }, loading)
  if (signs > loading.remainingJsonTokens) return refuseJson({ fault: 'signs', limit: JSON_DELIMITERS }, loading)
  loading.remainingJsonTokens -= signs
  const read = parseJson(text)
  return 'fault' in read ? refuseJson(read, loading) : read.value
}

function refuseJson(found: JsonFault, loading: Loading): typeof INVALID {
  if (found.fault === 'depth') return loading.fail('depth', { limit: MAX_JSON_DEPTH })
  if (found.fault === 'signs') return loading.fail('json-size', { limit: found.limit })
  const { line, column } = found
  if (line === undefined || column === undefined) return loading.fail('json', { where: 'because it ends too early' })
  return loading.fail('json', { where: `at line ${line}, column ${column}`, line, column })
}

/**
 * Writes the values of such attributes within a value that came as JSON as texts again: parts of a multipart body are
 * JSON or text, and its loader takes it for text.
 */
export function stringifyJsonTexts(attribute: Attribute | undefined, value: unknown): unknown {
  if (attribute === undefined || value === undefined) return value
  if (isJsonText(attribute)) return JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => stringifyJsonTexts(attribute.core.children['*'] ?? attribute, one))
  const entries = Object.entries(value).map(([name, one]) => [name, stringifyJsonTexts(getChildAttribute(attribute, name), one)] as const)
  return Object.fromEntries(entries)
}
