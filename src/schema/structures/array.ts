// An ordered list of one type of element.
import { choice, number } from '../../util/form.ts'
import {
  type AnyOptions,
  type Attribute,
  attribute,
  type KindOutline,
  type KindRules,
  type Presence,
  type Shape,
} from '../attribute.ts'
import type { Dumper, Dumping, Writer } from '../dumping.ts'
import { type ExampleSeed, MAX_EXAMPLE_DEPTH } from '../example.ts'
import type { Heir } from '../inherit.ts'
import { INVALID, prefixIssues } from '../issue.ts'
import { dumpingWriter, elementWriter, listWriter } from '../json/writer.ts'
import { describe, type JsonSchema, type Schemas } from '../json-schema.ts'
import type { Loader, Loading } from '../loading.ts'
import type { Initial, InitialOf, OwnOptions, Said, SharedOptions } from '../options.ts'
import { asAttribute } from '../refused.ts'
import { type Bounds, sizeMistakes } from '../scalars/checks.ts'
import type { Nullable, Present } from '../types.ts'
import { isFile } from './file.ts'
import { elementMistakes, isJsonText } from './json.ts'

/** Declares a list of elements of one type; with attributes that they inherit, a list for a payload or a param. */
export function array<
  E extends Attribute | Heir,
  R extends Said = undefined,
  N extends Said = undefined,
  D extends InitialOf<unknown, R> = undefined,
>(of: E, options?: ArrayOptions<E, R, N, D>): ListOf<E, N, Present<R, D>>
export function array(of: unknown, options?: object): never {
  return attribute(arrayKind, asAttribute(of), options) as never
}

/** A list of elements of the attribute E. Their type is resolved lazily, so that types may contain themselves. */
export interface ArrayOf<out E extends Attribute, out N extends Said, out P extends Presence>
  extends Attribute<unknown, P> {
  readonly '~type': Nullable<E['~type'][], N>
}

type ListOf<E, N extends Said, P extends Presence> = E extends Attribute ? ArrayOf<E, N, P> : Heir<E, NoInfer<N>, P>

type ElementOf<E> = E extends Attribute ? E['~type'] : unknown

/** Options of a list. */
export interface ArrayOptions<E = Attribute, R extends Said = Said, N extends Said = Said, D = unknown>
  extends SharedOptions<R, N> {
  /** The value of an absent attribute of a request, or a function that returns it for each request. */
  readonly default?: D & Initial<readonly ElementOf<E>[]>
  /** A value for documents and for generated examples. */
  readonly example?: readonly ElementOf<E>[] | null
  /** The least number of elements. */
  readonly min?: number
  /** The greatest number of elements; longer lists are rejected before any element is loaded. */
  readonly max?: number
  /** The separator of the elements in one text of a query or a form; without it, clients send each element by itself. */
  readonly delimiter?: Delimiter
}

/** The separators of list elements in one text. */
export type Delimiter = ',' | ' ' | '|'

/** How a text is divided into the elements of a list. */
export interface Delimited {
  readonly delimiter: Delimiter
  /** The most elements that are taken. */
  readonly max: number
}

// A list without a declared limit still needs one: a text may be as long as a body.
const MAX_PIECES = 1000

/** How the text of a list is divided; undefined for lists whose elements come one by one, and for everything else. */
export function delimitedOf(attribute: Attribute): Delimited | undefined {
  const delimiter = isJsonText(attribute) ? undefined : delimiterOf(attribute)
  const { max = MAX_PIECES } = (attribute.core.target ?? attribute).options as ArrayOptions
  return delimiter && { delimiter, max }
}

/** The separator of a list that is no text of JSON. */
export function delimiterOf(attribute: Attribute | undefined): Delimiter | undefined {
  const meant = attribute?.core.target ?? attribute
  return meant?.core.shape === 'list' ? (meant.options as ArrayOptions).delimiter : undefined
}

const EXPECTED = { expected: 'a list', kind: 'array' }

const arrayKind: KindOutline<Attribute> = {
  name: 'array',
  shape: 'list',
  children: (of) => ({ '*': of }),
  rebuild: (of, { '*': other = of }) => other,
  related: (of) => of.core.related,
}

/** The rules of lists. */
export const arrayRules: KindRules<Attribute> = {
  options: { min: number, max: number, delimiter: choice(',', ' ', '|') } satisfies OwnOptions<ArrayOptions>,
  loader: (of, options) => arrayLoader(of, options as Bounds),
  dumper: (of, options) => arrayDumper(of, options as Bounds),
  defers: (of) => of.core.defers,
  unsaid: ({ delimiter }: ArrayOptions) => (delimiter === undefined ? {} : { delimiter }),
  jsonSchema: (of, options, schemas) => describe(schemaOf(of, options as Bounds, schemas), options),
  example: (of, options, seed) => exampleOf(of, options as Bounds, seed),
  mistakes: (of, options) => [
    ...sizeMistakes(options as Bounds),
    ...delimiterMistakes(of, options),
    ...elementMistakes(of, 'array'),
  ],
}

const SINGLE: ReadonlySet<Shape> = new Set(['value', 'open'])

function delimiterMistakes(of: Attribute, options: AnyOptions): string[] {
  const { delimiter } = options as ArrayOptions
  const { core } = of.core.target ?? of
  if (delimiter === undefined || SINGLE.has(core.shape)) return []
  return [`delimiter is for lists of single values, not of ${core.kindName}`]
}

function arrayLoader(of: Attribute, { min = 0, max = Number.POSITIVE_INFINITY }: Bounds): Loader {
  const { core, options } = of
  const nullable = options.nullable ?? false
  const { loader: load, defers } = core
  return function loadArray(value, loading) {
    const items = Array.isArray(value) ? value : textItems(value, loading)
    if (items === undefined) return loading.fail('type', EXPECTED)
    if (items.length > max) return loading.fail('max-items', { limit: max })
    if (items.length < min) return loading.fail('min-items', { limit: min })
    const loaded: unknown[] = []
    let valid = true
    for (let i = 0; i < items.length; i++) {
      const raw: unknown = items[i]
      const since = loading.issues === null ? 0 : loading.issues.length
      const waiting = loading.deferred === null ? 0 : loading.deferred.length
      const result = raw === null || raw === undefined ? absent(nullable, loading) : load(raw, loading)
      if (defers) loading.place(loaded as unknown as Record<number, unknown>, i, waiting)
      if (result === INVALID) {
        prefixIssues(loading.issues, i, since)
        valid = false
      }
      loaded.push(result)
    }
    return valid ? loaded : INVALID
  }
}

const absent = (nullable: boolean, loading: Loading): unknown => (nullable ? null : loading.fail('null'))

// Text sources: one value makes a list of one, and `items[0]=a&items[1]=b` arrives as an object with the indices as names.
function textItems(value: unknown, loading: Loading): readonly unknown[] | undefined {
  if (!loading.text) return undefined
  if (typeof value === 'string' || isFile(value)) return [value]
  if (typeof value !== 'object' || value === null) return undefined
  const names = Object.keys(value)
  return names.every((name, i) => name === String(i)) ? Object.values(value) : undefined
}

function arrayDumper(of: Attribute, { min = 0, max = Number.POSITIVE_INFINITY }: Bounds): Dumper {
  const { core, options } = of
  const nullable = options.nullable ?? false
  const dump = core.dumper
  dumpArray.writer = () => arrayWriter(of, dumpArray)
  return dumpArray

  function dumpArray(value: unknown, dumping: Dumping): unknown {
    if (!Array.isArray(value)) return dumping.fail('type', EXPECTED)
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

function arrayWriter({ core }: Attribute, dump: Dumper): Writer {
  // Whether an element may be null is a check, and writers are for values that are not checked.
  const writeElements = listWriter(elementWriter(core.dumper, core.passes), true)
  const otherwise = dumpingWriter(dump)
  return function writeArray(value, out, dumping) {
    if (!Array.isArray(value) || !dumping.enter()) return otherwise(value, out, dumping)
    const written = writeElements(value, out, dumping)
    dumping.leave()
    return written
  }
}

function schemaOf(of: Attribute, { min, max }: Bounds, schemas: Schemas): JsonSchema {
  return {
    type: 'array',
    items: of.core.jsonSchema(schemas),
    ...(min !== undefined && { minItems: min }),
    ...(max !== undefined && { maxItems: max }),
  }
}

function exampleOf(of: Attribute, { min = 0, max = Number.POSITIVE_INFINITY }: Bounds, seed: ExampleSeed): unknown[] {
  const wanted = seed.depth < MAX_EXAMPLE_DEPTH ? 1 : 0
  const length = Math.max(min, Math.min(max, wanted))
  return Array.from({ length }, (_, i) => of.core.example(seed.at(i)))
}
