// Iterates over lists by the links of their pages, from the start or from a saved cursor.

import { readShownPart } from '../design/fields/shown-part.ts'
import type { Listing as ListParts } from '../schema/attribute.ts'
import { hashText } from '../util/naming.ts'
import { formatActionName, resolveBaseUrl } from './build-request.ts'
import { CallError, ResponseError, unwrapSuccess } from './call-errors.ts'
import type { PendingListCall, Walk } from './call-table.ts'
import { resolveSameOrigin, sendCall } from './send-call.ts'
import type { ElementIterator, Page } from './types.ts'

/** The cursor after the last element of a list. */
const END_OF_LIST = 'end'

/** A page with the data to resume from it. */
interface IteratedPage extends Page<unknown> {
  /** The cursor of the page itself. */
  readonly ownCursor: string
}

/** Iterates over the elements of a list. */
function iterateElements(list: PendingListCall): ElementIterator<unknown> {
  let cursor = list.from ?? ''
  async function* walk(): AsyncGenerator<unknown> {
    for await (const page of iteratePages(list)) {
      const yielded: string[] = []
      for (const [i, element] of page.elements.entries()) {
        yielded.push(hashIdentity(element))
        const isLast = i + 1 === page.elements.length
        cursor = isLast
          ? page.cursor
          : `${page.ownCursor}${page.ownCursor.includes('#') ? '.' : '#'}${yielded.join('.')}`
        yield element
      }
      cursor = page.cursor
    }
  }
  return Object.defineProperty(walk(), 'cursor', { get: () => cursor }) as unknown as ElementIterator<unknown>
}

/** Iterates over the pages of a list. */
async function* iteratePages(list: PendingListCall): AsyncGenerator<IteratedPage> {
  const { from = '' } = list
  if (from === END_OF_LIST) return
  let { url, skipped } = from === '' ? { skipped: [] } : parseCursor(list, from)
  let isCycle: ReturnType<typeof createCycleDetector> | undefined
  for (;;) {
    const { elements, next, response, requestedUrl } = await fetchPage(list, url)
    isCycle ??= createCycleDetector(requestedUrl)
    const known = new Set(skipped)
    const ownCursor = formatCursor(requestedUrl, skipped)
    const remaining = elements.filter((one) => !known.has(hashIdentity(one)))
    // New rows may have moved elements that were already yielded to a later page, so the others stay in the list of
    // skipped ones.
    for (const one of elements) known.delete(hashIdentity(one))
    skipped = [...known]
    yield {
      elements: remaining,
      headers: response.headers,
      ownCursor,
      cursor: next === undefined ? END_OF_LIST : formatCursor(next, skipped),
    }
    if (next === undefined) return
    if (isCycle(next)) throw new ResponseError(`${formatActionName(list.action)} links in a circle: ${next}`, response)
    url = next
  }
}

/** Fetches one page: the first, or the one at an address. */
async function fetchPage(list: PendingListCall, address: string | undefined) {
  // Each page is a separate call with current headers, because an iteration may outlive a token.
  const { result, response, url, prepared } = await sendCall(list, address)
  const call = formatActionName(list.action)
  const body = unwrapSuccess(call, result)
  const walk = list.action.walk as Walk
  const elements = walk.find(body)
  if (elements === undefined) throw new CallError(`${call} responded with ${result.status}, which is no list`)
  const linked = findNextLink(result.headers.get('Link') ?? '')
  const link = walk.next(body, url, linked, prepared.bodyParams)
  const next = link === undefined ? undefined : resolveSameOrigin(link, url)
  if (link !== undefined && next === undefined)
    throw new ResponseError(`${call} links to another origin as its next page: ${link}`, response)
  return { elements, next, response, requestedUrl: prepared.url }
}

/** Makes the iteration over the list at a path of the body, or over that of a param's convention. */
export const makeWalk = (path: readonly string[], listing?: Pick<ListParts, 'elements' | 'next'>): Walk => ({
  all: iterateElements,
  pages: iteratePages,
  find(body) {
    if (listing !== undefined) return listing.elements(body)
    const list = Array.isArray(body) ? body : readShownPart(body, path)
    return Array.isArray(list) ? list : undefined
  },
  next: (body, url, linked, sent) => (listing === undefined ? linked : listing.next(body, url, linked, sent)),
})

// --- cursors -----------------------------------------------------------------------------

// A cursor is the path and query of a page and, after `#`, hashes of the elements already yielded. A resumed iteration
// reads the page again, whose rows may have changed, and skips these elements.
function formatCursor(url: string, skipped: readonly string[]): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}${skipped.length === 0 ? '' : `#${skipped.join('.')}`}`
}

function parseCursor({ action, client }: PendingListCall, cursor: string): { url: string; skipped: string[] } {
  const [link, skipped] = cursor.split('#', 2) as [string, string?]
  const url = resolveSameOrigin(link, resolveBaseUrl(client))
  if (url === undefined || !link.startsWith('/'))
    throw new CallError(`${formatActionName(action)}: from is not a saved cursor`)
  return { url, skipped: skipped?.split('.') ?? [] }
}

/** Hashes the identity of an element: its id, or all of it if it has none. */
function hashIdentity(element: unknown): string {
  const id: unknown = typeof element === 'object' && element !== null && 'id' in element ? element.id : undefined
  const text = JSON.stringify(id ?? element, (_, one) => (typeof one === 'bigint' ? String(one) : one)) ?? ''
  // FNV-1a with two offsets, together 64 bits.
  return [0x811c9dc5, 0x1000193].map((start) => hashText(text, start).toString(36)).join('')
}

// --- links -----------------------------------------------------------------------------

/**
 * Detects a cycle of pages while it remembers only one of them (R. Brent's algorithm). The remembered page moves forward
 * after twice as many pages each time, so that every cycle returns to it.
 */
function createCycleDetector(first: string): (page: string) => boolean {
  let [remembered, since, until] = [first, 0, 1]
  return (page) => {
    if (page === remembered) return true
    if (++since === until) [remembered, since, until] = [page, 0, until * 2]
    return false
  }
}

// Targets are in angle brackets, followed by params: some without a value, some quoted (RFC 8288).
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
