// A structure of named attributes: loaded in one pass that copies the declared names and refuses the others.

import type { GeneratedCode } from '../../util/generated-code.ts'
import { isSettings } from '../../util/setting-form.ts'
import {
  type AnyOptions,
  type Attribute,
  type AttributeRules,
  type Attributes,
  type KindOutline,
  type KindRules,
  makeAttribute,
  type Presence,
  type ValueRules,
} from '../attribute.ts'
import type {
  AllowedDefault,
  BooleanOption,
  DefaultValue,
  KindOptionForms,
  SharedOptions,
} from '../attribute-options.ts'
import { makeDefaultFactory } from '../default.ts'
import { type Dumper, type Dumping, isJsonPrimitive, type JsonPrimitive } from '../dumping.ts'
import { type ExampleSeed, MAX_EXAMPLE_DEPTH } from '../example.ts'
import type { InheritingAttributes, InheritingStructure } from '../inherit.ts'
import { asAttributes, makeInvalidAttributes } from '../invalid-attribute.ts'
import { escapePointer, INVALID, prefixIssues } from '../issue.ts'
import { makeObjectWriter } from '../json/object-writer.ts'
import { applyOptions, type JsonSchema, type NamedSchemas } from '../json-schema.ts'
import { SLOT_VARIABLES, withLoaderCode, writeSlot } from '../loader-code.ts'
import type { Loader, Loading } from '../loading.ts'
import {
  buildRequirementSchemas,
  findMandatoryNames,
  findRequirementFlaws,
  findSatisfyingNames,
  findValueRuleMistakes,
  type Requirement,
  requirementsForm,
  withRequirements,
} from '../requirements.ts'
import type { Nullable, ObjectOf, PresenceOf } from '../types.ts'

/** Declares a structure of named attributes. With inherited attributes, it is a structure for a payload or a param. */
export function object<
  X extends InheritingAttributes,
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<ObjectValue<X>, R> = undefined,
>(attributes: X, options?: ObjectOptions<X, R, N, D>): ObjectAttribute<X, N, PresenceOf<R, D>>
export function object(attributes: Attributes, options?: AnyOptions): never {
  return (
    isSettings(attributes)
      ? makeAttribute(objectKind, asAttributes(attributes), options)
      : makeInvalidAttributes(attributes)
  ) as never
}

type ObjectAttribute<X, N extends BooleanOption, P extends Presence> = X extends Attributes
  ? Attribute<Nullable<ObjectOf<X>, N>, P>
  : InheritingStructure<X, NoInfer<N>, P>

// An inherited attribute has no type yet.
type ObjectValue<X> = X extends Attributes ? ObjectOf<X> : unknown

/** The options of `t.object`. */
export interface ObjectOptions<
  X,
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
  D = DefaultValue<ObjectValue<X>> | undefined,
> extends SharedOptions<R, N> {
  /** The value of an absent attribute of a request, or a function that returns it for each request. */
  readonly default?: D
  /** A value for documents and for generated examples. */
  readonly example?: ObjectValue<X> | null
  /**
   * Rules between the attributes of a request: how many of them a client sends. A null that is sent counts, a default
   * does not.
   * @default none
   */
  readonly requires?: readonly Requirement<keyof X & string>[]
}

const getRequirements = (options: AnyOptions): readonly Requirement[] | undefined =>
  (options as { readonly requires?: readonly Requirement[] }).requires

/** Returns whether an attribute is present: sent by the client (also as null) or set by a default. */
export function has<S extends object, N extends keyof S & string>(
  structure: S,
  name: N,
): structure is S & { readonly [K in N]-?: Exclude<S[K], undefined> } {
  return Object.hasOwn(structure, name)
}

const objectKind: KindOutline<Attributes> = {
  name: 'object',
  shape: 'object',
  children: (attributes) => attributes,
  rebuild: (_, children) => children,
}

/** The rules of `t.object`. */
export const objectRules: KindRules<Attributes> = {
  options: { requires: requirementsForm } satisfies KindOptionForms<ObjectOptions<Attributes>>,
  loader: (attributes, options, rules) =>
    withRequirements(makeObjectLoader(Object.entries(attributes), rules), getRequirements(options)),
  dumper: (attributes, _, rules) => makeObjectDumper(Object.entries(attributes), rules),
  isAsync: (attributes, rules) => Object.values(attributes).some((one) => rules.isAsync(one)),
  jsonSchema(attributes, options, schemas, rules) {
    const schema = buildObjectSchema(Object.entries(attributes), schemas, rules)
    return applyOptions(withRequirementSchemas(schema, getRequirements(options), schemas), options)
  },
  example: (attributes, options, seed, rules) =>
    makeObjectExample(Object.entries(attributes), seed, rules, getRequirements(options)),
  mistakes: (attributes, options) => [
    ...findNameMistakes(Object.keys(attributes)),
    ...findRequirementFlaws(getRequirements(options), attributes),
    ...findValueRuleMistakes(getRequirements(options), options),
  ],
}

/** A declared attribute with everything that the loading loop needs, read once. */
interface LoadedField {
  readonly name: string
  readonly load: Loader
  readonly required: boolean
  readonly nullable: boolean
  readonly defers: boolean
  readonly makeDefault: (() => unknown) | undefined
  /** Whether every object inherits the name (`constructor`, …); it is read only as an own property. */
  readonly isPrototypeName: boolean
}

type AttributeEntry = readonly [string, Attribute]

function makeLoadedField(
  [name, attribute]: AttributeEntry,
  rules: ValueRules,
  wrap: ((load: Loader) => Loader) | undefined,
): LoadedField {
  const { options } = attribute
  const load = rules.getLoader(attribute)
  return {
    name,
    load: wrap?.(load) ?? load,
    required: options.required ?? false,
    nullable: options.nullable ?? false,
    defers: rules.isAsync(attribute),
    makeDefault: makeDefaultFactory(attribute),
    isPrototypeName: name in Object.prototype,
  }
}

// Engines do not optimise functions of any length.
const MAX_GENERATED_FIELDS = 150

/** A structure's loader as it is written: what it loads, and the closure for values that are no structure. */
interface WrittenStructure {
  readonly fields: readonly LoadedField[]
  readonly names: ReadonlySet<string>
  readonly hasPrototypeName: boolean
  readonly closure: Loader
}

function writeObjectLoader(
  code: GeneratedCode,
  { fields, names, hasPrototypeName, closure }: WrittenStructure,
): string {
  return code.addFunction('value, loading', [
    `if (typeof value !== 'object' || value === null || ${code.addConstant(Array.isArray)}(value))`,
    `  return ${code.addConstant(closure)}(value, loading)`,
    `const loaded = ${hasPrototypeName ? `${code.addConstant(Object.create)}(null)` : '{}'}`,
    'let sent = 0, names = 0',
    SLOT_VARIABLES,
    ...fields.map((one) => writeField(code, one)),
    'for (const _ in value) names++',
    `if (names !== sent && !${code.addConstant(refuseUnknownNames)}(value, ${code.addConstant(names)}, loading)) valid = false`,
    `return valid ? loaded : ${code.addConstant(INVALID)}`,
  ])
}

function writeField(code: GeneratedCode, field: LoadedField): string {
  const { name, load, defers, required, makeDefault, isPrototypeName } = field
  const [constant, step] = [code.addConstant(field), code.addConstant(name)]
  const take = (result: string): string => `${code.writeMember('loaded', name)} = ${result}`
  const member = code.writeMember('value', name)
  const slot = writeSlot(code, {
    load,
    defers,
    take,
    skip: '',
    slowly: `${code.addConstant(loadField)}(${constant}, raw, loaded, loading)`,
    step,
    mayBeUndefined: false,
  })
  const own = `${code.addConstant(Object.hasOwn)}(value, ${step}) ? ${member} : undefined`
  const ifMissing = required ? ` else valid = ${code.addConstant(reportMissing)}(${constant}, loading)` : ''
  const ifAbsent = makeDefault === undefined ? ifMissing : ` else ${take(`${code.addConstant(makeDefault)}()`)}`
  return `raw = ${isPrototypeName ? own : member}
if (raw !== undefined) {
sent++
${slot}
}${ifAbsent}`
}

/** Creates the loader of a structure from its attributes, in their order; `wrap` wraps the loader of each. */
export function makeObjectLoader(
  entries: readonly AttributeEntry[],
  rules: ValueRules,
  wrap?: (load: Loader) => Loader,
): Loader {
  const fields = entries.map((entry) => makeLoadedField(entry, rules, wrap))
  const names = new Set(fields.map(({ name }) => name))
  // Without a prototype, a controller does not find an inherited member under a name that was not sent.
  const hasPrototypeName = fields.some(({ isPrototypeName }) => isPrototypeName)
  if (fields.length > MAX_GENERATED_FIELDS) return loadStruct
  return withLoaderCode(loadStruct, {
    write: (code) => writeObjectLoader(code, { fields, names, hasPrototypeName, closure: loadStruct }),
  })

  function loadStruct(value: unknown, loading: Loading): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return loading.fail('type', { expected: 'an object', kind: 'object' })
    }
    const source = value as Record<string, unknown>
    const loaded: Record<string, unknown> = hasPrototypeName ? Object.create(null) : {}
    let valid = true
    let sent = 0
    for (let i = 0; i < fields.length; i++) {
      const one = fields[i] as LoadedField
      const raw = one.isPrototypeName && !Object.hasOwn(source, one.name) ? undefined : source[one.name]
      if (raw === undefined) {
        if (one.makeDefault !== undefined) loaded[one.name] = one.makeDefault()
        else if (one.required) valid = reportMissing(one, loading)
        continue
      }
      sent++
      if (!loadField(one, raw, loaded, loading)) valid = false
    }
    if (countNames(source) !== sent && !refuseUnknownNames(source, names, loading)) valid = false
    return valid ? loaded : INVALID
  }
}

function loadField(field: LoadedField, raw: unknown, loaded: Record<string, unknown>, loading: Loading): boolean {
  if (raw === null && field.nullable) {
    loaded[field.name] = null
    return true
  }
  const since = loading.issues === null ? 0 : loading.issues.length
  const deferredSince = loading.deferred === null ? 0 : loading.deferred.length
  const result = raw === null ? loading.fail('null') : field.load(raw, loading)
  // Even when a sibling below is refused: the values that are still being checked need their pointers.
  if (field.defers) loading.bindDeferred(loaded, field.name, deferredSince)
  if (result === INVALID) {
    prefixIssues(loading.issues, field.name, since)
    return false
  }
  loaded[field.name] = result
  return true
}

function reportMissing(field: LoadedField, loading: Loading): false {
  loading.failAt(`/${escapePointer(field.name)}`, 'missing')
  return false
}

function countNames(source: object): number {
  let names = 0
  for (const _ in source) names++
  return names
}

function refuseUnknownNames(source: object, names: ReadonlySet<string>, loading: Loading): boolean {
  let valid = true
  for (const name of Object.keys(source)) {
    if (names.has(name) || loading.shouldIgnore?.(name)) continue
    loading.failAt(`/${escapePointer(name)}`, 'unknown')
    valid = false
  }
  return valid
}

/** Creates the dumper of a structure: it writes the given attributes and nothing else. */
export function makeObjectDumper(entries: readonly AttributeEntry[], rules: ValueRules): Dumper {
  const fields = entries.map((entry) => makeDumpedField(entry, rules))
  dumpStruct.writer = () => makeObjectWriter(fields, dumpStruct)
  return dumpStruct

  function dumpStruct(value: unknown, dumping: Dumping): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return dumping.fail('type', { expected: 'an object', kind: 'object' })
    if (!dumping.enter()) return INVALID
    const source = value as Record<string, unknown>
    const dumped: Record<string, unknown> = {}
    let valid = true
    for (let i = 0; i < fields.length; i++) {
      const one = fields[i] as DumpedField
      const raw = one.isPrototypeName && !Object.hasOwn(source, one.name) ? undefined : source[one.name]
      if (raw === undefined || raw === null) {
        if (raw === null) dumped[one.name] = null
        if (dumping.checks) reportAbsent(one, raw, dumping)
        continue
      }
      if (!dumping.checks && one.passes !== undefined && isJsonPrimitive(raw, one.passes)) {
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

const makeDumpedField = ([name, { core, options }]: AttributeEntry, rules: ValueRules): DumpedField => ({
  name,
  dump: rules.getDumper({ core }),
  required: options.required ?? false,
  nullable: options.nullable ?? false,
  isPrototypeName: name in Object.prototype,
  passes: core.unchangedType,
})

/** A declared attribute with everything that the dumping loop needs. */
interface DumpedField {
  readonly name: string
  readonly dump: Dumper
  readonly required: boolean
  readonly nullable: boolean
  /** Whether every object inherits the name; it is read only as an own property. */
  readonly isPrototypeName: boolean
  readonly passes: JsonPrimitive | undefined
}

function reportAbsent(field: DumpedField, raw: null | undefined, dumping: Dumping): void {
  if (raw === undefined && field.required) dumping.failAt(`/${escapePointer(field.name)}`, 'missing')
  if (raw === null && !field.nullable) dumping.failAt(`/${escapePointer(field.name)}`, 'null')
}

/** The mistake of the name that cannot be assigned on a JavaScript object. */
export const NO_PROTO = '__proto__ cannot be the name of an attribute'

const findNameMistakes = (names: readonly string[]): string[] => (names.includes('__proto__') ? [NO_PROTO] : [])

/** Builds the JSON Schema of a structure; in requests, attributes with a default are not required. */
export function buildObjectSchema(
  entries: readonly AttributeEntry[],
  schemas: NamedSchemas,
  rules: AttributeRules,
): JsonSchema {
  const isInput = schemas.direction === 'input'
  const required = entries
    .filter(
      ([, { options }]) =>
        options.required === true && !(isInput && options.default !== undefined) && !schemas.isPartial,
    )
    .map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, one]) => [name, rules.buildSchema(one, schemas)])),
    ...(required.length > 0 && { required }),
    ...(isInput && { additionalProperties: false }),
  }
}

// The rules apply to requests only.
function withRequirementSchemas(
  schema: JsonSchema,
  requires: readonly Requirement[] = [],
  schemas: NamedSchemas,
): JsonSchema {
  if (requires.length === 0 || schemas.direction === 'output') return schema
  return { ...schema, allOf: buildRequirementSchemas(requires) }
}

/** Creates the example of a structure; below a certain depth it contains required attributes only. */
export function makeObjectExample(
  entries: readonly AttributeEntry[],
  seed: ExampleSeed,
  rules: AttributeRules,
  requires: readonly Requirement[] = [],
): Record<string, unknown> {
  const includesOptional = seed.depth < MAX_EXAMPLE_DEPTH
  const constrained = new Set(requires.flatMap((one) => one.names))
  const chosen = findSatisfyingNames(requires, findMandatoryNames(Object.fromEntries(entries)), includesOptional)
  const shown = entries.filter(([name, one]) =>
    constrained.has(name) ? chosen?.has(name) : includesOptional || one.options.required === true,
  )
  const members = shown.map(([name, one]) => [name, rules.makeExample(one, seed.at(name))] as const)
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}
