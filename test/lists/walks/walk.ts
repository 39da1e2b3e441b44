// Walks along the links of a list over HTTP, and holds every link to what links must be.
import type { Application } from 'edict'
import fc from 'fast-check'
import LinkHeader from 'http-link-header'
import { type Answered, askFetch, askSocket } from '../../support/ask.ts'
import { isLong } from '../../support/runs.ts'
import type { Abilities, Content, Kind, Value } from './contents.ts'
import { valuesOf } from './contents.ts'
import { ORDERED } from './design.ts'
import { type Condition, conditions, KINDS, textOf, wordOf } from './filters.ts'
import { type Selection, selectionText, type Term } from './oracle.ts'

/** The request of a walk. */
export interface Walk {
  readonly mode: 'page' | 'cursor'
  readonly order: readonly Term[]
  /** The field to go by where there is no order. */
  readonly by: string
  readonly items: number
  readonly total: boolean
  readonly filter: Condition | undefined
  readonly fields: Selection | undefined
  /** Other parameters, as they stand in the URL. */
  readonly others: string
  /** Whether requests go over a socket. */
  readonly socket: boolean
}

/** Milliseconds that a test of many walks has. */
export const SLOW: number = isLong ? 3_600_000 : 300_000

/** How long a property may run; one that fails is made smaller until then, and told in time. */
export const LIMITS = { interruptAfterTimeLimit: (SLOW * 2) / 3, markInterruptAsFailure: true } as const

const OWNER = { id: true, name: true, rank: true } as const
const selections: fc.Arbitrary<Selection> = fc
  .subarray(['word', 'note', 'size', 'ratio', 'big', 'flag', 'day', 'at', 'owner', 'marks'], { minLength: 1 })
  .chain((names) => fc.tuple(fc.constant(names), fc.boolean(), fc.boolean(), fc.boolean()))
  .map(([names, keyed, owner, town]) => ({
    ...(keyed && { number: true, section: true }),
    ...Object.fromEntries(names.map((name) => [name, true as const])),
    ...(names.includes('owner') && { owner: owner ? OWNER : { name: true, ...(town && { town: { name: true } }) } }),
    ...(names.includes('marks') && { marks: { id: true, note: true } }),
  }))

/** Any walk; `mode` may be fixed. */
export const walks = (able: Abilities, mode?: Walk['mode']): fc.Arbitrary<Walk> =>
  fc.record({
    mode: mode === undefined ? fc.constantFrom('cursor', 'cursor', 'cursor', 'page') : fc.constant(mode),
    order: fc.uniqueArray(fc.record({ field: fc.constantFrom(...ORDERED), descending: fc.boolean() }), {
      maxLength: 4,
      size: 'max',
      selector: ({ field }) => field,
    }),
    by: fc.constantFrom(...ORDERED),
    items: fc.constantFrom(1, 2, 3, 4, 5, 7, 8, 10, 11, 13, 19, 20),
    total: fc.integer({ min: 0, max: 3 }).map((number) => number === 3),
    filter: fc.option(conditions(able), { nil: undefined, freq: 2 }),
    fields: fc.option(selections, { nil: undefined, freq: 4 }),
    others: fc.constantFrom('', '', 'a=1&a=2', 'x%20y%26=', 'a=&a=%2C%26', 'x+y%26=%F0%9F%98%80+%2B', 'a=%25'),
    socket: fc.integer({ min: 0, max: 4 }).map((number) => number === 4),
  })

/** A value that may be typed as `from`. */
export const froms = (field: string, able: Abilities): fc.Arbitrary<Value> =>
  valuesOf(KINDS[field] as Kind, { ...able, micros: false })

/** The order that a walk has in the end, but for the key. */
export const orderOf = ({ mode, order, by }: Walk): readonly Term[] =>
  order.length === 0 && mode === 'cursor' ? [{ field: by, descending: false }] : order

/** Writes the request that a walk begins with. */
export function startOf({ table }: Content, walk: Walk, from?: Value): string {
  const { mode, order, items, total, filter, fields, others } = walk
  const [first] = orderOf(walk) as [Term]
  const start = from === undefined ? '' : `,from=${encodeURIComponent(wordOf(from, KINDS[first.field] as Kind))}`
  const counted = total ? ',total_count=true' : ''
  const pagination = `${mode === 'page' ? 'page=1' : `by=${first.field}${start}`},items=${items}${counted}`
  const sorted = order.map(({ field, descending }) => (descending ? '-' : '') + field).join()
  const given = {
    pagination,
    order: sorted,
    filters: filter && textOf(filter),
    fields: fields && selectionText(fields),
  }
  const pairs = Object.entries(given).flatMap(([name, text]) => (text ? [`${name}=${encodeURIComponent(text)}`] : []))
  // The links keep the order of the others around it.
  return `/${table}?${[...pairs.slice(1), ...(others === '' ? [] : [others]), pairs[0]].join('&')}`
}

/** One page of a list. */
export interface WalkedPage {
  readonly elements: readonly unknown[]
  readonly links: ReadonlyMap<string, string>
  readonly total: number | undefined
}

/** Something with an application. */
interface Serving {
  readonly app: Application
}

/** Asks for a page; its links must be links of the same list. */
export async function pageAt(served: Serving, path: string, socket: boolean): Promise<WalkedPage> {
  const answer: Answered = await (socket ? askSocket : askFetch)(served.app, `GET ${path}`)
  if (answer.status !== 200) throw new Error(`${answer.status} for ${path}: ${answer.text}`)
  const total = answer.headers['total-count']
  const links = linksIn(answer.headers['link'] ?? '')
  for (const link of links.values()) checkLink(path, link)
  return { elements: answer.json as unknown[], links, total: total === undefined ? undefined : Number(total) }
}

function linksIn(header: string): ReadonlyMap<string, string> {
  const links = new Map(
    Array.from(header.matchAll(/<([^>]*)>; rel="(\w+)"/g), ([, url, rel]) => [rel as string, url as string]),
  )
  const parsed = LinkHeader.parse(header).refs.map(({ rel, uri }) => [rel, uri])
  if (JSON.stringify([...links]) !== JSON.stringify(parsed)) throw new Error(`Parsers disagree about ${header}`)
  return links
}

// Everything but the place, and all other parameters, stay as they are.
function checkLink(path: string, link: string): void {
  const [asked, linked] = [keptOf(path), keptOf(link)]
  if (asked !== linked) throw new Error(`A link from ${asked} leads to ${linked}`)
}

function keptOf(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://list')
  const others = [...searchParams].filter(([name]) => name !== 'pagination')
  const pagination = (searchParams.get('pagination') ?? '').split(',')
  const kept = pagination.filter((pair) => /^(?:items|total_count|by)=/.test(pair))
  return JSON.stringify([pathname, kept.sort(), others])
}

/** Follows one relation to its end. */
export async function follow(served: Serving, start: string, relation: string, socket: boolean): Promise<WalkedPage[]> {
  const pages: WalkedPage[] = []
  for (let path: string | undefined = start; path !== undefined; path = pages.at(-1)?.links.get(relation)) {
    if (pages.length > 200) throw new Error(`${start} does not end`)
    pages.push(await pageAt(served, path, socket))
  }
  return pages
}
