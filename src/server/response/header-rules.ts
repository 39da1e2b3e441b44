// Compiles the rules of declared response headers, and checks them on every response that declares them.

import { attributeRules } from '../../design/attribute-rules.ts'
import type { ActionResponse } from '../../design/declare/action-response.ts'
import type { ResolvedResponse } from '../../design/resolve/resolved.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { Loading } from '../../schema/loading.ts'
import { getPatternMatcher } from '../../schema/scalars/text-pattern.ts'
import { toUri } from '../../util/uri.ts'
import type { ViolationFinding } from './violation.ts'

const REFERENCES = new Set(['location', 'content-location'])

/** Formats the value of a header for sending: a reference, with any characters, becomes a URI. */
export const formatHeaderValue = (lower: string, value: string): string =>
  REFERENCES.has(lower) ? toUri(value) : value

/** Finds a header of a response by name, case-insensitively. */
export function findHeader(response: ActionResponse, name: string): string | undefined {
  if (!response.hasHeaders) return undefined
  const lower = name.toLowerCase()
  for (const [key, value] of Object.entries<unknown>(response.headers)) {
    if (key.toLowerCase() === lower && value !== undefined)
      return formatHeaderValue(lower, Array.isArray(value) ? value.join(', ') : String(value))
  }
  return undefined
}

/** A declared header that a response violates: a description, and a finding without the value. */
export interface HeaderViolation {
  readonly text: string
  readonly finding: ViolationFinding
  /** Whether the header is a missing attribute, which is handled like a missing attribute of a body. */
  readonly isAttribute: boolean
}

/** Creates the check of a response's declared headers, which returns the first violation, or undefined. */
export function compileHeaderRules({
  headers,
  location,
}: ResolvedResponse): ((response: ActionResponse) => HeaderViolation | undefined) | undefined {
  const declared = location === undefined ? headers : [['Location', location] as const, ...headers]
  if (declared.length === 0) return undefined
  const checks = declared.map(([name, rule]) => [name, compileHeaderCheck(name, rule), isAttributeRule(rule)] as const)
  return (response) => {
    let missing: HeaderViolation | undefined
    for (const [name, check, isAttribute] of checks) {
      const value = findHeader(response, name)
      const text = check(value)
      if (text === undefined) continue
      const [code, message] = value === undefined ? ['missing', 'is missing'] : ['value', 'is not as declared']
      const violation: HeaderViolation = {
        text,
        finding: { part: 'headers', pointer: `/${name}`, code, message },
        isAttribute: isAttribute && value === undefined,
      }
      // A violation that is always rejected takes precedence.
      if (!violation.isAttribute) return violation
      missing ??= violation
    }
    return missing
  }
}

type HeaderRule = string | RegExp | Attribute | true

const isAttributeRule = (rule: HeaderRule): rule is Attribute => typeof rule === 'object' && 'core' in rule

type HeaderCheck = (value: string | undefined) => string | undefined

function compileHeaderCheck(name: string, rule: HeaderRule): HeaderCheck {
  if (isAttributeRule(rule)) return (value) => checkHeaderAttribute(name, rule, value)
  const matches = compileHeaderTest(typeof rule === 'string' ? formatHeaderValue(name.toLowerCase(), rule) : rule)
  return (value) => {
    if (value === undefined) return `lacks the header ${name}`
    const shown = name.toLowerCase() === 'set-cookie' ? '…' : value
    return matches(value) ? undefined : `has the header ${name}: ${shown}, which is not ${rule} as declared`
  }
}

function compileHeaderTest(rule: string | RegExp | true): (value: string) => boolean {
  if (rule === true) return () => true
  if (typeof rule === 'string') return (value) => value === rule
  // Headers may contain text of clients, so their patterns run in linear time too.
  const matcher = getPatternMatcher(rule)
  return (value) => matcher.test(value)
}

function checkHeaderAttribute(name: string, rule: Attribute, value: string | undefined): string | undefined {
  if (value === undefined) return rule.options.required === true ? `lacks the header ${name}` : undefined
  const loading = new Loading('text')
  attributeRules.getLoader(rule)(value, loading)
  return loading.issues === null ? undefined : `has a header ${name} that ${loading.issues[0]?.message}`
}
