// The parameter `pagination`: comma-separated `key=value` pairs, with percent-encoded values.
import { form, INVALID, isMediaType, type Loader, type ResponseHeader, shortenName } from '../../extend.ts'
import type { Attribute, Attributes, MediaType, Options } from '../../index.ts'
import {
  acceptSettings,
  type CursorPortion,
  createListParam,
  createMisdeclaredParam,
  createMistakeFinder,
  type EndpointMark,
  type FieldName,
  findAudiences,
  findField,
  isOrderable,
  type ListKind,
  type ListParamConfig,
  type ListRules,
  listOrderableFields,
  modeForm,
  type OffsetPortion,
  type ParamFor,
  refuseDeclaration,
  toOrderUses,
} from '../mapper/extend.ts'
import { codes } from './codes.ts'
import { findFieldMistakes, narrowConfig } from './ordering-params.ts'
import type { CountMode } from './pagination-settings.ts'
import { formatPagination, type PaginationText, parsePagination } from './pagination-text.ts'

/** The facts about a request that its links are built from. */
export interface LinkContext {
  /** The pagination that the request specifies. */
  readonly text: PaginationText
  readonly mediaType: MediaType
  /** A param that links must contain although the request did not, with its value: the implied order. */
  readonly extraParam: readonly [name: string, value: string] | undefined
}

/** A numbered page of a list. */
export interface PageRequest extends OffsetPortion {
  /** The number of the page, from 1. */
  readonly page: number
  /** Whether the list is sorted; false if it keeps its own order. */
  readonly ordered: boolean
  /** The context of the links to other pages. */
  readonly link: LinkContext
}

/** A page by cursor. */
export interface CursorRequest extends CursorPortion {
  readonly by: string
  /** The context of the links to other pages. */
  readonly link: LinkContext
}

/** The requested page. */
export type Pagination = PageRequest | CursorRequest

/** The settings of one `pagination` parameter; they override those of the plugin. */
export interface PaginationParamsSettings<F extends string = string> {
  /**
   * The fields that `by` may name. Links contain the values of these fields.
   * @default all orderable fields of the default view
   */
  readonly byFields?: readonly F[]
  /**
   * The fields that identify an element: they break the last ties of every order. Orders of a resource always end with its key.
   * @default the key of the media type's resource, or `['id']`
   */
  readonly key?: readonly F[]
  /**
   * The maximum number of elements of one page.
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
  /** The key of the media type's resource. */
  readonly resourceKey?: readonly string[] | undefined
}

/** Returns the fields that identify an element: the declared key, that of the resource, or `id`. */
export const getKeyFields = ({ key, resourceKey }: PaginationConfig): readonly string[] => key ?? resourceKey ?? ['id']
const SETTINGS_FORM: form.Fields<PaginationParamsSettings> = {
  byFields: form.list(form.text),
  key: form.list(form.text),
  maxItems: form.number,
  pageSize: form.number,
  disallow: form.choice('paging', 'cursor', 'none'),
  default: modeForm,
  count: form.choice('exact', 'estimated', 'none'),
}

/** Declares a `pagination` parameter. */
export const PaginationParams: {
  /** Returns the param for the pagination of a list of a media type. */
  for<A extends Attributes = never>(
    mediaType: MediaType<A> | EndpointMark,
    settings?: PaginationParamsSettings<FieldName<A>>,
    options?: Pick<Options<Pagination>, 'description'>,
  ): ParamFor<A, Attribute<Pagination, 'default'>>
} = Object.freeze({
  for(mediaType: MediaType, settings?: PaginationParamsSettings, options?: object) {
    if (!isMediaType(mediaType)) return createMisdeclaredParam(paginationKind, mediaType)
    return createListParam<PaginationConfig>(paginationKind, { mediaType }, settings, options)
  },
}) as never

/** The kind of a `pagination` param. */
export const paginationKind: ListKind<PaginationConfig> = {
  name: 'pagination',
  needs: 'pagination',
  write: (value) => formatPagination(value as PaginationText),
  rules: {},
}

/** The rules of a `pagination` param. */
export const paginationRules: ListRules<PaginationConfig> = {
  accept: (settings, options) => acceptSettings<PaginationParamsSettings>(settings, SETTINGS_FORM, options),
  refuse: refuseDeclaration,
  usesFields: (config) => ({
    param: 'pagination',
    of: config.mediaType,
    fields: toOrderUses([...listCursorFields(config), ...(config.key ?? [])]),
    key: true,
    orders: config.disallow === 'cursor' ? [[]] : [[], ...listCursorFields(config).map((field) => [field])],
    ends: config.key ?? [],
  }),
  options: {},
  responseHeaders: () => RESPONSE_HEADERS,
  narrow: narrowConfig,
  loader: createPaginationLoader,
  dumper: () => (value) => formatPagination(value as PaginationText),
  jsonSchema: (config, { description = DESCRIPTION }) => ({
    type: 'string',
    description,
    maxLength: MAX_PAGINATION_LENGTH,
    examples: [formatPagination(buildExamplePagination(config))],
  }),
  example: buildExamplePagination,
  mistakes: createMistakeFinder(({ mediaType, byFields, key, default: defaultMode }) => [
    ...findFieldMistakes(mediaType, byFields),
    ...findKeyMistakes(mediaType, key),
    ...(defaultMode !== undefined && 'by' in defaultMode
      ? findDefaultMistakes(mediaType, defaultMode.by, byFields)
      : []),
  ]),
}

const RESPONSE_HEADERS: Readonly<Record<string, ResponseHeader>> = {
  Link: {
    description: 'The pages around this one (RFC 8288): `first`, `prev`, `next` and, if it is known, `last`.',
    schema: { type: 'string' },
  },
  'Total-Count': {
    description: 'The number of elements in the whole list; only with `total_count=true`.',
    schema: { type: 'integer', minimum: 0 },
  },
}

const DESCRIPTION =
  'The requested page, as comma-separated pairs of a key and a value. The header `Link` leads to the other pages.'

function buildExamplePagination(config: PaginationConfig): PaginationText {
  const { disallow, maxItems = 10 } = config
  const [[by], items] = [listCursorFields(config), Math.min(maxItems, 10)]
  return disallow === 'paging' && by !== undefined ? { by, items } : { page: 1, items }
}

// Without a declared key, it is that of a resource or `id`; only the complete application shows whether either exists.
function findKeyMistakes(mediaType: MediaType, key: readonly string[] | undefined): string[] {
  if (key === undefined) return []
  if (key.length === 0) return ['the key is empty: nothing would tell elements apart']
  return key.flatMap((field) => {
    const found = findField(mediaType, field)
    if (findAudiences(mediaType, field)) return [`the key has '${field}', which some clients do not see: name another`]
    if (found !== undefined && isOrderable(found)) return []
    return [`there is no field '${field}' to tell elements apart: name the key of ${mediaType.name} with key`]
  })
}

function findDefaultMistakes(mediaType: MediaType, by: string, byFields: readonly string[] | undefined): string[] {
  if (findAudiences(mediaType, by)) return [`the default goes by '${by}', which some clients do not see: name another`]
  if ((byFields ?? listOrderableFields(mediaType)).includes(by)) return []
  return [`the default goes by '${by}', which is not one of the fields to go by`]
}

/** Returns the fields that `by` may name. */
export const listCursorFields = ({ mediaType, byFields }: PaginationConfig): readonly string[] =>
  byFields ?? listOrderableFields(mediaType)

const MAX_PAGINATION_LENGTH = 4096

function createPaginationLoader(config: PaginationConfig): Loader {
  const fields = new Set(listCursorFields(config))
  return (value, loading) => {
    if (typeof value !== 'string')
      return loading.fail(Array.isArray(value) ? 'repeated' : codes.issues['pagination-syntax'])
    if (value.length > MAX_PAGINATION_LENGTH) return loading.fail('max-length', { limit: MAX_PAGINATION_LENGTH })
    const parsed = parsePagination(value, loading)
    if (parsed === INVALID) return INVALID
    if (parsed.by !== undefined && !fields.has(parsed.by)) {
      return loading.fail(codes.issues['pagination-field'], { field: shortenName(parsed.by), values: [...fields] })
    }
    return parsed
  }
}
