// The rules of the built-in kinds, by their names, and the answers that attributes give by the rules of their kind.
import {
  type ResponseHeader,
  type AnyOptions,
  type AttributeCore,
  makeAttribute,
  type DeclaredAttribute,
  type KindRuleMember,
} from '../schema/attribute.ts'
import { hasEndlessDefault } from '../schema/default.ts'
import { Dumping } from '../schema/dumping.ts'
import type { ExampleSeed } from '../schema/example.ts'
import { INVALID } from '../schema/issue.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { Attribute, AttributeConstraints, KindOutline, KindRules, VisibilityFilter } from '../schema/kind.ts'
import { invalidRules } from '../schema/invalid-attribute.ts'
import { bigintRules } from '../schema/scalars/bigint.ts'
import { booleanRules } from '../schema/scalars/boolean.ts'
import { findOptionMistakes, type AttributeMistake, findOptionValueMistakes } from '../schema/value-checks.ts'
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

type KindMember = 'passes' | 'needs'
type RuleMembers = Pick<AttributeCore, Exclude<KindRuleMember, KindMember>>

/** The members of attributes that servers and tools alone ask their kinds for. */
export const kindMembers: Pick<AttributeCore, KindMember> & ThisType<DeclaredAttribute> = {
  get passes() {
    return this.kind.passes
  },
  get needs() {
    return this.kind.needs
  },
}

/** The members of attributes by the rules of the built-in kinds, of those in `more`, and of kinds that bring their own. */
export function buildMembers(more: Readonly<Record<string, AnyRules>>): RuleMembers {
  const known: Readonly<Record<string, AnyRules>> = { ...builtInRules, ...more }
  const rulesOf = ({ kind }: DeclaredAttribute): AnyRules => findOwnRules(kind) ?? (known[kind.name] as AnyRules)
  const members: RuleMembers & ThisType<DeclaredAttribute> = {
    get loader() {
      return cacheMember(this, 'loader', rulesOf(this).loader(this.config, this.options))
    },
    get dumper() {
      return cacheMember(this, 'dumper', rulesOf(this).dumper(this.config, this.options))
    },
    get defers() {
      return rulesOf(this).defers?.(this.config) ?? false
    },
    get selectable() {
      return rulesOf(this).selectable?.(this.config) ?? this.children
    },
    get usesFields() {
      return rulesOf(this).usesFields?.(this.config)
    },
    get responseHeaders() {
      return rulesOf(this).responseHeaders?.(this.config) ?? NO_HEADERS
    },
    extraConstraints() {
      return rulesOf(this).extraConstraints?.(this.options) ?? NO_EXTRA_CONSTRAINTS
    },
    mistakes() {
      return findAttributeMistakes(this, rulesOf(this))
    },
    jsonSchema(schemas) {
      return withDefaultAndExample(this, rulesOf(this).jsonSchema(this.config, this.options, schemas))
    },
    example(seed) {
      return getAttributeExample(this, rulesOf(this), seed)
    },
    narrow(see) {
      return narrowAttribute(this, rulesOf(this), see)
    },
  }
  return members
}

// A bundle of a server that does not use the plugin has none of its rules.
function findOwnRules(kind: KindOutline<unknown>): AnyRules | undefined {
  if ('loader' in kind) return kind as unknown as AnyRules
  const { name, needs, rules } = kind
  if (rules === undefined || rules.value !== undefined) return rules?.value
  throw new Error(`a param of the kind '${name}' needs the plugin ${needs}: add it to the plugins of the application`)
}

// Found once for each attribute: from then on a property of its own.
function cacheMember<T>(of: DeclaredAttribute, name: 'loader' | 'dumper', value: T): T {
  Object.defineProperty(of, name, { value })
  return value
}

function getAttributeExample(of: DeclaredAttribute, rules: AnyRules, seed: ExampleSeed): unknown {
  const { example, default: initial } = of.options
  if (example !== undefined) return example
  if (initial !== undefined && initial !== null && typeof initial !== 'function') return initial
  return rules.example(of.config, of.options, seed)
}

function narrowAttribute(of: DeclaredAttribute, { narrow }: AnyRules, see: VisibilityFilter): Attribute {
  if (narrow !== undefined) return makeAttribute(of.kind, narrow(of.config, see), of.options)
  const children = filterVisible(of.children, see)
  const options = withVisibleRules(of.options, children)
  return of.rebuild(children, options) ?? makeAttribute(of.kind, of.config, options)
}

function withDefaultAndExample(of: DeclaredAttribute, schema: JsonSchema): JsonSchema {
  const { default: initial, example } = of.options
  if (initial === undefined && example === undefined) return schema
  return {
    ...schema,
    ...(initial !== undefined && typeof initial !== 'function' && { default: dumpOptionValue(of, initial) }),
    ...(example !== undefined && { examples: [dumpOptionValue(of, example)] }),
  }
}

function findAttributeMistakes(of: DeclaredAttribute, rules: AnyRules): readonly AttributeMistake[] {
  const misformed = findOptionMistakes(of.given, rules.options)
  if (misformed.length > 0) return misformed
  if (of.options.visibleTo !== undefined && of.options.required === true) return [REQUIRED_BUT_RESTRICTED]
  if (isRequiredOption(of.options) && of.options.default !== undefined) return [REQUIRED_WITH_DEFAULT]
  const own = rules.mistakes?.(of.config, of.options) ?? []
  // Where the declaration itself is malformed, no value can be held to it.
  if (own.some((one) => typeof one !== 'string')) return own
  const values = findOptionValueMistakes(of.options, () => of.dumper)
  if (values.length === 0 && hasEndlessDefault({ core: of, options: of.options } as unknown as Attribute)) values.push(ENDLESS_DEFAULT)
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

const isRequiredOption = ({ required, visibleTo }: AnyOptions): boolean => required === true || visibleTo?.required === true

const REQUIRED_WITH_DEFAULT: AttributeMistake = {
  at: '',
  problem: 'it is required and has a default, which nothing could ever use',
  remedy: 'take required away, or the default; a payload that inherits it may have the other',
}

function dumpOptionValue(of: DeclaredAttribute, value: unknown): unknown {
  const made = value === null ? null : of.dumper(value, new Dumping(false))
  return made === INVALID ? undefined : made
}
