// The parameter `pagination`: comma-separated `key=value` pairs, each value escaped once more.
import { form, INVALID, isMediaType, type Kind, type Loader, type Loading, shown } from '../../extend.ts'
import type { Attribute, Attributes, MediaType, Options } from '../../index.ts'
import {
  audiencesAt,
  byOrder,
  type EndpointMark,
  type FieldName,
  fieldAt,
  isOrderable,
  type ListParamConfig,
  listMistakes,
  listParam,
  mode,
  type NumberedPortion,
  orderableFields,
  type ParamFor,
  type PlacedPortion,
  strayParam,
} from '../lists/extend.ts'
import { codes } from './codes.ts'
import { fieldMistakes, narrowed } from './ordering-params.ts'
import type { CountMode } from './settings.ts'

/** The facts about a request that its links are made from. */
export interface LinkContext {
  /** The pagination that the request itself names. */
  readonly text: PaginationText
  readonly mediaType: MediaType
  /** A param that links must carry although the request did not, and its value: the order that was implied. */
  readonly also: readonly [name: string, value: string] | undefined
}

/** A numbered page of a list. */
export interface PageRequest extends NumberedPortion {
  /** The number of the page, counted from 1. */
  readonly page: number
  /** False when the list keeps the order it has by itself. */
  readonly ordered: boolean
  /** The context of the links to other pages. */
  readonly link: LinkContext
}

/** A page by cursor. */
export interface CursorRequest extends PlacedPortion {
  readonly by: string
  /** The context of the links to other pages. */
  readonly link: LinkContext
}

/** The page that a request asks for. */
export type Pagination = PageRequest | CursorRequest

/** The pagination that a request names, before the settings are applied. */
export interface PaginationText {
  readonly page?: number
  readonly items?: number
  readonly by?: string
  readonly from?: string
  readonly after?: string
  readonly before?: string
  readonly total_count?: boolean
}

/** Settings of one `pagination` parameter; they override those of the plugin. */
export interface PaginationParamsSettings<F extends string = string> {
  /**
   * The fields that `by` may name. Links contain the values of these fields.
   * @default all of the default view that have an order
   */
  readonly byFields?: readonly F[]
  /**
   * The fields that identify an element: they break the last ties of every order. Orders of a resource always end with its key.
   * @default the key of the media type's resource, or `['id']`
   */
  readonly key?: readonly F[]
  /**
   * The most elements of one page.
   * @default the setting of the plugin
   */
  readonly maxItems?: number
  /**
   * The size of a page if the request names none.
   * @default the setting of the plugin
   */
  readonly pageSize?: number
  /**
   * The mode that is refused, `'paging'` or `'cursor'`; `'none'` allows both, overriding the plugin.
   * @default the setting of the plugin
   */
  readonly disallow?: 'paging' | 'cursor' | 'none'
  /**
   * The mode of a request that names none: `{ page: 1 }` or `{ by: 'year' }`.
   * @default the setting of the plugin
   */
  readonly default?: { readonly page: number } | { readonly by: F }
  /**
   * The count of the list: `'exact'`, `'estimated'` or `'none'`.
   * @default the setting of the plugin
   */
  readonly count?: CountMode
}

/** The declaration of a `pagination` parameter. */
export interface PaginationConfig extends PaginationParamsSettings, ListParamConfig {
  readonly mediaType: MediaType
  /** The key that the media type's resource has. */
  readonly known?: readonly string[] | undefined
}

/** The fields that tell elements apart, by their declaration, their resource, or by default. */
export const keyOf = ({ key, known }: PaginationConfig): readonly string[] => key ?? known ?? ['id']
const FIELDS: form.Fields<PaginationParamsSettings> = {
  byFields: form.list(form.text),
  key: form.list(form.text),
  maxItems: form.number,
  pageSize: form.number,
  disallow: form.choice('paging', 'cursor', 'none'),
  default: mode,
  count: form.choice('exact', 'estimated', 'none'),
}

/** Declares a `pagination` parameter. */
export const PaginationParams: {
  /** The pagination of a list of a media type. */
  for<A extends Attributes = never>(
    mediaType: MediaType<A> | EndpointMark,
    settings?: PaginationParamsSettings<FieldName<A>>,
    options?: Pick<Options<Pagination>, 'description'>,
  ): ParamFor<A, Attribute<Pagination, 'default'>>
} = Object.freeze({
  for(mediaType: MediaType, settings?: PaginationParamsSettings, options?: object) {
    if (!isMediaType(mediaType)) return strayParam(mediaType)
    const { value, flaws } = form.accept(settings, FIELDS)
    return listParam<PaginationConfig>(paginationKind, { ...value, mediaType, flaws }, options)
  },
}) as never

/** The kind of a `pagination` param. */
export const paginationKind: Kind<PaginationConfig> = {
  name: 'pagination',
  usesFields: (config) => ({
    param: 'pagination',
    of: config.mediaType,
    fields: byOrder([...cursorFields(config), ...(config.key ?? [])]),
    key: true,
    orders: config.disallow === 'cursor' ? [[]] : [[], ...cursorFields(config).map((field) => [field])],
    ends: config.key ?? [],
  }),
  options: {},
  needs: 'pagination',
  answerHeaders: {
    Link: {
      description: 'The pages around this one (RFC 8288): `first`, `prev`, `next` and, if it is known, `last`.',
      schema: { type: 'string' },
    },
    'Total-Count': {
      description: 'The number of elements in the whole list; only with `total_count=true`.',
      schema: { type: 'integer', minimum: 0 },
    },
  },
  narrow: narrowed,
  loader: paginationLoader,
  dumper: () => (value) => writtenPagination(value as PaginationText),
  jsonSchema: (config, { description = TEXT }) => ({
    type: 'string',
    description,
    maxLength: MAX_LENGTH,
    examples: [writtenPagination(exampleOf(config))],
  }),
  example: exampleOf,
  mistakes: listMistakes(({ mediaType, byFields, key, default: initial }) => [
    ...fieldMistakes(mediaType, byFields),
    ...keyMistakes(mediaType, key),
    ...(initial !== undefined && 'by' in initial ? defaultMistakes(mediaType, initial.by, byFields) : []),
  ]),
}

const TEXT =
  'The requested page, as comma-separated pairs of a key and a value. The header `Link` leads to the other pages.'

function exampleOf(config: PaginationConfig): PaginationText {
  const { disallow, maxItems = 10 } = config
  const [[by], items] = [cursorFields(config), Math.min(maxItems, 10)]
  return disallow === 'paging' && by !== undefined ? { by, items } : { page: 1, items }
}

// Without one, it is the key of a resource or `id`: only the whole application shows whether there is either.
function keyMistakes(mediaType: MediaType, key: readonly string[] | undefined): string[] {
  if (key === undefined) return []
  if (key.length === 0) return ['the key is empty: nothing would tell elements apart']
  return key.flatMap((field) => {
    const found = fieldAt(mediaType, field)
    if (audiencesAt(mediaType, field)) return [`the key has '${field}', which some clients do not see: name another`]
    if (found !== undefined && isOrderable(found)) return []
    return [`there is no field '${field}' to tell elements apart: name the key of ${mediaType.name} with key`]
  })
}

function defaultMistakes(mediaType: MediaType, by: string, byFields: readonly string[] | undefined): string[] {
  if (audiencesAt(mediaType, by)) return [`the default goes by '${by}', which some clients do not see: name another`]
  if ((byFields ?? orderableFields(mediaType)).includes(by)) return []
  return [`the default goes by '${by}', which is not one of the fields to go by`]
}

/** The names of a parameter's fields for `by`. */
export const cursorFields = ({ mediaType, byFields }: PaginationConfig): readonly string[] =>
  byFields ?? orderableFields(mediaType)

const MAX_LENGTH = 4096
const KEYS: ReadonlySet<string> = new Set(['page', 'items', 'by', 'from', 'total_count', 'after', 'before'])

function paginationLoader(config: PaginationConfig): Loader {
  const fields = new Set(cursorFields(config))
  return (value, loading) => {
    if (typeof value !== 'string')
      return loading.fail(Array.isArray(value) ? 'repeated' : codes.issues['pagination-syntax'])
    if (value.length > MAX_LENGTH) return loading.fail('max-length', { limit: MAX_LENGTH })
    const parsed = parsePagination(value, loading)
    if (parsed === INVALID) return INVALID
    if (parsed.by !== undefined && !fields.has(parsed.by)) {
      return loading.fail(codes.issues['pagination-field'], { field: shown(parsed.by), values: [...fields].join(', ') })
    }
    return parsed
  }
}

function parsePagination(text: string, loading: Loading): PaginationText | typeof INVALID {
  const pairs = new Map<string, string>()
  for (const part of text.split(',')) {
    const equals = part.indexOf('=')
    if (equals < 1) return loading.fail(codes.issues['pagination-syntax'])
    const key = part.slice(0, equals)
    if (!KEYS.has(key)) return loading.fail(codes.issues['pagination-key'], { key: shown(key) })
    if (pairs.has(key)) return loading.fail(codes.issues['pagination-repeated'], { key })
    const value = unescaped(part.slice(equals + 1))
    if (value === undefined) return loading.fail('encoding')
    if (value === '' && key !== 'from') return loading.fail(codes.issues['pagination-empty'], { key })
    pairs.set(key, value)
  }
  return combined(pairs, loading)
}

function unescaped(value: string): string | undefined {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

function combined(pairs: ReadonlyMap<string, string>, loading: Loading): PaginationText | typeof INVALID {
  const text: Record<string, string | number | boolean> = {}
  for (const [key, value] of pairs) {
    if (key === 'page' || key === 'items') {
      const number = /^[1-9]\d{0,15}$/.test(value) ? Number(value) : Number.NaN
      if (!Number.isSafeInteger(number)) return loading.fail(codes.issues['pagination-number'], { key })
      text[key] = number
    } else if (key === 'total_count') {
      if (value !== 'true' && value !== 'false') return loading.fail(codes.issues['pagination-total-count'])
      text[key] = value === 'true'
    } else text[key] = value
  }
  const continued = [pairs.has('from'), pairs.has('after'), pairs.has('before')].filter(Boolean).length
  const mixed = continued > 1 || (pairs.has('page') && (continued > 0 || pairs.has('by')))
  return mixed ? loading.fail(codes.issues['pagination-mixed']) : (text as PaginationText)
}

/** Pagination as it is written; members that are undefined are left out. */
export type WrittenPagination = { readonly [K in keyof PaginationText]?: PaginationText[K] | undefined }

/** Writes pagination as a request has it, values escaped. */
export const writtenPagination = (text: WrittenPagination): string => written(text, ',', '=', encodeURIComponent)

/** Writes pagination as it stands in a URL, where all of it is escaped once more. */
export const linkedPagination = (text: WrittenPagination): string =>
  written(text, '%2C', '%3D', (value) => encodeURIComponent(encodeURIComponent(value)))

function written(
  { page, by, from, after, before, items, total_count }: WrittenPagination,
  comma: string,
  equals: string,
  escaped: (value: string) => string,
): string {
  const text = (key: string, value: string): string =>
    `${comma}${key}${equals}${HARMLESS.test(value) ? value : escaped(value)}`
  let pairs = ''
  if (page !== undefined) pairs += `${comma}page${equals}${page}`
  if (by !== undefined) pairs += text('by', by)
  if (from !== undefined) pairs += text('from', from)
  if (after !== undefined) pairs += text('after', after)
  if (before !== undefined) pairs += text('before', before)
  if (items !== undefined) pairs += `${comma}items${equals}${items}`
  if (total_count !== undefined) pairs += `${comma}total_count${equals}${total_count}`
  return pairs.slice(comma.length)
}

// Names of fields and places in links, mostly: nothing in them is escaped, however often.
const HARMLESS = /^[\w.-]*$/
