// One of several structures, distinguished by the value of one attribute.

import type { GeneratedCode } from '../../util/generated-code.ts'
import type { JsonBuffer } from '../../util/json/json-buffer.ts'
import { toPascalCase } from '../../util/naming.ts'
import {
  accept,
  type Flaw,
  formatFlaw,
  isSettings,
  name,
  record,
  required,
  type SettingForm,
} from '../../util/setting-form.ts'
import {
  type AnyOptions,
  type Attribute,
  type AttributeRules,
  type Attributes,
  isAttribute,
  type KindOutline,
  type KindRules,
  makeAttribute,
  type Options,
} from '../attribute.ts'
import type { AllowedDefault, BooleanOption } from '../attribute-options.ts'
import { hasAttributeWhere } from '../children.ts'
import type { Dumper, Dumping, JsonWriter } from '../dumping.ts'
import { findAttributesFlaw } from '../invalid-attribute.ts'
import { escapePointer, INVALID, type IssueCollector } from '../issue.ts'
import { getWriter, makeDumpWriter } from '../json/writer.ts'
import { nameWriter, withWriterCode } from '../json/writer-code.ts'
import { applyOptions, type JsonSchema, type NamedSchemas } from '../json-schema.ts'
import { withLoaderCode, writeLoader } from '../loader-code.ts'
import type { Loader, Loading } from '../loading.ts'
import { string } from '../scalars/string.ts'
import type { Nullable, ObjectOf, PresenceOf, Simplify } from '../types.ts'
import { getSplitRule } from './array.ts'
import { object } from './object.ts'

/** Declares one of several structures; the discriminator is an attribute of each that names the variant. */
export function union<
  K extends string,
  V extends Variants,
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<UnionOf<K, V>, R> = undefined,
>(
  discriminator: K,
  variants: V,
  options?: Options<UnionOf<K, V>, R, N, D>,
): Attribute<Nullable<UnionOf<K, V>, N>, PresenceOf<R, D>> {
  return makeAttribute(unionKind, makeUnionConfig(discriminator, variants), options)
}

/** The attributes of each variant, by the value of the discriminator. */
export interface Variants {
  readonly [name: string]: Attributes
}

/** The discriminated union that variants load into. */
export type UnionOf<D extends string, V> = {
  [N in keyof V & string]: Simplify<{ [K in D]: N } & ObjectOf<V[N]>>
}[keyof V & string]

interface UnionConfig {
  readonly discriminator: string
  /** Each variant as a structure that contains the discriminator. */
  readonly variants: ReadonlyMap<string, Attribute>
  /** The variants as passed, unchecked. */
  readonly declaredVariants: unknown
}

const EXPECTED_UNION = { expected: 'an object', kind: 'union' }

const unionKind: KindOutline<UnionConfig> = {
  name: 'union',
  shape: 'union',
  children: ({ variants }) => Object.fromEntries(variants),
  variant: ({ discriminator, variants }, value) => chooseVariant(value, discriminator, variants),
  rebuild: (config, children) => ({ ...config, variants: new Map(Object.entries(children)) }),
}

/** The rules of `t.union`. */
export const unionRules: KindRules<UnionConfig> = {
  options: {},
  loader: makeUnionLoader,
  dumper: makeUnionDumper,
  isAsync: ({ variants }, rules) => [...variants.values()].some((one) => rules.isAsync(one)),
  jsonSchema: (config, options, schemas, rules) =>
    applyOptions(buildUnionSchema(config, schemas.complete, rules), options),
  example({ variants }, _, seed, rules) {
    const all = [...variants.values()]
    const chosen = all[seed.numberBelow(Math.max(all.length, 1))]
    return chosen && rules.makeExample(chosen, seed)
  },
  mistakes: ({ discriminator, declaredVariants, variants }) => [
    ...findUnionFlaws(discriminator, declaredVariants),
    ...(variants.size === 0 && findUnionFlaws(discriminator, declaredVariants).length === 0
      ? ['a union needs at least one variant']
      : []),
    ...listVariants(discriminator, declaredVariants)
      .filter(([, attributes]) => Object.hasOwn(attributes, discriminator))
      .map(([name]) => `variant ${name} declares ${discriminator} itself; it is added to every variant`),
    ...findDelimiterConflicts(listVariants(discriminator, declaredVariants).map(([, one]) => one)),
  ],
}

// The variant of a query is known only after all of it has been read, but its texts must be split before.
function findDelimiterConflicts(variants: readonly Attributes[]): string[] {
  const names = new Set(variants.flatMap((one) => Object.keys(one)))
  return [...names].flatMap((name) => {
    const attributes = variants.flatMap((one) =>
      Object.hasOwn(one, name) && isAttribute(one[name]) ? [one[name]] : [],
    )
    if (new Set(attributes).size === 1 || !attributes.some((one) => hasAttributeWhere(one, isDelimited))) return []
    const isSameRule =
      new Set(attributes.map((one) => JSON.stringify(getSplitRule(one)))).size === 1 && attributes.every(isDelimited)
    return isSameRule ? [] : [`the variants divide the texts of ${name} differently; give one of them another name`]
  })
}

const isDelimited = (one: Attribute): boolean => getSplitRule(one) !== undefined

function makeUnionConfig(discriminator: string, variants: Variants): UnionConfig {
  const structures = listVariants(discriminator, variants).map(([name, attributes]): [string, Attribute] => {
    const tag = string({ required: true, values: [name] })
    return [name, object({ [discriminator]: tag, ...attributes })]
  })
  return { discriminator, variants: new Map(structures), declaredVariants: variants }
}

// Returns no variants if one of them is malformed.
function listVariants(discriminator: string, variants: unknown): [string, Attributes][] {
  const entries = isSettings(variants) && typeof discriminator === 'string' ? Object.entries(variants as Variants) : []
  const present = entries.filter(([, one]) => one !== undefined)
  return present.every(([, one]) => isSettings(one)) ? present : []
}

function findUnionFlaws(discriminator: unknown, variants: unknown): readonly Flaw[] {
  const { flaws } = accept<{ discriminator: string; variants: Variants }>({ discriminator, variants }, UNION_ARGUMENTS)
  return flaws.map((flaw) => ({ at: '', problem: formatFlaw(flaw, ''), remedy: flaw.remedy }))
}

const variantForm: SettingForm = {
  expected: 'attributes by their names: { id: t.integer() }',
  check(value) {
    const flaw = findAttributesFlaw(value)
    return flaw === undefined ? [] : [flaw]
  },
}

const UNION_ARGUMENTS = { discriminator: required(name), variants: required(record(variantForm)) }

function makeUnionLoader({ discriminator, variants }: UnionConfig, _: AnyOptions, rules: AttributeRules): Loader {
  const loaders = new Map([...variants].map(([name, one]) => [name, rules.getLoader(one)]))
  return withLoaderCode(loadUnion, {
    write: (code) => writeUnionLoader(code, { discriminator, loaders, refuse, closure: loadUnion }),
  })

  function loadUnion(value: unknown, loading: Loading): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return loading.fail('type', EXPECTED_UNION)
    const load = chooseVariant(value, discriminator, loaders)
    return load === undefined ? refuse(loading) : load(value, loading)
  }

  function refuse(loading: Loading): typeof INVALID {
    return refuseUnknownVariant(discriminator, variants, loading)
  }
}

/** A union's loader as it is written: the loaders of its variants, and the closures for values of none. */
interface WrittenUnion {
  readonly discriminator: string
  readonly loaders: ReadonlyMap<string, Loader>
  readonly refuse: (loading: Loading) => unknown
  readonly closure: Loader
}

function writeUnionLoader(code: GeneratedCode, { discriminator, loaders, refuse, closure }: WrittenUnion): string {
  const variants = [...loaders].map(
    ([name, load]) => `if (tag === ${code.addConstant(name)}) return ${writeLoader(code, load)}(value, loading)`,
  )
  return code.addFunction('value, loading', [
    `if (typeof value !== 'object' || value === null || ${code.addConstant(Array.isArray)}(value))`,
    `  return ${code.addConstant(closure)}(value, loading)`,
    `const tag = ${code.writeMember('value', discriminator)}`,
    ...variants,
    `return ${code.addConstant(refuse)}(loading)`,
  ])
}

function makeUnionDumper({ discriminator, variants }: UnionConfig, _: AnyOptions, rules: AttributeRules): Dumper {
  const dumpers = new Map([...variants].map(([name, one]) => [name, rules.getDumper(one)]))
  dumpUnion.writer = () => makeUnionWriter(discriminator, dumpers, dumpUnion)
  return dumpUnion

  function dumpUnion(value: unknown, dumping: Dumping): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return dumping.fail('type', EXPECTED_UNION)
    const dump = chooseVariant(value, discriminator, dumpers)
    return dump === undefined ? refuseUnknownVariant(discriminator, variants, dumping) : dump(value, dumping)
  }
}

// Values of no variant go to the dumper.
function makeUnionWriter(discriminator: string, dumpers: ReadonlyMap<string, Dumper>, dump: Dumper): JsonWriter {
  const writers = new Map([...dumpers].map(([name, one]) => [name, getWriter(one)]))
  const fallback = makeDumpWriter(dump)
  return withWriterCode(writeUnion, (code) => {
    const variants = [...writers].map(
      ([name, write]) =>
        `if (tag === ${code.addConstant(name)}) return ${nameWriter(code, write)}(value, out, dumping)`,
    )
    return code.addFunction('value, out, dumping', [
      `if (typeof value === 'object' && value !== null && !${code.addConstant(Array.isArray)}(value)) {`,
      `const tag = ${code.writeMember('value', discriminator)}`,
      ...variants,
      '}',
      `return ${code.addConstant(fallback)}(value, out, dumping)`,
    ])
  })

  function writeUnion(value: unknown, out: JsonBuffer, dumping: Dumping): boolean {
    const isStructure = typeof value === 'object' && value !== null && !Array.isArray(value)
    const write = isStructure ? chooseVariant(value, discriminator, writers) : undefined
    return (write ?? fallback)(value, out, dumping)
  }
}

function chooseVariant<V>(value: object, discriminator: string, variants: ReadonlyMap<string, V>): V | undefined {
  const tag = (value as Record<string, unknown>)[discriminator]
  return typeof tag === 'string' ? variants.get(tag) : undefined
}

function refuseUnknownVariant(
  discriminator: string,
  variants: UnionConfig['variants'],
  reporter: IssueCollector,
): typeof INVALID {
  reporter.failAt(`/${escapePointer(discriminator)}`, 'discriminator', { values: [...variants.keys()] })
  return INVALID
}

function buildUnionSchema(
  { discriminator, variants }: UnionConfig,
  schemas: NamedSchemas,
  rules: AttributeRules,
): JsonSchema {
  const refs = [...variants].map(([name, one]): [string, JsonSchema] => [
    name,
    // OpenAPI allows only letters, digits and a few other characters in component names.
    schemas.refer(toPascalCase(name) || 'Variant', one, () => rules.buildSchema(one, schemas)),
  ])
  const mapping = Object.fromEntries(refs.map(([name, ref]) => [name, ref['$ref']]))
  return { oneOf: refs.map(([, ref]) => ref), discriminator: { propertyName: discriminator, mapping } }
}
