// Objects with free names and one type of value. The loaded object has no prototype, so that no name can reach one.

import { toSingular } from '../../util/naming.ts'
import { number } from '../../util/setting-form.ts'
import {
  type Attribute,
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
import type { Dumper } from '../dumping.ts'
import { type ExampleSeed, MAX_EXAMPLE_DEPTH } from '../example.ts'
import { asAttribute } from '../invalid-attribute.ts'
import { escapePointer, INVALID, prefixIssues } from '../issue.ts'
import { applyOptions, type JsonSchema, type NamedSchemas } from '../json-schema.ts'
import type { Loader, Loading } from '../loading.ts'
import type { Nullable, PresenceOf } from '../types.ts'
import { findSizeMistakes, isWellFormed, type NumericLimits } from '../value-checks.ts'
import { findElementMistakes } from './json.ts'

/** Declares an object with free names and values of one type. */
export function record<
  E extends Attribute,
  R extends BooleanOption = undefined,
  N extends BooleanOption = undefined,
  D extends AllowedDefault<unknown, R> = undefined,
>(element: E, options?: RecordOptions<E, R, N, D>): RecordOf<E, N, PresenceOf<R, D>> {
  return makeAttribute(recordKind, asAttribute(element), options) as never
}

/** An object with free names and values of the attribute E. */
export interface RecordOf<out E extends Attribute, out N extends BooleanOption, out P extends Presence>
  extends Attribute<unknown, P> {
  readonly '~type': Nullable<Record<string, E['~type']>, N>
}

/** The options of `t.record`. */
export interface RecordOptions<
  E extends Attribute = Attribute,
  R extends BooleanOption = BooleanOption,
  N extends BooleanOption = BooleanOption,
  D = unknown,
> extends SharedOptions<R, N> {
  /** The value of an absent attribute of a request, or a function that returns it for each request. */
  readonly default?: D & DefaultValue<Readonly<Record<string, E['~type']>>>
  /** A value for documents and for generated examples. */
  readonly example?: Readonly<Record<string, E['~type']>> | null
  /** The minimum number of names. */
  readonly min?: number
  /** The maximum number of names; larger objects are rejected before any value is loaded. */
  readonly max?: number
}

const EXPECTED_RECORD = { expected: 'an object', kind: 'record' }

const recordKind: KindOutline<Attribute> = {
  name: 'record',
  shape: 'record',
  children: (element) => ({ '*': element }),
  rebuild: (element, { '*': other = element }) => other,
  related: (element) => element.core.related,
}

/** The rules of `t.record`. */
export const recordRules: KindRules<Attribute> = {
  options: { min: number, max: number } satisfies KindOptionForms<RecordOptions>,
  loader: (element, options, rules) => makeRecordLoader(element, options as NumericLimits, rules),
  dumper: (element, options, rules) => makeRecordDumper(element, options as NumericLimits, rules),
  isAsync: (element, rules) => rules.isAsync(element),
  jsonSchema(element, options, schemas, rules) {
    const member = rules.buildSchema(element, schemas)
    return applyOptions(buildRecordSchema(member, options as NumericLimits, schemas.direction), options)
  },
  example: (element, options, seed, rules) =>
    makeRecordExample((name) => rules.makeExample(element, seed.at(name)), options as NumericLimits, seed),
  mistakes: (element, options) => [
    ...findSizeMistakes(options as NumericLimits),
    ...findElementMistakes(element, 'record'),
  ],
}

/** Names that reach an object's prototype in careless code; they are refused wherever names are free. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

const isForbiddenKey = (name: string): boolean => forbiddenKeys.has(name) || name.includes('\0') || !isWellFormed(name)

function makeRecordLoader(
  element: Attribute,
  { min = 0, max = Number.POSITIVE_INFINITY }: NumericLimits,
  rules: ValueRules,
): Loader {
  const nullable = element.options.nullable ?? false
  const load = rules.getLoader(element)
  const defers = rules.isAsync(element)
  return function loadRecord(value, loading) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return loading.fail('type', EXPECTED_RECORD)
    const names = Object.keys(value)
    if (names.length > max) return loading.fail('max-items', { limit: max })
    if (names.length < min) return loading.fail('min-items', { limit: min })
    const loaded = Object.create(null) as Record<string, unknown>
    let valid = true
    for (const name of names) {
      if (isForbiddenKey(name)) {
        loading.failAt(`/${escapePointer(name)}`, 'key')
        valid = false
        continue
      }
      const raw = (value as Record<string, unknown>)[name] ?? null
      const since = loading.issues === null ? 0 : loading.issues.length
      const deferredSince = loading.deferred === null ? 0 : loading.deferred.length
      const result = raw === null ? loadNullMember(loading, nullable) : load(raw, loading)
      if (defers) loading.bindDeferred(loaded, name, deferredSince)
      if (result === INVALID) {
        prefixIssues(loading.issues, name, since)
        valid = false
      } else loaded[name] = result
    }
    return valid ? loaded : INVALID
  }
}

const loadNullMember = (loading: Loading, nullable: boolean): null | typeof INVALID =>
  nullable ? null : loading.fail('null')

function makeRecordDumper(
  element: Attribute,
  { min = 0, max = Number.POSITIVE_INFINITY }: NumericLimits,
  rules: ValueRules,
): Dumper {
  const nullable = element.options.nullable ?? false
  const dump = rules.getDumper(element)
  return function dumpRecord(value, dumping) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return dumping.fail('type', EXPECTED_RECORD)
    if (!dumping.enter()) return INVALID
    const names = Object.keys(value).filter((name) => (value as Record<string, unknown>)[name] !== undefined)
    if (dumping.checks && names.length > max) dumping.fail('max-items', { limit: max })
    if (dumping.checks && names.length < min) dumping.fail('min-items', { limit: min })
    const dumped: Record<string, unknown> = {}
    let valid = true
    for (const name of names) {
      const raw = (value as Record<string, unknown>)[name]
      const since = dumping.issues === null ? 0 : dumping.issues.length
      let result: unknown = null
      if (isForbiddenKey(name)) result = dumping.fail('key')
      else if (raw !== null) result = dump(raw, dumping)
      if (raw === null && dumping.checks && !nullable) dumping.fail('null')
      if (dumping.issues !== null) prefixIssues(dumping.issues, name, since)
      if (result === INVALID) valid = false
      else dumped[name] = result
    }
    dumping.leave()
    return valid ? dumped : INVALID
  }
}

function buildRecordSchema(
  member: JsonSchema,
  { min, max }: NumericLimits,
  direction: NamedSchemas['direction'],
): JsonSchema {
  return {
    type: 'object',
    additionalProperties: member,
    ...(direction === 'input' && { propertyNames: { not: { enum: [...forbiddenKeys] } } }),
    ...(min !== undefined && { minProperties: min }),
    ...(max !== undefined && { maxProperties: max }),
  }
}

function makeRecordExample(
  makeMember: (name: string) => unknown,
  { min = 0, max = Number.POSITIVE_INFINITY }: NumericLimits,
  seed: ExampleSeed,
): unknown {
  const wanted = seed.depth < MAX_EXAMPLE_DEPTH ? 1 : 0
  const length = Math.max(min, Math.min(max, wanted))
  // The key in an example of `links` is `link`.
  const singular = toSingular(seed.name)
  const base = singular === '' || isForbiddenKey(singular) ? 'name' : singular
  const names = Array.from({ length }, (_, i) => (i === 0 ? base : `${base}${i + 1}`))
  return Object.fromEntries(names.map((name) => [name, makeMember(name)]))
}
