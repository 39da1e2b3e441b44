// Notes on `pagination` and `order` in documents that follow from the settings, those of the plugin included.
import { type ParamNote, type ResolvedAction, sentences, table } from '../../extend.ts'
import { audienceNote } from '../lists/extend.ts'
import { type Declared, listOf, orderingOf } from './declared.ts'
import type { DeclaredList } from './listing/list.ts'
import { leadingFields, type OrderingConfig } from './ordering-params.ts'
import { writtenPagination } from './page-text.ts'
import { cursorFields, type PaginationConfig } from './pagination-params.ts'
import { paramSettings } from './resolution.ts'
import type { PaginationSettings } from './settings.ts'

/** The notes on an action's params. */
export function listNotes(action: ResolvedAction, settings: PaginationSettings): Readonly<Record<string, ParamNote>> {
  const [list, ordered] = [listOf(action), orderingOf(action)]
  return {
    ...(list !== undefined && {
      [list.language.slot('items').path[0] as string]:
        list.form === undefined ? paginationNote(list.config, ordered, settings) : partNote(list, settings),
    }),
    ...(ordered !== undefined && { [ordered.name]: orderNote(ordered.config, settings) }),
  }
}

// Documents have one text for a whole structure, so it names the member that it describes.
function partNote({ config, form, language }: DeclaredList, settings: PaginationSettings): ParamNote {
  const { maxItems, pageSize } = paramSettings(config, settings)
  const limit = (form?.onExceed ?? settings.onExceed) === 'clamp' ? 'more are not given' : 'more are refused'
  const { name, path } = language.slot('items')
  const named = path.length === 1 ? '' : ` of \`${name}\``
  const most = Number.isFinite(maxItems) ? `At most ${maxItems} elements: ${limit}. ` : ''
  return { text: `${most}Default${named}: ${pageSize}.` }
}

const COUNTS = {
  exact: '`true` for the header `Total-Count`',
  estimated: '`true` for the header `Total-Count` with an estimate',
} as const

function paginationNote(
  config: PaginationConfig,
  ordered: Declared<OrderingConfig> | undefined,
  settings: PaginationSettings,
): ParamNote {
  const { maxItems, pageSize, paging, cursor, mode, count } = paramSettings(config, settings)
  const limit = settings.onExceed === 'clamp' ? 'more are not given' : 'more are refused'
  const fields = cursorFields(config)
  const named = fields.map((field) => `\`${field}\`${audienceNote(config.mediaType, field, ' ')}`).join(', ')
  const most = Number.isFinite(maxItems) ? `, at most ${maxItems}: ${limit}` : ''
  const rows = [
    ...(paging ? [['`page`', 'the number of the page, from 1']] : []),
    ['`items`', `the size of the page${most}`],
    ...(cursor
      ? [
          ['`by`', `the field to go by: ${named}`],
          ['`from`', 'a value of that field: the page begins after it'],
        ]
      : []),
    ...(count === 'none' ? [] : [['`total_count`', COUNTS[count]]]),
  ]
  const text = `Default: \`${writtenPagination({ ...mode, items: pageSize })}\`.`
  const items = Math.min(10, maxItems)
  const first = ordered === undefined ? undefined : leadingFields(ordered.config)[0]
  const by = first !== undefined && fields.includes(first) ? first : fields[0]
  return {
    text: sentences(text, table(['Key', 'Value'], rows)),
    example: writtenPagination(paging || by === undefined ? { page: 1, items } : { by, items }),
  }
}

function orderNote({ byFields, enforceFor }: OrderingConfig, { enforceAllFields }: PaginationSettings): ParamNote {
  const all = (enforceFor ?? (enforceAllFields ? 'all' : 'first')) === 'all'
  return { text: byFields === undefined || all ? '' : 'Further fields may follow the first, separated by commas.' }
}
