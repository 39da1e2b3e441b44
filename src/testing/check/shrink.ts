// Shrinks cases: drops optional inputs of calls and simplifies values while they stay valid.
import { toJsonValue } from '../../mock/example-values.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import type { TestCall } from '../session/test-call.ts'
import { isValidValue } from '../values/examples.ts'

type CallValues = Readonly<Record<string, unknown>>

/** Yields slightly smaller calls that are still valid. */
export function* shrinkCall(call: TestCall): Generator<TestCall> {
  const { action, params, headers, payload } = call
  const captured = new Set(action.routes.flatMap(({ pattern }) => [...pattern.names, 'splat']))
  const rules = new Set(action.requires.flatMap(({ names }) => names))
  for (const name of listRemovableNames(params, action.params))
    if (!captured.has(name) && !rules.has(name)) yield { ...call, params: omitName(params, name) }
  for (const name of listRemovableNames(headers, action.headers)) yield { ...call, headers: omitName(headers, name) }
  for (const [name, value] of Object.entries(params)) {
    const one = action.params[name]
    if (one?.core.scalar === undefined) continue
    for (const smaller of shrinkValue(value))
      if (isSendableValue(one, smaller)) yield { ...call, params: { ...params, [name]: smaller } }
  }
  if (payload === undefined || action.payload === undefined || call.body !== undefined) return
  const { attribute } = action.payload
  for (const smaller of shrinkValue(payload))
    if (isSendableValue(attribute, smaller)) yield { ...call, payload: smaller }
}

const isSendableValue = (attribute: Attribute, value: unknown): boolean =>
  isValidValue(attribute, value) && toJsonValue(attribute, value) !== undefined

function listRemovableNames(values: CallValues, attributes: Attributes): string[] {
  return Object.keys(values).filter((name) => {
    const options = attributes[name]?.options
    return options?.required !== true || options.default !== undefined
  })
}

/** Returns a copy of an object without one name. */
export const omitName = (values: CallValues, name: string): CallValues =>
  Object.fromEntries(Object.entries(values).filter(([one]) => one !== name))

/** Yields lists with one element less, then lists with one element shrunk by `shrinkOne`. */
export function* shrinkList<T>(list: readonly T[], shrinkOne?: (one: T) => Iterable<T>): Generator<T[]> {
  for (let i = 0; i < list.length; i++) yield list.filter((_, j) => j !== i)
  if (shrinkOne === undefined) return
  for (const [i, one] of list.entries())
    for (const other of shrinkOne(one)) yield list.map((element, j) => (i === j ? other : element))
}

/** Yields simpler values of the same type. */
function* shrinkValue(value: unknown): Generator<unknown> {
  if (typeof value === 'string' && value.length > 1) {
    yield 'a'
    yield value.slice(0, Math.ceil(value.length / 2))
  } else if (typeof value === 'number' && value !== 0) {
    yield 0
    yield Math.trunc(value / 2)
  } else if (Array.isArray(value)) yield* shrinkList(value, shrinkValue)
  else if (isPlainObject(value)) {
    for (const name of Object.keys(value)) yield omitName(value, name)
    for (const [name, one] of Object.entries(value))
      for (const smaller of shrinkValue(one)) yield { ...value, [name]: smaller }
  }
}

const isPlainObject = (value: unknown): value is CallValues =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
