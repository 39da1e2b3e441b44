// The parameter `order`: fields with a sign each, applied in sequence as tie-breakers.

import {
  form,
  INVALID,
  isMediaType,
  type Loader,
  type Loading,
  type VisibilityFilter,
  joinSentences,
  shortenName,
  formatTable,
} from '../../extend.ts'
import type { Attribute, Attributes, MediaType, Options } from '../../index.ts'
import {
  acceptSettings,
  formatAudienceNote,
  findAudiences,
  toOrderUses,
  type EndpointMark,
  type FieldName,
  findField,
  isOrderable,
  isShownField,
  type ListKind,
  type ListParamConfig,
  type ListRules,
  listCodes,
  createMistakeFinder,
  createListParam,
  type OrderTerm,
  listOrderableFields,
  type ParamFor,
  refuseDeclaration,
  createMisdeclaredParam,
} from '../mapper/extend.ts'
import { codes } from './codes.ts'

/** Settings of an `order` parameter. */
export interface OrderingSettings<F extends string = string> {
  /**
   * The fields that may come first in an order; with `enforceFor: 'all'`, all of its fields. Links contain the values of these fields.
   * @default all of the default view that have an order
   */
  readonly byFields?: readonly F[]
  /**
   * Whether only the `'first'` field or `'all'` of them must be in `byFields`.
   * @default the setting of the plugin
   */
  readonly enforceFor?: 'first' | 'all'
  /**
   * The order if the request names none, neither here nor with `by`; `-` before a field is descending.
   * @default that of the key
   */
  readonly default?: readonly (F | `-${F}`)[]
}

/** The declaration of an `order` parameter. */
export interface OrderingConfig extends OrderingSettings, ListParamConfig {
  readonly mediaType: MediaType
  /** How orders are written, where that is not edict's own way. */
  readonly syntax?: OrderSyntax | undefined
}

/** A syntax of orders: how one of the comma-separated fields is read and written. */
export interface OrderSyntax {
  /** Reads one field of an order; undefined for what is none. */
  readonly read: (part: string) => OrderTerm | undefined
  readonly write: (term: OrderTerm) => string
  /** The form of an order, as a regular expression. */
  readonly pattern: string
  /** The description in documents, and the form that the message of a refused order names. */
  readonly text: string
  readonly form: string
}

const SETTINGS_FORM: form.Fields<OrderingSettings> = {
  byFields: form.list(form.text),
  enforceFor: form.choice('first', 'all'),
  default: form.list(form.text),
}

/** The most fields of an order, and the most characters. */
const MAX_ORDER_FIELDS = 16
const MAX_ORDER_LENGTH = 4096

/** Declares an `order` parameter. */
export const OrderingParams: {
  /** The order of a list of a media type. */
  for<A extends Attributes = never>(
    mediaType: MediaType<A> | EndpointMark,
    settings?: OrderingSettings<FieldName<A>>,
    options?: Pick<Options<readonly OrderTerm[]>, 'description'>,
  ): ParamFor<A, Attribute<readonly OrderTerm[], false>>
} = Object.freeze({
  for(mediaType: MediaType, settings?: OrderingSettings, options?: object) {
    if (!isMediaType(mediaType)) return createMisdeclaredParam(orderingKind, mediaType)
    return createListParam<OrderingConfig>(orderingKind, { mediaType }, settings, options)
  },
}) as never

/** The kind of an `order` param. */
export const orderingKind: ListKind<OrderingConfig> = {
  name: 'ordering',
  needs: 'pagination',
  write: (value, { config }) => {
    const { syntax } = config as OrderingConfig
    return (value as readonly OrderTerm[]).map(syntax?.write ?? formatTerm).join(',')
  },
  rules: {},
}

/** The rules of an `order` param. */
export const orderingRules: ListRules<OrderingConfig> = {
  accept: (settings, options) => acceptSettings<OrderingSettings>(settings, SETTINGS_FORM, options),
  refuse: refuseDeclaration,
  // Only the first field of an order has to be one of byFields, unless all have to.
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

/** The declaration of a param of a list, without the fields that a client does not see. */
export function narrowConfig<C extends Pick<OrderingConfig, 'mediaType' | 'byFields'>>(config: C, see: VisibilityFilter): C {
  const mediaType = see(config.mediaType) as MediaType
  const byFields = config.byFields?.filter((field) => findField(mediaType, field) !== undefined)
  return { ...config, mediaType, ...(byFields !== undefined && { byFields }) }
}

/** The fields that an order may begin with. */
export const listLeadingFields = ({ mediaType, byFields }: OrderingConfig): readonly string[] =>
  byFields ?? listOrderableFields(mediaType)

// The param's own description comes first.
function describeOrdering(config: OrderingConfig, description: string | undefined): string {
  const { default: initial, syntax = SIGN_SYNTAX } = config
  return joinSentences(
    description ?? syntax.text,
    `At most ${MAX_ORDER_FIELDS} fields.`,
    initial && `Default: ${formatCode(parseTerms(initial).map(syntax.write).join(','))}.`,
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

const formatTerm = ({ field, descending }: OrderTerm): string => (descending ? `-${field}` : field)

// A + that was not escaped arrives as a space.
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

/** Writes an order as a request has it. */
export const writeOrder = (terms: readonly OrderTerm[]): string => terms.map(formatTerm).join(',')

/** The order that a declaration gives to requests that name none. */
export const parseDefaultOrder = ({ default: terms }: OrderingConfig): readonly OrderTerm[] | undefined =>
  terms && Object.freeze(parseTerms(terms))

const parseTerms = (terms: readonly string[]): OrderTerm[] =>
  terms.map((term) => ({ field: term.replace(/^-/, ''), descending: term.startsWith('-') }))

function findOrderingMistakes(config: OrderingConfig): string[] {
  const { mediaType, byFields, enforceFor, default: initial } = config
  const mistakes = findFieldMistakes(mediaType, byFields)
  for (const term of initial ?? []) {
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
  if (initial?.length === 0) mistakes.push('the default is empty: leave it out')
  if (enforceFor === 'all' && byFields === undefined)
    mistakes.push('enforceFor is all, but there are no byFields to enforce')
  return mistakes
}

/** Returns whether clients may order by a field: they see it, or it was named for them. */
const isOffered = (field: string, { mediaType, byFields }: OrderingConfig): boolean =>
  byFields?.includes(field) === true || isShownField(mediaType, field)

/** The fields that an order may have, leading or behind others. */
export const listOfferedFields = ({ mediaType, byFields = [] }: OrderingConfig): readonly string[] => [
  ...new Set([...listOrderableFields(mediaType), ...byFields]),
]

/** Mistakes in a list of fields to order by. */
export function findFieldMistakes(mediaType: MediaType, fields: readonly string[] | undefined): string[] {
  if (fields?.length === 0) return ['byFields is empty: no field could ever be used']
  return (fields ?? []).flatMap((field) => {
    const found = findField(mediaType, field)
    if (found === undefined) return [`byFields names '${field}', which is not an attribute of ${mediaType.name}`]
    return isOrderable(found) ? [] : [`byFields names '${field}', whose values have no order`]
  })
}

/** How many texts a parameter remembers with the orders that they are. */
const MAX_CACHED = 100

function createOrderLoader(config: OrderingConfig): Loader {
  const { form } = config.syntax ?? SIGN_SYNTAX
  // Clients send the same few texts again and again, and what is made for an order is kept with it.
  const remembered = new Map<string, readonly OrderTerm[]>()
  return (value, loading) => {
    if (typeof value !== 'string')
      return Array.isArray(value) ? loading.fail('repeated') : loading.fail(codes.issues['order-syntax'], { form })
    const found = remembered.get(value)
    if (found !== undefined) return found
    const terms = loadTerms(value, config, loading)
    if (terms === INVALID) return INVALID
    if (remembered.size === MAX_CACHED) remembered.delete(remembered.keys().next().value as string)
    remembered.set(value, terms)
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

/** A param of orders under any name. */
export const createOrderParam = (config: OrderingConfig): Attribute =>
  createListParam<OrderingConfig>(orderingKind, config, undefined, undefined)
