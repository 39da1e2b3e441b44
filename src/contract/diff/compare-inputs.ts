// Compares what clients send: params, headers and payloads. A new version may accept more, but not less.

import type { ActionContract, InputContract, PayloadContract } from '../contract.ts'
import {
  type ChangeCollector,
  type ComparedContracts,
  collectNames,
  getRecordValue,
  quoteList,
  subtractNames,
} from './change.ts'
import { compareExtraConstraints } from './compare-constraints.ts'
import { compareRules, type RuleSet } from './compare-rules.ts'
import { compareRequired, compareSchemas, type SchemaComparison } from './compare-schemas.ts'
import { compareTerms } from './compare-terms.ts'

/** Compares the inputs of two versions of an action. */
export function compareInputs(
  old: ActionContract,
  now: ActionContract,
  location: string,
  sides: ComparedContracts,
): void {
  const { changes } = sides
  const moved = findMovedNames(old, now, location, changes)
  compareIgnoredNames(old.ignore, now.ignore, location, changes)
  const isIgnored = (name: string): boolean => now.ignore.some((pattern) => isGlobMatch(name, pattern))
  const params = { moved, ignored: isIgnored, sides, location: `${location} › params` }
  compareAllInputs(old.params, now.params, params)
  compareRules(getParamRules(old), getParamRules(now), changes.createReporter('input', params.location))
  // Undeclared headers are never rejected.
  compareAllInputs(old.headers, now.headers, { moved, ignored: () => true, sides, location: `${location} › headers` })
  comparePayloads(old.payload, now.payload, `${location} › payload`, sides)
}

const getParamRules = ({ params, requires: rules = [] }: ActionContract): RuleSet => ({
  rules,
  names: Object.keys(params),
  required: Object.keys(params).filter((name) => params[name]?.required),
})

interface InputContracts {
  readonly [name: string]: InputContract
}

function findMovedNames(
  old: ActionContract,
  now: ActionContract,
  location: string,
  changes: ChangeCollector,
): ReadonlySet<string> {
  const lower = (inputs: InputContracts): Map<string, string> =>
    new Map(Object.keys(inputs).map((name) => [name.toLowerCase(), name]))
  const moved = new Set<string>()
  const reportMoved = (from: 'params' | 'headers', to: 'params' | 'headers', what: string): void => {
    const added = lower(
      Object.fromEntries(Object.entries(now[to]).filter(([name]) => getRecordValue(old[to], name) === undefined)),
    )
    for (const [key, name] of lower(old[from])) {
      const target = added.get(key)
      if (getRecordValue(now[from], name) !== undefined || target === undefined) continue
      moved.add(name).add(target)
      changes.add('breaking', `${location} › ${from}.${name}`, 'input-moved', what)
    }
  }
  reportMoved('params', 'headers', 'it is a header now, and was a param')
  reportMoved('headers', 'params', 'it is a param now, and was a header')
  return moved
}

function compareIgnoredNames(
  old: readonly string[],
  now: readonly string[],
  location: string,
  changes: ChangeCollector,
): void {
  const [removed, added] = [subtractNames(old, now), subtractNames(now, old)]
  if (removed.length > 0)
    changes.add(
      'breaking',
      `${location} › params`,
      'ignored-removed',
      `${quoteList(removed)} are refused now, and were ignored`,
    )
  if (added.length > 0)
    changes.add('compatible', `${location} › params`, 'ignored-added', `${quoteList(added)} are ignored now`)
}

function isGlobMatch(name: string, pattern: string): boolean {
  const pieces = pattern.split('*').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pieces.join('.*')}$`, 's').test(name)
}

interface InputsComparison {
  readonly moved: ReadonlySet<string>
  readonly ignored: (name: string) => boolean
  readonly sides: ComparedContracts
  readonly location: string
}

function compareAllInputs(
  old: InputContracts,
  now: InputContracts,
  { moved, ignored, sides, location }: InputsComparison,
): void {
  const { changes } = sides
  for (const name of collectNames(old, now)) {
    const [was, is] = [getRecordValue(old, name), getRecordValue(now, name)]
    const inputLocation = `${location}.${name}`
    if (was !== undefined && is !== undefined) compareInput(was, is, inputLocation, sides)
    else if (moved.has(name)) continue
    else if (is === undefined) {
      if (ignored(name)) changes.add('compatible', inputLocation, 'input-removed', 'it is not looked at any more')
      else changes.add('breaking', inputLocation, 'input-removed', 'clients that send it are refused now')
    } else if (is.required) changes.add('breaking', inputLocation, 'required-added', 'it is new, and must be sent')
    else changes.add('compatible', inputLocation, 'input-added', 'it is new, and may be sent')
  }
}

const makeInputComparison = (sides: ComparedContracts): SchemaComparison => ({
  ...sides,
  direction: 'input',
  inProgress: new Set(),
})

function compareInput(was: InputContract, is: InputContract, location: string, sides: ComparedContracts): void {
  const { changes } = sides
  const comparison = makeInputComparison(sides)
  const size = changes.size
  if (was.in !== is.in) compareSources(was.in, is.in, location, changes)
  compareRequired(was.required, is.required, location, comparison)
  compareSchemas(was.schema, is.schema, location, comparison)
  compareExtraConstraints(was.extraConstraints, is.extraConstraints, location, comparison)
  if (was.kind === is.kind) compareTerms(was.terms ?? {}, is.terms ?? {}, location, changes)
  else if (changes.size === size)
    changes.add('breaking', location, 'type-changed', `it is ${is.kind} now, and was ${was.kind}`)
}

function compareSources(
  was: InputContract['in'],
  is: InputContract['in'],
  location: string,
  changes: ChangeCollector,
): void {
  const widened = is === 'path or query'
  const what = `it is taken from the ${is} now, and was from the ${was}`
  changes.add(widened ? 'compatible' : 'breaking', location, widened ? 'input-also-moved' : 'input-moved', what)
}

// --- payloads ------------------------------------------------------------------------

function comparePayloads(
  was: PayloadContract | undefined,
  is: PayloadContract | undefined,
  location: string,
  sides: ComparedContracts,
): void {
  const { changes } = sides
  if (was === undefined && is === undefined) return
  if (is === undefined) return changes.add('breaking', location, 'payload-removed', 'bodies are not looked at any more')
  if (was === undefined) {
    const needed = is.required || isBodyNeeded(is, sides)
    const what = needed ? 'a body must be sent now' : 'a body may be sent now'
    return changes.add(needed ? 'breaking' : 'compatible', location, needed ? 'required-added' : 'payload-added', what)
  }
  const comparison = makeInputComparison(sides)
  const size = changes.size
  compareRequired(was.required, is.required, location, comparison)
  compareConsumedTypes(was.consumes, is.consumes, location, changes)
  if (was.limit !== is.limit) {
    const lowered = is.limit < was.limit
    const what = `bodies may have ${is.limit} bytes now, and might have ${was.limit}`
    changes.add(lowered ? 'breaking' : 'compatible', location, `body-limit-${lowered ? 'lowered' : 'raised'}`, what)
  }
  compareSchemas(was.schema, is.schema, location, comparison)
  compareExtraConstraints(was.extraConstraints, is.extraConstraints, location, comparison)
  if (was.form !== is.form && changes.size === size)
    changes.add('breaking', location, 'type-changed', `bodies are read as a ${is.form} now, and were as a ${was.form}`)
}

function isBodyNeeded({ schema }: PayloadContract, { now }: ComparedContracts): boolean {
  const { $ref } = schema as { readonly $ref?: string }
  const found = $ref === undefined ? schema : now[$ref.slice('#/schemas/'.length)]
  return Array.isArray(found?.['required'])
}

function compareConsumedTypes(
  was: readonly string[],
  is: readonly string[],
  location: string,
  changes: ChangeCollector,
): void {
  const removed = was.filter((type) => !is.some((other) => isTypeCovered(other, type)))
  const added = is.filter((type) => !was.some((other) => isTypeCovered(other, type)))
  if (removed.length > 0)
    changes.add('breaking', location, 'content-type-removed', `bodies of ${quoteList(removed)} are refused now`)
  if (added.length > 0)
    changes.add('compatible', location, 'content-type-added', `bodies of ${quoteList(added)} are read now`)
}

// `text/*` covers `text/plain`, and `application/*+json` covers `application/vnd.book+json`.
const isTypeCovered = (pattern: string, type: string): boolean => isGlobMatch(type.toLowerCase(), pattern.toLowerCase())
