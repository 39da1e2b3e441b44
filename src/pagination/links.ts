// The Link header (RFC 8288): the request's own URL with another pagination, all other parameters as they were sent.
import type { PageLinks } from './page.ts'
import { type PaginationText, writtenPagination } from './pagination-params.ts'

/** Writes the Link header of a page. */
export function linkHeader(url: string, param: string, links: PageLinks, also?: readonly [string, string]): string {
  return Object.entries(links)
    .map(([relation, text]) => `<${linkTo(url, param, text as PaginationText, also)}>; rel="${relation}"`)
    .join(', ')
}

function linkTo(url: string, param: string, text: PaginationText, also: readonly [string, string] | undefined): string {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const kept =
    mark < 0
      ? []
      : url
          .slice(mark + 1)
          .split('&')
          .filter((pair) => pair !== '' && nameOf(pair) !== param)
  const added = [...(also === undefined ? [] : [also]), [param, writtenPagination(text)] as const]
  const pairs = [...kept, ...added.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)]
  return harmless(`${path}?${pairs.join('&')}`)
}

function nameOf(pair: string): string {
  const name = (pair.split('=', 1)[0] as string).replaceAll('+', ' ')
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

// What a URL must not contain unescaped would end the reference or the header early.
const harmless = (url: string): string =>
  url.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x21-\x7e]|[<>"\\^`{|}]/gu, (sign) => encodeURIComponent(sign))
