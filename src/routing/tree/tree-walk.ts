// The walk from a path to a route: down the tree, best segment first, back up where a way ends.
//
// Bound: every node has one parent, and from a given place each edge leads to one place only (text has its length, a
// capture ends at the next slash), so a walk enters a node at most once. It reads each character at most once per node
// that the path's beginning fits, and asks a pattern, in time linear in the path, at most once per form of a route.
// The cost is therefore linear in the path's length, with a factor that depends on the routes alone.
import { hasChar, type PathPattern } from '../../path/index.ts'
import type { CharCheck } from './form-shape.ts'
import type { RouteCandidate, MixedEdge, RankedRoutes, TreeNode } from './route-tree.ts'

/** A route that answers a path, with the places of its captured values. */
export class TreeMatch<T> {
  readonly candidate: RouteCandidate<T>
  readonly text: string
  readonly offsets: readonly number[]
  readonly guarded: boolean

  constructor(candidate: RouteCandidate<T>, text: string, offsets: readonly number[], guarded: boolean) {
    this.candidate = candidate
    this.text = text
    this.offsets = offsets
    this.guarded = guarded
  }

  get value(): T {
    return this.candidate.value
  }

  get pattern(): PathPattern {
    return this.candidate.pattern
  }
}

const NO_OFFSETS: readonly number[] = Object.freeze([])

/** Walks one tree; keeps its working memory between walks. */
export class TreeWalk<T> {
  readonly #root: TreeNode<T>
  readonly #slots: Int32Array
  #text = ''
  #guarded = false
  #verb = 0
  /** Set when a captured segment holds a raw `?` or `#`, which plain captures refuse and constrained ones may not. */
  #odd = false
  /** Gathers verbs instead of stopping at the first route. */
  #verbs: Set<string> | null = null

  constructor(root: TreeNode<T>, variables: number) {
    this.#root = root
    this.#slots = new Int32Array(2 * variables + 2)
  }

  /** The best route of a verb on decoded text. */
  find(verb: number, text: string, guarded: boolean): TreeMatch<T> | null {
    this.#text = text
    this.#guarded = guarded
    this.#verb = verb
    this.#odd = false
    return this.#visit(this.#root, 0, 0)
  }

  /** The verbs of all routes that match decoded text. */
  collectVerbs(text: string): Set<string> {
    const verbs = new Set<string>()
    this.#verbs = verbs
    this.find(0, text, false)
    this.#verbs = null
    return verbs
  }

  #visit(start: TreeNode<T>, from: number, depth: number): TreeMatch<T> | null {
    const text = this.#text
    let node = start
    let at = from
    while (at < text.length) {
      const child = node.findChild(text.charCodeAt(at))
      if (child === null || !hasLabelAt(child.text, text, at)) return node.branching ? this.#branch(node, at, depth) : null
      const next = at + child.text.length
      if (node.branching) return this.#visit(child, next, depth) ?? this.#branch(node, at, depth)
      // There is nothing to return to: continue without a new frame.
      node = child
      at = next
    }
    const found = node.leaf === null ? null : this.#pick(node.leaf)
    return found === null && node.branching ? this.#branch(node, at, depth) : found
  }

  #branch(node: TreeNode<T>, at: number, depth: number): TreeMatch<T> | null {
    const slots = this.#slots
    if (node.capture !== null || node.mixed.length > 0) {
      const stop = this.#findSegmentEnd(at)
      if (node.mixed.length > 0) {
        const found = this.#visitMixed(node.mixed, at, stop, depth)
        if (found !== null) return found
      }
      if (node.capture !== null && stop > at) {
        slots[2 * depth] = at
        slots[2 * depth + 1] = stop
        const found = this.#visit(node.capture, stop, depth + 1)
        if (found !== null) return found
      }
    }
    for (let i = 0; i < node.wild.length; i++) {
      slots[2 * depth] = at
      slots[2 * depth + 1] = this.#text.length
      const found = this.#pick(node.wild[i] as RankedRoutes<T>)
      if (found !== null) return found
    }
    return null
  }

  #findSegmentEnd(from: number): number {
    const text = this.#text
    let at = from
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === 47) break
      if (code === 63 || code === 35) this.#odd = true
    }
    return at
  }

  /** Segments of text and captures rank equal, so what follows them decides: the best of all ways, not the first. */
  #visitMixed(edges: readonly MixedEdge<T>[], at: number, stop: number, depth: number): TreeMatch<T> | null {
    let best: TreeMatch<T> | null = null
    for (const edge of edges) {
      const end = stop - edge.suffix.length
      if (
        stop - at < edge.shortest ||
        !this.#text.startsWith(edge.prefix, at) ||
        !this.#text.startsWith(edge.suffix, end)
      )
        continue
      if (edge.exact) {
        this.#slots[2 * depth] = at + edge.prefix.length
        this.#slots[2 * depth + 1] = end
      }
      const found = this.#visit(edge.node, stop, edge.exact ? depth + 1 : depth)
      if (found !== null && (best === null || isBetter(found.candidate, best.candidate))) best = found
    }
    return best
  }

  #pick(place: RankedRoutes<T>): TreeMatch<T> | null {
    if (this.#verbs !== null) return this.#gather(place, this.#verbs)
    const list = place.lists[this.#verb] as readonly RouteCandidate<T>[]
    for (let i = 0; i < list.length; i++) {
      const candidate = list[i] as RouteCandidate<T>
      const offsets = this.#readOffsets(candidate)
      if (offsets !== null) return new TreeMatch(candidate, this.#text, offsets, this.#guarded)
    }
    return null
  }

  #gather(place: RankedRoutes<T>, verbs: Set<string>): null {
    for (const candidate of place.all)
      if (!verbs.has(candidate.verb) && this.#readOffsets(candidate) !== null) verbs.add(candidate.verb)
    return null
  }

  #readOffsets(candidate: RouteCandidate<T>): readonly number[] | null {
    if (candidate.verify || this.#odd) return this.#scanPattern(candidate)
    if (candidate.checks !== null && !this.#passesChecks(candidate.checks)) return null
    const { captures, captureIndices: places } = candidate
    if (captures === 0) return NO_OFFSETS
    const slots = this.#slots
    const offsets: number[] = []
    if (places === null) {
      for (let i = 0; i < 2 * captures; i++) offsets.push(slots[i] as number)
      return offsets
    }
    for (let i = 0; i < 2 * captures; i++) offsets.push(-1)
    for (const [i, place] of places.entries()) {
      offsets[2 * place] = slots[2 * i] as number
      offsets[2 * place + 1] = slots[2 * i + 1] as number
    }
    return offsets
  }

  /** The captures of the pattern, if the path has the candidate's form: each form has its own rank. */
  #scanPattern({ pattern, slash, form }: RouteCandidate<T>): readonly number[] | null {
    const text = slash ? this.#text.slice(0, -1) : this.#text
    const offsets = pattern.scan(text)
    return offsets === null || form === null || hasForm(form, offsets, text.length) ? offsets : null
  }

  #passesChecks(checks: readonly CharCheck[]): boolean {
    for (const { variable, set } of checks) {
      const end = this.#slots[2 * variable + 1] as number
      for (let at = this.#slots[2 * variable] as number; at < end; ) {
        const code = this.#text.codePointAt(at) as number
        if (!hasChar(set, code)) return false
        at += code > 0xffff ? 2 : 1
      }
    }
    return true
  }
}

function isBetter(one: RouteCandidate<unknown>, two: RouteCandidate<unknown>): boolean {
  return one.key === two.key ? one.order < two.order : one.key < two.key
}

/** True when the captures stand where the form has them, with its texts between. */
function hasForm(form: readonly number[], offsets: readonly number[], length: number): boolean {
  let at = 0
  for (const piece of form) {
    if (piece >= 0) at += piece
    else if (offsets[2 * ~piece] !== at) return false
    else at = offsets[2 * ~piece + 1] as number
  }
  return at === length
}

/** True when `label`, whose first character is known to fit, stands at `at`. */
function hasLabelAt(label: string, text: string, at: number): boolean {
  if (text.length - at < label.length) return false
  for (let i = 1; i < label.length; i++) {
    if (label.charCodeAt(i) !== text.charCodeAt(at + i)) return false
  }
  return true
}
