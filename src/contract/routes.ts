// Routes in a contract: patterns as they are written, and what their captures may take.
import type { ResolvedRoute } from '../design/resolve/resolved.ts'
import type { Pattern } from '../path/index.ts'
import { byText } from './canonical.ts'
import type { RouteContract } from './contract.ts'

/** Describes one route. */
export function routeContract(
  { verb, path, pattern, name, slash, params }: ResolvedRoute,
  paramTypes: readonly string[],
): RouteContract {
  const captures = capturesOf(pattern)
  const { except } = pattern.options
  return {
    verb,
    path,
    ...(name !== undefined && { name }),
    ...(Object.keys(captures).length > 0 && { captures }),
    ...(except !== undefined && { except }),
    ...(slash && { slash }),
    ...(params === 'body' && { paramsIn: [...paramTypes].sort(byText) }),
  }
}

function capturesOf({ options: { capture }, names }: Pattern): Record<string, string | readonly string[]> {
  if (capture === undefined) return {}
  const one = written(capture)
  const entries = one === undefined ? Object.entries(capture) : names.map((name) => [name, capture] as const)
  return Object.fromEntries(entries.map(([name, own]) => [name, written(own) ?? String(own)]))
}

// A constraint as text; undefined for the constraints of several captures by their names.
function written(capture: unknown): string | readonly string[] | undefined {
  if (Array.isArray(capture)) return capture.map((one) => String(written(one))).sort(byText)
  if (typeof capture === 'string') return JSON.stringify(capture)
  if (Object.prototype.toString.call(capture) === '[object RegExp]') return String(capture)
  const { '~class': name } = capture as { readonly '~class'?: string }
  return name === undefined ? undefined : `classes.${name}`
}
