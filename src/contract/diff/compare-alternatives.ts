// Compares alternatives of which a client needs one, such as the security schemes of an action.
import type { AlternativeTerm, Term } from '../../design/declare/contract-terms.ts'
import { isSameData } from '../canonical.ts'
import { type ChangeCollector, quoteList, subtractNames } from './change.ts'

type AlternativesTerm = Extract<Term, { ways: unknown }>
type Alternatives = AlternativesTerm['ways']

/** The location of the alternatives, and the sink for changes. */
interface AlternativesContext {
  readonly name: string
  readonly location: string
  readonly changes: ChangeCollector
}

interface AlternativeWords {
  readonly way: string
  readonly demands: string
}

/** Compares the alternatives of two versions of an action. */
export function compareAlternatives(
  old: AlternativesTerm,
  now: AlternativesTerm,
  { name, location, changes }: AlternativesContext,
): void {
  const [was, is] = [old.ways, now.ways]
  if (isOpenToAll(was) && !isOpenToAll(is))
    changes.add('breaking', location, `${name}-added`, `clients need this now: ${formatAlternatives(is)}`)
  if (isOpenToAll(is) && !isOpenToAll(was))
    changes.add('compatible', location, `${name}-removed`, 'clients need none of this any more')
  // If nothing is required, nothing that clients send is invalid.
  if (is.length > 0)
    compareEachAlternative(filterAlternatives(was), filterAlternatives(is), {
      closed: isOpenToAll(was) && !isOpenToAll(is),
      location,
      changes,
      words: now.words,
    })
  else if (was.length > 0 && isOpenToAll(was))
    changes.add('compatible', location, `${name}-removed`, 'clients need not send it any more')
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

type AlternativePart = Omit<AlternativeTerm, 'sentWith'>

const listParts = (way: AlternativeTerm): readonly AlternativePart[] => [way, ...(way.sentWith ?? [])]

const formatAlternativeName = (way: AlternativeTerm): string =>
  listParts(way)
    .map(({ name }) => name)
    .join(' and ')

// Names are documentation only; clients depend on the form.
const isSamePart = (a: AlternativePart, b: AlternativePart): boolean =>
  isSameData(getComparedForm(a), getComparedForm(b))

const getComparedForm = ({ form, described = [] }: AlternativePart): object =>
  Object.fromEntries(Object.entries(form).filter(([member]) => !described.includes(member)))

/** Returns whether clients that satisfy `other` also satisfy `way`. */
const isIncludedIn = (way: AlternativeTerm, other: AlternativeTerm): boolean =>
  listParts(way).every((part) => listParts(other).some((one) => isSamePart(one, part)))

const isSameAlternative = (a: AlternativeTerm, b: AlternativeTerm): boolean => isIncludedIn(a, b) && isIncludedIn(b, a)

/** Returns the demands of `way` that `other` does not make; `other` has all its parts. */
const findAddedDemands = (way: AlternativeTerm, other: AlternativeTerm): readonly string[] =>
  listParts(way).flatMap((part) =>
    subtractNames(part.demands, listParts(other).find((one) => isSamePart(one, part))?.demands ?? []),
  )

interface AlternativesComparison {
  readonly closed: boolean
  readonly location: string
  readonly changes: ChangeCollector
  readonly words: AlternativeWords
}

function compareEachAlternative(
  old: readonly AlternativeTerm[],
  now: readonly AlternativeTerm[],
  context: AlternativesComparison,
): void {
  const { closed, location, changes, words } = context
  for (const way of old) {
    const open = now.filter((one) => isIncludedIn(one, way))
    if (open.length === 0)
      changes.add(
        'breaking',
        location,
        `${words.way}-removed`,
        `${formatAlternativeName(way)} is not a way in any more`,
      )
    else compareAlternative(way, open, context)
  }
  for (const way of now) {
    const same = old.filter((one) => isSameAlternative(one, way))
    if (same.length === 0 && !closed)
      changes.add('compatible', location, `${words.way}-added`, `${formatAlternativeName(way)} is a way in now`)
    else if (same.length > 0 && !same.some((one) => findAddedDemands(one, way).length === 0))
      changes.add(
        'compatible',
        location,
        `${words.demands}-removed`,
        `${formatAlternativeName(way)} needs fewer ${words.demands} now`,
      )
  }
}

function compareAlternative(
  way: AlternativeTerm,
  open: readonly AlternativeTerm[],
  { location, changes, words }: AlternativesComparison,
): void {
  const added = open.map((one) => findAddedDemands(one, way))
  if (!added.some(({ length }) => length === 0)) {
    const what = `${formatAlternativeName(way)} needs the ${words.demands} ${quoteList(added[0] ?? [])} now`
    changes.add('breaking', location, `${words.demands}-added`, what)
  }
  const same = open.find((one) => isSameAlternative(one, way))
  for (const part of same === undefined ? [] : listParts(way)) {
    const now = listParts(same as AlternativeTerm).find((one) => isSamePart(one, part)) as AlternativePart
    changes.addText(location, `${words.way}-renamed`, {
      what: `the name of ${part.name}`,
      old: part.name,
      now: now.name,
    })
    if (!isSameData(part.form, now.form))
      changes.add('documentation', location, `${words.way}-described`, `${part.name} is described in another way`)
  }
}
