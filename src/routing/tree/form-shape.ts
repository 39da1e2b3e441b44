// The shape of a pattern's form in the tree: its segments, their rank, and whether the tree alone can capture its
// values.
import {
  type CaptureNode,
  type CharSet,
  canBeEmpty,
  canContain,
  type FormPiece,
  hasChar,
  isCaptureSegment,
  type PathSegments,
  type PatternForm,
  type WildcardNode,
} from '../../path/index.ts'

/** A piece that captures a value. */
export type FormVariable = CaptureNode | WildcardNode

/** One segment between two slashes. */
type ShapeSegment =
  | { readonly kind: 'static'; readonly text: string }
  | { readonly kind: 'capture' }
  | { readonly kind: 'mixed'; readonly mixed: MixedSegment }
  | { readonly kind: 'wild' }

/** A segment of text and captures. */
export interface MixedSegment {
  /** Equal for segments that match the same texts, apart from their constraints. */
  readonly id: string
  readonly prefix: string
  readonly suffix: string
  /** True when the segment is exactly prefix, one capture, suffix. */
  readonly exact: boolean
  readonly shortest: number
}

/** A constraint that the tree checks itself: the variable at this index has only these characters. */
export interface CharCheck {
  readonly variable: number
  readonly set: CharSet
}

/** A form of a pattern in the tree. */
export interface FormShape {
  readonly segments: readonly ShapeSegment[]
  /** The ranks from left to right; the smaller key is the better match. */
  readonly key: string
  readonly variables: readonly FormVariable[]
  /** True when the tree alone decides the match and finds the values; otherwise the pattern must be matched, too. */
  readonly simple: boolean
  readonly checks: readonly CharCheck[]
}

const SLASH = 47
// Greater than every rank, so that of two keys with a common prefix the longer one wins: it is more specific.
const END_RANK = '9'

/** Describes a form for the tree. */
export function buildShape(form: PatternForm): FormShape {
  const segments: ShapeSegment[] = []
  let key = ''
  let simple = true
  const split = splitAtSlashes(form)
  for (const [i, pieces] of split.entries()) {
    const isWild = pieces.some(canSpanSegments)
    const segment: ShapeSegment = isWild ? { kind: 'wild' } : buildSegment(pieces)
    segments.push(segment)
    key += rankSegment(segment, pieces)
    if (isWild) simple &&= i === split.length - 1 && pieces.length === 1 && pieces[0]?.kind === 'wildcard'
    else if (segment.kind === 'mixed') simple &&= segment.mixed.exact
  }
  const variables = form.filter((piece) => piece.kind !== 'char')
  const checks = buildChecks(variables)
  return { segments, key: key + END_RANK, variables, simple: simple && checks !== null, checks: checks ?? [] }
}

/** Returns the key of a plain pattern's only form; `slash` adds a trailing slash. */
export function buildSegmentKey(segments: PathSegments, slash: boolean): string {
  let key = ''
  for (let i = 0; i < segments.length; i++) key += isCaptureSegment(segments[i] as string) ? '2' : '0'
  return key + (slash ? '0' : '') + END_RANK
}

/** Returns whether no path can have both shapes. */
export function areDisjoint(one: FormShape, two: FormShape): boolean {
  const hasWild = [...one.segments, ...two.segments].some(({ kind }) => kind === 'wild')
  if (!hasWild && one.segments.length !== two.segments.length) return true
  return one.segments.some((segment, i) => {
    const other = two.segments[i]
    // After a wildcard, the segments no longer correspond.
    if (hasWildBefore(one, i) || hasWildBefore(two, i)) return false
    return segment.kind === 'static' && other?.kind === 'static' && segment.text !== other.text
  })
}

function hasWildBefore(shape: FormShape, end: number): boolean {
  return shape.segments.slice(0, end).some(({ kind }) => kind === 'wild')
}

function splitAtSlashes(form: PatternForm): PatternForm[] {
  const segments: FormPiece[][] = [[]]
  for (const piece of form) {
    if (piece.kind === 'char' && piece.code === SLASH) segments.push([])
    else segments.at(-1)?.push(piece)
  }
  return segments
}

/** Returns whether a piece is a wildcard, or a capture whose constraint accepts a slash or the empty text. */
function canSpanSegments(piece: FormPiece): boolean {
  if (piece.kind === 'capture') return canContain(piece.body, SLASH) || canBeEmpty(piece.body)
  return piece.kind === 'wildcard'
}

function buildSegment(pieces: readonly FormPiece[]): ShapeSegment {
  if (pieces.every(isExactChar)) return { kind: 'static', text: joinLiterals(pieces) }
  if (pieces.length === 1 && pieces[0]?.kind === 'capture') return { kind: 'capture' }
  const first = pieces.findIndex((piece) => !isExactChar(piece))
  const last = pieces.findLastIndex((piece) => !isExactChar(piece))
  const prefix = joinLiterals(pieces.slice(0, first))
  const suffix = joinLiterals(pieces.slice(last + 1))
  const mixed: MixedSegment = {
    id: pieces.map((piece) => (piece.kind === 'char' ? joinLiterals([piece]) : '\0')).join(''),
    prefix,
    suffix,
    exact: first === last && pieces[first]?.kind === 'capture',
    shortest: prefix.length + (last - first + 1) + suffix.length,
  }
  return { kind: 'mixed', mixed }
}

/** Returns whether a literal matches only itself; a space, `?` and `#` have a second form in decoded text. */
function isExactChar(piece: FormPiece): boolean {
  return piece.kind === 'char' && piece.code !== 32 && piece.code !== 63 && piece.code !== 35
}

function joinLiterals(pieces: readonly FormPiece[]): string {
  let text = ''
  for (const piece of pieces) if (piece.kind === 'char') text += String.fromCodePoint(piece.code)
  return text
}

function rankSegment(segment: ShapeSegment, pieces: readonly FormPiece[]): string {
  if (segment.kind === 'static') return '0'
  if (segment.kind === 'mixed') return '1'
  if (segment.kind === 'capture') return '2'
  return pieces.length > 1 || pieces[0]?.kind === 'capture' ? '3' : '4'
}

/** Returns the checks of captured values that the tree runs; null if a constraint is more than a character set. */
function buildChecks(variables: readonly FormVariable[]): CharCheck[] | null {
  const checks: CharCheck[] = []
  for (const [variable, piece] of variables.entries()) {
    if (piece.kind !== 'capture' || piece.constraintKey === '') continue
    const set = findRepeatedSet(piece)
    if (set === null) return null
    checks.push({ variable, set })
  }
  return checks
}

function findRepeatedSet({ body }: CaptureNode): CharSet | null {
  if (body.kind !== 'repeat' || body.min !== 1 || body.max !== Number.POSITIVE_INFINITY) return null
  return body.item.kind === 'set' && !hasChar(body.item.set, SLASH) ? body.item.set : null
}
