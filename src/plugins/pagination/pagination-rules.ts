// The rules of a `pagination` parameter: its settings, loading and documentation. Front ends have
// `pagination-rules.browser.ts` in its place.
import { form, INVALID, type Loader, type ResponseHeader, shortenName } from '../../extend.ts'
import type { MediaType } from '../../index.ts'
import {
  acceptSettings,
  createMistakeFinder,
  findAudiences,
  findField,
  isOrderable,
  type ListRules,
  listOrderableFields,
  modeForm,
  toOrderUses,
} from '../mapper/extend.ts'
import { codes } from './codes.ts'
import { findFieldMistakes, narrowConfig } from './ordering-rules.ts'
import type { PaginationConfig, PaginationParamsSettings } from './pagination-config.ts'
import { formatPagination, type PaginationText, parsePagination } from './pagination-text.ts'

const SETTINGS_FORM: form.Fields<PaginationParamsSettings> = {
  byFields: form.list(form.text),
  key: form.list(form.text),
  maxItems: form.number,
  pageSize: form.number,
  disallow: form.choice('paging', 'cursor', 'none'),
  default: modeForm,
  count: form.choice('exact', 'estimated', 'none'),
}

/** The rules of a `pagination` param. */
export const paginationRules: ListRules<PaginationConfig> = {
  portable: () => ({ from: 'edict/pagination/extend', name: 'paginationKind' }),
  accept: (settings, options) => acceptSettings<PaginationParamsSettings>(settings, SETTINGS_FORM, options),
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
  if (key.length === 0) return ['the key is empty: nothing would identify elements']
  return key.flatMap((field) => {
    const found = findField(mediaType, field)
    if (findAudiences(mediaType, field)) return [`the key has '${field}', which some clients do not see: name another`]
    if (found !== undefined && isOrderable(found)) return []
    return [`there is no field '${field}' to identify elements: name the key of ${mediaType.name} with key`]
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
