// The router: finds the route for a method and a path among all routes of an application.
import {
  decodePath,
  listForms,
  MAX_FORMS,
  type PathPattern,
  type PathSegments,
  PatternError,
  type PatternForm,
  type PatternParams,
  readCapture,
  readParams,
  readSplat,
} from '../../path/index.ts'
import { areDisjoint, buildSegmentKey, buildShape, type FormShape, type FormVariable } from '../tree/form-shape.ts'
import { insertForm, insertSegments, type RouteCandidate, sealNode, TreeNode } from '../tree/route-tree.ts'
import { TreeWalk } from '../tree/tree-walk.ts'
import { findIndistinguishable } from './conflicts.ts'
import type { RouteConflict, RouteEntry, RouteMatch, Router } from './types.ts'

export { findIndistinguishable } from './conflicts.ts'
export type { RouteEntry, RouteMatch, Router } from './types.ts'

/** Returns the value of the capture at an index of `found.pattern.names`; null if it is not part of the match. */
export function readRouteCapture(found: RouteMatch<unknown>, index: number): string | null {
  return readCapture(found.text, found.offsets, index, found.guarded)
}

/** Returns the values of the unnamed wildcards, in order. */
export function readRouteSplat(found: RouteMatch<unknown>): string[] {
  return readSplat(found.pattern, found.text, found.offsets, found.guarded)
}

/** Returns all captured values, as `PathPattern.match` does. */
export function readRouteParams(found: RouteMatch<unknown>): PatternParams {
  return readParams(found.pattern, found.text, found.offsets, found.guarded)
}

/** A router and the path of a request in it. */
interface RouterPath<T> {
  readonly router: Router<T>
  readonly path: string
}

/**
 * Finds the route for a request: one with its method, else one for any method, else for HEAD one for GET. Among those,
 * a route of `own` takes precedence over one of `router`. The rank of the patterns decides only between routes of one
 * method and router.
 */
export function findRoute<T>(verb: string, path: string, router: Router<T>, own?: RouterPath<T>): RouteMatch<T> | null {
  return (
    own?.router.find(verb, own.path) ??
    router.find(verb, path) ??
    own?.router.find('ANY', own.path) ??
    router.find('ANY', path) ??
    (verb === 'HEAD' ? (own?.router.find('GET', own.path) ?? router.find('GET', path)) : null)
  )
}

/** Builds the lookup structure; throws a PatternError for a pattern with too many forms. */
export function createRouter<T>(entries: readonly RouteEntry<T>[]): Router<T> {
  const root = new TreeNode<T>('')
  let variables = 0
  for (let order = 0; order < entries.length; order++) {
    const entry = entries[order] as RouteEntry<T>
    const { segments, names } = entry.pattern
    if (segments !== null) {
      variables = Math.max(variables, names.length)
      addSegments(root, entry, order, segments)
      continue
    }
    for (const [shape, candidate] of buildCandidates(entry, order)) {
      variables = Math.max(variables, shape.variables.length)
      insertForm(root, shape, candidate)
    }
  }
  const verbs = numberVerbs(entries)
  sealNode(root, verbs)
  const walk = new TreeWalk(root, variables)
  let conflicts: readonly RouteConflict<T>[] | null = null
  const find = (verb: string, path: string): RouteMatch<T> | null => {
    const number = verbs.get(verb)
    if (number === undefined) return null
    if (path.indexOf('%') < 0) return walk.find(number, path, false)
    const { text, wellFormed, guarded } = decodePath(path)
    return wellFormed ? walk.find(number, text, guarded) : null
  }
  return Object.freeze({
    find,
    findVerbs(path: string): readonly string[] {
      const { text, wellFormed } = decodePath(path)
      const found: ReadonlySet<string> = wellFormed ? walk.collectVerbs(text) : new Set()
      return [...verbs.keys()].filter((verb) => found.has(verb))
    },
    get conflicts(): readonly RouteConflict<T>[] {
      conflicts ??= findIndistinguishable(entries)
      return conflicts
    },
  })
}

/** Assigns numbers to the methods that have routes, in order of declaration; ANY is the last. */
function numberVerbs(entries: readonly RouteEntry<unknown>[]): Map<string, number> {
  const declared = new Set(entries.map(({ verb }) => verb))
  const last = declared.delete('ANY') ? ['ANY'] : []
  return new Map([...declared, ...last].map((verb, number) => [verb, number]))
}

/** Adds the candidates of a plain pattern: one form, which the tree alone matches, with the captures in order. */
function addSegments<T>(root: TreeNode<T>, entry: RouteEntry<T>, order: number, segments: PathSegments): void {
  const { verb, pattern, value, trailingSlash } = entry
  const captures = pattern.names.length
  const makeCandidate = (end: '' | '/'): RouteCandidate<T> => {
    const slash = end === '/'
    const key = buildSegmentKey(segments, slash)
    return {
      value,
      verb,
      order,
      pattern,
      key,
      verify: false,
      slash,
      checks: null,
      captureIndices: null,
      captures,
      form: null,
    }
  }
  insertSegments(root, segments, makeCandidate(''))
  if (trailingSlash === true && segments.at(-1) !== '') insertSegments(root, segments, makeCandidate('/'))
}

function* buildCandidates<T>(entry: RouteEntry<T>, order: number): Generator<readonly [FormShape, RouteCandidate<T>]> {
  const { pattern } = entry
  const forms = listForms(pattern.root)
  if (forms === null) {
    throw new PatternError(
      pattern.source,
      0,
      `the pattern has more than ${MAX_FORMS} forms`,
      'Declare several routes with fewer optional parts and alternatives',
    )
  }
  const shapes = forms.map(buildShape)
  const verify =
    pattern.except !== null ||
    shapes.some((shape, i) => !shape.simple || shapes.slice(0, i).some((other) => !areDisjoint(shape, other)))
  const outlines = forms.map((form) => (verify && forms.length > 1 ? outlineForm(pattern, form) : null))
  for (const [i, shape] of shapes.entries()) {
    yield [shape, { ...buildCandidate(entry, order, shape), verify, slash: false, form: outlines[i] ?? null }]
  }
  if (entry.trailingSlash !== true) return
  for (const [i, form] of forms.entries()) {
    if (!canTakeSlash(form)) continue
    const shape = buildShape([...form, { kind: 'char', code: 47 }])
    yield [shape, { ...buildCandidate(entry, order, shape), verify, slash: true, form: outlines[i] ?? null }]
  }
}

/** Returns the sequence of a form: the lengths of its texts, and the bitwise complements of its capture indices. */
function outlineForm(pattern: PathPattern, form: PatternForm): number[] {
  return form.map((piece) => {
    if (piece.kind !== 'char') return ~getCaptureIndex(pattern, piece)
    return piece.code > 0xffff ? 2 : 1
  })
}

function buildCandidate<T>(
  entry: RouteEntry<T>,
  order: number,
  shape: FormShape,
): Omit<RouteCandidate<T>, 'verify' | 'slash' | 'form'> {
  const { verb, pattern, value } = entry
  const captures = pattern.names.length + pattern.wildcards
  const indices = shape.variables.map((piece) => getCaptureIndex(pattern, piece))
  const inOrder = indices.length === captures && indices.every((index, i) => index === i)
  const checks = shape.checks.length === 0 ? null : shape.checks
  return {
    value,
    verb,
    order,
    pattern,
    key: shape.key,
    checks,
    captureIndices: inOrder ? null : indices,
    captures,
  }
}

function getCaptureIndex(pattern: PathPattern, piece: FormVariable): number {
  if (piece.kind === 'wildcard' && piece.name === null) return pattern.names.length + piece.index
  return pattern.names.indexOf(piece.name ?? '')
}

/**
 * Returns whether a trailing slash may be added: a form that ends in a slash or a wildcard already matches the longer
 * path, or must not.
 */
function canTakeSlash(form: PatternForm): boolean {
  const last = form.at(-1)
  return last === undefined || (last.kind !== 'wildcard' && !(last.kind === 'char' && last.code === 47))
}
