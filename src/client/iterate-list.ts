// Iteration over lists: page after page, by the links of the responses, from the start or from a saved place.

import { findEnvelopeList } from '../design/fields/selection.ts'
import type { ActionOutline } from '../design/resolve/outline.ts'
import type { Listing as ListParts } from '../schema/attribute.ts'
import { ownValue } from '../util/describe-value.ts'
import { hashText } from '../util/naming.ts'
import { sendCall, resolveSameOrigin } from './send-call.ts'
import { resolveBaseUrl, type PendingCall, formatActionName } from './build-request.ts'
import { ResponseError, CallError, unwrapSuccess } from './call-errors.ts'
import type { Page, ElementIterator } from './types.ts'

/** The place behind the last element of a list. */
const END_OF_LIST = 'end'

/** A list that is called. */
export interface PendingListCall extends PendingCall {
  /** The place of an earlier walk. */
  readonly from: string | undefined
}

/** One page, with what resumed walks have to know. */
interface IteratedPage extends Page<unknown> {
  /** The place of the page itself. */
  readonly ownCursor: string
}

/** Reads every element of a list. */
export function iterateElements(list: PendingListCall): ElementIterator<unknown> {
  let cursor = list.from ?? ''
  async function* walk(): AsyncGenerator<unknown> {
    for await (const page of iteratePages(list)) {
      const given: string[] = []
      for (const [i, element] of page.elements.entries()) {
        given.push(hashIdentity(element))
        const isLast = i + 1 === page.elements.length
        cursor = isLast ? page.cursor : `${page.ownCursor}${page.ownCursor.includes('#') ? '.' : '#'}${given.join('.')}`
        yield element
      }
      cursor = page.cursor
    }
  }
  return Object.defineProperty(walk(), 'cursor', { get: () => cursor }) as unknown as ElementIterator<unknown>
}

/** Reads the pages of a list. */
export async function* iteratePages(list: PendingListCall): AsyncGenerator<IteratedPage> {
  const { from = '' } = list
  if (from === END_OF_LIST) return
  let { url, given } = from === '' ? { given: [] } : parseCursor(list, from)
  let closes: ReturnType<typeof createCycleDetector> | undefined
  for (;;) {
    const { elements, next, response, asked } = await fetchPage(list, url)
    closes ??= createCycleDetector(asked)
    const known = new Set(given)
    const own = formatCursor(asked, given)
    const fresh = elements.filter((one) => !known.has(hashIdentity(one)))
    // Rows that came meanwhile may have moved some of those that were given to a later page.
    for (const one of elements) known.delete(hashIdentity(one))
    given = [...known]
    yield { elements: fresh, headers: response.headers, ownCursor: own, cursor: next === undefined ? END_OF_LIST : formatCursor(next, given) }
    if (next === undefined) return
    if (closes(next))
      throw new ResponseError(`${formatActionName(list.action)} links in a circle: ${next} was read before`, response)
    url = next
  }
}

/** Reads one page: the first, or that at an address. */
async function fetchPage(list: PendingListCall, address: string | undefined) {
  // Each page is a request of its own, with headers of its own: a walk may take longer than a token is good for.
  const { result: answer, response, url, prepared } = await sendCall(list, address)
  const call = formatActionName(list.action)
  const body = unwrapSuccess(call, answer)
  const parts = findListParts(list.action)
  const elements = findElements(body, list.action, parts)
  if (elements === undefined) throw new CallError(`${call} answered with ${answer.status}, which is no list`)
  const linked = findNextLink(answer.headers.get('Link') ?? '')
  const link = parts === undefined ? linked : parts.next(body, url, linked, prepared.bodyParams)
  const next = link === undefined ? undefined : resolveSameOrigin(link, url)
  if (link !== undefined && next === undefined)
    throw new ResponseError(`${call} links to another origin as its next page: ${link}`, response)
  return { elements, next, response, asked: prepared.url }
}

const findListParts = ({ params }: ActionOutline): ListParts | undefined =>
  Object.values(params).find(({ core }) => core.listing !== undefined)?.core.listing

// A list is the whole body, or the one that stands within it, unless a param says where its elements are.
function findElements(
  body: unknown,
  { responses }: ActionOutline,
  parts: ListParts | undefined,
): readonly unknown[] | undefined {
  if (parts !== undefined) return parts.elements(body)
  if (Array.isArray(body)) return body
  if (typeof body !== 'object' || body === null) return undefined
  const forms = responses.flatMap(({ bodies }) => bodies.flatMap(({ attribute }) => attribute ?? []))
  const [name] = forms.flatMap((form) => findEnvelopeList(form)?.[0] ?? [])
  const list = name === undefined ? undefined : ownValue(body as Readonly<Record<string, unknown>>, name)
  return Array.isArray(list) ? list : undefined
}

// --- places ----------------------------------------------------------------------------

// A place is the address of a page without its origin, and behind # what was given of it: another process reads the page
// again, in which rows may have come and gone, and leaves those elements out.
function formatCursor(url: string, given: readonly string[]): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}${given.length === 0 ? '' : `#${given.join('.')}`}`
}

function parseCursor({ action, client }: PendingListCall, place: string): { url: string; given: string[] } {
  const [link, given] = place.split('#', 2) as [string, string?]
  const url = resolveSameOrigin(link, resolveBaseUrl(client))
  if (url === undefined || !link.startsWith('/'))
    throw new CallError(`${formatActionName(action)}: from is no place of a walk; give the place of one, as it was saved`)
  return { url, given: given?.split('.') ?? [] }
}

/** A short text that tells an element from the others of its list: made of its id, or of all of it where it has none. */
function hashIdentity(element: unknown): string {
  const id: unknown = typeof element === 'object' && element !== null && 'id' in element ? element.id : undefined
  const text = JSON.stringify(id ?? element, (_, one) => (typeof one === 'bigint' ? String(one) : one)) ?? ''
  // FNV-1a from two starts, which is 64 bits.
  return [0x811c9dc5, 0x1000193].map((start) => hashText(text, start).toString(36)).join('')
}

// --- links -----------------------------------------------------------------------------

/**
 * Finds out whether pages lead in a circle, remembering one of them only (after R. Brent): the remembered one moves on
 * after twice as many pages each time, so that any circle comes back to it.
 */
function createCycleDetector(first: string): (page: string) => boolean {
  let [remembered, since, until] = [first, 0, 1]
  return (page) => {
    if (page === remembered) return true
    if (++since === until) [remembered, since, until] = [page, 0, until * 2]
    return false
  }
}

// Targets stand in angle brackets, and their params behind them: some without a value, some quoted (RFC 8288).
const LINK_PARTS = /<([^>]*)>|;\s*([\w*-]+)(?:\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^\s",;]*)))?/g

function findNextLink(header: string): string | undefined {
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
