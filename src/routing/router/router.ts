// The router: finds the route for a verb and a path among all routes of an application.
import {
  decodePath,
  type PatternForm,
  listForms,
  MAX_FORMS,
  type PatternParams,
  type PathPattern,
  PatternError,
  type PathSegments,
  readParams,
  readSplat,
  readCapture,
} from '../../path/index.ts'
import { areDisjoint, buildSegmentKey, type FormShape, buildShape, type FormVariable } from '../tree/form-shape.ts'
import { type RouteCandidate, insertForm, insertSegments, sealNode, TreeNode } from '../tree/route-tree.ts'
import { TreeWalk } from '../tree/tree-walk.ts'
import { findIndistinguishable } from './conflicts.ts'
import type { RouteConflict, RouteMatch, RouteEntry, Router } from './types.ts'

export { findIndistinguishable } from './conflicts.ts'
export type { RouteMatch, RouteEntry, Router } from './types.ts'

/** The value captured under the name at an index of `found.pattern.names`, or null when it took no part in the match. */
export function readRouteCapture(found: RouteMatch<unknown>, index: number): string | null {
  return readCapture(found.text, found.offsets, index, found.guarded)
}

/** The values of the unnamed wildcards, in order. */
export function readRouteSplat(found: RouteMatch<unknown>): string[] {
  return readSplat(found.pattern, found.text, found.offsets, found.guarded)
}

/** All captured values, as `Pattern.match` returns them. */
export function readRouteParams(found: RouteMatch<unknown>): PatternParams {
  return readParams(found.pattern, found.text, found.offsets, found.guarded)
}

/** A router with the path that a request has there. */
interface RouterPath<T> {
  readonly router: Router<T>
  readonly path: string
}

/**
 * Finds the route that serves a request: one with its verb, else one for any verb, else for HEAD one for GET. Among those, a
 * route of `own` goes before one of `router`. How exact the patterns are decides only between routes of one verb and router.
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

/** Builds the lookup structure; throws PatternError for a pattern with too many forms. */
export function createRouter<T>(entries: readonly RouteEntry<T>[]): Router<T> {
  const root = new TreeNode<T>('')
  let variables = 0
  for (let order = 0; order < entries.length; order++) {
    const entry = entries[order] as RouteEntry<T>
    const { segments: plain, names } = entry.pattern
    if (plain !== null) {
      variables = Math.max(variables, names.length)
      addSegments(root, entry, order, plain)
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

/** Numbers for the verbs that have routes, in order of declaration; ANY is the last. */
function numberVerbs(entries: readonly RouteEntry<unknown>[]): Map<string, number> {
  const declared = new Set(entries.map(({ verb }) => verb))
  const last = declared.delete('ANY') ? ['ANY'] : []
  return new Map([...declared, ...last].map((verb, number) => [verb, number]))
}

/** The result of `candidatesOf` for a plain pattern: one form, decided by the tree alone, captures in order. */
function addSegments<T>(root: TreeNode<T>, entry: RouteEntry<T>, order: number, plain: PathSegments): void {
  const { verb, pattern, value, trailingSlash } = entry
  const captures = pattern.names.length
  const candidate = (slash: boolean): RouteCandidate<T> => {
    const key = buildSegmentKey(plain, slash)
    return { value, verb, order, pattern, key, verify: false, slash, checks: null, captureIndices: null, captures, form: null }
  }
  insertSegments(root, plain, false, candidate(false))
  if (trailingSlash === true && plain.at(-1) !== '') insertSegments(root, plain, true, candidate(true))
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

/** The requirements of a form on a match: the lengths of its texts, the indices of its captures inverted. */
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
  const places = shape.variables.map((piece) => getCaptureIndex(pattern, piece))
  const inOrder = places.length === captures && places.every((place, i) => place === i)
  const checks = shape.checks.length === 0 ? null : shape.checks
  return {
    value,
    verb,
    order,
    pattern,
    key: shape.key,
    checks,
    captureIndices: inOrder ? null : places,
    captures,
  }
}

function getCaptureIndex(pattern: PathPattern, piece: FormVariable): number {
  if (piece.kind === 'wildcard' && piece.name === null) return pattern.names.length + piece.index
  return pattern.names.indexOf(piece.name ?? '')
}

/** A form that ends in a slash or a wildcard answers the longer path already, or should not. */
function canTakeSlash(form: PatternForm): boolean {
  const last = form.at(-1)
  return last === undefined || (last.kind !== 'wildcard' && !(last.kind === 'char' && last.code === 47))
}
