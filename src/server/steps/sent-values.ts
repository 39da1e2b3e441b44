// The values that clients sent, by the errors about them; read again from the request, as only few failures need them.
import { Loading } from '../../schema/loading.ts'
import type { Exchange } from '../request/exchange.ts'
import { attributesAt, stepsTo } from '../problem/find-attribute.ts'
import type { InputError } from '../problem/problem.ts'
import { hasSecrets, isSecret, REDACTED } from '../redaction.ts'
import { parseQuery } from '../query/parse-query.ts'
import { type RawTree, createTree, TreeWriter } from '../query/value-tree.ts'
import { addCaptures } from './validate.ts'

/**
 * Makes the function that finds the single value that a client sent at the place of an error. Of a list or a JSON value
 * within a text it is the text. Secrets are redacted.
 */
export function sentValueFinder(exchange: Exchange): (error: InputError) => unknown {
  let params: RawTree | undefined
  const partOf = (part: InputError['in']): unknown => {
    if (part === 'headers') return exchange.transport.headers
    if (part === 'payload') return exchange.body?.raw
    params ??= paramsOf(exchange)
    return params
  }
  return (error) => {
    const steps = stepsTo(error)
    const attributes = attributesAt(exchange.compiled.resolved, error, steps)
    if (attributes.includes(undefined)) return undefined
    const named = error.in === 'headers' ? steps.map((step) => step.toLowerCase()) : steps
    const { value, depth } = valueAt(partOf(error.in), named)
    // A whole body has an attribute before its first step.
    const reached = attributes[depth - 1 + attributes.length - steps.length]
    if (value === undefined || reached === undefined) return undefined
    return attributes.some((one) => one && isSecret(one)) || hasSecrets(reached) ? REDACTED : value
  }
}

/** The single value at the end of some steps, or the text that has it, and how many of the steps lead there. */
function valueAt(root: unknown, steps: readonly string[]): { readonly value: unknown; readonly depth: number } {
  let value = root
  let depth = 0
  while (depth < steps.length && typeof value === 'object' && value !== null) {
    const step = steps[depth] as string
    value = Object.hasOwn(value, step) ? (value as Readonly<Record<string, unknown>>)[step] : undefined
    depth++
  }
  return { value: isSingle(value) ? value : undefined, depth }
}

const isSingle = (value: unknown): boolean => value === null || ['string', 'number', 'boolean'].includes(typeof value)

function paramsOf(exchange: Exchange): RawTree {
  const { line, compiled } = exchange
  const { form, pairs, ignores } = compiled.params
  const raw = createTree()
  const writer = new TreeWriter(raw, form, new Loading(true, ignores))
  if (line.query >= 0) parseQuery(line.url, line.query, writer, pairs)
  addCaptures(exchange, raw)
  return raw
}
