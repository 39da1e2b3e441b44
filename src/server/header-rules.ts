// Declared response headers: each rule compiled once, checked on every response that declares it.

import type { ResolvedResponse } from '../design/resolved.ts'
import type { Response } from '../design/response.ts'
import type { Attribute } from '../schema/attribute.ts'
import { Loading } from '../schema/loading.ts'

/** Finds a header of a response by name, without regard to case. */
export function headerOf(response: Response, name: string): string | undefined {
  if (!response.hasHeaders) return undefined
  const lower = name.toLowerCase()
  for (const [key, value] of Object.entries(response.headers)) {
    if (key.toLowerCase() === lower) return typeof value === 'string' ? value : value.join(', ')
  }
  return undefined
}

/** Makes the check of a response's declared headers: what is wrong with the first bad one, or undefined. */
export function headerRules({
  headers,
  location,
}: ResolvedResponse): ((response: Response) => string | undefined) | undefined {
  const declared = location === undefined ? headers : [['Location', location] as const, ...headers]
  if (declared.length === 0) return undefined
  return (response) => {
    for (const [name, rule] of declared) {
      const broken = brokenRule(name, rule, headerOf(response, name))
      if (broken !== undefined) return broken
    }
    return undefined
  }
}

function brokenRule(
  name: string,
  rule: string | RegExp | Attribute | true,
  value: string | undefined,
): string | undefined {
  if (typeof rule === 'object' && 'core' in rule) return brokenAttribute(name, rule, value)
  if (value === undefined) return `lacks the header ${name}`
  // Unlike `test`, `search` begins at the start whatever the pattern's flags are.
  if (rule === true || value === rule || (rule instanceof RegExp && value.search(rule) >= 0)) return undefined
  return `has the header ${name}: ${value}, which is not ${rule} as declared`
}

function brokenAttribute(name: string, rule: Attribute, value: string | undefined): string | undefined {
  if (value === undefined) return rule.options.required === true ? `lacks the header ${name}` : undefined
  const loading = new Loading(true)
  rule.core.loader(value, loading)
  return loading.issues === null ? undefined : `has a header ${name} that ${loading.issues[0]?.message}`
}
