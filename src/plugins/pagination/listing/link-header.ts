// Links to other pages of a list: the request's own URL with another page, all other parameters as they were sent.
import { Refusal, toUri } from '../../../extend.ts'
import { codes } from '../codes.ts'
import type { ParamLayout, PartialPageParams } from './param-layout.ts'
import type { PageLinks } from './page.ts'
import type { Pagination } from '../pagination-params.ts'

/** Characters of the header at most: clients refuse heads of 16 KiB, and there are other headers. */
const MAX_HEADER_LENGTH = 13 * 1024
/** Characters of the longest place, with what ties it to its list. */
const MAX_CURSOR_LENGTH = 2100
/** Characters around the URLs of two links. */
const LINK_SYNTAX_LENGTH = 40
/** An escaped character has six at most; a quarter of the room is surely enough for the pagination itself. */
const SAFE_URL_LENGTH = (MAX_HEADER_LENGTH / 2 - MAX_CURSOR_LENGTH) / 8

type ExtraParam = readonly [string, string] | undefined

/**
 * Refuses a URL with which links to a next and a previous page might not fit. This is known before anything is read, and it is
 * the same for all pages: every link that is given leads to a page with links.
 */
export function checkUrlLength(url: string, language: ParamLayout, pagination: Pagination): void {
  const { extraParam: also } = pagination.link
  if (url.length + (also?.[1].length ?? 0) < SAFE_URL_LENGTH) return
  const most = Math.floor((MAX_HEADER_LENGTH - LINK_SYNTAX_LENGTH) / 2) - measureLongestPage(language, pagination)
  if (buildLinkBase(url, language, also).length <= most) return
  const detail = `Without its pagination it may have ${most} characters, as links write them.`
  throw new Refusal({
    ...codes.failures['uri-too-long'],
    detail,
    reason: { code: 'uri-length', values: { limit: most } },
  })
}

/** The length of the longest pagination that a link of the same list can have. */
function measureLongestPage(language: ParamLayout, pagination: Pagination): number {
  const { items, total_count } = pagination.link.text
  const [page, offset] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
  if (pagination.mode === 'page') return language.formatQuery({ page, offset, items, total_count }).length
  return language.formatQuery({ by: pagination.by, before: '', items, total_count }).length + MAX_CURSOR_LENGTH
}

/**
 * Writes the Link header of a page. Where not all links fit, those to the last and to the first page are left out:
 * without the others a client would take a part of the list for the whole.
 */
export function formatLinkHeader(url: string, language: ParamLayout, links: PageLinks, also?: ExtraParam): string {
  const base = `<${buildLinkBase(url, language, also)}`
  const written = (relation: keyof PageLinks): string => {
    const text = links[relation]
    return text === undefined ? '' : `${buildLink(base, language, text)}>; rel="${relation}"`
  }
  const [first, prev, next, last] = [written('first'), written('prev'), written('next'), written('last')]
  const most = [
    [first, prev, next, last],
    [first, prev, next],
  ]
  return most.map(joinLinks).find(isShortEnough) ?? joinLinks([prev, next])
}

const joinLinks = (links: readonly string[]): string => links.filter((link) => link !== '').join(', ')

const isShortEnough = (header: string): boolean => header.length <= MAX_HEADER_LENGTH

/** The start of all link URLs: the path and all parameters that do not choose the part. */
export function buildLinkBase(url: string, language: ParamLayout, also?: ExtraParam): string {
  const mark = url.indexOf('?')
  let base = mark < 0 ? `${url}?` : url.slice(0, mark + 1)
  for (const pair of mark < 0 ? [] : url.slice(mark + 1).split('&'))
    if (pair !== '' && !language.isPageParam(decodeParamName(pair))) base += `${pair}&`
  if (also !== undefined) base += `${also[0]}=${encodeURIComponent(also[1])}&`
  return toUri(base)
}

/** The URL of a part of the list that a base was made for. */
export function buildLink(base: string, language: ParamLayout, part: PartialPageParams): string {
  const pairs = language.formatQuery(part)
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
