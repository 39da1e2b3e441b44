// Differences in what an action asks of its clients.
import { isSame } from './canonical.ts'
import { type Changes, quoted, without } from './change.ts'
import type { NeedContract } from './contract.ts'

type Needs = readonly (NeedContract | null)[]

/** Compares the ways in of two forms of an action. */
export function compareSecurity(old: Needs, now: Needs, action: string, changes: Changes): void {
  const place = `${action} › security`
  if (isOpen(old) && !isOpen(now))
    changes.add('breaking', place, 'security-added', `clients must say who they are now: ${shown(now)}`)
  if (isOpen(now) && !isOpen(old))
    changes.add('compatible', place, 'security-removed', 'clients need not say who they are any more')
  // Where nothing is asked, nothing that clients send can be wrong.
  if (now.length > 0) compareWays(ways(old), ways(now), isOpen(old) && !isOpen(now), place, changes)
  else if (old.length > 0 && isOpen(old))
    changes.add('compatible', place, 'security-removed', 'nobody is asked any more who they are')
}

const isOpen = (needs: Needs): boolean => needs.length === 0 || needs.includes(null)

const ways = (needs: Needs): readonly NeedContract[] => needs.filter((need) => need !== null)

const shown = (needs: Needs): string =>
  ways(needs)
    .map(({ scheme, scopes }) => (scopes.length === 0 ? scheme : `${scheme} with ${quoted(scopes)}`))
    .join(' or ')

// Names of schemes are for readers; clients see the form.
const isSameScheme = (a: NeedContract, b: NeedContract): boolean => isSame(formOf(a), formOf(b))

const formOf = ({ form }: NeedContract): object => ({ ...form, bearerFormat: undefined, flows: undefined })

function compareWays(
  old: readonly NeedContract[],
  now: readonly NeedContract[],
  closed: boolean,
  place: string,
  changes: Changes,
): void {
  for (const way of old) {
    const same = now.filter((one) => isSameScheme(one, way))
    const [first] = same
    if (first === undefined) changes.add('breaking', place, 'scheme-removed', `${way.scheme} is not a way in any more`)
    else compareWay(way, same, place, changes)
  }
  for (const way of now) {
    const same = old.filter((one) => isSameScheme(one, way))
    if (same.length === 0 && !closed) changes.add('compatible', place, 'scheme-added', `${way.scheme} is a way in now`)
    else if (same.length > 0 && !same.some(({ scopes }) => without(scopes, way.scopes).length === 0))
      changes.add('compatible', place, 'scopes-removed', `${way.scheme} needs fewer scopes now`)
  }
}

function compareWay(way: NeedContract, same: readonly NeedContract[], place: string, changes: Changes): void {
  const added = same.map(({ scopes }) => without(scopes, way.scopes))
  if (!added.some(({ length }) => length === 0))
    changes.add('breaking', place, 'scopes-added', `${way.scheme} needs the scopes ${quoted(added[0] ?? [])} now`)
  const [first] = same
  changes.text(place, 'scheme-renamed', `the name of ${way.scheme}`, way.scheme, first?.scheme)
  if (!isSame(way.form, first?.form))
    changes.add('documentation', place, 'scheme-described', `${way.scheme} is described in another way`)
}
