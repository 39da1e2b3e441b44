// Differences in what clients send: params, headers and payloads. Of these, more may be accepted but not less.

import type { ActionContract, InputContract, PayloadContract } from '../contract.ts'
import { getRecordValue, type ChangeCollector, collectNames, quoteList, type ComparedContracts, subtractNames } from './change.ts'
import { compareRules, type RuleSet } from './compare-rules.ts'
import { compareRequired, compareSchemas, type SchemaComparison } from './compare-schemas.ts'
import { compareTerms } from './compare-terms.ts'
import { compareExtraConstraints } from './compare-constraints.ts'

/** Compares what two forms of an action take. */
export function compareInputs(old: ActionContract, now: ActionContract, place: string, sides: ComparedContracts): void {
  const { changes } = sides
  const moved = findMovedNames(old, now, place, changes)
  compareIgnoredNames(old.ignore, now.ignore, place, changes)
  const ignored = (name: string): boolean => now.ignore.some((pattern) => isGlobMatch(name, pattern))
  const params = { moved, ignored, sides, place: `${place} › params` }
  compareAllInputs(old.params, now.params, params)
  compareRules(getParamRules(old), getParamRules(now), changes.makeJudge('input', params.place))
  // Undeclared headers are never rejected.
  compareAllInputs(old.headers, now.headers, { moved, ignored: () => true, sides, place: `${place} › headers` })
  comparePayloads(old.payload, now.payload, `${place} › payload`, sides)
}

const getParamRules = ({ params, requires: rules = [] }: ActionContract): RuleSet => ({
  rules,
  names: Object.keys(params),
  required: Object.keys(params).filter((name) => params[name]?.required),
})

interface InputContracts {
  readonly [name: string]: InputContract
}

function findMovedNames(old: ActionContract, now: ActionContract, place: string, changes: ChangeCollector): ReadonlySet<string> {
  const lower = (inputs: InputContracts): Map<string, string> =>
    new Map(Object.keys(inputs).map((name) => [name.toLowerCase(), name]))
  const moved = new Set<string>()
  const tell = (from: 'params' | 'headers', to: 'params' | 'headers', what: string): void => {
    const fresh = lower(Object.fromEntries(Object.entries(now[to]).filter(([name]) => getRecordValue(old[to], name) === undefined)))
    for (const [key, name] of lower(old[from])) {
      const target = fresh.get(key)
      if (getRecordValue(now[from], name) !== undefined || target === undefined) continue
      moved.add(name).add(target)
      changes.add('breaking', `${place} › ${from}.${name}`, 'input-moved', what)
    }
  }
  tell('params', 'headers', 'it is a header now, and was a param')
  tell('headers', 'params', 'it is a param now, and was a header')
  return moved
}

function compareIgnoredNames(old: readonly string[], now: readonly string[], place: string, changes: ChangeCollector): void {
  const [gone, fresh] = [subtractNames(old, now), subtractNames(now, old)]
  if (gone.length > 0)
    changes.add('breaking', `${place} › params`, 'ignored-removed', `${quoteList(gone)} are refused now, and were ignored`)
  if (fresh.length > 0)
    changes.add('compatible', `${place} › params`, 'ignored-added', `${quoteList(fresh)} are ignored now`)
}

function isGlobMatch(name: string, pattern: string): boolean {
  const pieces = pattern.split('*').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pieces.join('.*')}$`, 's').test(name)
}

interface InputsComparison {
  readonly moved: ReadonlySet<string>
  readonly ignored: (name: string) => boolean
  readonly sides: ComparedContracts
  readonly place: string
}

function compareAllInputs(old: InputContracts, now: InputContracts, { moved, ignored, sides, place }: InputsComparison): void {
  const { changes } = sides
  for (const name of collectNames(old, now)) {
    const [was, is] = [getRecordValue(old, name), getRecordValue(now, name)]
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

const makeInputComparison = (sides: ComparedContracts): SchemaComparison => ({ ...sides, direction: 'input', open: new Set() })

function compareInput(was: InputContract, is: InputContract, place: string, sides: ComparedContracts): void {
  const { changes } = sides
  const site = makeInputComparison(sides)
  const size = changes.size
  if (was.in !== is.in) compareSources(was.in, is.in, place, changes)
  compareRequired(was.required, is.required, place, site)
  compareSchemas(was.schema, is.schema, place, site)
  compareExtraConstraints(was.unsaid, is.unsaid, place, site)
  if (was.kind === is.kind) compareTerms(was.terms ?? {}, is.terms ?? {}, place, changes)
  else if (changes.size === size)
    changes.add('breaking', place, 'type-changed', `it is ${is.kind} now, and was ${was.kind}`)
}

function compareSources(was: InputContract['in'], is: InputContract['in'], place: string, changes: ChangeCollector): void {
  const widened = is === 'path or query'
  const what = `it is taken from the ${is} now, and was from the ${was}`
  changes.add(widened ? 'compatible' : 'breaking', place, widened ? 'input-also-moved' : 'input-moved', what)
}

// --- payloads ------------------------------------------------------------------------

function comparePayloads(
  was: PayloadContract | undefined,
  is: PayloadContract | undefined,
  place: string,
  sides: ComparedContracts,
): void {
  const { changes } = sides
  if (was === undefined && is === undefined) return
  if (is === undefined) return changes.add('breaking', place, 'payload-removed', 'bodies are not looked at any more')
  if (was === undefined) {
    const needed = is.required || isBodyNeeded(is, sides)
    const what = needed ? 'a body must be sent now' : 'a body may be sent now'
    return changes.add(needed ? 'breaking' : 'compatible', place, needed ? 'required-added' : 'payload-added', what)
  }
  const site = makeInputComparison(sides)
  const size = changes.size
  compareRequired(was.required, is.required, place, site)
  compareConsumedTypes(was.consumes, is.consumes, place, changes)
  if (was.limit !== is.limit) {
    const lowered = is.limit < was.limit
    const what = `bodies may have ${is.limit} bytes now, and might have ${was.limit}`
    changes.add(lowered ? 'breaking' : 'compatible', place, `body-limit-${lowered ? 'lowered' : 'raised'}`, what)
  }
  compareSchemas(was.schema, is.schema, place, site)
  compareExtraConstraints(was.unsaid, is.unsaid, place, site)
  if (was.form !== is.form && changes.size === size)
    changes.add('breaking', place, 'type-changed', `bodies are read as a ${is.form} now, and were as a ${was.form}`)
}

function isBodyNeeded({ schema }: PayloadContract, { now }: ComparedContracts): boolean {
  const { $ref } = schema as { readonly $ref?: string }
  const found = $ref === undefined ? schema : now[$ref.slice('#/schemas/'.length)]
  return Array.isArray(found?.['required'])
}

function compareConsumedTypes(was: readonly string[], is: readonly string[], place: string, changes: ChangeCollector): void {
  const gone = was.filter((type) => !is.some((other) => isTypeCovered(other, type)))
  const fresh = is.filter((type) => !was.some((other) => isTypeCovered(other, type)))
  if (gone.length > 0)
    changes.add('breaking', place, 'content-type-removed', `bodies of ${quoteList(gone)} are refused now`)
  if (fresh.length > 0)
    changes.add('compatible', place, 'content-type-added', `bodies of ${quoteList(fresh)} are read now`)
}

// `text/*` covers `text/plain`, and `application/*+json` covers `application/vnd.book+json`.
const isTypeCovered = (pattern: string, type: string): boolean => isGlobMatch(type.toLowerCase(), pattern.toLowerCase())
