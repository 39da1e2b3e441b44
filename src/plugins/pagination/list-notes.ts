// Notes on `pagination` and `order` in API documents that follow from the settings, including those of the plugin.
import { formatTable, joinSentences, type ParamNote, type ResolvedAction } from '../../extend.ts'
import { formatAudienceNote } from '../mapper/extend.ts'
import { type DeclaredParam, findList, findOrdering } from './action-list.ts'
import type { DeclaredList } from './listing/declared-list.ts'
import type { OrderingConfig } from './ordering-config.ts'
import { listLeadingFields } from './ordering-rules.ts'
import type { PaginationConfig } from './pagination-config.ts'
import { listCursorFields } from './pagination-rules.ts'
import type { PaginationSettings } from './pagination-settings.ts'
import { formatPagination } from './pagination-text.ts'
import { resolveParamSettings } from './resolve-pagination.ts'

/** Returns the notes on an action's params. */
export function buildListNotes(
  action: ResolvedAction,
  settings: PaginationSettings,
): Readonly<Record<string, ParamNote>> {
  const [list, ordered] = [findList(action), findOrdering(action)]
  return {
    ...(list !== undefined && {
      [list.layout.findSlot('items').path[0] as string]: list.layout.slots.has('text')
        ? describePagination(list.config, ordered, settings)
        : describePageSize(list, settings),
    }),
    ...(ordered !== undefined && { [ordered.name]: describeOrder(ordered.config, settings) }),
  }
}

// Documents have one text for a structure, so it names the member that it describes.
function describePageSize({ config, convention, layout }: DeclaredList, settings: PaginationSettings): ParamNote {
  const { maxItems, pageSize } = resolveParamSettings(config, settings)
  const limit = (convention.onExceed ?? settings.onExceed) === 'clamp' ? 'more are not given' : 'more are refused'
  const { name, path } = layout.findSlot('items')
  const isLimit = layout.slots.has('limit')
  if (isLimit) return { text: `A page has at most ${Math.min(pageSize, maxItems)} elements.` }
  const named = path.length === 1 ? '' : ` of \`${name}\``
  const maximum = Number.isFinite(maxItems) ? `At most ${maxItems} elements: ${limit}. ` : ''
  return { text: `${maximum}Default${named}: ${pageSize}.` }
}

const COUNT_TEXTS = {
  exact: '`true` for the header `Total-Count`',
  estimated: '`true` for the header `Total-Count` with an estimate',
} as const

function describePagination(
  config: PaginationConfig,
  ordered: DeclaredParam<OrderingConfig> | undefined,
  settings: PaginationSettings,
): ParamNote {
  const {
    maxItems,
    pageSize,
    allowsPages: paging,
    allowsCursors: cursor,
    mode,
    count,
  } = resolveParamSettings(config, settings)
  const limit = settings.onExceed === 'clamp' ? 'more are not given' : 'more are refused'
  const fields = listCursorFields(config)
  const named = fields.map((field) => `\`${field}\`${formatAudienceNote(config.mediaType, field, ' ')}`).join(', ')
  const maximum = Number.isFinite(maxItems) ? `, at most ${maxItems}: ${limit}` : ''
  const rows = [
    ...(paging ? [['`page`', 'the number of the page, from 1']] : []),
    ['`items`', `the size of the page${maximum}`],
    ...(cursor
      ? [
          ['`by`', `the field to go by: ${named}`],
          ['`from`', 'a value of that field: the page begins after it'],
        ]
      : []),
    ...(count === 'none' ? [] : [['`total_count`', COUNT_TEXTS[count]]]),
  ]
  const text = `Default: \`${formatPagination({ ...mode, items: pageSize })}\`.`
  const items = Math.min(10, maxItems)
  const first = ordered === undefined ? undefined : listLeadingFields(ordered.config)[0]
  const by = first !== undefined && fields.includes(first) ? first : fields[0]
  return {
    text: joinSentences(text, formatTable(['Key', 'Value'], rows)),
    example: formatPagination(paging || by === undefined ? { page: 1, items } : { by, items }),
  }
}

function describeOrder({ byFields, enforceFor }: OrderingConfig, { enforceAllFields }: PaginationSettings): ParamNote {
  const all = (enforceFor ?? (enforceAllFields ? 'all' : 'first')) === 'all'
  return { text: byFields === undefined || all ? '' : 'Further fields may follow the first, separated by commas.' }
}
