// Iteration over lists: page after page, by the links of the responses, from the start or from a saved place.

import { listWithin } from '../design/fields/selection.ts'
import type { ActionOutline } from '../design/resolve/outline.ts'
import type { Listing as ListParts } from '../schema/attribute.ts'
import { ownValue } from '../util/described.ts'
import { digest } from '../util/naming.ts'
import { exchanged, sameOrigin } from './exchange.ts'
import { baseOf, type Calling, placeOf } from './request.ts'
import { AnswerError, CallError, successOf } from './thrown.ts'
import type { Page, Walk } from './types.ts'

/** The place behind the last element of a list. */
const END = 'end'

/** A list that is called. */
export interface Listing extends Calling {
  /** The place of an earlier walk. */
  readonly from: string | undefined
}

/** One page, with what resumed walks have to know. */
interface ReadPage extends Page<unknown> {
  /** The place of the page itself. */
  readonly own: string
}

/** Reads every element of a list. */
export function elements(list: Listing): Walk<unknown> {
  let place = list.from ?? ''
  async function* walk(): AsyncGenerator<unknown> {
    for await (const page of pages(list)) {
      const given: string[] = []
      for (const [i, element] of page.elements.entries()) {
        given.push(identityOf(element))
        const isLast = i + 1 === page.elements.length
        place = isLast ? page.place : `${page.own}${page.own.includes('#') ? '.' : '#'}${given.join('.')}`
        yield element
      }
      place = page.place
    }
  }
  return Object.defineProperty(walk(), 'place', { get: () => place }) as unknown as Walk<unknown>
}

/** Reads the pages of a list. */
export async function* pages(list: Listing): AsyncGenerator<ReadPage> {
  const { from = '' } = list
  if (from === END) return
  let { url, given } = from === '' ? { given: [] } : placeIn(list, from)
  let closes: ReturnType<typeof trailFrom> | undefined
  for (;;) {
    const { elements, next, response, asked } = await pageAt(list, url)
    closes ??= trailFrom(asked)
    const known = new Set(given)
    const own = placeText(asked, given)
    const fresh = elements.filter((one) => !known.has(identityOf(one)))
    // Rows that came meanwhile may have moved some of those that were given to a later page.
    for (const one of elements) known.delete(identityOf(one))
    given = [...known]
    yield { elements: fresh, headers: response.headers, own, place: next === undefined ? END : placeText(next, given) }
    if (next === undefined) return
    if (closes(next))
      throw new AnswerError(`${placeOf(list.action)} links in a circle: ${next} was read before`, response)
    url = next
  }
}

/** Reads one page: the first, or that at an address. */
async function pageAt(list: Listing, address: string | undefined) {
  // Each page is a request of its own, with headers of its own: a walk may take longer than a token is good for.
  const { answer, response, url, prepared } = await exchanged(list, address)
  const call = placeOf(list.action)
  const body = successOf(call, answer)
  const parts = partsOf(list.action)
  const elements = elementsIn(body, list.action, parts)
  if (elements === undefined) throw new CallError(`${call} answered with ${answer.status}, which is no list`)
  const linked = nextLink(answer.headers.get('Link') ?? '')
  const link = parts === undefined ? linked : parts.next(body, url, linked, prepared.inBody)
  const next = link === undefined ? undefined : sameOrigin(link, url)
  if (link !== undefined && next === undefined)
    throw new AnswerError(`${call} links to another origin as its next page: ${link}`, response)
  return { elements, next, response, asked: prepared.url }
}

const partsOf = ({ params }: ActionOutline): ListParts | undefined =>
  Object.values(params).find(({ core }) => core.listing !== undefined)?.core.listing

// A list is the whole body, or the one that stands within it, unless a param says where its elements are.
function elementsIn(
  body: unknown,
  { responses }: ActionOutline,
  parts: ListParts | undefined,
): readonly unknown[] | undefined {
  if (parts !== undefined) return parts.elements(body)
  if (Array.isArray(body)) return body
  if (typeof body !== 'object' || body === null) return undefined
  const forms = responses.flatMap(({ bodies }) => bodies.flatMap(({ attribute }) => attribute ?? []))
  const [name] = forms.flatMap((form) => listWithin(form)?.[0] ?? [])
  const list = name === undefined ? undefined : ownValue(body as Readonly<Record<string, unknown>>, name)
  return Array.isArray(list) ? list : undefined
}

// --- places ----------------------------------------------------------------------------

// A place is the address of a page without its origin, and behind # what was given of it: another process reads the page
// again, in which rows may have come and gone, and leaves those elements out.
function placeText(url: string, given: readonly string[]): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}${given.length === 0 ? '' : `#${given.join('.')}`}`
}

function placeIn({ action, client }: Listing, place: string): { url: string; given: string[] } {
  const [link, given] = place.split('#', 2) as [string, string?]
  const url = sameOrigin(link, baseOf(client))
  if (url === undefined || !link.startsWith('/'))
    throw new CallError(`${placeOf(action)}: from is no place of a walk; give the place of one, as it was saved`)
  return { url, given: given?.split('.') ?? [] }
}

/** A short text that tells an element from the others of its list: made of its id, or of all of it where it has none. */
function identityOf(element: unknown): string {
  const id: unknown = typeof element === 'object' && element !== null && 'id' in element ? element.id : undefined
  const text = JSON.stringify(id ?? element, (_, one) => (typeof one === 'bigint' ? String(one) : one)) ?? ''
  // FNV-1a from two starts, which is 64 bits.
  return [0x811c9dc5, 0x1000193].map((start) => digest(text, start).toString(36)).join('')
}

// --- links -----------------------------------------------------------------------------

/**
 * Finds out whether pages lead in a circle, remembering one of them only (after R. Brent): the remembered one moves on
 * after twice as many pages each time, so that any circle comes back to it.
 */
function trailFrom(first: string): (page: string) => boolean {
  let [remembered, since, until] = [first, 0, 1]
  return (page) => {
    if (page === remembered) return true
    if (++since === until) [remembered, since, until] = [page, 0, until * 2]
    return false
  }
}

// Targets stand in angle brackets, and their params behind them: some without a value, some quoted (RFC 8288).
const LINK_PARTS = /<([^>]*)>|;\s*([\w*-]+)(?:\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s",;]*)))?/g

function nextLink(header: string): string | undefined {
  let target: string | undefined
  for (const [, link, name, quoted, rel = quoted] of header.matchAll(LINK_PARTS)) {
    if (name === undefined) target = link
    else if (/^rel$/i.test(name)) {
      if (target !== undefined && rel?.toLowerCase().split(/\s+/).includes('next')) return target
      target = undefined
    }
  }
  return undefined
}
