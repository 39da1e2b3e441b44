// The Link header (RFC 8288): the request's own URL with another pagination, all other parameters as they were sent.
import { RefusedError } from '../server/refusal.ts'
import { uriText } from '../util/uri.ts'
import type { PageLinks } from './page.ts'
import { linkedPagination } from './pagination-params.ts'

/** Characters of the header at most: clients refuse heads of 16 KiB, and there are other headers. */
const MOST_LINKED = 13 * 1024
/** Characters that a URL may have beside its pagination: links to the next and the previous page fit twice, with room. */
const MOST_REPEATED = 5500
/** An escaped character has six at most. */
const SURELY_SHORT = MOST_REPEATED / 6

type Also = readonly [string, string] | undefined

/** Refuses a URL that is too long for its links; this is known before anything is read. */
export function checkLinked(url: string, param: string, also: Also): void {
  if (url.length + (also?.[1].length ?? 0) < SURELY_SHORT) return
  if (baseOf(url, param, also).length > MOST_REPEATED)
    throw tooLong(`Without its pagination it may have ${MOST_REPEATED} characters, as links write them.`)
}

const tooLong = (detail: string): RefusedError => new RefusedError({ code: 'uri-too-long', detail })

/**
 * Writes the Link header of a page. Where not all links fit, those to the last and to the first page are left out:
 * without the others a client would take a part of the list for the whole.
 */
export function linkHeader(url: string, param: string, links: PageLinks, also?: Also): string {
  const base = `<${baseOf(url, param, also)}`
  const written = (relation: keyof PageLinks): string => {
    const text = links[relation]
    return text === undefined ? '' : `${base}${linkedPagination(text)}>; rel="${relation}"`
  }
  const [first, prev, next, last] = [written('first'), written('prev'), written('next'), written('last')]
  const fitting = [
    [first, prev, next, last],
    [first, prev, next],
    [prev, next],
  ]
    .map(joined)
    .find(fits)
  if (fitting === undefined) throw tooLong('The places of this page leave no room for its links: send a shorter query.')
  return fitting
}

const joined = (links: readonly string[]): string => links.filter((link) => link !== '').join(', ')

const fits = (header: string): boolean => header.length <= MOST_LINKED

/** What the URLs of all links begin with: the path, all other parameters, and the name of this one. */
function baseOf(url: string, param: string, also: Also): string {
  const mark = url.indexOf('?')
  let base = mark < 0 ? `${url}?` : url.slice(0, mark + 1)
  for (const pair of mark < 0 ? [] : url.slice(mark + 1).split('&'))
    if (pair !== '' && nameOf(pair) !== param) base += `${pair}&`
  if (also !== undefined) base += `${also[0]}=${encodeURIComponent(also[1])}&`
  return uriText(`${base}${param}=`)
}

function nameOf(pair: string): string {
  const equals = pair.indexOf('=')
  const name = (equals < 0 ? pair : pair.slice(0, equals)).replaceAll('+', ' ')
  if (!name.includes('%')) return name
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
