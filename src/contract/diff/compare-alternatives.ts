// Differences between ways of which clients take one, such as the security schemes of an action.
import type { Term, AlternativeTerm } from '../../design/declare/contract-terms.ts'
import { isSameData } from '../canonical.ts'
import { type ChangeCollector, quoteList, subtractNames } from './change.ts'

type AlternativesTerm = Extract<Term, { ways: unknown }>
type Alternatives = AlternativesTerm['ways']

/** Where ways are compared, and the words for them. */
interface AlternativesContext {
  readonly name: string
  readonly place: string
  readonly changes: ChangeCollector
}

interface AlternativeWords {
  readonly way: string
  readonly demands: string
}

/** Compares the ways of two forms of an action. */
export function compareAlternatives(old: AlternativesTerm, now: AlternativesTerm, { name, place, changes }: AlternativesContext): void {
  const [was, is] = [old.ways, now.ways]
  if (isOpenToAll(was) && !isOpenToAll(is)) changes.add('breaking', place, `${name}-added`, `clients need this now: ${formatAlternatives(is)}`)
  if (isOpenToAll(is) && !isOpenToAll(was))
    changes.add('compatible', place, `${name}-removed`, 'clients need none of this any more')
  // Where nothing is asked, nothing that clients send can be wrong.
  if (is.length > 0)
    compareEachAlternative(filterAlternatives(was), filterAlternatives(is), { closed: isOpenToAll(was) && !isOpenToAll(is), place, changes, words: now.words })
  else if (was.length > 0 && isOpenToAll(was))
    changes.add('compatible', place, `${name}-removed`, 'clients are not asked for it any more')
}

const isOpenToAll = (ways: Alternatives): boolean => ways.length === 0 || ways.includes(null)

const filterAlternatives = (ways: Alternatives): readonly AlternativeTerm[] => ways.filter((way) => way !== null)

const formatAlternatives = (ways: Alternatives): string =>
  filterAlternatives(ways)
    .map((way) =>
      listParts(way)
        .map(({ name, demands }) => (demands.length === 0 ? name : `${name} with ${quoteList(demands)}`))
        .join(' and '),
    )
    .join(' or ')

type AlternativePart = Omit<AlternativeTerm, 'along'>

const listParts = (way: AlternativeTerm): readonly AlternativePart[] => [way, ...(way.along ?? [])]

const formatAlternativeName = (way: AlternativeTerm): string =>
  listParts(way)
    .map(({ name }) => name)
    .join(' and ')

// Names are for readers; clients see the form.
const isSamePart = (a: AlternativePart, b: AlternativePart): boolean => isSameData(getComparedForm(a), getComparedForm(b))

const getComparedForm = ({ form, described = [] }: AlternativePart): object =>
  Object.fromEntries(Object.entries(form).filter(([member]) => !described.includes(member)))

/** Whether clients of one way send all that another one takes. */
const isIncludedIn = (way: AlternativeTerm, other: AlternativeTerm): boolean =>
  listParts(way).every((part) => listParts(other).some((one) => isSamePart(one, part)))

const isSameAlternative = (a: AlternativeTerm, b: AlternativeTerm): boolean => isIncludedIn(a, b) && isIncludedIn(b, a)

/** The demands of a way that another one, which has all its parts, does not make. */
const findAddedDemands = (way: AlternativeTerm, other: AlternativeTerm): readonly string[] =>
  listParts(way).flatMap((part) =>
    subtractNames(part.demands, listParts(other).find((one) => isSamePart(one, part))?.demands ?? []),
  )

interface AlternativesComparison {
  readonly closed: boolean
  readonly place: string
  readonly changes: ChangeCollector
  readonly words: AlternativeWords
}

function compareEachAlternative(old: readonly AlternativeTerm[], now: readonly AlternativeTerm[], site: AlternativesComparison): void {
  const { closed, place, changes, words } = site
  for (const way of old) {
    const open = now.filter((one) => isIncludedIn(one, way))
    if (open.length === 0)
      changes.add('breaking', place, `${words.way}-removed`, `${formatAlternativeName(way)} is not a way in any more`)
    else compareAlternative(way, open, site)
  }
  for (const way of now) {
    const same = old.filter((one) => isSameAlternative(one, way))
    if (same.length === 0 && !closed)
      changes.add('compatible', place, `${words.way}-added`, `${formatAlternativeName(way)} is a way in now`)
    else if (same.length > 0 && !same.some((one) => findAddedDemands(one, way).length === 0))
      changes.add('compatible', place, `${words.demands}-removed`, `${formatAlternativeName(way)} needs fewer ${words.demands} now`)
  }
}

function compareAlternative(way: AlternativeTerm, open: readonly AlternativeTerm[], { place, changes, words }: AlternativesComparison): void {
  const added = open.map((one) => findAddedDemands(one, way))
  if (!added.some(({ length }) => length === 0)) {
    const what = `${formatAlternativeName(way)} needs the ${words.demands} ${quoteList(added[0] ?? [])} now`
    changes.add('breaking', place, `${words.demands}-added`, what)
  }
  const same = open.find((one) => isSameAlternative(one, way))
  for (const part of same === undefined ? [] : listParts(way)) {
    const now = listParts(same as AlternativeTerm).find((one) => isSamePart(one, part)) as AlternativePart
    changes.addText(place, `${words.way}-renamed`, { what: `the name of ${part.name}`, old: part.name, now: now.name })
    if (!isSameData(part.form, now.form))
      changes.add('documentation', place, `${words.way}-described`, `${part.name} is described in another way`)
  }
}
