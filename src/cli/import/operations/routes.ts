// Paths of OpenAPI as paths of routes.
import { NameRegistry } from '../identifiers.ts'

/** A path of a document: its parts that are fixed, and the names between them. */
export interface RoutePath {
  /** The path as routes are written, from the root. */
  readonly path: string
  /** The names in the document, and those that its captures have. */
  readonly captures: readonly (readonly [name: string, captured: string])[]
}

const RESERVED_CAPTURES: ReadonlySet<string> = new Set(['splat'])

/** Writes a path as a route does. */
export function toRoutePath(path: string): RoutePath {
  const names = new NameRegistry(RESERVED_CAPTURES)
  const captures: [name: string, captured: string][] = []
  const made = path.replace(/\{([^{}]*)\}([A-Za-z0-9_]?)|[:*()|?\\{}]/g, (whole: string, name?: string, next = '') => {
    if (name === undefined) return `\\${whole}`
    const captured = names.reserve(toCaptureName(name))
    captures.push([name, captured])
    // A letter behind it would be read as a part of the name.
    return next === '' ? `:${captured}` : `(:${captured})${next}`
  })
  return { path: made.startsWith('/') ? made : `/${made}`, captures }
}

function toCaptureName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '')
  if (plain === '') return 'capture'
  return /^\d/.test(plain) ? `_${plain}` : plain
}

/** The path that all of some paths begin with, in whole steps without captures; `//` if there is none. */
export function findCommonPrefix(paths: readonly string[]): string {
  // A prefix takes the slash at the end of a path away.
  if (paths.some((path) => path.length > 1 && path.endsWith('/'))) return '//'
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(1))
  let length = 0
  const isShared = (step: string | undefined): boolean =>
    step !== undefined && /^[\w.~-]+$/.test(step) && others.every((steps) => steps[length] === step)
  while (isShared(first[length])) length++
  return length === 0 ? '//' : `/${first.slice(0, length).join('/')}`
}

/** The path of a route below a prefix. */
export const stripPrefix = (path: string, prefix: string): string =>
  prefix === '//' ? path : path.slice(prefix.length) || '/'
