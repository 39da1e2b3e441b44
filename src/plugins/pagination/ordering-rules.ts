// The rules of an `order` parameter: its settings, loading and documentation. Front ends have `ordering-rules.browser.ts`
// in its place.
import {
  form,
  formatTable,
  INVALID,
  joinSentences,
  type Loader,
  type Loading,
  shortenName,
  type VisibilityFilter,
} from '../../extend.ts'
import type { MediaType } from '../../index.ts'
import {
  acceptSettings,
  createMistakeFinder,
  findAudiences,
  findField,
  formatAudienceNote,
  isOrderable,
  isShownField,
  type ListRules,
  listCodes,
  listOrderableFields,
  type OrderTerm,
  toOrderUses,
} from '../mapper/extend.ts'
import { codes } from './codes.ts'
import { formatTerm, type OrderingConfig, type OrderingSettings, type OrderSyntax } from './ordering-config.ts'

const SETTINGS_FORM: form.Fields<OrderingSettings> = {
  byFields: form.list(form.text),
  enforceFor: form.choice('first', 'all'),
  default: form.list(form.text),
}

/** The maximum number of fields of an order, and of characters. */
const MAX_ORDER_FIELDS = 16
const MAX_ORDER_LENGTH = 4096

/** The rules of an `order` param. */
export const orderingRules: ListRules<OrderingConfig> = {
  portable: ({ syntax }) =>
    syntax === undefined ? { from: 'edict/pagination/extend', name: 'orderingKind' } : undefined,
  accept: (settings, options) => acceptSettings<OrderingSettings>(settings, SETTINGS_FORM, options),
  // Only the first field of an order must be in `byFields`, unless `enforceFor` is 'all'.
  usesFields: (config) => ({
    param: 'order',
    of: config.mediaType,
    fields: toOrderUses(config.enforceFor === 'all' ? (config.byFields ?? []) : listOfferedFields(config)),
    orders: [config.default ?? [], ...listLeadingFields(config).map((field) => [field])],
  }),
  options: {},
  narrow: narrowConfig,
  loader: createOrderLoader,
  dumper:
    ({ syntax = SIGN_SYNTAX }) =>
    (value) =>
      (value as readonly OrderTerm[]).map(syntax.write).join(','),
  jsonSchema: (config, options) => ({
    type: 'string',
    description: describeOrdering(config, options.description),
    maxLength: MAX_ORDER_LENGTH,
    pattern: (config.syntax ?? SIGN_SYNTAX).pattern,
    examples: [(config.syntax ?? SIGN_SYNTAX).write({ field: listLeadingFields(config)[0] ?? 'id', descending: true })],
  }),
  example: (config) => [{ field: listLeadingFields(config)[0] ?? 'id', descending: true }],
  mistakes: createMistakeFinder(findOrderingMistakes),
}

/** Returns the declaration of a list param without the fields that a client does not see. */
export function narrowConfig<C extends Pick<OrderingConfig, 'mediaType' | 'byFields'>>(
  config: C,
  narrowVisible: VisibilityFilter,
): C {
  const mediaType = narrowVisible(config.mediaType) as MediaType
  const byFields = config.byFields?.filter((field) => findField(mediaType, field) !== undefined)
  return { ...config, mediaType, ...(byFields !== undefined && { byFields }) }
}

/** Returns the fields that an order may begin with. */
export const listLeadingFields = ({ mediaType, byFields }: OrderingConfig): readonly string[] =>
  byFields ?? listOrderableFields(mediaType)

// The declared description comes first.
function describeOrdering(config: OrderingConfig, description: string | undefined): string {
  const { default: defaultOrder, syntax = SIGN_SYNTAX } = config
  return joinSentences(
    description ?? syntax.text,
    `At most ${MAX_ORDER_FIELDS} fields.`,
    defaultOrder && `Default: ${formatCode(parseTerms(defaultOrder).map(syntax.write).join(','))}.`,
    buildOrderTable(config, syntax),
  )
}

function buildOrderTable(config: OrderingConfig, { write }: OrderSyntax): string {
  const rows = listLeadingFields(config).map((field) => [
    formatCode(field) + formatAudienceNote(config.mediaType, field, ' '),
    formatCode(write({ field, descending: false })),
    formatCode(write({ field, descending: true })),
  ])
  return rows.length === 0 ? '' : formatTable(['Field', 'Ascending', 'Descending'], rows)
}

// An unescaped + in a query arrives as a space.
const SIGN_SYNTAX: OrderSyntax = {
  read(part) {
    const sign = /^[-+ ]/.exec(part)?.[0]
    const field = sign === undefined ? part : part.slice(1)
    return field === '' || /^[-+ ]/.test(field) ? undefined : { field, descending: sign === '-' }
  },
  write: formatTerm,
  pattern: '^[-+ ]?[^,]+(,[-+ ]?[^,]+)*$',
  text: 'The order of the list: comma-separated fields, `-` before one for descending.',
  form: 'comma-separated fields, each with optional - or +',
}

const formatCode = (text: string): string => `\`${text}\``

/** Returns the declared default order; undefined if there is none. */
export const parseDefaultOrder = ({ default: terms }: OrderingConfig): readonly OrderTerm[] | undefined =>
  terms && Object.freeze(parseTerms(terms))

const parseTerms = (terms: readonly string[]): OrderTerm[] =>
  terms.map((term) => ({ field: term.replace(/^-/, ''), descending: term.startsWith('-') }))

function findOrderingMistakes(config: OrderingConfig): string[] {
  const { mediaType, byFields, enforceFor, default: defaultOrder } = config
  const mistakes = findFieldMistakes(mediaType, byFields)
  for (const term of defaultOrder ?? []) {
    const field = term.replace(/^-/, '')
    const found = findField(mediaType, field)
    if (found === undefined || !isOrderable(found)) mistakes.push(`the default orders by '${term}', which has no order`)
    else if (findAudiences(mediaType, field) !== undefined)
      mistakes.push(`the default orders by '${field}', which some clients do not see: order by another field`)
    else if (!isOffered(field, config))
      mistakes.push(
        `the default orders by '${field}', which the default view of ${mediaType.name} hides, and links would show its values: name it in byFields if clients may know them`,
      )
  }
  if (defaultOrder?.length === 0) mistakes.push('the default is empty: leave it out')
  if (enforceFor === 'all' && byFields === undefined)
    mistakes.push('enforceFor is all, but there are no byFields to enforce')
  return mistakes
}

/** Returns whether clients may order by a field: the default view includes it, or `byFields` does. */
const isOffered = (field: string, { mediaType, byFields }: OrderingConfig): boolean =>
  byFields?.includes(field) === true || isShownField(mediaType, field)

/** Lists the fields that an order may contain, first or later. */
export const listOfferedFields = ({ mediaType, byFields = [] }: OrderingConfig): readonly string[] => [
  ...new Set([...listOrderableFields(mediaType), ...byFields]),
]

/** Returns the mistakes in a list of fields to order by. */
export function findFieldMistakes(mediaType: MediaType, fields: readonly string[] | undefined): string[] {
  if (fields?.length === 0) return ['byFields is empty: no field could ever be used']
  return (fields ?? []).flatMap((field) => {
    const found = findField(mediaType, field)
    if (found === undefined) return [`byFields names '${field}', which is not an attribute of ${mediaType.name}`]
    return isOrderable(found) ? [] : [`byFields names '${field}', whose values have no order`]
  })
}

/** The maximum number of texts that a parameter caches with their orders. */
const MAX_CACHED = 100

function createOrderLoader(config: OrderingConfig): Loader {
  const { form, toText } = config.syntax ?? SIGN_SYNTAX
  // Clients repeat a few texts, and plans are cached by order.
  const cache = new Map<string, readonly OrderTerm[]>()
  return (sent, loading) => {
    const value = typeof sent === 'string' || toText === undefined ? sent : toText(sent)
    if (typeof value !== 'string')
      return Array.isArray(value) ? loading.fail('repeated') : loading.fail(codes.issues['order-syntax'], { form })
    const found = cache.get(value)
    if (found !== undefined) return found
    const terms = loadTerms(value, config, loading)
    if (terms === INVALID) return INVALID
    if (cache.size === MAX_CACHED) cache.delete(cache.keys().next().value as string)
    cache.set(value, terms)
    return terms
  }
}

function loadTerms(value: string, config: OrderingConfig, loading: Loading): readonly OrderTerm[] | typeof INVALID {
  if (value.length > MAX_ORDER_LENGTH) return loading.fail('max-length', { limit: MAX_ORDER_LENGTH })
  const parts = value.split(',')
  if (parts.length > MAX_ORDER_FIELDS) return loading.fail(codes.issues['order-fields'], { limit: MAX_ORDER_FIELDS })
  const terms: OrderTerm[] = []
  for (const part of parts) {
    const term = loadTerm(part, config, loading)
    if (term === INVALID) return INVALID
    if (terms.some(({ field }) => field === term.field))
      return loading.fail(codes.issues['order-repeated'], { field: term.field })
    terms.push(Object.freeze(term))
  }
  return Object.freeze(terms)
}

function loadTerm(part: string, config: OrderingConfig, loading: Loading): OrderTerm | typeof INVALID {
  const { syntax = SIGN_SYNTAX } = config
  const term = syntax.read(part)
  if (term === undefined) return loading.fail(codes.issues['order-syntax'], { form: syntax.form })
  const found = isOffered(term.field, config) ? findField(config.mediaType, term.field) : undefined
  if (found === undefined || !isOrderable(found))
    return loading.fail(listCodes.issues['order-field'], {
      field: shortenName(term.field),
      values: listOfferedFields(config),
    })
  return term
}
