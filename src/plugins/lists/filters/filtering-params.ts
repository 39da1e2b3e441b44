// The parameter `filters`: an expression over the fields of a media type, its values coerced to the fields' types.

import {
  type Dumper,
  Dumping,
  ExampleSeed,
  form,
  INVALID,
  isMediaType,
  type JsonSchema,
  type Late,
  type Loader,
  Loading,
  provided,
  type See,
  sentences,
  shown,
  writtenByRules,
} from '../../../extend.ts'
import type { Attribute, Attributes, MediaType, Options } from '../../../index.ts'
import { codes } from '../codes.ts'
import { type ByAttribute, type ByPath, filterFieldAt } from '../fields/field.ts'
import {
  type AcceptedSettings,
  acceptSettings,
  type EndpointMark,
  type ListKind,
  type ListRules,
  listMistakes,
  listParam,
  type ParamFor,
  strayOf,
  strayParam,
} from '../fields/list-param.ts'
import type { Pattern } from '../query.ts'
import { exampleFilter, filterTable } from './described.ts'
import type { FilterExpression, Match, Quantifier } from './expression.ts'
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
import { type Condition, MAX_FILTER_LENGTH, MAX_VALUES, parseFilter } from './syntax.ts'
import { writeFilter } from './text.ts'

const FIELDS = form.record(
  form.object<FilterFieldSettings>({
    operators: form.list(form.text),
    wildcards: form.flag,
    elements: form.list(form.choice('any', 'all', 'none')),
    maxValues: form.whole(1),
  }),
)

/** Options of a `filters` parameter. */
export interface FilteringOptions extends Pick<Options<FilterExpression>, 'description'> {
  /**
   * The most characters of a filter.
   * @default `4096`
   */
  readonly maxLength?: number
}

const LENGTH: form.Fields<Pick<FilteringOptions, 'maxLength'>> = { maxLength: form.whole(1) }

/** Declares a `filters` parameter. */
export const FilteringParams: {
  /** The filters of a list; without `fields`, all of the default view that hold single values or lists of them. */
  for<A extends Attributes = never>(
    mediaType: MediaType<A> | EndpointMark,
    fields?: ByAttribute<A, FilterFieldSettings> & ByPath<A, FilterFieldSettings>,
    options?: FilteringOptions,
  ): ParamFor<A, Attribute<FilterExpression, false>>
} = Object.freeze({
  for(mediaType: MediaType, fields?: FilteringConfig['fields'], options?: FilteringOptions) {
    if (!isMediaType(mediaType)) return strayParam(filteringKind, mediaType)
    return listParam<FilteringConfig>(filteringKind, { mediaType, fields: undefined }, { fields }, options)
  },
}) as never

/** A param of filters in another syntax, under any name; a front end without what provides the syntax sends filters as texts. */
export function filterParam(
  mediaType: MediaType,
  fields: Readonly<Record<string, FilterFieldSettings | undefined>>,
  syntax: Late<FilterSyntax> | undefined,
): Attribute {
  return listParam<FilteringConfig>(filteringKind, { mediaType, fields, syntax }, { fields }, undefined)
}

/** The kind of a `filters` param. */
export const filteringKind: ListKind<FilteringConfig> = {
  name: 'filtering',
  needs: 'mapper',
  write(value, core, fail) {
    const { write = refuseExpression } = filteringKind.rules.value ?? {}
    return write(value, core, fail)
  },
  rules: {},
}

const refuseExpression: NonNullable<ListRules<FilteringConfig>['write']> = (_, __, fail) =>
  fail('must be a text, as programs without the server write no expressions')

/** The rules of a `filters` param. */
export const filteringRules: ListRules<FilteringConfig> = {
  accept: acceptFilters,
  write: writtenByRules,
  stray: strayOf,
  usesFields: (config) => ({ param: 'filters', of: config.mediaType, fields: usedFields(config) }),
  options: {},
  narrow: narrowedFilters,
  loader: filteringLoader,
  dumper: filteringDumper,
  jsonSchema: (config, { description }) => schemaOf(config, description),
  example: (config, _, seed) => exampleFilter(filterFields(config), seed),
  mistakes: listMistakes(filterMistakes),
}

function acceptFilters(given: object | undefined, options: unknown): AcceptedSettings<FilteringConfig> {
  const { fields }: { readonly fields?: unknown } = given ?? {}
  const flaws = fields === undefined ? [] : FIELDS.check(fields)
  const accepted = fields === undefined || flaws.length > 0 ? {} : { fields: Object.freeze({ ...fields }) }
  const { maxLength, ...others }: Partial<FilteringOptions> = form.isStructure(options) ? options : {}
  const own = acceptSettings(
    maxLength === undefined ? {} : { maxLength },
    LENGTH,
    form.isStructure(options) ? others : options,
  )
  return { ...own, settings: { ...accepted, ...own.settings }, flaws: [...flaws, ...own.flaws] }
}

// Fields that a client does not see are fields that there are not.
function narrowedFilters(config: FilteringConfig, see: See): FilteringConfig {
  const mediaType = see(config.mediaType) as MediaType
  const fields = Object.entries(config.fields ?? {}).filter(([name]) => filterFieldAt(mediaType, name) !== undefined)
  return { ...config, mediaType, fields: config.fields && Object.fromEntries(fields) }
}

interface Accepted extends FilterField, ValueLoaders {}

function filteringLoader(config: FilteringConfig): Loader {
  const syntax = syntaxOf(config)
  const fields = new Map<string, Accepted>()
  for (const [name, field] of filterFields(config)) fields.set(name, { ...field, ...valueLoaders(field.attribute) })
  const { maxLength = MAX_FILTER_LENGTH } = config
  const maxValues = (path: string): number => fields.get(path)?.maxValues ?? MAX_VALUES
  return (value, loading) => {
    if (typeof value !== 'string') return Array.isArray(value) ? loading.fail('repeated') : loading.fail('type', TEXT)
    return syntax.parse(value, loading, {
      maxLength,
      maxValues,
      condition: (condition) => expressionOf(condition, { fields, syntax }, loading),
      elements: (path, op) => mayAsk(path, op, fields, loading),
    })
  }
}

function mayAsk(path: string, op: Quantifier, fields: ReadonlyMap<string, Accepted>, loading: Loading): boolean {
  if (fields.get(path)?.elements.includes(op)) return true
  const values = [...fields].flatMap(([name, { elements }]) => elements.map((one) => `${name}.${one}`))
  loading.fail(codes.issues['filter-field'], {
    field: shown(`${path}.${op}`),
    values: values.length === 0 ? 'no lists' : values,
  })
  return false
}

const TEXT = { expected: 'a string', kind: 'string' }

function expressionOf(
  { field, within, op, values }: Condition,
  { fields, syntax }: { readonly fields: ReadonlyMap<string, Accepted>; readonly syntax: FilterSyntax },
  loading: Loading,
): FilterExpression | typeof INVALID {
  const accepted = fields.get(within + field)
  if (accepted === undefined) {
    const below = [...fields.keys()].filter((name) => name.startsWith(within)).map((name) => name.slice(within.length))
    return loading.fail(codes.issues['filter-field'], { field: shown(field), values: below })
  }
  const { operator, star } = syntax
  if (!accepted.operators.includes(op)) {
    const operators = [...new Set(accepted.operators.map(operator))]
    const detail = { operator: operator(op), field, values: operators.join(' '), operators }
    return loading.fail(codes.issues['filter-operator'], detail)
  }
  if (op === '!' || op === '!!') return { op, field }
  if (op === '~=' || op === '!~=' || op === '@=') return searchedOf({ op, field, values, star }, accepted, loading)
  if (op !== '=' && op !== '!=') return orderedOf({ op, field, star, pattern: values[0] as Pattern }, accepted, loading)
  const any: Match[] = []
  for (const sent of values) {
    const match = matchOf(field, { ...sent, star }, accepted, loading)
    if (match === INVALID) return INVALID
    any.push(match)
  }
  return { op, field, any }
}

/** The most characters of a text that is searched for: databases make a pattern of each of them. */
const MAX_SEARCHED = 200
const TOO_LONG = { problem: `must have at most ${MAX_SEARCHED} characters`, limit: MAX_SEARCHED, issue: 'max-length' }

type SearchingCondition = Omit<Condition, 'within'> & { readonly op: '~=' | '!~=' | '@='; readonly star: string }

function searchedOf(
  { op, field, values, star }: SearchingCondition,
  { part }: Accepted,
  loading: Loading,
): FilterExpression | typeof INVALID {
  const texts: string[] = []
  for (const { text, before, after } of values) {
    if (before || after) return failedStar(op, star, loading)
    const value = loadValue(field, text, part, loading)
    if (value === INVALID) return INVALID
    if (text.length > MAX_SEARCHED) return loading.fail(codes.issues['filter-value'], { field, ...TOO_LONG })
    texts.push(value as string)
  }
  return { op, field, texts }
}

const failedStar = (operator: string, star: string, loading: Loading): typeof INVALID =>
  loading.fail(codes.issues['filter-wildcard'], { where: `after ${operator}`, star, operator })

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
  if (before || after) return failedStar(op, star, loading)
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
    return loading.fail(codes.issues['filter-wildcard'], { where: `in values of '${field}'`, star, field })
  const value = loadValue(field, text, partial ? part : exact, loading)
  if (value === INVALID) return INVALID
  return partial ? { pattern: { text: value as string, before, after } } : { value }
}

function loadValue(field: string, text: string, load: Loader, loading: Loading): unknown {
  const inner = new Loading(true)
  const value = load(text, inner)
  if (value !== INVALID) return value
  const [issue] = inner.issues ?? []
  const problem = issue?.message ?? 'is refused'
  return loading.fail(codes.issues['filter-value'], { ...issue?.detail, field, problem, issue: issue?.code ?? 'type' })
}

function filteringDumper(config: FilteringConfig): Dumper {
  let fields: ReadonlyMap<string, FilterField> | undefined
  return function dumpFilter(value, dumping) {
    // Fields may lie behind references to what is declared later: they are looked up at first use.
    fields ??= filterFields(config)
    return syntaxOf(config).write(value as FilterExpression, fields, dumping)
  }
}

const OWN: FilterSyntax = {
  parse: parseFilter,
  write: writeFilter,
  text: 'A filter: conditions like `name=value`, joined by `&` and `|`, with parentheses. `=` and `!=` take several values, comma-separated; `name!` is true if there is a value, `name!!` if there is none.',
  operator: (operator) => operator,
  star: '%2A',
}

const syntaxOf = ({ syntax }: FilteringConfig): FilterSyntax => (syntax === undefined ? OWN : provided(syntax))

function schemaOf(config: FilteringConfig, own?: string): JsonSchema {
  const { mediaType } = config
  const syntax = syntaxOf(config)
  const fields = filterFields(config)
  const example = syntax.write(exampleFilter(fields, new ExampleSeed()), fields, new Dumping(false))
  return {
    type: 'string',
    // The param's own description comes first.
    description: sentences(own ?? syntax.text, filterTable(fields, syntax, mediaType)),
    maxLength: config.maxLength ?? MAX_FILTER_LENGTH,
    ...(example !== INVALID && { examples: [example] }),
  }
}
