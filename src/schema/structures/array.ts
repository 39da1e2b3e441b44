// An ordered list of one type of element.
import type { GeneratedCode } from '../../util/generated-code.ts'
import type { JsonBuffer } from '../../util/json/json-buffer.ts'
import { choice, number } from '../../util/setting-form.ts'
import {
  type AnyOptions,
  type Attribute,
  type KindOutline,
  type KindRules,
  makeAttribute,
  type Presence,
  type Shape,
  type ValueRules,
} from '../attribute.ts'
import type {
  AllowedDefault,
  BooleanOption,
  DefaultValue,
  KindOptionForms,
  SharedOptions,
} from '../attribute-options.ts'
import type { Dumper, Dumping, JsonWriter } from '../dumping.ts'
import { type ExampleSeed, MAX_EXAMPLE_DEPTH } from '../example.ts'
import type { InheritingStructure } from '../inherit.ts'
import { asAttribute } from '../invalid-attribute.ts'
import { INVALID, prefixIssues } from '../issue.ts'
import { makeDumpWriter, makeElementWriter, makeListWriter } from '../json/writer.ts'
import { nameWriter, withWriterCode } from '../json/writer-code.ts'
import { applyOptions, type JsonSchema } from '../json-schema.ts'
import { SLOT_VARIABLES, withLoaderCode, writeRange, writeSlot } from '../loader-code.ts'
import type { Loader, Loading } from '../loading.ts'
import type { Nullable, PresenceOf } from '../types.ts'
import { findSizeMistakes, type NumericLimits } from '../value-checks.ts'
import { isFile } from './file.ts'
import { findElementMistakes, isJsonText } from './json.ts'

/** Declares a list of elements of one type. With inherited attributes, it is a list for a payload or a param. */
export function array<
  E extends Attribute | InheritingStructure,
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<unknown, R> = undefined,
>(element: E, options?: ArrayOptions<E, R, N, D>): ArrayAttribute<E, N, PresenceOf<R, D>>
export function array(element: unknown, options?: object): never {
  return makeAttribute(arrayKind, asAttribute(element), options) as never
}

/** A list of elements of the attribute E. Their type is resolved lazily, so that types may contain themselves. */
export interface ArrayOf<out E extends Attribute, out N extends BooleanOption, out P extends Presence>
  extends Attribute<unknown, P> {
  readonly '~type': Nullable<E['~type'][], N>
}

type ArrayAttribute<E, N extends BooleanOption, P extends Presence> = E extends Attribute
  ? ArrayOf<E, N, P>
  : InheritingStructure<E, NoInfer<N>, P>

type ArrayElement<E> = E extends Attribute ? E['~type'] : unknown

/** The options of `t.array`. */
export interface ArrayOptions<
  E = Attribute,
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
  D = unknown,
> extends SharedOptions<R, N> {
  /** The value of an absent attribute of a request, or a function that returns it for each request. */
  readonly default?: D & DefaultValue<readonly ArrayElement<E>[]>
  /** A value for documents and for generated examples. */
  readonly example?: readonly ArrayElement<E>[] | null
  /** The minimum number of elements. */
  readonly min?: number
  /** The maximum number of elements; longer lists are rejected before any element is loaded. */
  readonly max?: number
  /**
   * The separator of the elements in one text of a query or a form; without it, clients send each element separately. A comma
   * that is percent-encoded belongs to an element, unless the separator is `'%2C'`, which is a comma in either form.
   */
  readonly delimiter?: Delimiter
}

/** The separators of list elements in one text. */
export type Delimiter = ',' | '%2C' | ' ' | '|'

/** The rule that splits a text into the elements of a list. */
export interface SplitRule {
  readonly delimiter: ',' | ' ' | '|'
  /** Whether the text is decoded before it is split. */
  readonly isDecoded: boolean
  /** The maximum number of elements. */
  readonly max: number
}

// A list without a declared limit still needs one: a text may be as long as a body.
const MAX_SPLIT_ELEMENTS = 1000

/**
 * Returns the rule that splits the text of a list; undefined for lists whose elements are sent separately, and for
 * everything else.
 */
export function getSplitRule(attribute: Attribute): SplitRule | undefined {
  const delimiter = isJsonText(attribute) ? undefined : getDelimiter(attribute)
  const { max = MAX_SPLIT_ELEMENTS } = (attribute.core.target ?? attribute).options as ArrayOptions
  return delimiter && { delimiter: toSign(delimiter), isDecoded: delimiter !== ',', max }
}

/** Returns the sign of a separator. */
export const toSign = (delimiter: Delimiter): ',' | ' ' | '|' => (delimiter === '%2C' ? ',' : delimiter)

/** Returns the separator of a list; JSON texts are not considered here. */
export function getDelimiter(attribute: Attribute | undefined): Delimiter | undefined {
  const resolved = attribute?.core.target ?? attribute
  return resolved?.core.shape === 'list' ? (resolved.options as ArrayOptions).delimiter : undefined
}

const EXPECTED_LIST = { expected: 'a list', kind: 'array' }

const arrayKind: KindOutline<Attribute> = {
  name: 'array',
  shape: 'list',
  children: (element) => ({ '*': element }),
  rebuild: (element, { '*': other = element }) => other,
  related: (element) => element.core.related,
}

/** The rules of `t.array`. */
export const arrayRules: KindRules<Attribute> = {
  options: {
    min: number,
    max: number,
    delimiter: choice(',', '%2C', ' ', '|'),
  } satisfies KindOptionForms<ArrayOptions>,
  loader: (element, options, rules) => makeArrayLoader(element, options as NumericLimits, rules),
  dumper: (element, options, rules) => makeArrayDumper(element, options as NumericLimits, rules),
  isAsync: (element, rules) => rules.isAsync(element),
  extraConstraints: ({ delimiter }: ArrayOptions) => (delimiter === undefined ? {} : { delimiter }),
  jsonSchema: (element, options, schemas, rules) =>
    applyOptions(buildArraySchema(rules.buildSchema(element, schemas), options as NumericLimits), options),
  example: (element, options, seed, rules) =>
    makeArrayExample((i) => rules.makeExample(element, seed.at(i)), options as NumericLimits, seed),
  mistakes: (element, options) => [
    ...findSizeMistakes(options as NumericLimits),
    ...findDelimiterMistakes(element, options),
    ...findElementMistakes(element, 'array'),
  ],
}

const SINGLE_SHAPES: ReadonlySet<Shape> = new Set(['value', 'open'])

function findDelimiterMistakes(element: Attribute, options: AnyOptions): string[] {
  const { delimiter } = options as ArrayOptions
  const { core } = element.core.target ?? element
  if (delimiter === undefined || SINGLE_SHAPES.has(core.shape)) return []
  return [`delimiter is for lists of single values, not of ${core.kindName}`]
}

function makeArrayLoader(
  element: Attribute,
  { min = 0, max = Number.POSITIVE_INFINITY }: NumericLimits,
  rules: ValueRules,
): Loader {
  const loadedElement: LoadedElement = {
    nullable: element.options.nullable ?? false,
    load: rules.getLoader(element),
    defers: rules.isAsync(element),
  }
  return withLoaderCode(loadArray, { write: (code) => writeArrayLoader(code, loadedElement, { min, max }, loadArray) })

  function loadArray(value: unknown, loading: Loading): unknown {
    const items = Array.isArray(value) ? value : readTextItems(value, loading)
    if (items === undefined) return loading.fail('type', EXPECTED_LIST)
    if (items.length > max) return loading.fail('max-items', { limit: max })
    if (items.length < min) return loading.fail('min-items', { limit: min })
    const loaded: unknown[] = []
    let valid = true
    for (let i = 0; i < items.length; i++) {
      if (!loadElement(loadedElement, items[i], loaded, loading)) valid = false
    }
    return valid ? loaded : INVALID
  }
}

/** The element of a list with everything that the loading loop needs. */
interface LoadedElement {
  readonly nullable: boolean
  readonly load: Loader
  readonly defers: boolean
}

/** Loads the next element of a list; returns whether it is valid. */
function loadElement(
  { nullable, load, defers }: LoadedElement,
  raw: unknown,
  loaded: unknown[],
  loading: Loading,
): boolean {
  const since = loading.issues === null ? 0 : loading.issues.length
  const deferredSince = loading.deferred === null ? 0 : loading.deferred.length
  const result = raw === null || raw === undefined ? loadNullElement(nullable, loading) : load(raw, loading)
  if (defers) loading.bindDeferred(loaded as unknown as Record<number, unknown>, loaded.length, deferredSince)
  if (result === INVALID) prefixIssues(loading.issues, loaded.length, since)
  loaded.push(result)
  return result !== INVALID
}

/** Writes a list's loader: lists of a wrong type or size, and texts, go to the closure. */
function writeArrayLoader(
  code: GeneratedCode,
  element: LoadedElement,
  { min, max }: Required<NumericLimits>,
  closure: Loader,
): string {
  const slot = writeSlot(code, {
    load: element.load,
    defers: element.defers,
    take: (result) => `loaded.push(${result})`,
    skip: 'loaded.push(result)',
    slowly: `${code.addConstant(loadElement)}(${code.addConstant(element)}, raw, loaded, loading)`,
    step: 'i',
    mayBeUndefined: true,
  })
  return code.addFunction('value, loading', [
    `if (!${code.addConstant(Array.isArray)}(value) || !(${writeRange(code, 'value.length', min, max)}))`,
    `  return ${code.addConstant(closure)}(value, loading)`,
    'const loaded = []',
    SLOT_VARIABLES,
    'for (let i = 0; i < value.length; i++) {',
    'raw = value[i]',
    slot,
    '}',
    `return valid ? loaded : ${code.addConstant(INVALID)}`,
  ])
}

const loadNullElement = (nullable: boolean, loading: Loading): unknown => (nullable ? null : loading.fail('null'))

// For text sources: one value becomes a list of one, and `items[0]=a&items[1]=b` arrives as an object with the indices
// as names.
function readTextItems(value: unknown, loading: Loading): readonly unknown[] | undefined {
  if (loading.source !== 'text') return undefined
  if (typeof value === 'string' || isFile(value)) return [value]
  if (typeof value !== 'object' || value === null) return undefined
  const names = Object.keys(value)
  return names.every((name, i) => name === String(i)) ? Object.values(value) : undefined
}

function makeArrayDumper(
  element: Attribute,
  { min = 0, max = Number.POSITIVE_INFINITY }: NumericLimits,
  rules: ValueRules,
): Dumper {
  const nullable = element.options.nullable ?? false
  const dump = rules.getDumper(element)
  dumpArray.writer = () => makeArrayWriter(makeElementWriter(dump, element.core.unchangedType), dumpArray)
  return dumpArray

  function dumpArray(value: unknown, dumping: Dumping): unknown {
    if (!Array.isArray(value)) return dumping.fail('type', EXPECTED_LIST)
    if (!dumping.enter()) return INVALID
    if (dumping.checks && value.length > max) dumping.fail('max-items', { limit: max })
    if (dumping.checks && value.length < min) dumping.fail('min-items', { limit: min })
    const dumped: unknown[] = []
    let valid = true
    for (let i = 0; i < value.length; i++) {
      const raw: unknown = value[i] ?? null
      const since = dumping.issues === null ? 0 : dumping.issues.length
      const result = raw === null ? null : dump(raw, dumping)
      if (raw === null && dumping.checks && !nullable) dumping.fail('null')
      if (dumping.issues !== null) prefixIssues(dumping.issues, i, since)
      if (result === INVALID) valid = false
      else dumped.push(result)
    }
    dumping.leave()
    return valid ? dumped : INVALID
  }
}

function makeArrayWriter(writeElement: JsonWriter, dump: Dumper): JsonWriter {
  // Writers are for unchecked values; whether an element may be null is a check.
  const writeElements = makeListWriter(writeElement, 'written')
  const fallback = makeDumpWriter(dump)
  return withWriterCode(writeArray, (code) =>
    code.addFunction('value, out, dumping', [
      `if (!${code.addConstant(Array.isArray)}(value) || !dumping.enter())`,
      `  return ${code.addConstant(fallback)}(value, out, dumping)`,
      `const isWritten = ${nameWriter(code, writeElements)}(value, out, dumping)`,
      'dumping.leave()',
      'return isWritten',
    ]),
  )

  function writeArray(value: unknown, out: JsonBuffer, dumping: Dumping): boolean {
    if (!Array.isArray(value) || !dumping.enter()) return fallback(value, out, dumping)
    const isWritten = writeElements(value, out, dumping)
    dumping.leave()
    return isWritten
  }
}

function buildArraySchema(items: JsonSchema, { min, max }: NumericLimits): JsonSchema {
  return {
    type: 'array',
    items,
    ...(min !== undefined && { minItems: min }),
    ...(max !== undefined && { maxItems: max }),
  }
}

function makeArrayExample(
  makeElement: (i: number) => unknown,
  { min = 0, max = Number.POSITIVE_INFINITY }: NumericLimits,
  seed: ExampleSeed,
): unknown[] {
  const wanted = seed.depth < MAX_EXAMPLE_DEPTH ? 1 : 0
  const length = Math.max(min, Math.min(max, wanted))
  return Array.from({ length }, (_, i) => makeElement(i))
}
