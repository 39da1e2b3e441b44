// Checks that controllers implement the actions of their endpoint, and that their callbacks match it.

import { type Registration, stages } from '../../design/callback.ts'
import type { AnyController } from '../../design/controller.ts'
import { createReporter, type DefinitionMistake, type Report, reportFlaws } from '../../design/mistakes.ts'
import type { ResolvedEndpoint } from '../../design/resolve/resolved.ts'
import { describeValue, isClass as isClassValue, readProperty } from '../../util/describe-value.ts'
import { findNearest, suggestName } from '../../util/suggest-name.ts'

/** Reports unimplemented actions, functions that match no action, and callbacks that match no stage or action. */
export function checkController(
  { implementation, callbacks }: AnyController,
  endpoint: ResolvedEndpoint,
  mistakes: DefinitionMistake[],
): void {
  const isClass = typeof implementation === 'function'
  const report = createReporter(mistakes, endpoint.name)
  for (const callback of callbacks) checkCallback(callback, endpoint, report)
  const methods: unknown = isClass ? Reflect.get(implementation, 'prototype') : implementation
  if (typeof methods !== 'object' || methods === null || Array.isArray(methods)) {
    report(
      'controller',
      `it is ${describeValue(implementation)}`,
      'give an object with a function for each action, or a class',
    )
    return
  }
  for (const name of endpoint.actions.keys()) {
    if (isImplemented(methods, name) || (isClass && isAssignedLater(methods, name))) continue
    const remedy = `add a ${isClass ? 'method' : 'function'} '${name}' to it`
    createReporter(mistakes, endpoint.name, name)('controller', 'the controller does not implement the action', remedy)
  }
  for (const name of isClass ? findMisspelt(methods, endpoint) : Object.keys(implementation)) {
    if (endpoint.actions.has(name)) continue
    const remedy = `rename it, or declare the action; ${suggestName(name, [...endpoint.actions.keys()])}`
    report('controller', `it implements '${name}', which is not an action`, remedy)
  }
}

// Inherited functions of every object, such as toString, do not count as implementations.
function isImplemented(methods: object, name: string): boolean {
  const method = readProperty(methods, name)
  return typeof method === 'function' && !isClassValue(method) && method !== readProperty(Object.prototype, name)
}

// A class may assign functions in its constructor, which boot must not call: the source text of the class shows them.
function isAssignedLater(methods: object, name: string): boolean {
  for (let one: unknown = methods; isObject(one) && one !== Object.prototype; one = Object.getPrototypeOf(one)) {
    const own = Object.getOwnPropertyDescriptor(one, name)
    if (own !== undefined) return own.get !== undefined
    if (isAssignedIn(String(readProperty(one, 'constructor')), name)) return true
  }
  return false
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

// As a field of the class, or as a member of `this`.
function isAssignedIn(text: string, name: string): boolean {
  const word = name.replace(/[^\w]/g, '\\$&')
  const assignment = new RegExp(`(?:(?:^|[{};\\n])\\s*|\\bthis\\.|\\[['"\`])${word}(?:['"\`]\\])?\\s*=(?![=>])`)
  return assignment.test(text) || DYNAMIC_ASSIGNMENT.test(text)
}

/** Assignments to an instance that do not contain the literal name. */
const DYNAMIC_ASSIGNMENT = /\bthis\[(?!['"`])|\bObject\.(?:assign|define\w+)\(\s*this\b/

// A class may have further methods; a name that nearly matches a missing action is a typo.
function findMisspelt(methods: object, { actions }: ResolvedEndpoint): string[] {
  const missing = [...actions.keys()].filter((name) => !(name in methods))
  return Object.getOwnPropertyNames(methods).filter((name) => findNearest(name, missing) !== undefined)
}

function checkCallback(
  { when, stage, actions, flaws }: Registration,
  endpoint: ResolvedEndpoint,
  report: Report,
): void {
  reportFlaws(when, flaws, report)
  if (!stages.includes(stage)) report(when, `there is no stage '${stage}'`, suggestName(stage, stages))
  for (const action of actions ?? []) {
    if (!endpoint.actions.has(action))
      report(when, `there is no action '${action}'`, suggestName(action, [...endpoint.actions.keys()]))
  }
}
