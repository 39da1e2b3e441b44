// Links to other pages of a list: the request URL with another page, and all other params as they were sent.
import { Refusal, toUri } from '../../../extend.ts'
import { codes } from '../codes.ts'
import type { LinkContext, Pagination } from '../pagination-config.ts'
import type { PageLinks } from './page.ts'
import type { ParamLayout, PartialPageParams } from './param-layout.ts'

/** The maximum length of the header: clients reject heads of 16 KiB, and there are other headers. */
const MAX_HEADER_LENGTH = 13 * 1024
/** The maximum length of a cursor, with its binding to the list. */
const MAX_CURSOR_LENGTH = 2100
/** The number of characters around the URLs of two links. */
const LINK_SYNTAX_LENGTH = 40
/** An escaped character takes at most six; a quarter of the space always suffices for the pagination itself. */
const SAFE_URL_LENGTH = (MAX_HEADER_LENGTH / 2 - MAX_CURSOR_LENGTH) / 8

type BaseContext = Pick<LinkContext, 'baseUrl' | 'extraParam'>

/**
 * Refuses a URL with which the links to the next and the previous page might not fit. The result is known before anything is
 * read, and is the same for all pages: every link leads to a page with links.
 */
export function checkUrlLength(url: string, layout: ParamLayout, pagination: Pagination): void {
  const { baseUrl, extraParam } = pagination.link
  if (baseUrl.length + url.length + (extraParam?.[1].length ?? 0) < SAFE_URL_LENGTH) return
  const maxLength = Math.floor((MAX_HEADER_LENGTH - LINK_SYNTAX_LENGTH) / 2) - measureLongestPage(layout, pagination)
  if (buildLinkBase(url, layout, pagination.link).length <= maxLength) return
  const detail = `Without its pagination it may have ${maxLength} characters, as links write them.`
  throw new Refusal({
    ...codes.failures['uri-too-long'],
    detail,
    reason: { code: 'uri-length', values: { limit: maxLength } },
  })
}

/** Returns the length of the longest pagination in a link of the same list. */
function measureLongestPage(layout: ParamLayout, pagination: Pagination): number {
  const { items, total_count } = pagination.link.text
  const [page, offset] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
  if (pagination.mode === 'page') return layout.formatQuery({ page, offset, items, total_count }).length
  return layout.formatQuery({ by: pagination.by, before: '', items, total_count }).length + MAX_CURSOR_LENGTH
}

/**
 * Writes the Link header of a page. If not all links fit, those to the last and to the first page are omitted; without the
 * others, a client would take one page for the complete list.
 */
export function formatLinkHeader(url: string, layout: ParamLayout, links: PageLinks, context: BaseContext): string {
  const base = `<${buildLinkBase(url, layout, context)}`
  const formatLink = (relation: keyof PageLinks): string => {
    const text = links[relation]
    return text === undefined ? '' : `${buildLink(base, layout, text)}>; rel="${relation}"`
  }
  const [first, prev, next, last] = [formatLink('first'), formatLink('prev'), formatLink('next'), formatLink('last')]
  const candidates = [
    [first, prev, next, last],
    [first, prev, next],
  ]
  return candidates.map(joinLinks).find((header) => header.length <= MAX_HEADER_LENGTH) ?? joinLinks([prev, next])
}

const joinLinks = (links: readonly string[]): string => links.filter((link) => link !== '').join(', ')

/** Returns the start of all link URLs: the path and all params that do not select the page. */
export function buildLinkBase(url: string, layout: ParamLayout, { baseUrl, extraParam }: BaseContext): string {
  const mark = url.indexOf('?')
  let base = baseUrl + (mark < 0 ? `${url}?` : url.slice(0, mark + 1))
  for (const pair of mark < 0 ? [] : url.slice(mark + 1).split('&'))
    if (pair !== '' && !layout.isPageParam(decodeParamName(pair))) base += `${pair}&`
  if (extraParam !== undefined) base += `${extraParam[0]}=${encodeURIComponent(extraParam[1])}&`
  return toUri(base)
}

/** Returns the URL of a page, from the base of its list. */
export function buildLink(base: string, layout: ParamLayout, page: PartialPageParams): string {
  const pairs = layout.formatQuery(page)
  return pairs === '' ? base.slice(0, -1) : base + pairs
}

function decodeParamName(pair: string): string {
  const equals = pair.indexOf('=')
  const name = (equals < 0 ? pair : pair.slice(0, equals)).replaceAll('+', ' ')
  if (!name.includes('%')) return name
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
