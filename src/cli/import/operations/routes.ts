// Converts OpenAPI paths to route paths.
import { NameRegistry } from '../identifiers.ts'

/** A path of a document as a route path with captures. */
export interface RoutePath {
  /** The route path from the root. */
  readonly path: string
  /** The parameter names in the document, and the capture names in the route. */
  readonly captures: readonly (readonly [name: string, captured: string])[]
}

const RESERVED_CAPTURES: ReadonlySet<string> = new Set(['splat'])

/** Converts a path to a route path. */
export function toRoutePath(path: string): RoutePath {
  const names = new NameRegistry(RESERVED_CAPTURES)
  const captures: [name: string, captured: string][] = []
  const converted = path.replace(
    /\{([^{}]*)\}([A-Za-z0-9_]?)|[:*()|?\\{}]/g,
    (match: string, name?: string, next = '') => {
      if (name === undefined) return `\\${match}`
      const captured = names.reserve(toCaptureName(name))
      captures.push([name, captured])
      // Without parentheses, a following letter would be part of the capture name.
      return next === '' ? `:${captured}` : `(:${captured})${next}`
    },
  )
  return { path: converted.startsWith('/') ? converted : `/${converted}`, captures }
}

function toCaptureName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '')
  if (plain === '') return 'capture'
  return /^\d/.test(plain) ? `_${plain}` : plain
}

/** Returns the common prefix of paths, in complete segments without captures; `//` if there is none. */
export function findCommonPrefix(paths: readonly string[]): string {
  // A prefix removes the trailing slash of a path.
  if (paths.some((path) => path.length > 1 && path.endsWith('/'))) return '//'
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(1))
  let length = 0
  const isShared = (step: string | undefined): boolean =>
    step !== undefined && /^[\w.~-]+$/.test(step) && others.every((steps) => steps[length] === step)
  while (isShared(first[length])) length++
  return length === 0 ? '//' : `/${first.slice(0, length).join('/')}`
}

/** Returns the path relative to a prefix. */
export const stripPrefix = (path: string, prefix: string): string =>
  prefix === '//' ? path : path.slice(prefix.length) || '/'
