// Differences in what clients send: params, headers and payloads. Of these, more may be accepted but not less.

import type { ActionContract, InputContract, PayloadContract } from '../contract.ts'
import { at, type Changes, namesOf, quoted, type Sides, without } from './change.ts'
import { compareRules, type Ruled } from './rules.ts'
import { compareRequired, compareSchemas, type SchemaSite } from './schema.ts'
import { compareTerms } from './terms.ts'
import { compareUnsaid } from './unsaid.ts'

/** Compares what two forms of an action take. */
export function compareInputs(old: ActionContract, now: ActionContract, place: string, sides: Sides): void {
  const { changes } = sides
  const moved = movedNames(old, now, place, changes)
  compareIgnored(old.ignore, now.ignore, place, changes)
  const ignored = (name: string): boolean => now.ignore.some((pattern) => fits(name, pattern))
  const params = { moved, ignored, sides, place: `${place} › params` }
  compareAll(old.params, now.params, params)
  compareRules(ruledIn(old), ruledIn(now), changes.judge('input', params.place))
  // Undeclared headers are never rejected.
  compareAll(old.headers, now.headers, { moved, ignored: () => true, sides, place: `${place} › headers` })
  comparePayloads(old.payload, now.payload, `${place} › payload`, sides)
}

const ruledIn = ({ params, requires: rules = [] }: ActionContract): Ruled => ({
  rules,
  names: Object.keys(params),
  required: Object.keys(params).filter((name) => params[name]?.required),
})

interface Inputs {
  readonly [name: string]: InputContract
}

function movedNames(old: ActionContract, now: ActionContract, place: string, changes: Changes): ReadonlySet<string> {
  const lower = (inputs: Inputs): Map<string, string> =>
    new Map(Object.keys(inputs).map((name) => [name.toLowerCase(), name]))
  const moved = new Set<string>()
  const tell = (from: 'params' | 'headers', to: 'params' | 'headers', what: string): void => {
    const fresh = lower(Object.fromEntries(Object.entries(now[to]).filter(([name]) => at(old[to], name) === undefined)))
    for (const [key, name] of lower(old[from])) {
      const target = fresh.get(key)
      if (at(now[from], name) !== undefined || target === undefined) continue
      moved.add(name).add(target)
      changes.add('breaking', `${place} › ${from}.${name}`, 'input-moved', what)
    }
  }
  tell('params', 'headers', 'it is a header now, and was a param')
  tell('headers', 'params', 'it is a param now, and was a header')
  return moved
}

function compareIgnored(old: readonly string[], now: readonly string[], place: string, changes: Changes): void {
  const [gone, fresh] = [without(old, now), without(now, old)]
  if (gone.length > 0)
    changes.add('breaking', `${place} › params`, 'ignored-removed', `${quoted(gone)} are refused now, and were ignored`)
  if (fresh.length > 0)
    changes.add('compatible', `${place} › params`, 'ignored-added', `${quoted(fresh)} are ignored now`)
}

function fits(name: string, pattern: string): boolean {
  const pieces = pattern.split('*').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pieces.join('.*')}$`, 's').test(name)
}

interface ComparedInputs {
  readonly moved: ReadonlySet<string>
  readonly ignored: (name: string) => boolean
  readonly sides: Sides
  readonly place: string
}

function compareAll(old: Inputs, now: Inputs, { moved, ignored, sides, place }: ComparedInputs): void {
  const { changes } = sides
  for (const name of namesOf(old, now)) {
    const [was, is] = [at(old, name), at(now, name)]
    const spot = `${place}.${name}`
    if (was !== undefined && is !== undefined) compareInput(was, is, spot, sides)
    else if (moved.has(name)) continue
    else if (is === undefined) {
      if (ignored(name)) changes.add('compatible', spot, 'input-removed', 'it is not looked at any more')
      else changes.add('breaking', spot, 'input-removed', 'clients that send it are refused now')
    } else if (is.required) changes.add('breaking', spot, 'required-added', 'it is new, and must be sent')
    else changes.add('compatible', spot, 'input-added', 'it is new, and may be sent')
  }
}

const inputSite = (sides: Sides): SchemaSite => ({ ...sides, direction: 'input', open: new Set() })

function compareInput(was: InputContract, is: InputContract, place: string, sides: Sides): void {
  const { changes } = sides
  const site = inputSite(sides)
  const size = changes.size
  if (was.in !== is.in) compareWays(was.in, is.in, place, changes)
  compareRequired(was.required, is.required, place, site)
  compareSchemas(was.schema, is.schema, place, site)
  compareUnsaid(was.unsaid, is.unsaid, place, site)
  if (was.kind === is.kind) compareTerms(was.terms ?? {}, is.terms ?? {}, place, changes)
  else if (changes.size === size)
    changes.add('breaking', place, 'type-changed', `it is ${is.kind} now, and was ${was.kind}`)
}

function compareWays(was: InputContract['in'], is: InputContract['in'], place: string, changes: Changes): void {
  const widened = is === 'path or query'
  const what = `it is taken from the ${is} now, and was from the ${was}`
  changes.add(widened ? 'compatible' : 'breaking', place, widened ? 'input-also-moved' : 'input-moved', what)
}

// --- payloads ------------------------------------------------------------------------

function comparePayloads(
  was: PayloadContract | undefined,
  is: PayloadContract | undefined,
  place: string,
  sides: Sides,
): void {
  const { changes } = sides
  if (was === undefined && is === undefined) return
  if (is === undefined) return changes.add('breaking', place, 'payload-removed', 'bodies are not looked at any more')
  if (was === undefined) {
    const needed = is.required || isNeeded(is, sides)
    const what = needed ? 'a body must be sent now' : 'a body may be sent now'
    return changes.add(needed ? 'breaking' : 'compatible', place, needed ? 'required-added' : 'payload-added', what)
  }
  const site = inputSite(sides)
  const size = changes.size
  compareRequired(was.required, is.required, place, site)
  compareConsumed(was.consumes, is.consumes, place, changes)
  if (was.limit !== is.limit) {
    const lowered = is.limit < was.limit
    const what = `bodies may have ${is.limit} bytes now, and might have ${was.limit}`
    changes.add(lowered ? 'breaking' : 'compatible', place, `body-limit-${lowered ? 'lowered' : 'raised'}`, what)
  }
  compareSchemas(was.schema, is.schema, place, site)
  compareUnsaid(was.unsaid, is.unsaid, place, site)
  if (was.form !== is.form && changes.size === size)
    changes.add('breaking', place, 'type-changed', `bodies are read as a ${is.form} now, and were as a ${was.form}`)
}

function isNeeded({ schema }: PayloadContract, { now }: Sides): boolean {
  const { $ref } = schema as { readonly $ref?: string }
  const found = $ref === undefined ? schema : now[$ref.slice('#/schemas/'.length)]
  return Array.isArray(found?.['required'])
}

function compareConsumed(was: readonly string[], is: readonly string[], place: string, changes: Changes): void {
  const gone = was.filter((type) => !is.some((other) => covers(other, type)))
  const fresh = is.filter((type) => !was.some((other) => covers(other, type)))
  if (gone.length > 0)
    changes.add('breaking', place, 'content-type-removed', `bodies of ${quoted(gone)} are refused now`)
  if (fresh.length > 0)
    changes.add('compatible', place, 'content-type-added', `bodies of ${quoted(fresh)} are read now`)
}

// `text/*` covers `text/plain`, and `application/*+json` covers `application/vnd.book+json`.
const covers = (pattern: string, type: string): boolean => fits(type.toLowerCase(), pattern.toLowerCase())
