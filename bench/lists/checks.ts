// Checks before anything is timed: the same answers, the same refusals, few statements, and plans by the index.
import type { Answer, Contestant, Name } from './contestants.ts'
import { type Bench, momentOf, type PagePlan } from './engines.ts'

export const PLACES = ['first', 'start', 'middle', 'end'] as const
export type Place = (typeof PLACES)[number]

/** The path of the page at each place, for each contestant: tokens are its own. */
export type Paths = Readonly<Record<Place, ReadonlyMap<Name, string>>>

type Path = Map<Name, string>

/** The plan of a page, by contestant and place. */
export interface Planned extends PagePlan {
  readonly contestant: Name
  readonly place: Place
}

const ITEMS = 50
const ORDER = 'order=-created_at,id'
const FIRST = `/items?${ORDER}&pagination=by=created_at,items=${ITEMS}`
const from = (row: number): string => `${FIRST},from=${encodeURIComponent(momentOf(row))}`

/** Finds the pages: a link leads on from the first, and from where a moment typed by hand leads. */
export async function findPlaces(contestants: readonly Contestant[], rows: number): Promise<Paths> {
  const [first, start, middle, end] = PLACES.map(() => new Map<Name, string>()) as [Path, Path, Path, Path]
  // The list begins with the latest moment, so that its end has the first rows; the page there has one more after it.
  const before = [
    [start, FIRST],
    [middle, from(rows / 2)],
    [end, from(250)],
  ] as const
  for (const contestant of contestants) {
    first.set(contestant.name, FIRST)
    for (const [place, path] of before)
      place.set(contestant.name, followed(contestant, await contestant.get(path), 'next'))
  }
  const paths = { first, start, middle, end }
  for (const place of PLACES) await checkAnswers(contestants, paths[place], place)
  return paths
}

function followed({ name }: Contestant, { status, body, links }: Answer, relation: string): string {
  const link = links[relation]
  if (status !== 200 || link === undefined)
    throw new Error(`${name} gives no ${relation}: ${status} ${body.slice(0, 200)}`)
  return link
}

async function checkAnswers(
  contestants: readonly Contestant[],
  paths: ReadonlyMap<Name, string>,
  place: Place,
): Promise<void> {
  const answers = await Promise.all(contestants.map((one) => one.get(paths.get(one.name) as string)))
  const [first] = answers as [Answer]
  const relations = place === 'first' ? ['first', 'next'] : ['first', 'prev', 'next']
  for (const [i, answer] of answers.entries()) {
    const contestant = contestants[i] as Contestant
    const tell = (problem: string) => new Error(`${contestant.name} at the ${place}: ${problem}`)
    if (answer.status !== 200 || answer.body !== first.body)
      throw tell(`another answer: ${answer.status} ${answer.body.slice(0, 300)}\n${first.body.slice(0, 300)}`)
    const items = JSON.parse(answer.body) as unknown[]
    if (items.length !== ITEMS) throw tell(`${items.length} items`)
    if (Object.keys(answer.links).join() !== relations.join()) throw tell(`links to ${Object.keys(answer.links)}`)
    for (const relation of relations) {
      const [ours, theirs] = [answer.links[relation] as string, first.links[relation] as string]
      if (withoutToken(ours) !== withoutToken(theirs)) throw tell(`another link: ${ours}\n${theirs}`)
      const [here, there] = await Promise.all([contestant.get(ours), (contestants[0] as Contestant).get(theirs)])
      if (here.status !== 200 || here.body !== there.body) throw tell(`its link to ${relation} leads elsewhere`)
    }
  }
}

const withoutToken = (link: string): string => decodeURIComponent(link).replace(/(after|before)=[\w-]+/, '$1=')

const WRONG = [
  '/items?order=-nothing&pagination=by=created_at',
  '/items?order=id&pagination=by=created_at',
  '/items?nothing=1&pagination=by=created_at',
  '/items?pagination=by=created_at,items=0',
  '/items?pagination=by=created_at,items=101',
  '/items?pagination=by=created_at,items=ten',
  '/items?pagination=by=nothing',
  '/items?pagination=by=created_at,from=yesterday',
  '/items?pagination=by=created_at,by=created_at',
  '/items?pagination=by=created_at,after=bm90aGluZw',
  '/items?pagination=by=created_at,after=%E0%A4%A',
  '/items?pagination=by',
  '/items?pagination=by=created_at&pagination=by=created_at',
]

/** Everybody refuses the same requests. */
export async function checkRefusals(contestants: readonly Contestant[]): Promise<void> {
  for (const contestant of contestants)
    for (const path of WRONG) {
      const { status, body } = await contestant.get(path)
      if (status !== 400) throw new Error(`${contestant.name} does not refuse ${path}: ${status} ${body.slice(0, 200)}`)
    }
}

/** One statement for a page, one for the count of all, and one for each list of related elements. */
export async function checkStatements(contestants: readonly Contestant[]): Promise<void> {
  const page = `${ORDER}&pagination=by=created_at,items=${ITEMS}`
  const expected: readonly (readonly [path: string, count: number])[] = [
    [`/items?${page}`, 1],
    [`/items?${page},total_count=true`, 2],
    [`/items/full?${page}`, 2],
    [`/items/full?${page},total_count=true`, 3],
  ]
  for (const contestant of contestants)
    for (const [path, count] of contestant.name === 'raw' ? expected.slice(0, 1) : expected) {
      const statements = await contestant.statements(path)
      if (statements.length !== count)
        throw new Error(`${contestant.name} runs ${statements.length} statements for ${path}, not ${count}`)
    }
}

/** Asks the database how it reads each page, and prints that. */
export async function checkPlans(bench: Bench, contestants: readonly Contestant[], paths: Paths): Promise<Planned[]> {
  const plans: Planned[] = []
  for (const contestant of contestants)
    for (const place of PLACES) {
      const [statement] = await contestant.statements(paths[place].get(contestant.name) as string)
      const plan = await bench.explain(statement!)
      plans.push({ ...plan, contestant: contestant.name, place })
      console.log(`${contestant.name}, ${place}: ${plan.line}`)
    }
  return plans
}
