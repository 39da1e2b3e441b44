// The constraints of a route on its captures, as JSON Schema.
import { findCapture, type PathPattern } from '../path/index.ts'
import { ExampleSeed } from '../schema/example.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { getPatternMatcher, makePatternExample, toJsonSchemaPattern } from '../schema/scalars/text-pattern.ts'

/** The constraint of a capture, as far as a schema can express it. */
export interface CaptureRule {
  readonly schema?: JsonSchema
  readonly example?: string
  /** Returns whether the capture accepts a string. */
  accepts?(text: string): boolean
}

/** Builds the constraint of a capture; empty if the pattern does not constrain it. */
export function buildCaptureRule({ options }: PathPattern, name: string): CaptureRule {
  const constraint = findCapture(options.capture, name)
  if (constraint === undefined) return {}
  const choices: readonly unknown[] = Array.isArray(constraint) ? constraint : [constraint]
  const texts = choices.filter((one) => typeof one === 'string')
  if (texts.length === choices.length)
    return { schema: { enum: texts }, example: texts[0] as string, accepts: (text) => texts.includes(text) }
  const [only] = choices
  return choices.length === 1 && only instanceof RegExp ? buildPatternRule(only) : {}
}

// A capture must match the entire value, even if its pattern has no anchors.
function buildPatternRule(pattern: RegExp): CaptureRule {
  const source = toJsonSchemaPattern(pattern)
  const example = makePatternExample(pattern, new ExampleSeed(pattern.source), 1)
  const matcher = getPatternMatcher(pattern)
  return {
    ...(source !== undefined && { schema: { pattern: source } }),
    ...(example !== undefined && { example }),
    accepts: (text) => matcher.test(text),
  }
}
