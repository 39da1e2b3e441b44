// One of several structures, told apart by the value of one attribute.
import { accept, type Flaw, type Form, isStructure, name, record, required, sentence } from '../../util/form.ts'
import { pascal } from '../../util/naming.ts'
import {
  type Attribute,
  type Attributes,
  attribute,
  isAttribute,
  type KindOutline,
  type KindRules,
  type Options,
} from '../attribute.ts'
import type { Dumper } from '../dumping.ts'
import type { ExampleSeed } from '../example.ts'
import { escapePointer, INVALID, type Reporter } from '../issue.ts'
import { describe, type JsonSchema, type Schemas } from '../json-schema.ts'
import type { Loader } from '../loading.ts'
import type { InitialOf, Said } from '../options.ts'
import { attributesFlaw } from '../refused.ts'
import { string } from '../scalars/string.ts'
import type { Nullable, ObjectOf, Present, Simplify } from '../types.ts'
import { delimitedOf } from './array.ts'
import { someBelow } from './children.ts'
import { object } from './object.ts'

/** Declares one of several structures; the discriminator is an attribute of each that names the variant. */
export function union<
  K extends string,
  V extends Variants,
  R extends Said = undefined,
  N extends Said = undefined,
  D extends InitialOf<UnionOf<K, V>, R> = undefined,
>(
  discriminator: K,
  variants: V,
  options?: Options<UnionOf<K, V>, R, N, D>,
): Attribute<Nullable<UnionOf<K, V>, N>, Present<R, D>> {
  return attribute(unionKind, configOf(discriminator, variants), options)
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
  readonly structs: ReadonlyMap<string, Attribute>
  /** The variants as they were given. */
  readonly given: unknown
}

const EXPECTED = { expected: 'an object', kind: 'union' }

const unionKind: KindOutline<UnionConfig> = {
  name: 'union',
  shape: 'union',
  children: ({ structs }) => Object.fromEntries(structs),
  variant: ({ discriminator, structs }, value) => choose(value, discriminator, structs),
  rebuild: (config, children) => ({ ...config, structs: new Map(Object.entries(children)) }),
}

/** The rules of unions. */
export const unionRules: KindRules<UnionConfig> = {
  options: {},
  loader: unionLoader,
  dumper: unionDumper,
  defers: ({ structs }) => [...structs.values()].some((one) => one.core.defers),
  jsonSchema: (config, options, schemas) => describe(schemaOf(config, schemas.whole), options),
  example: (config, _, seed) => exampleOf(config, seed),
  mistakes: ({ discriminator, given, structs }) => [
    ...flawsOf(discriminator, given),
    ...(structs.size === 0 && flawsOf(discriminator, given).length === 0 ? ['a union needs at least one variant'] : []),
    ...variantsIn(discriminator, given)
      .filter(([, attributes]) => Object.hasOwn(attributes, discriminator))
      .map(([name]) => `variant ${name} declares ${discriminator} itself; it is added to every variant`),
    ...delimiterMistakes(variantsIn(discriminator, given).map(([, one]) => one)),
  ],
}

// Which variant a query means is known when all of it has been read; how its texts are divided must be known before.
function delimiterMistakes(variants: readonly Attributes[]): string[] {
  const names = new Set(variants.flatMap((one) => Object.keys(one)))
  return [...names].flatMap((name) => {
    const all = variants.flatMap((one) => (Object.hasOwn(one, name) && isAttribute(one[name]) ? [one[name]] : []))
    if (new Set(all).size === 1 || !all.some((one) => someBelow(one, isDelimited))) return []
    const alike = new Set(all.map((one) => JSON.stringify(delimitedOf(one)))).size === 1 && all.every(isDelimited)
    return alike ? [] : [`the variants divide the texts of ${name} differently; give one of them another name`]
  })
}

const isDelimited = (one: Attribute): boolean => delimitedOf(one) !== undefined

function configOf(discriminator: string, given: Variants): UnionConfig {
  const structs = variantsIn(discriminator, given).map(([name, attributes]): [string, Attribute] => {
    const tag = string({ required: true, values: [name] })
    return [name, object({ [discriminator]: tag, ...attributes })]
  })
  return { discriminator, structs: new Map(structs), given }
}

// None where one of them is malformed.
function variantsIn(discriminator: string, given: unknown): [string, Attributes][] {
  const all = isStructure(given) && typeof discriminator === 'string' ? Object.entries(given as Variants) : []
  const present = all.filter(([, one]) => one !== undefined)
  return present.every(([, one]) => isStructure(one)) ? present : []
}

function flawsOf(discriminator: unknown, variants: unknown): readonly Flaw[] {
  const { flaws } = accept<{ discriminator: string; variants: Variants }>({ discriminator, variants }, ARGUMENTS)
  return flaws.map((flaw) => ({ at: '', problem: sentence(flaw, ''), remedy: flaw.remedy }))
}

const variant: Form = {
  words: 'attributes by their names: { id: t.integer() }',
  check(value) {
    const flaw = attributesFlaw(value)
    return flaw === undefined ? [] : [flaw]
  },
}

const ARGUMENTS = { discriminator: required(name), variants: required(record(variant)) }

function unionLoader({ discriminator, structs }: UnionConfig): Loader {
  const loaders = new Map([...structs].map(([name, one]) => [name, one.core.loader]))
  return function loadUnion(value, loading) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return loading.fail('type', EXPECTED)
    const load = choose(value, discriminator, loaders)
    return load === undefined ? unknownVariant(discriminator, structs, loading) : load(value, loading)
  }
}

function unionDumper({ discriminator, structs }: UnionConfig): Dumper {
  const dumpers = new Map([...structs].map(([name, one]) => [name, one.core.dumper]))
  return function dumpUnion(value, dumping) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return dumping.fail('type', EXPECTED)
    const dump = choose(value, discriminator, dumpers)
    return dump === undefined ? unknownVariant(discriminator, structs, dumping) : dump(value, dumping)
  }
}

function choose<V>(value: object, discriminator: string, variants: ReadonlyMap<string, V>): V | undefined {
  const tag = (value as Record<string, unknown>)[discriminator]
  return typeof tag === 'string' ? variants.get(tag) : undefined
}

function unknownVariant(discriminator: string, structs: UnionConfig['structs'], reporter: Reporter): typeof INVALID {
  reporter.failAt(`/${escapePointer(discriminator)}`, 'discriminator', { values: [...structs.keys()] })
  return INVALID
}

function schemaOf({ discriminator, structs }: UnionConfig, schemas: Schemas): JsonSchema {
  const refs = [...structs].map(([name, one]): [string, JsonSchema] => [
    name,
    schemas.refer(schemaName(name), one, () => one.core.jsonSchema(schemas)),
  ])
  const mapping = Object.fromEntries(refs.map(([name, ref]) => [name, ref['$ref']]))
  return { oneOf: refs.map(([, ref]) => ref), discriminator: { propertyName: discriminator, mapping } }
}

// Component names of OpenAPI are letters, digits and a few signs.
const schemaName = (variant: string): string => pascal(variant) || 'Variant'

function exampleOf({ structs }: UnionConfig, seed: ExampleSeed): unknown {
  const all = [...structs.values()]
  return all[seed.pick(Math.max(all.length, 1))]?.core.example(seed)
}
