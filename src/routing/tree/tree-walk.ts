// The walk from a path to a route: down the tree, best segment first, and back where no route matches.
//
// Bound: every node has one parent, and from a given position each edge leads to one position only (text has its
// length, a capture ends at the next slash), so a walk enters a node at most once. It reads each character at most once
// per node that matches the beginning of the path, and matches a pattern, in time linear in the path, at most once per
// form of a route. The cost is therefore linear in the path's length, with a factor that depends only on the routes.
import { hasChar, type PathPattern } from '../../path/index.ts'
import type { CharCheck } from './form-shape.ts'
import type { MixedEdge, RankedRoutes, RouteCandidate, TreeNode } from './route-tree.ts'

/** A route that matches a path, with the offsets of its captured values. */
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

/** Walks one tree; reuses its working memory between walks. */
export class TreeWalk<T> {
  readonly #root: TreeNode<T>
  readonly #slots: Int32Array
  #text = ''
  #guarded = false
  #verb = 0
  /** Set when a captured segment has a raw `?` or `#`, which plain captures refuse and constrained ones may not. */
  #hasRawSeparator = false
  /** Collects methods instead of stopping at the first route. */
  #verbs: Set<string> | null = null

  constructor(root: TreeNode<T>, variables: number) {
    this.#root = root
    this.#slots = new Int32Array(2 * variables + 2)
  }

  /** Returns the best route of a method for decoded text. */
  find(verb: number, text: string, guarded: boolean): TreeMatch<T> | null {
    this.#text = text
    this.#guarded = guarded
    this.#verb = verb
    this.#hasRawSeparator = false
    return this.#visit(this.#root, 0, 0)
  }

  /** Returns the methods of all routes that match decoded text. */
  collectVerbs(text: string): Set<string> {
    const verbs = new Set<string>()
    this.#verbs = verbs
    this.find(0, text, false)
    this.#verbs = null
    return verbs
  }

  #visit(start: TreeNode<T>, offset: number, depth: number): TreeMatch<T> | null {
    const text = this.#text
    let node = start
    let index = offset
    while (index < text.length) {
      const child = node.findChild(text.charCodeAt(index))
      if (child === null || !hasLabelAt(child.text, text, index))
        return node.branching ? this.#branch(node, index, depth) : null
      const next = index + child.text.length
      if (node.branching) return this.#visit(child, next, depth) ?? this.#branch(node, index, depth)
      // There is nothing to return to: continue without a new stack frame.
      node = child
      index = next
    }
    const found = node.leaf === null ? null : this.#pick(node.leaf)
    return found === null && node.branching ? this.#branch(node, index, depth) : found
  }

  #branch(node: TreeNode<T>, index: number, depth: number): TreeMatch<T> | null {
    const slots = this.#slots
    if (node.capture !== null || node.mixed.length > 0) {
      const stop = this.#findSegmentEnd(index)
      if (node.mixed.length > 0) {
        const found = this.#visitMixed(node.mixed, index, stop, depth)
        if (found !== null) return found
      }
      if (node.capture !== null && stop > index) {
        slots[2 * depth] = index
        slots[2 * depth + 1] = stop
        const found = this.#visit(node.capture, stop, depth + 1)
        if (found !== null) return found
      }
    }
    for (let i = 0; i < node.wild.length; i++) {
      slots[2 * depth] = index
      slots[2 * depth + 1] = this.#text.length
      const found = this.#pick(node.wild[i] as RankedRoutes<T>)
      if (found !== null) return found
    }
    return null
  }

  #findSegmentEnd(start: number): number {
    const text = this.#text
    let index = start
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code === 47) break
      if (code === 63 || code === 35) this.#hasRawSeparator = true
    }
    return index
  }

  /**
   * Segments with text and captures have equal rank, so the following segments decide: the best match of all edges, not
   * the first.
   */
  #visitMixed(edges: readonly MixedEdge<T>[], index: number, stop: number, depth: number): TreeMatch<T> | null {
    let best: TreeMatch<T> | null = null
    for (const edge of edges) {
      const end = stop - edge.suffix.length
      if (
        stop - index < edge.shortest ||
        !this.#text.startsWith(edge.prefix, index) ||
        !this.#text.startsWith(edge.suffix, end)
      )
        continue
      if (edge.exact) {
        this.#slots[2 * depth] = index + edge.prefix.length
        this.#slots[2 * depth + 1] = end
      }
      const found = this.#visit(edge.node, stop, edge.exact ? depth + 1 : depth)
      if (found !== null && (best === null || isBetter(found.candidate, best.candidate))) best = found
    }
    return best
  }

  #pick(routes: RankedRoutes<T>): TreeMatch<T> | null {
    if (this.#verbs !== null) return this.#collectVerbsOf(routes, this.#verbs)
    const list = routes.lists[this.#verb] as readonly RouteCandidate<T>[]
    for (let i = 0; i < list.length; i++) {
      const candidate = list[i] as RouteCandidate<T>
      const offsets = this.#readOffsets(candidate)
      if (offsets !== null) return new TreeMatch(candidate, this.#text, offsets, this.#guarded)
    }
    return null
  }

  #collectVerbsOf(routes: RankedRoutes<T>, verbs: Set<string>): null {
    for (const candidate of routes.all)
      if (!verbs.has(candidate.verb) && this.#readOffsets(candidate) !== null) verbs.add(candidate.verb)
    return null
  }

  #readOffsets(candidate: RouteCandidate<T>): readonly number[] | null {
    if (candidate.verify || this.#hasRawSeparator) return this.#scanPattern(candidate)
    if (candidate.checks !== null && !this.#passesChecks(candidate.checks)) return null
    const { captures, captureIndices } = candidate
    if (captures === 0) return NO_OFFSETS
    const slots = this.#slots
    const offsets: number[] = []
    if (captureIndices === null) {
      for (let i = 0; i < 2 * captures; i++) offsets.push(slots[i] as number)
      return offsets
    }
    for (let i = 0; i < 2 * captures; i++) offsets.push(-1)
    for (const [i, captureIndex] of captureIndices.entries()) {
      offsets[2 * captureIndex] = slots[2 * i] as number
      offsets[2 * captureIndex + 1] = slots[2 * i + 1] as number
    }
    return offsets
  }

  /** Returns the captures of the pattern if the path has the candidate's form: each form has its own rank. */
  #scanPattern({ pattern, slash, form }: RouteCandidate<T>): readonly number[] | null {
    const text = slash ? this.#text.slice(0, -1) : this.#text
    const offsets = pattern.scan(text)
    return offsets === null || form === null || hasForm(form, offsets, text.length) ? offsets : null
  }

  #passesChecks(checks: readonly CharCheck[]): boolean {
    for (const { variable, set } of checks) {
      const end = this.#slots[2 * variable + 1] as number
      for (let index = this.#slots[2 * variable] as number; index < end; ) {
        const code = this.#text.codePointAt(index) as number
        if (!hasChar(set, code)) return false
        index += code > 0xffff ? 2 : 1
      }
    }
    return true
  }
}

function isBetter(one: RouteCandidate<unknown>, two: RouteCandidate<unknown>): boolean {
  return one.key === two.key ? one.order < two.order : one.key < two.key
}

/** Returns whether the captures are where the form has them, with its texts between. */
function hasForm(form: readonly number[], offsets: readonly number[], length: number): boolean {
  let position = 0
  for (const piece of form) {
    if (piece >= 0) position += piece
    else if (offsets[2 * ~piece] !== position) return false
    else position = offsets[2 * ~piece + 1] as number
  }
  return position === length
}

/** Returns whether `label`, whose first character already matches, is at `index`. */
function hasLabelAt(label: string, text: string, index: number): boolean {
  if (text.length - index < label.length) return false
  for (let i = 1; i < label.length; i++) {
    if (label.charCodeAt(i) !== text.charCodeAt(index + i)) return false
  }
  return true
}
