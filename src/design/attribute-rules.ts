// The rules of the built-in kinds by name, and the functions over attributes that apply them.
import { type AnyOptions, type AttributeCore, makeAttribute, type ResponseHeader } from '../schema/attribute.ts'
import { hasEndlessDefault } from '../schema/default.ts'
import { Dumping } from '../schema/dumping.ts'
import type { ExampleSeed } from '../schema/example.ts'
import { invalidRules } from '../schema/invalid-attribute.ts'
import { INVALID } from '../schema/issue.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type {
  Attribute,
  AttributeConstraints,
  AttributeRules,
  HasCore,
  KindRules,
  VisibilityFilter,
} from '../schema/kind.ts'
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
import { memoize } from '../util/memoize.ts'
import { mediaTypeRules } from './media-type-rules.ts'

type AnyRules = KindRules<unknown>

const rulesByKind: Readonly<Record<string, AnyRules>> = {
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
  'media type': mediaTypeRules,
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

/** The rules of the built-in kinds, of media types, and of kinds that contain their rules. */
export const attributeRules: AttributeRules = {
  getLoader: memoizeByCore((core) => getRules(core).loader(core.config, core.options, attributeRules)),
  getDumper: memoizeByCore((core) => getRules(core).dumper(core.config, core.options, attributeRules)),
  buildSchema: ({ core }, schemas) =>
    withDefaultAndExample(core, getRules(core).jsonSchema(core.config, core.options, schemas, attributeRules)),
  makeExample: ({ core }, seed) => makeAttributeExample(core, seed),
  findMistakes: ({ core }) => findAttributeMistakes(core),
  narrow: ({ core }, see) => narrowAttribute(core, see),
  getSelectable: ({ core }) => getRules(core).selectable?.(core.config, attributeRules) ?? core.children,
  isAsync: ({ core }) => getRules(core).isAsync?.(core.config, attributeRules) ?? false,
  getExtraConstraints: ({ core }) => getRules(core).extraConstraints?.(core.options) ?? NO_EXTRA_CONSTRAINTS,
  getFieldsUse: ({ core }) => getRules(core).usesFields?.(core.config),
  getResponseHeaders: ({ core }) => getRules(core).responseHeaders?.(core.config) ?? NO_HEADERS,
}

// A complete kind contains its rules.
function getRules({ kind }: AttributeCore): AnyRules {
  if ('loader' in kind) return kind as unknown as AnyRules
  const rules = Object.hasOwn(rulesByKind, kind.name) ? rulesByKind[kind.name] : undefined
  if (rules !== undefined) return rules
  throw new Error(
    `the kind '${kind.name}' has no rules here: a server needs its complete kind, not the browser variant`,
  )
}

function memoizeByCore<V extends object>(make: (core: AttributeCore) => V): (attribute: HasCore) => V {
  const get = memoize(make)
  return ({ core }) => get(core)
}

function makeAttributeExample(core: AttributeCore, seed: ExampleSeed): unknown {
  const { example, default: initial } = core.options
  if (example !== undefined) return example
  if (initial !== undefined && initial !== null && typeof initial !== 'function') return initial
  return getRules(core).example(core.config, core.options, seed, attributeRules)
}

function narrowAttribute(core: AttributeCore, see: VisibilityFilter): Attribute {
  const { narrow } = getRules(core)
  if (narrow !== undefined) return makeAttribute(core.kind, narrow(core.config, see), core.options)
  const children = filterVisible(core.children, see)
  const options = withVisibleRules(core.options, children)
  return core.rebuild(children, options) ?? makeAttribute(core.kind, core.config, options)
}

function withDefaultAndExample(core: AttributeCore, schema: JsonSchema): JsonSchema {
  const { default: initial, example } = core.options
  if (initial === undefined && example === undefined) return schema
  return {
    ...schema,
    ...(initial !== undefined && typeof initial !== 'function' && { default: dumpOptionValue(core, initial) }),
    ...(example !== undefined && { examples: [dumpOptionValue(core, example)] }),
  }
}

function findAttributeMistakes(core: AttributeCore): readonly AttributeMistake[] {
  const { options, rawOptions, config } = core
  const rules = getRules(core)
  const optionFlaws = findOptionMistakes(rawOptions, rules.options)
  if (optionFlaws.length > 0) return optionFlaws
  if (options.visibleTo !== undefined && options.required === true) return [REQUIRED_BUT_RESTRICTED]
  if (isRequiredOption(options) && options.default !== undefined) return [REQUIRED_WITH_DEFAULT]
  const own = rules.mistakes?.(config, options, attributeRules) ?? []
  // Values cannot be checked against a malformed declaration.
  if (own.some((one) => typeof one !== 'string')) return own
  const values = findOptionValueMistakes(options, () => attributeRules.getDumper({ core }))
  if (values.length === 0 && hasEndlessDefault({ core })) values.push(ENDLESS_DEFAULT)
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

function dumpOptionValue(core: AttributeCore, value: unknown): unknown {
  const dumped = value === null ? null : attributeRules.getDumper({ core })(value, new Dumping('unchecked'))
  return dumped === INVALID ? undefined : dumped
}
