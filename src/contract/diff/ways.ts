// Differences between ways of which clients take one, such as the security schemes of an action.
import type { Term, WayTerm } from '../../design/declare/terms.ts'
import { isSame } from '../canonical.ts'
import { type Changes, quoted, without } from './change.ts'

type WaysTerm = Extract<Term, { ways: unknown }>
type Ways = WaysTerm['ways']

/** Where ways are compared, and the words for them. */
interface ComparedWays {
  readonly name: string
  readonly place: string
  readonly changes: Changes
}

interface Words {
  readonly way: string
  readonly demands: string
}

/** Compares the ways of two forms of an action. */
export function compareWays(old: WaysTerm, now: WaysTerm, { name, place, changes }: ComparedWays): void {
  const [was, is] = [old.ways, now.ways]
  if (isOpen(was) && !isOpen(is)) changes.add('breaking', place, `${name}-added`, `clients need this now: ${shown(is)}`)
  if (isOpen(is) && !isOpen(was))
    changes.add('compatible', place, `${name}-removed`, 'clients need none of this any more')
  // Where nothing is asked, nothing that clients send can be wrong.
  if (is.length > 0)
    compareEach(known(was), known(is), { closed: isOpen(was) && !isOpen(is), place, changes, words: now.words })
  else if (was.length > 0 && isOpen(was))
    changes.add('compatible', place, `${name}-removed`, 'clients are not asked for it any more')
}

const isOpen = (ways: Ways): boolean => ways.length === 0 || ways.includes(null)

const known = (ways: Ways): readonly WayTerm[] => ways.filter((way) => way !== null)

const shown = (ways: Ways): string =>
  known(ways)
    .map((way) =>
      partsOf(way)
        .map(({ name, demands }) => (demands.length === 0 ? name : `${name} with ${quoted(demands)}`))
        .join(' and '),
    )
    .join(' or ')

type Part = Omit<WayTerm, 'along'>

const partsOf = (way: WayTerm): readonly Part[] => [way, ...(way.along ?? [])]

const nameOf = (way: WayTerm): string =>
  partsOf(way)
    .map(({ name }) => name)
    .join(' and ')

// Names are for readers; clients see the form.
const isSamePart = (a: Part, b: Part): boolean => isSame(formOf(a), formOf(b))

const formOf = ({ form, described = [] }: Part): object =>
  Object.fromEntries(Object.entries(form).filter(([member]) => !described.includes(member)))

/** Whether clients of one way send all that another one takes. */
const isWithin = (way: WayTerm, other: WayTerm): boolean =>
  partsOf(way).every((part) => partsOf(other).some((one) => isSamePart(one, part)))

const isSameWay = (a: WayTerm, b: WayTerm): boolean => isWithin(a, b) && isWithin(b, a)

/** The demands of a way that another one, which has all its parts, does not make. */
const addedTo = (way: WayTerm, other: WayTerm): readonly string[] =>
  partsOf(way).flatMap((part) =>
    without(part.demands, partsOf(other).find((one) => isSamePart(one, part))?.demands ?? []),
  )

interface Comparison {
  readonly closed: boolean
  readonly place: string
  readonly changes: Changes
  readonly words: Words
}

function compareEach(old: readonly WayTerm[], now: readonly WayTerm[], site: Comparison): void {
  const { closed, place, changes, words } = site
  for (const way of old) {
    const open = now.filter((one) => isWithin(one, way))
    if (open.length === 0)
      changes.add('breaking', place, `${words.way}-removed`, `${nameOf(way)} is not a way in any more`)
    else compareWay(way, open, site)
  }
  for (const way of now) {
    const same = old.filter((one) => isSameWay(one, way))
    if (same.length === 0 && !closed)
      changes.add('compatible', place, `${words.way}-added`, `${nameOf(way)} is a way in now`)
    else if (same.length > 0 && !same.some((one) => addedTo(one, way).length === 0))
      changes.add('compatible', place, `${words.demands}-removed`, `${nameOf(way)} needs fewer ${words.demands} now`)
  }
}

function compareWay(way: WayTerm, open: readonly WayTerm[], { place, changes, words }: Comparison): void {
  const added = open.map((one) => addedTo(one, way))
  if (!added.some(({ length }) => length === 0)) {
    const what = `${nameOf(way)} needs the ${words.demands} ${quoted(added[0] ?? [])} now`
    changes.add('breaking', place, `${words.demands}-added`, what)
  }
  const same = open.find((one) => isSameWay(one, way))
  for (const part of same === undefined ? [] : partsOf(way)) {
    const now = partsOf(same as WayTerm).find((one) => isSamePart(one, part)) as Part
    changes.text(place, `${words.way}-renamed`, { what: `the name of ${part.name}`, old: part.name, now: now.name })
    if (!isSame(part.form, now.form))
      changes.add('documentation', place, `${words.way}-described`, `${part.name} is described in another way`)
  }
}
