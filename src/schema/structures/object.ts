// A structure of named attributes: loaded in one pass that copies the declared names and refuses the others.
import { isStructure } from '../../util/form.ts'
import { provided } from '../../util/late.ts'
import {
  type AnyOptions,
  type Attribute,
  type Attributes,
  attribute,
  type KindOutline,
  type KindRules,
  type Presence,
  strays,
} from '../attribute.ts'
import { initialOf } from '../default.ts'
import { type Dumper, type Dumping, isPassing, type Passing } from '../dumping.ts'
import { type ExampleSeed, MAX_EXAMPLE_DEPTH } from '../example.ts'
import type { Heir, InheritingAttributes } from '../inherit.ts'
import { escapePointer, INVALID, prefixIssues } from '../issue.ts'
import { structWriter } from '../json/object-writer.ts'
import { describe, type JsonSchema, type Schemas } from '../json-schema.ts'
import type { Loader, Loading } from '../loading.ts'
import type { Initial, InitialOf, OwnOptions, Said, SharedOptions } from '../options.ts'
import { asAttributes } from '../refused.ts'
import {
  mustBeSent,
  type Requirement,
  requirementFlaws,
  requirementSchemas,
  requirements,
  requiring,
  satisfying,
  valueRuleMistakes,
} from '../requires.ts'
import type { Nullable, ObjectOf, Present } from '../types.ts'

/** Declares a structure of named attributes; with attributes that it inherits, one for a payload or a param. */
export function object<
  X extends InheritingAttributes,
  R extends Said = undefined,
  N extends Said = undefined,
  D extends InitialOf<Structure<X>, R> = undefined,
>(attributes: X, options?: ObjectOptions<X, R, N, D>): StructureOf<X, N, Present<R, D>>
export function object(attributes: Attributes, options?: AnyOptions): never {
  return (
    isStructure(attributes) ? attribute(structKind, asAttributes(attributes), options) : provided(strays)(attributes)
  ) as never
}

type StructureOf<X, N extends Said, P extends Presence> = X extends Attributes
  ? Attribute<Nullable<ObjectOf<X>, N>, P>
  : Heir<X, NoInfer<N>, P>

// An inherited attribute has no type yet.
type Structure<X> = X extends Attributes ? ObjectOf<X> : unknown

/** Options of a structure. */
export interface ObjectOptions<X, R extends Said = Said, N extends Said = Said, D = Initial<Structure<X>> | undefined>
  extends SharedOptions<R, N> {
  /** The value of an absent attribute of a request, or a function that returns it for each request. */
  readonly default?: D
  /** A value for documents and for generated examples. */
  readonly example?: Structure<X> | null
  /**
   * Rules between the attributes of a request: how many of them a client sends. A sent null counts, a default does not.
   * @default none
   */
  readonly requires?: readonly Requirement<keyof X & string>[]
}

const requiresOf = (options: AnyOptions): readonly Requirement[] | undefined =>
  (options as { readonly requires?: readonly Requirement[] }).requires

/** Returns whether an attribute is present: sent by the client (also as null) or assigned by a default. */
export function has<S extends object, N extends keyof S & string>(
  structure: S,
  name: N,
): structure is S & { readonly [K in N]-?: Exclude<S[K], undefined> } {
  return Object.hasOwn(structure, name)
}

const structKind: KindOutline<Attributes> = {
  name: 'object',
  shape: 'object',
  children: (attributes) => attributes,
  rebuild: (_, children) => children,
}

/** The rules of structures. */
export const structRules: KindRules<Attributes> = {
  options: { requires: requirements } satisfies OwnOptions<ObjectOptions<Attributes>>,
  loader: (attributes, options) => requiring(structLoader(Object.entries(attributes)), requiresOf(options)),
  dumper: (attributes) => structDumper(Object.entries(attributes)),
  defers: (attributes) => Object.values(attributes).some((one) => one.core.defers),
  jsonSchema: (attributes, options, schemas) =>
    describe(withRules(structSchema(Object.entries(attributes), schemas), requiresOf(options), schemas), options),
  example: (attributes, options, seed) => structExample(Object.entries(attributes), seed, requiresOf(options)),
  mistakes: (attributes, options) => [
    ...nameMistakes(Object.keys(attributes)),
    ...requirementFlaws(requiresOf(options), attributes),
    ...valueRuleMistakes(requiresOf(options), options),
  ],
}

/** A declared attribute with everything the loop over a structure needs, read once. */
interface Field {
  readonly name: string
  readonly load: Loader
  readonly required: boolean
  readonly nullable: boolean
  readonly defers: boolean
  readonly initial: (() => unknown) | undefined
  /** A name that every object inherits (`constructor`, …) is read only when it is the object's own. */
  readonly inherited: boolean
}

type Entry = readonly [string, Attribute]

function field([name, attribute]: Entry, reading?: (load: Loader) => Loader): Field {
  const { core, options } = attribute
  return {
    name,
    load: reading?.(core.loader) ?? core.loader,
    required: options.required ?? false,
    nullable: options.nullable ?? false,
    defers: core.defers,
    initial: initialOf(attribute),
    inherited: name in Object.prototype,
  }
}

/** Makes the loader of a structure from its attributes, in their order; `reading` stands around the loader of each. */
export function structLoader(entries: readonly Entry[], reading?: (load: Loader) => Loader): Loader {
  const fields = entries.map((entry) => field(entry, reading))
  const names = new Set(fields.map(({ name }) => name))
  // Such a name that was not sent must not be found where controllers look for it either.
  const bare = fields.some(({ inherited }) => inherited)
  return function loadStruct(value, loading) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return loading.fail('type', { expected: 'an object', kind: 'object' })
    }
    const source = value as Record<string, unknown>
    const loaded: Record<string, unknown> = bare ? Object.create(null) : {}
    let valid = true
    let sent = 0
    for (let i = 0; i < fields.length; i++) {
      const one = fields[i] as Field
      const raw = one.inherited && !Object.hasOwn(source, one.name) ? undefined : source[one.name]
      if (raw === undefined) {
        if (one.initial !== undefined) loaded[one.name] = one.initial()
        else if (one.required) valid = absent(one, loading)
        continue
      }
      sent++
      if (!loadField(one, raw, loaded, loading)) valid = false
    }
    if (count(source) !== sent && !refuseUnknown(source, names, loading)) valid = false
    return valid ? loaded : INVALID
  }
}

function loadField(one: Field, raw: unknown, loaded: Record<string, unknown>, loading: Loading): boolean {
  if (raw === null && one.nullable) {
    loaded[one.name] = null
    return true
  }
  const since = loading.issues === null ? 0 : loading.issues.length
  const waiting = loading.deferred === null ? 0 : loading.deferred.length
  const result = raw === null ? loading.fail('null') : one.load(raw, loading)
  // Also when a sibling below was refused: what is still being checked must be reported at its place.
  if (one.defers) loading.place(loaded, one.name, waiting)
  if (result === INVALID) {
    prefixIssues(loading.issues, one.name, since)
    return false
  }
  loaded[one.name] = result
  return true
}

function absent(one: Field, loading: Loading): false {
  loading.failAt(`/${escapePointer(one.name)}`, 'missing')
  return false
}

function count(source: object): number {
  let names = 0
  for (const _ in source) names++
  return names
}

function refuseUnknown(source: object, names: ReadonlySet<string>, loading: Loading): boolean {
  let valid = true
  for (const name of Object.keys(source)) {
    if (names.has(name) || loading.ignores?.(name)) continue
    loading.failAt(`/${escapePointer(name)}`, 'unknown')
    valid = false
  }
  return valid
}

/** Makes the dumper of a structure: a projection onto the given attributes, nothing else leaves. */
export function structDumper(entries: readonly Entry[]): Dumper {
  const fields = entries.map(shownField)
  dumpStruct.writer = () => structWriter(fields, dumpStruct)
  return dumpStruct

  function dumpStruct(value: unknown, dumping: Dumping): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return dumping.fail('type', { expected: 'an object', kind: 'object' })
    if (!dumping.enter()) return INVALID
    const source = value as Record<string, unknown>
    const dumped: Record<string, unknown> = {}
    let valid = true
    for (let i = 0; i < fields.length; i++) {
      const one = fields[i] as Shown
      const raw = one.inherited && !Object.hasOwn(source, one.name) ? undefined : source[one.name]
      if (raw === undefined || raw === null) {
        if (raw === null) dumped[one.name] = null
        if (dumping.checks) reportGap(one, raw, dumping)
        continue
      }
      if (!dumping.checks && one.passes !== undefined && isPassing(raw, one.passes)) {
        dumped[one.name] = raw
        continue
      }
      const since = dumping.issues === null ? 0 : dumping.issues.length
      const result = one.dump(raw, dumping)
      if (dumping.issues !== null) prefixIssues(dumping.issues, one.name, since)
      if (result === INVALID) valid = false
      else dumped[one.name] = result
    }
    dumping.leave()
    return valid ? dumped : INVALID
  }
}

const shownField = ([name, { core, options }]: readonly [string, Attribute]): Shown => ({
  name,
  dump: core.dumper,
  required: options.required ?? false,
  nullable: options.nullable ?? false,
  inherited: name in Object.prototype,
  passes: core.passes,
})

/** A declared attribute on its way out, with everything the loop over a structure needs. */
interface Shown {
  readonly name: string
  readonly dump: Dumper
  readonly required: boolean
  readonly nullable: boolean
  /** A name that every object inherits is read only when it is the object's own. */
  readonly inherited: boolean
  readonly passes: Passing | undefined
}

function reportGap(one: Shown, raw: null | undefined, dumping: Dumping): void {
  if (raw === undefined && one.required) dumping.failAt(`/${escapePointer(one.name)}`, 'missing')
  if (raw === null && !one.nullable) dumping.failAt(`/${escapePointer(one.name)}`, 'null')
}

/** The mistake of the one name that cannot be assigned on a JavaScript object. */
export const NO_PROTO = '__proto__ cannot be the name of an attribute'

const nameMistakes = (names: readonly string[]): string[] => (names.includes('__proto__') ? [NO_PROTO] : [])

/** Writes the JSON Schema of a structure; what has a default need not be sent. */
export function structSchema(entries: readonly (readonly [string, Attribute])[], schemas: Schemas): JsonSchema {
  const sent = schemas.direction === 'input'
  const required = entries
    .filter(
      ([, { options }]) => options.required === true && !(sent && options.default !== undefined) && !schemas.selected,
    )
    .map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, one]) => [name, one.core.jsonSchema(schemas)])),
    ...(required.length > 0 && { required }),
    ...(sent && { additionalProperties: false }),
  }
}

// Rules are about requests: a response shows what it has.
function withRules(schema: JsonSchema, requires: readonly Requirement[] = [], schemas: Schemas): JsonSchema {
  if (requires.length === 0 || schemas.direction === 'output') return schema
  return { ...schema, allOf: requirementSchemas(requires) }
}

/** Makes the example of a structure; below a certain depth only required attributes are shown. */
export function structExample(
  entries: readonly Entry[],
  seed: ExampleSeed,
  requires: readonly Requirement[] = [],
): Record<string, unknown> {
  const wide = seed.depth < MAX_EXAMPLE_DEPTH
  const ruled = new Set(requires.flatMap((one) => one.names))
  const chosen = satisfying(requires, mustBeSent(Object.fromEntries(entries)), wide)
  const shown = entries.filter(([name, one]) =>
    ruled.has(name) ? chosen?.has(name) : wide || one.options.required === true,
  )
  const made = shown.map(([name, one]) => [name, one.core.example(seed.at(name))] as const)
  return Object.fromEntries(made.filter(([, value]) => value !== undefined))
}
