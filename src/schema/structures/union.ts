// One of several structures, told apart by the value of one attribute.
import { accept, type Flaw, type SettingForm, isSettings, name, record, required, formatFlaw } from '../../util/setting-form.ts'
import { toPascalCase } from '../../util/naming.ts'
import {
  type Attribute,
  type Attributes,
  makeAttribute,
  isAttribute,
  type KindOutline,
  type KindRules,
  type Options,
} from '../attribute.ts'
import type { Dumper } from '../dumping.ts'
import type { ExampleSeed } from '../example.ts'
import { escapePointer, INVALID, type IssueCollector } from '../issue.ts'
import { describe, type JsonSchema, type NamedSchemas } from '../json-schema.ts'
import type { Loader } from '../loading.ts'
import type { AllowedDefault, OptionalFlag } from '../attribute-options.ts'
import { findAttributesFlaw } from '../invalid-attribute.ts'
import { string } from '../scalars/string.ts'
import type { Nullable, ObjectOf, Present, Simplify } from '../types.ts'
import { getSplitRule } from './array.ts'
import { hasAttributeWhere } from '../children.ts'
import { object } from './object.ts'

/** Declares one of several structures; the discriminator is an attribute of each that names the variant. */
export function union<
  K extends string,
  V extends Variants,
  R extends OptionalFlag = undefined,
  N extends OptionalFlag = undefined,
  D extends AllowedDefault<UnionOf<K, V>, R> = undefined,
>(
  discriminator: K,
  variants: V,
  options?: Options<UnionOf<K, V>, R, N, D>,
): Attribute<Nullable<UnionOf<K, V>, N>, Present<R, D>> {
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
  /** Each variant as a structure that has the discriminator. */
  readonly variants: ReadonlyMap<string, Attribute>
  /** The variants as they were given. */
  readonly declaredVariants: unknown
}

const EXPECTED_UNION = { expected: 'an object', kind: 'union' }

const unionKind: KindOutline<UnionConfig> = {
  name: 'union',
  shape: 'union',
  children: ({ variants: structs }) => Object.fromEntries(structs),
  variant: ({ discriminator, variants: structs }, value) => chooseVariant(value, discriminator, structs),
  rebuild: (config, children) => ({ ...config, variants: new Map(Object.entries(children)) }),
}

/** The rules of unions. */
export const unionRules: KindRules<UnionConfig> = {
  options: {},
  loader: makeUnionLoader,
  dumper: makeUnionDumper,
  defers: ({ variants: structs }) => [...structs.values()].some((one) => one.core.defers),
  jsonSchema: (config, options, schemas) => describe(buildUnionSchema(config, schemas.complete), options),
  example: (config, _, seed) => makeUnionExample(config, seed),
  mistakes: ({ discriminator, declaredVariants: given, variants: structs }) => [
    ...findUnionFlaws(discriminator, given),
    ...(structs.size === 0 && findUnionFlaws(discriminator, given).length === 0 ? ['a union needs at least one variant'] : []),
    ...listVariants(discriminator, given)
      .filter(([, attributes]) => Object.hasOwn(attributes, discriminator))
      .map(([name]) => `variant ${name} declares ${discriminator} itself; it is added to every variant`),
    ...findDelimiterConflicts(listVariants(discriminator, given).map(([, one]) => one)),
  ],
}

// Which variant a query means is known when all of it has been read; how its texts are divided must be known before.
function findDelimiterConflicts(variants: readonly Attributes[]): string[] {
  const names = new Set(variants.flatMap((one) => Object.keys(one)))
  return [...names].flatMap((name) => {
    const all = variants.flatMap((one) => (Object.hasOwn(one, name) && isAttribute(one[name]) ? [one[name]] : []))
    if (new Set(all).size === 1 || !all.some((one) => hasAttributeWhere(one, isDelimited))) return []
    const alike = new Set(all.map((one) => JSON.stringify(getSplitRule(one)))).size === 1 && all.every(isDelimited)
    return alike ? [] : [`the variants divide the texts of ${name} differently; give one of them another name`]
  })
}

const isDelimited = (one: Attribute): boolean => getSplitRule(one) !== undefined

function makeUnionConfig(discriminator: string, given: Variants): UnionConfig {
  const structs = listVariants(discriminator, given).map(([name, attributes]): [string, Attribute] => {
    const tag = string({ required: true, values: [name] })
    return [name, object({ [discriminator]: tag, ...attributes })]
  })
  return { discriminator, variants: new Map(structs), declaredVariants: given }
}

// None where one of them is malformed.
function listVariants(discriminator: string, given: unknown): [string, Attributes][] {
  const all = isSettings(given) && typeof discriminator === 'string' ? Object.entries(given as Variants) : []
  const present = all.filter(([, one]) => one !== undefined)
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

function makeUnionLoader({ discriminator, variants: structs }: UnionConfig): Loader {
  const loaders = new Map([...structs].map(([name, one]) => [name, one.core.loader]))
  return function loadUnion(value, loading) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return loading.fail('type', EXPECTED_UNION)
    const load = chooseVariant(value, discriminator, loaders)
    return load === undefined ? refuseUnknownVariant(discriminator, structs, loading) : load(value, loading)
  }
}

function makeUnionDumper({ discriminator, variants: structs }: UnionConfig): Dumper {
  const dumpers = new Map([...structs].map(([name, one]) => [name, one.core.dumper]))
  return function dumpUnion(value, dumping) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return dumping.fail('type', EXPECTED_UNION)
    const dump = chooseVariant(value, discriminator, dumpers)
    return dump === undefined ? refuseUnknownVariant(discriminator, structs, dumping) : dump(value, dumping)
  }
}

function chooseVariant<V>(value: object, discriminator: string, variants: ReadonlyMap<string, V>): V | undefined {
  const tag = (value as Record<string, unknown>)[discriminator]
  return typeof tag === 'string' ? variants.get(tag) : undefined
}

function refuseUnknownVariant(discriminator: string, structs: UnionConfig['variants'], reporter: IssueCollector): typeof INVALID {
  reporter.failAt(`/${escapePointer(discriminator)}`, 'discriminator', { values: [...structs.keys()] })
  return INVALID
}

function buildUnionSchema({ discriminator, variants: structs }: UnionConfig, schemas: NamedSchemas): JsonSchema {
  const refs = [...structs].map(([name, one]): [string, JsonSchema] => [
    name,
    schemas.refer(toSchemaName(name), one, () => one.core.jsonSchema(schemas)),
  ])
  const mapping = Object.fromEntries(refs.map(([name, ref]) => [name, ref['$ref']]))
  return { oneOf: refs.map(([, ref]) => ref), discriminator: { propertyName: discriminator, mapping } }
}

// Component names of OpenAPI are letters, digits and a few signs.
const toSchemaName = (variant: string): string => toPascalCase(variant) || 'Variant'

function makeUnionExample({ variants: structs }: UnionConfig, seed: ExampleSeed): unknown {
  const all = [...structs.values()]
  return all[seed.pick(Math.max(all.length, 1))]?.core.example(seed)
}
