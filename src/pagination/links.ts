// The Link header (RFC 8288): the request's own URL with another pagination, all other parameters as they were sent.
import { uriText } from '../util/uri.ts'
import type { PageLinks } from './page.ts'
import { linkedPagination } from './pagination-params.ts'

const RELATIONS = ['first', 'prev', 'next', 'last'] as const

/** Writes the Link header of a page. */
export function linkHeader(url: string, param: string, links: PageLinks, also?: readonly [string, string]): string {
  const base = `<${baseOf(url, param, also)}`
  let header = ''
  for (const relation of RELATIONS) {
    const text = links[relation]
    if (text === undefined) continue
    header += `${header === '' ? '' : ', '}${base}${linkedPagination(text)}>; rel="${relation}"`
  }
  return header
}

/** What the URLs of all links begin with: the path, all other parameters, and the name of this one. */
function baseOf(url: string, param: string, also: readonly [string, string] | undefined): string {
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
