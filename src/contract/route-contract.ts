// Builds the contract of routes: patterns as written, and the constraints of their captures.
import type { ResolvedRoute } from '../design/resolve/resolved.ts'
import type { PathPattern } from '../path/index.ts'
import { compareAscending } from '../util/compare.ts'
import type { RouteContract } from './contract.ts'

/** Describes one route. */
export function buildRouteContract(
  { verb, path, pattern, name, slash, params }: ResolvedRoute,
  paramTypes: readonly string[],
): RouteContract {
  const captures = formatCaptures(pattern)
  const { except } = pattern.options
  return {
    verb,
    path,
    ...(name !== undefined && { name }),
    ...(Object.keys(captures).length > 0 && { captures }),
    ...(except !== undefined && { except }),
    ...(slash && { slash }),
    ...(params === 'body' && { paramsIn: [...paramTypes].sort(compareAscending) }),
  }
}

function formatCaptures({ options: { capture }, names }: PathPattern): Record<string, string | readonly string[]> {
  if (capture === undefined) return {}
  const one = formatConstraint(capture)
  const entries = one === undefined ? Object.entries(capture) : names.map((name) => [name, capture] as const)
  return Object.fromEntries(entries.map(([name, own]) => [name, formatConstraint(own) ?? String(own)]))
}

// Formats a constraint; undefined if it maps capture names to constraints.
function formatConstraint(capture: unknown): string | readonly string[] | undefined {
  if (Array.isArray(capture)) return capture.map((one) => String(formatConstraint(one))).sort(compareAscending)
  if (typeof capture === 'string') return JSON.stringify(capture)
  if (Object.prototype.toString.call(capture) === '[object RegExp]') return String(capture)
  const { '~class': name } = capture as { readonly '~class'?: string }
  return name === undefined ? undefined : `classes.${name}`
}
