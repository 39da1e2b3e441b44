// The rules of a `filters` parameter: its settings, loading, writing and documentation. Front ends have
// `filtering-rules.browser.ts` in its place.
import {
  type Dumper,
  Dumping,
  dumpWith,
  ExampleSeed,
  form,
  INVALID,
  type JsonSchema,
  joinSentences,
  type Loader,
  Loading,
  shortenName,
  type VisibilityFilter,
} from '../../../extend.ts'
import type { MediaType } from '../../../index.ts'
import type { Pattern } from '../../query/query.ts'
import { codes } from '../codes.ts'
import { findFilterField } from '../fields/field-paths.ts'
import {
  type AcceptedSettings,
  acceptSettings,
  createMistakeFinder,
  type ListKind,
  type ListRules,
} from '../fields/list-param.ts'
import type { FilterExpression, Match, Quantifier } from './expression.ts'
import { buildExampleFilter, buildFilterTable } from './filter-docs.ts'
import {
  createValueLoaders,
  type FilterField,
  type FilterFieldSettings,
  type FilteringConfig,
  type FilteringOptions,
  type FilterSyntax,
  findFilterMistakes,
  listUsedFields,
  resolveFilterFields,
  type ValueLoaders,
} from './filter-fields.ts'
import { DEFAULT_MAX_VALUES, MAX_FILTER_LENGTH, type ParsedCondition, parseFilter } from './filter-parser.ts'
import { writeFilterText } from './filter-writer.ts'

const FIELDS_FORM = form.record(
  form.object<FilterFieldSettings>({
    operators: form.list(form.text),
    wildcards: form.flag,
    elements: form.list(form.choice('any', 'all', 'none')),
    maxValues: form.integerFrom(1),
  }),
)

const LENGTH_FORM: form.Fields<Pick<FilteringOptions, 'maxLength'>> = { maxLength: form.integerFrom(1) }

/** The rules of a `filters` param. */
export const filteringRules: ListRules<FilteringConfig> & Required<Pick<ListKind<FilteringConfig>, 'write'>> = {
  portable: () => ({ from: 'edict/mapper/extend', name: 'filteringKind' }),
  accept: acceptFilters,
  write: (value, core, fail) => dumpWith(filteringRules, value, core, fail),
  usesFields: (config) => ({ param: 'filters', of: config.mediaType, fields: listUsedFields(config) }),
  options: {},
  narrow: narrowFilters,
  loader: createFilterLoader,
  dumper: createFilterDumper,
  jsonSchema: (config, { description }) => buildFilterSchema(config, description),
  example: (config, _, seed) => buildExampleFilter(resolveFilterFields(config), seed),
  mistakes: createMistakeFinder(findFilterMistakes),
}

function acceptFilters(settings: object | undefined, options: unknown): AcceptedSettings<FilteringConfig> {
  const { fields }: { readonly fields?: unknown } = settings ?? {}
  const flaws = fields === undefined ? [] : FIELDS_FORM.check(fields)
  const acceptedFields = fields === undefined || flaws.length > 0 ? {} : { fields: Object.freeze({ ...fields }) }
  const { maxLength, ...attributeOptions }: Partial<FilteringOptions> = form.isSettings(options) ? options : {}
  const accepted = acceptSettings(
    maxLength === undefined ? {} : { maxLength },
    LENGTH_FORM,
    form.isSettings(options) ? attributeOptions : options,
  )
  return { ...accepted, settings: { ...acceptedFields, ...accepted.settings }, flaws: [...flaws, ...accepted.flaws] }
}

// Fields that a client cannot see do not exist for it.
function narrowFilters(config: FilteringConfig, narrowVisible: VisibilityFilter): FilteringConfig {
  const mediaType = narrowVisible(config.mediaType) as MediaType
  const fields = Object.entries(config.fields ?? {}).filter(([name]) => findFilterField(mediaType, name) !== undefined)
  return { ...config, mediaType, fields: config.fields && Object.fromEntries(fields) }
}

interface AcceptedField extends FilterField, ValueLoaders {}

function createFilterLoader(config: FilteringConfig): Loader {
  const syntax = getSyntax(config)
  const fields = new Map<string, AcceptedField>()
  for (const [name, field] of resolveFilterFields(config))
    fields.set(name, { ...field, ...createValueLoaders(field.attribute) })
  const { maxLength = MAX_FILTER_LENGTH } = config
  const maxValues = (path: string): number => fields.get(path)?.maxValues ?? DEFAULT_MAX_VALUES
  return (value, loading) => {
    if (typeof value !== 'string')
      return Array.isArray(value) ? loading.fail('repeated') : loading.fail('type', EXPECTED_STRING)
    return syntax.parse(value, loading, {
      maxLength,
      maxValues,
      toExpression: (condition) => toExpression(condition, { fields, syntax }, loading),
      mayQuantify: (path, op) => mayQuantify(path, op, fields, loading),
    })
  }
}

function mayQuantify(
  path: string,
  op: Quantifier,
  fields: ReadonlyMap<string, AcceptedField>,
  loading: Loading,
): boolean {
  if (fields.get(path)?.elements.includes(op)) return true
  const values = [...fields].flatMap(([name, { elements }]) => elements.map((one) => `${name}.${one}`))
  loading.fail(codes.issues['filter-field'], {
    field: shortenName(`${path}.${op}`),
    values: values.length === 0 ? 'no lists' : values,
  })
  return false
}

const EXPECTED_STRING = { expected: 'a string', kind: 'string' }

function toExpression(
  { field, within, op, values }: ParsedCondition,
  { fields, syntax }: { readonly fields: ReadonlyMap<string, AcceptedField>; readonly syntax: FilterSyntax },
  loading: Loading,
): FilterExpression | typeof INVALID {
  const accepted = fields.get(within + field)
  if (accepted === undefined) {
    const below = [...fields.keys()].filter((name) => name.startsWith(within)).map((name) => name.slice(within.length))
    return loading.fail(codes.issues['filter-field'], { field: shortenName(field), values: below })
  }
  const { operator, star } = syntax
  if (!accepted.operators.includes(op)) {
    const operators = [...new Set(accepted.operators.map(operator))]
    const detail = { operator: operator(op), field, values: operators.join(' '), operators }
    return loading.fail(codes.issues['filter-operator'], detail)
  }
  if (op === '!' || op === '!!') return { op, field }
  if (op === '~=' || op === '!~=' || op === '@=')
    return toSearchExpression({ op, field, values, star }, accepted, loading)
  if (op !== '=' && op !== '!=')
    return toRangeExpression({ op, field, star, pattern: values[0] as Pattern }, accepted, loading)
  const any: Match[] = []
  for (const sent of values) {
    const match = toMatch(field, { ...sent, star }, accepted, loading)
    if (match === INVALID) return INVALID
    any.push(match)
  }
  return { op, field, any }
}

/** The maximum length of a text to search for: databases build a pattern from each. */
const MAX_SEARCH_LENGTH = 200
const TOO_LONG = {
  problem: `must have at most ${MAX_SEARCH_LENGTH} characters`,
  limit: MAX_SEARCH_LENGTH,
  issue: 'max-length',
}

type SearchingCondition = Omit<ParsedCondition, 'within'> & { readonly op: '~=' | '!~=' | '@='; readonly star: string }

function toSearchExpression(
  { op, field, values, star }: SearchingCondition,
  { part }: AcceptedField,
  loading: Loading,
): FilterExpression | typeof INVALID {
  const texts: string[] = []
  for (const { text, before, after } of values) {
    if (before || after) return failWildcard(op, star, loading)
    const value = loadValue(field, text, part, loading)
    if (value === INVALID) return INVALID
    if (text.length > MAX_SEARCH_LENGTH) return loading.fail(codes.issues['filter-value'], { field, ...TOO_LONG })
    texts.push(value as string)
  }
  return { op, field, texts }
}

const failWildcard = (operator: string, star: string, loading: Loading): typeof INVALID =>
  loading.fail(codes.issues['filter-wildcard'], { where: `after ${operator}`, star, operator })

interface RangeCondition {
  readonly op: '<' | '<=' | '>' | '>='
  readonly field: string
  readonly pattern: Pattern
  readonly star: string
}

function toRangeExpression(
  { op, field, star, pattern: { text, before, after } }: RangeCondition,
  { ordered }: AcceptedField,
  loading: Loading,
): FilterExpression | typeof INVALID {
  if (before || after) return failWildcard(op, star, loading)
  const value = loadValue(field, text, ordered, loading)
  return value === INVALID ? INVALID : { op, field, value }
}

function toMatch(
  field: string,
  { text, before, after, star }: Pattern & { readonly star: string },
  { wildcards, exact, part }: AcceptedField,
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
  const inner = new Loading('text')
  const value = load(text, inner)
  if (value !== INVALID) return value
  const [issue] = inner.issues ?? []
  const problem = issue?.message ?? 'is refused'
  return loading.fail(codes.issues['filter-value'], { ...issue?.detail, field, problem, issue: issue?.code ?? 'type' })
}

function createFilterDumper(config: FilteringConfig): Dumper {
  let fields: ReadonlyMap<string, FilterField> | undefined
  return function dumpFilter(value, dumping) {
    // Resolved on first use, because fields may be behind references to later declarations.
    fields ??= resolveFilterFields(config)
    return getSyntax(config).write(value as FilterExpression, fields, dumping)
  }
}

const DEFAULT_SYNTAX: FilterSyntax = {
  parse: parseFilter,
  write: writeFilterText,
  text: 'A filter: conditions like `name=value`, joined by `&` and `|`, with parentheses. `=` and `!=` take several values, comma-separated; `name!` is true if there is a value, `name!!` if there is none.',
  operator: (operator) => operator,
  star: '%2A',
}

const getSyntax = ({ syntax = DEFAULT_SYNTAX }: FilteringConfig): FilterSyntax => syntax

function buildFilterSchema(config: FilteringConfig, description?: string): JsonSchema {
  const { mediaType } = config
  const syntax = getSyntax(config)
  const fields = resolveFilterFields(config)
  const example = syntax.write(buildExampleFilter(fields, new ExampleSeed()), fields, new Dumping('unchecked'))
  return {
    type: 'string',
    // The declared description comes first.
    description: joinSentences(description ?? syntax.text, buildFilterTable(fields, syntax, mediaType)),
    maxLength: config.maxLength ?? MAX_FILTER_LENGTH,
    ...(example !== INVALID && { examples: [example] }),
  }
}
