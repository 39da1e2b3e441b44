// Finds the values that clients sent, by the errors about them; parses the request again, as only few failures need
// them.
import { Loading } from '../../schema/loading.ts'
import { listAttributesTo, parsePointer } from '../problem/find-attribute.ts'
import type { InputError } from '../problem/problem.ts'
import { addCaptures } from '../query/captures.ts'
import { parseQuery } from '../query/parse-query.ts'
import { createTree, type RawTree, TreeWriter } from '../query/value-tree.ts'
import { hasSecrets, isSecret, REDACTED } from '../redaction.ts'
import type { Exchange } from './exchange.ts'

/**
 * Creates the function that finds the scalar value that a client sent at the pointer of an error. For a list or a JSON
 * value within a text, it is the text. Secrets are redacted.
 */
export function createSentValueFinder(exchange: Exchange): (error: InputError) => unknown {
  let params: RawTree | undefined
  const getPart = (part: InputError['in']): unknown => {
    if (part === 'headers') return exchange.transport.headers
    if (part === 'payload') return exchange.body?.raw
    params ??= parseParams(exchange)
    return params
  }
  return (error) => {
    const steps = parsePointer(error)
    const attributes = listAttributesTo(exchange.compiled.resolved, error, steps)
    if (attributes.includes(undefined)) return undefined
    const keys = error.in === 'headers' ? steps.map((step) => step.toLowerCase()) : steps
    const { value, depth } = findValue(getPart(error.in), keys)
    // The attributes of a payload include that of the body, before the first segment.
    const reached = attributes[depth - 1 + attributes.length - steps.length]
    if (value === undefined || reached === undefined) return undefined
    return attributes.some((one) => one && isSecret(one)) || hasSecrets(reached) ? REDACTED : value
  }
}

/**
 * Returns the scalar value at the end of some segments, or the text that contains it, and the number of segments that
 * lead there.
 */
function findValue(root: unknown, steps: readonly string[]): { readonly value: unknown; readonly depth: number } {
  let value = root
  let depth = 0
  while (depth < steps.length && typeof value === 'object' && value !== null) {
    const step = steps[depth] as string
    value = Object.hasOwn(value, step) ? (value as Readonly<Record<string, unknown>>)[step] : undefined
    depth++
  }
  return { value: isScalar(value) ? value : undefined, depth }
}

const isScalar = (value: unknown): boolean => value === null || ['string', 'number', 'boolean'].includes(typeof value)

function parseParams(exchange: Exchange): RawTree {
  const { line, compiled } = exchange
  const { form, pairs, ignores } = compiled.params
  const raw = createTree()
  const writer = new TreeWriter(raw, form, new Loading('text', ignores))
  if (line.queryStart >= 0) parseQuery(line.url, line.queryStart, writer, pairs)
  addCaptures(line.found, raw)
  return raw
}
