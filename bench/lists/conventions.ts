// Measures conventions of lists against edict's own params: the same page of the same list, from one process.
// `tsx bench/lists/conventions.ts [--rows n] [--engine name] [--rounds n] [--seconds s] [--write]` after a build; ends with 1
// when a bound is broken.
import { parseArgs } from 'node:util'
import { type Contestant, start } from './contestants.ts'
import { type Bench, type EngineName, OPEN } from './engines.ts'
import { type Cost, measure } from './measure.ts'
import { ENGINES, median, ratio, writeNotes } from './report.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'postgres'] },
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '0.5' },
    write: { type: 'boolean', default: false },
  },
})

const MOST = 1.05
const ITEMS = 50
const ORDER = 'order=-created_at,id'

interface Body {
  readonly [name: string]: unknown
  readonly next_page_token?: string
  readonly next_cursor?: string
  readonly links?: { readonly next: string }
}

/** A list in a convention, and the path of the same page in edict's own params. */
interface Compared {
  readonly own: string
  /** Leads from the first answer to the page that is measured; without it the first is measured. */
  readonly next?: (body: Body) => string
  readonly first: string
  /** The elements of an answer. */
  elements(body: Body): readonly unknown[]
}

const named =
  (name: string) =>
  (body: Body): readonly unknown[] =>
    body[name] as readonly unknown[]
const resources = ({ data }: Body): readonly unknown[] =>
  (data as readonly { readonly id: string; readonly attributes: object }[]).map(({ id, attributes }) => ({
    id: Number(id),
    ...attributes,
  }))

const numbered = (count: boolean): string =>
  `/items?${ORDER}&pagination=page=20,items=${ITEMS}${count ? ',total_count=true' : ''}`

const COMPARED: Readonly<Record<string, Compared>> = {
  'limit-offset': {
    own: numbered(true),
    first: `/conventions/limit-offset?limit=${ITEMS}&offset=${19 * ITEMS}`,
    elements: named('items'),
  },
  'page-numbers': {
    own: numbered(false),
    first: `/conventions/page-numbers?per_page=${ITEMS}&page=20`,
    elements: (body) => body as unknown as readonly unknown[],
  },
  'json-api-pages': {
    own: numbered(true),
    first: `/conventions/json-api-pages?page[size]=${ITEMS}&page[number]=20`,
    elements: resources,
  },
  stripe: {
    own: `/items?order=id&pagination=by=id,items=${ITEMS}`,
    first: `/conventions/stripe?limit=${ITEMS}`,
    next: ({ data }) => {
      const last = (data as readonly { readonly id: number }[]).at(-1)?.id
      return `/conventions/stripe?limit=${ITEMS}&starting_after=${last}`
    },
    elements: named('data'),
  },
  aip: {
    own: `/items?${ORDER}&pagination=by=created_at,items=${ITEMS}`,
    first: `/conventions/aip?page_size=${ITEMS}`,
    next: ({ next_page_token: token }) => `/conventions/aip?page_size=${ITEMS}&page_token=${token}`,
    elements: named('items'),
  },
  cursors: {
    own: `/items?${ORDER}&pagination=by=created_at,items=${ITEMS}`,
    first: `/conventions/cursors?limit=${ITEMS}`,
    next: ({ next_cursor: token }) => `/conventions/cursors?limit=${ITEMS}&cursor=${token}`,
    elements: named('items'),
  },
  'json-api': {
    own: `/items?${ORDER}&pagination=by=created_at,items=${ITEMS}`,
    first: `/conventions/json-api?page[size]=${ITEMS}`,
    next: ({ links }) => (links as { next: string }).next,
    elements: resources,
  },
}

interface Result {
  readonly engine: EngineName
  readonly costs: readonly Cost[]
}

const results: Result[] = []
for (const engine of options.engine as EngineName[]) results.push(await contest(engine))

const rows = results.flatMap(judged)
const head = ['Engine', 'Convention', 'CPU µs', 'its own params', 'ratio']
const table = [head, head.map(() => '---'), ...rows.map(({ cells }) => cells)]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n')
console.log(`\n${table}\n`)
for (const { text, holds } of rows) console.log(`${holds ? 'holds ' : 'BROKEN'} ${text}`)
if (options.write) writeNotes(table, 'conventions.ts')
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1

async function contest(engine: EngineName): Promise<Result> {
  const bench: Bench = await OPEN[engine](Number(options.rows))
  const contestant = await start('drizzle', engine, bench.url)
  try {
    const paths: Record<string, ReadonlyMap<'drizzle', string>> = {}
    for (const [name, compared] of Object.entries(COMPARED)) {
      const { own, asked } = await findPaths(contestant, name, compared)
      paths[`${name}: own`] = new Map([['drizzle', own]])
      paths[name] = new Map([['drizzle', asked]])
    }
    const rounds = { rounds: Number(options.rounds), seconds: Number(options.seconds), title: engine }
    return { engine, costs: await measure(bench, [contestant], paths, rounds) }
  } finally {
    await contestant.stop()
    await bench.close()
  }
}

/** Finds the two paths of a page, and holds that both give the same elements. */
async function findPaths(
  contestant: Contestant,
  name: string,
  { own, next, first, elements }: Compared,
): Promise<{ readonly own: string; readonly asked: string }> {
  const get = async (path: string): Promise<string> => {
    const { status, body } = await contestant.get(path)
    if (status !== 200) throw new Error(`${name}: ${path} gives ${status} ${body.slice(0, 300)}`)
    return body
  }
  const asked = next === undefined ? first : next(JSON.parse(await get(first)) as Body)
  const ownPath = next === undefined ? own : ((await contestant.get(own)).links['next'] as string)
  const [found, expected] = [elements(JSON.parse(await get(asked)) as Body), JSON.parse(await get(ownPath))]
  if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(`${name}: ${asked} gives other elements`)
  return { own: ownPath, asked }
}

function judged({ engine, costs }: Result) {
  const at = (place: string): Cost => costs.find((one) => one.place === place) as Cost
  return Object.keys(COMPARED).map((name) => {
    const [asked, own] = [at(name).node, at(`${name}: own`).node]
    const found = ratio(asked, own)
    return {
      cells: [ENGINES[engine], name, median(asked).toFixed(0), median(own).toFixed(0), found.toFixed(2)],
      text: `${ENGINES[engine]}, ${name}: ${found.toFixed(2)} times edict's own params (at most ${MOST})`,
      holds: found <= MOST,
    }
  })
}
