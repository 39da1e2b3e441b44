// The rules of the built-in kinds by name, and the members of attributes that use them.
import {
  type AnyOptions,
  type AttributeCore,
  type DeclaredAttribute,
  type KindRuleMember,
  makeAttribute,
  type ResponseHeader,
} from '../schema/attribute.ts'
import { hasEndlessDefault } from '../schema/default.ts'
import { Dumping } from '../schema/dumping.ts'
import type { ExampleSeed } from '../schema/example.ts'
import { invalidRules } from '../schema/invalid-attribute.ts'
import { INVALID } from '../schema/issue.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { Attribute, AttributeConstraints, KindOutline, KindRules, VisibilityFilter } from '../schema/kind.ts'
import { bigintRules } from '../schema/scalars/bigint.ts'
import { booleanRules } from '../schema/scalars/boolean.ts'
import { dateRules } from '../schema/scalars/date.ts'
import { dateTimeRules } from '../schema/scalars/date-time.ts'
import { decimalRules } from '../schema/scalars/decimal.ts'
import { integerRules } from '../schema/scalars/integer.ts'
import { numberRules } from '../schema/scalars/number.ts'
import { stringRules } from '../schema/scalars/string.ts'
import { timeRules } from '../schema/scalars/time.ts'
import { anyRules } from '../schema/structures/any.ts'
import { arrayRules } from '../schema/structures/array.ts'
import { fileRules } from '../schema/structures/file.ts'
import { jsonRules } from '../schema/structures/json.ts'
import { objectRules } from '../schema/structures/object.ts'
import { lazyRules } from '../schema/structures/rebuild-attribute.ts'
import { recordRules } from '../schema/structures/record.ts'
import { refRules } from '../schema/structures/ref.ts'
import { filterVisible, withVisibleRules } from '../schema/structures/restrictions.ts'
import { standardRules } from '../schema/structures/standard.ts'
import { unionRules } from '../schema/structures/union.ts'
import { type AttributeMistake, findOptionMistakes, findOptionValueMistakes } from '../schema/value-checks.ts'

type AnyRules = KindRules<unknown>

const builtInRules: Readonly<Record<string, AnyRules>> = {
  any: anyRules,
  array: arrayRules,
  bigint: bigintRules,
  boolean: booleanRules,
  date: dateRules,
  dateTime: dateTimeRules,
  decimal: decimalRules,
  file: fileRules,
  integer: integerRules,
  json: jsonRules,
  lazy: lazyRules,
  number: numberRules,
  object: objectRules,
  record: recordRules,
  ref: refRules,
  refused: invalidRules,
  standard: standardRules,
  string: stringRules,
  time: timeRules,
  union: unionRules,
}

const NO_EXTRA_CONSTRAINTS: AttributeConstraints = Object.freeze({})

const NO_HEADERS: Readonly<Record<string, ResponseHeader>> = Object.freeze({})

type KindMember = 'unchangedType' | 'needs'
type RuleMembers = Pick<AttributeCore, Exclude<KindRuleMember, KindMember>>

/** The members of attributes that only servers and tools read from the kind. */
export const kindMembers: Pick<AttributeCore, KindMember> & ThisType<DeclaredAttribute> = {
  get unchangedType() {
    return this.kind.unchangedType
  },
  get needs() {
    return this.kind.needs
  },
}

/**
 * Builds the members of attributes from the rules of the built-in kinds, of those in `more`, and of kinds with their
 * own rules.
 */
export function buildMembers(more: Readonly<Record<string, AnyRules>>): RuleMembers {
  const rulesByName: Readonly<Record<string, AnyRules>> = { ...builtInRules, ...more }
  const getRules = ({ kind }: DeclaredAttribute): AnyRules => findOwnRules(kind) ?? (rulesByName[kind.name] as AnyRules)
  const members: RuleMembers & ThisType<DeclaredAttribute> = {
    get loader() {
      return cacheMember(this, 'loader', getRules(this).loader(this.config, this.options))
    },
    get dumper() {
      return cacheMember(this, 'dumper', getRules(this).dumper(this.config, this.options))
    },
    get isAsync() {
      return getRules(this).isAsync?.(this.config) ?? false
    },
    get selectable() {
      return getRules(this).selectable?.(this.config) ?? this.children
    },
    get usesFields() {
      return getRules(this).usesFields?.(this.config)
    },
    get responseHeaders() {
      return getRules(this).responseHeaders?.(this.config) ?? NO_HEADERS
    },
    extraConstraints() {
      return getRules(this).extraConstraints?.(this.options) ?? NO_EXTRA_CONSTRAINTS
    },
    mistakes() {
      return findAttributeMistakes(this, getRules(this))
    },
    jsonSchema(schemas) {
      return withDefaultAndExample(this, getRules(this).jsonSchema(this.config, this.options, schemas))
    },
    example(seed) {
      return getAttributeExample(this, getRules(this), seed)
    },
    narrow(see) {
      return narrowAttribute(this, getRules(this), see)
    },
  }
  return members
}

// A server bundle that does not use the plugin does not contain its rules.
function findOwnRules(kind: KindOutline<unknown>): AnyRules | undefined {
  if ('loader' in kind) return kind as unknown as AnyRules
  const { name, needs, rules } = kind
  if (rules === undefined || rules.value !== undefined) return rules?.value
  throw new Error(`a param of the kind '${name}' needs the plugin ${needs}: add it to the plugins of the application`)
}

// Computed once for each attribute, then stored as its own property.
function cacheMember<T>(attribute: DeclaredAttribute, name: 'loader' | 'dumper', value: T): T {
  Object.defineProperty(attribute, name, { value })
  return value
}

function getAttributeExample(attribute: DeclaredAttribute, rules: AnyRules, seed: ExampleSeed): unknown {
  const { example, default: initial } = attribute.options
  if (example !== undefined) return example
  if (initial !== undefined && initial !== null && typeof initial !== 'function') return initial
  return rules.example(attribute.config, attribute.options, seed)
}

function narrowAttribute(attribute: DeclaredAttribute, { narrow }: AnyRules, see: VisibilityFilter): Attribute {
  if (narrow !== undefined) return makeAttribute(attribute.kind, narrow(attribute.config, see), attribute.options)
  const children = filterVisible(attribute.children, see)
  const options = withVisibleRules(attribute.options, children)
  return attribute.rebuild(children, options) ?? makeAttribute(attribute.kind, attribute.config, options)
}

function withDefaultAndExample(attribute: DeclaredAttribute, schema: JsonSchema): JsonSchema {
  const { default: initial, example } = attribute.options
  if (initial === undefined && example === undefined) return schema
  return {
    ...schema,
    ...(initial !== undefined && typeof initial !== 'function' && { default: dumpOptionValue(attribute, initial) }),
    ...(example !== undefined && { examples: [dumpOptionValue(attribute, example)] }),
  }
}

function findAttributeMistakes(attribute: DeclaredAttribute, rules: AnyRules): readonly AttributeMistake[] {
  const optionFlaws = findOptionMistakes(attribute.rawOptions, rules.options)
  if (optionFlaws.length > 0) return optionFlaws
  if (attribute.options.visibleTo !== undefined && attribute.options.required === true) return [REQUIRED_BUT_RESTRICTED]
  if (isRequiredOption(attribute.options) && attribute.options.default !== undefined) return [REQUIRED_WITH_DEFAULT]
  const own = rules.mistakes?.(attribute.config, attribute.options) ?? []
  // Values cannot be checked against a malformed declaration.
  if (own.some((one) => typeof one !== 'string')) return own
  const values = findOptionValueMistakes(attribute.options, () => attribute.dumper)
  if (values.length === 0 && hasEndlessDefault({ core: attribute, options: attribute.options } as unknown as Attribute))
    values.push(ENDLESS_DEFAULT)
  return [...own, ...values]
}

const REQUIRED_BUT_RESTRICTED: AttributeMistake = {
  at: '',
  problem: 'it is required, and some clients do not see it',
  remedy: 'set required within visibleTo(…), where it applies to those who see it, or declare it separately',
}

const ENDLESS_DEFAULT: AttributeMistake = {
  at: '',
  problem: 'its default contains itself, and would be completed without end',
  remedy: 'give the attribute within the default a value, such as null or an empty list',
}

const isRequiredOption = ({ required, visibleTo }: AnyOptions): boolean =>
  required === true || visibleTo?.required === true

const REQUIRED_WITH_DEFAULT: AttributeMistake = {
  at: '',
  problem: 'it is required and has a default, which nothing could ever use',
  remedy: 'take required away, or the default; a payload that inherits it may have the other',
}

function dumpOptionValue(attribute: DeclaredAttribute, value: unknown): unknown {
  const dumped = value === null ? null : attribute.dumper(value, new Dumping(false))
  return dumped === INVALID ? undefined : dumped
}
