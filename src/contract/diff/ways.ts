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
    .map(({ name, demands }) => (demands.length === 0 ? name : `${name} with ${quoted(demands)}`))
    .join(' or ')

// Names are for readers; clients see the form.
const isSameWay = (a: WayTerm, b: WayTerm): boolean => isSame(formOf(a), formOf(b))

const formOf = ({ form, described = [] }: WayTerm): object =>
  Object.fromEntries(Object.entries(form).filter(([member]) => !described.includes(member)))

interface Comparison {
  readonly closed: boolean
  readonly place: string
  readonly changes: Changes
  readonly words: Words
}

function compareEach(old: readonly WayTerm[], now: readonly WayTerm[], site: Comparison): void {
  const { closed, place, changes, words } = site
  for (const way of old) {
    const same = now.filter((one) => isSameWay(one, way))
    if (same.length === 0)
      changes.add('breaking', place, `${words.way}-removed`, `${way.name} is not a way in any more`)
    else compareWay(way, same, site)
  }
  for (const way of now) {
    const same = old.filter((one) => isSameWay(one, way))
    if (same.length === 0 && !closed)
      changes.add('compatible', place, `${words.way}-added`, `${way.name} is a way in now`)
    else if (same.length > 0 && !same.some(({ demands }) => without(demands, way.demands).length === 0))
      changes.add('compatible', place, `${words.demands}-removed`, `${way.name} needs fewer ${words.demands} now`)
  }
}

function compareWay(way: WayTerm, same: readonly WayTerm[], { place, changes, words }: Comparison): void {
  const added = same.map(({ demands }) => without(demands, way.demands))
  if (!added.some(({ length }) => length === 0)) {
    const what = `${way.name} needs the ${words.demands} ${quoted(added[0] ?? [])} now`
    changes.add('breaking', place, `${words.demands}-added`, what)
  }
  const [first] = same
  changes.text(place, `${words.way}-renamed`, { what: `the name of ${way.name}`, old: way.name, now: first?.name })
  if (!isSame(way.form, first?.form))
    changes.add('documentation', place, `${words.way}-described`, `${way.name} is described in another way`)
}
