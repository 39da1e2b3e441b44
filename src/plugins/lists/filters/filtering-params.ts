// The parameter `filters`: an expression over the fields of a media type, its values coerced to the fields' types.

import {
  type Dumper,
  Dumping,
  ExampleSeed,
  form,
  INVALID,
  isMediaType,
  type JsonSchema,
  type Kind,
  type Loader,
  Loading,
  type See,
  sentences,
  shown,
} from '../../../extend.ts'
import type { Attribute, Attributes, MediaType, Options } from '../../../index.ts'
import { codes } from '../codes.ts'
import { audienceNote, type ByAttribute, type ByPath, filterFieldAt } from '../fields/field.ts'
import { listMistakes, listParam, strayParam } from '../fields/list-param.ts'
import type { Pattern } from '../query.ts'
import type { FilterExpression, Match } from './expression.ts'
import {
  type FilterField,
  type FilterFieldSettings,
  type FilteringConfig,
  type FilterSyntax,
  filterFields,
  filterMistakes,
  usedFields,
  type ValueLoaders,
  valueLoaders,
} from './field.ts'
import { type Condition, MAX_FILTER_LENGTH, parseFilter } from './syntax.ts'
import { writeFilter } from './text.ts'

const FIELDS = form.record(form.object<FilterFieldSettings>({ operators: form.list(form.text), wildcards: form.flag }))

/** Declares a `filters` parameter. */
export const FilteringParams: {
  /** The filters of a list; without `fields`, all of the default view that hold single values or lists of them. */
  for<A extends Attributes>(
    mediaType: MediaType<A>,
    fields?: ByAttribute<A, FilterFieldSettings> & ByPath<A, FilterFieldSettings>,
    options?: Pick<Options<FilterExpression>, 'description'>,
  ): Attribute<FilterExpression, false>
} = Object.freeze({
  for(mediaType: MediaType, fields?: FilteringConfig['fields'], options?: object) {
    if (!isMediaType(mediaType)) return strayParam(mediaType)
    const flaws = fields === undefined ? [] : FIELDS.check(fields)
    const accepted = fields === undefined || flaws.length > 0 ? undefined : Object.freeze({ ...fields })
    return listParam<FilteringConfig>(filteringKind, { mediaType, fields: accepted, flaws }, options)
  },
}) as never

/** A param of filters in another syntax, under any name. */
export function filterParam(
  mediaType: MediaType,
  fields: Readonly<Record<string, FilterFieldSettings | undefined>>,
  syntax: FilterSyntax | undefined,
): Attribute {
  return listParam<FilteringConfig>(
    filteringKind,
    { mediaType, fields, flaws: FIELDS.check(fields), syntax },
    undefined,
  )
}

/** The kind of a `filters` param. */
export const filteringKind: Kind<FilteringConfig> = {
  name: 'filtering',
  usesFields: (config) => ({ param: 'filters', of: config.mediaType, fields: usedFields(config) }),
  options: {},
  needs: 'mapper',
  narrow: narrowedFilters,
  loader: filteringLoader,
  dumper: filteringDumper,
  jsonSchema: (config, { description }) => schemaOf(config, description),
  example: (config, _, seed) => exampleOf(config, seed),
  mistakes: listMistakes(filterMistakes),
}

// Fields that a client does not see are fields that there are not.
function narrowedFilters(config: FilteringConfig, see: See): FilteringConfig {
  const mediaType = see(config.mediaType) as MediaType
  const fields = Object.entries(config.fields ?? {}).filter(([name]) => filterFieldAt(mediaType, name) !== undefined)
  return { ...config, mediaType, fields: config.fields && Object.fromEntries(fields) }
}

interface Accepted extends FilterField, ValueLoaders {}

function filteringLoader(config: FilteringConfig): Loader {
  const { syntax = OWN } = config
  const fields = new Map<string, Accepted>()
  for (const [name, field] of filterFields(config)) fields.set(name, { ...field, ...valueLoaders(field.attribute) })
  return (value, loading) => {
    if (typeof value !== 'string') return Array.isArray(value) ? loading.fail('repeated') : loading.fail('type', TEXT)
    return syntax.parse(value, loading, (condition) => expressionOf(condition, { fields, syntax }, loading))
  }
}

const TEXT = { expected: 'a string' }

function expressionOf(
  { field, op, values }: Condition,
  { fields, syntax }: { readonly fields: ReadonlyMap<string, Accepted>; readonly syntax: FilterSyntax },
  loading: Loading,
): FilterExpression | typeof INVALID {
  const accepted = fields.get(field)
  if (accepted === undefined)
    return loading.fail(codes.issues['filter-field'], { field: shown(field), values: [...fields.keys()].join(', ') })
  const { operator, star } = syntax
  if (!accepted.operators.includes(op)) {
    const all = [...new Set(accepted.operators.map(operator))].join(' ')
    return loading.fail(codes.issues['filter-operator'], { operator: operator(op), field, values: all })
  }
  if (op === '!' || op === '!!') return { op, field }
  if (op !== '=' && op !== '!=') return orderedOf({ op, field, star, pattern: values[0] as Pattern }, accepted, loading)
  const any: Match[] = []
  for (const sent of values) {
    const match = matchOf(field, { ...sent, star }, accepted, loading)
    if (match === INVALID) return INVALID
    any.push(match)
  }
  return { op, field, any }
}

interface OrderedCondition {
  readonly op: '<' | '<=' | '>' | '>='
  readonly field: string
  readonly pattern: Pattern
  readonly star: string
}

function orderedOf(
  { op, field, star, pattern: { text, before, after } }: OrderedCondition,
  { ordered }: Accepted,
  loading: Loading,
): FilterExpression | typeof INVALID {
  if (before || after) return loading.fail(codes.issues['filter-wildcard'], { where: `after ${op}`, star })
  const value = loadValue(field, text, ordered, loading)
  return value === INVALID ? INVALID : { op, field, value }
}

function matchOf(
  field: string,
  { text, before, after, star }: Pattern & { readonly star: string },
  { wildcards, exact, part }: Accepted,
  loading: Loading,
): Match | typeof INVALID {
  const partial = before || after
  if (partial && !wildcards)
    return loading.fail(codes.issues['filter-wildcard'], { where: `in values of '${field}'`, star })
  const value = loadValue(field, text, partial ? part : exact, loading)
  if (value === INVALID) return INVALID
  return partial ? { pattern: { text: value as string, before, after } } : { value }
}

function loadValue(field: string, text: string, load: Loader, loading: Loading): unknown {
  const inner = new Loading(true)
  const value = load(text, inner)
  if (value !== INVALID) return value
  return loading.fail(codes.issues['filter-value'], { field, problem: inner.issues?.[0]?.message ?? 'is refused' })
}

function filteringDumper(config: FilteringConfig): Dumper {
  let fields: ReadonlyMap<string, FilterField> | undefined
  return function dumpFilter(value, dumping) {
    // Fields may lie behind references to what is declared later: they are looked up at first use.
    fields ??= filterFields(config)
    return (config.syntax ?? OWN).write(value as FilterExpression, fields, dumping)
  }
}

const OWN: FilterSyntax = {
  parse: parseFilter,
  write: writeFilter,
  text: 'Which elements: conditions like `name=value`, joined by `&` and `|`, with parentheses. Behind `=` and `!=` there may be several values with commas between them; `!` stands for none, `!!` for any.',
  operator: (operator) => operator,
  star: '%2A',
}

function schemaOf(config: FilteringConfig, own?: string): JsonSchema {
  const { syntax = OWN } = config
  const description = own ?? syntax.text
  const example = filteringDumper(config)(exampleOf(config, new ExampleSeed()), new Dumping(false))
  const fields = [...filterFields(config)].map(
    ([name, { operators, wildcards }]) =>
      `\`${name}\` (\`${[...new Set(operators.map(syntax.operator))].join(' ')}\`${wildcards ? ', with `*` for any text' : ''}${audienceNote(config.mediaType, name, ', ')})`,
  )
  return {
    type: 'string',
    // What the param's own description says comes first.
    description: sentences(
      description,
      fields.length === 0 ? '' : `Fields with their operators: ${fields.join(', ')}.`,
    ),
    maxLength: MAX_FILTER_LENGTH,
    ...(example !== INVALID && { examples: [example] }),
  }
}

function exampleOf(config: FilteringConfig, seed: ExampleSeed): FilterExpression {
  for (const [field, { attribute: compared, operators }] of filterFields(config)) {
    const op = operators[0]
    if (op === undefined) continue
    if (op === '!' || op === '!!') return { op, field }
    const value = compared.core.example(seed.at(field))
    return op === '=' || op === '!=' ? { op, field, any: [{ value }] } : { op, field, value }
  }
  return { op: 'and', of: [] }
}
