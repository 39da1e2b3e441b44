// The tree of routes: common text is stored once, and each node at the beginning of a segment has its captures.
import { isCaptureSegment, type PathPattern, type PathSegments } from '../../path/index.ts'
import type { CharCheck, FormShape, MixedSegment } from './form-shape.ts'

/** A route at one node of the tree. */
export interface RouteCandidate<T> {
  readonly value: T
  readonly verb: string
  readonly order: number
  readonly pattern: PathPattern
  readonly key: string
  /** True when the walk through the tree is not sufficient and the pattern must be matched. */
  readonly verify: boolean
  /** True when the pattern matches the path without its trailing slash. */
  readonly slash: boolean
  readonly checks: readonly CharCheck[] | null
  /** The capture index of each variable on the walk; null when they are the captures in order. */
  readonly captureIndices: readonly number[] | null
  /** The number of the pattern's captures, including wildcards. */
  readonly captures: number
  /**
   * For a pattern with several forms: this one, as lengths of text and captures (bitwise complement of their index) in
   * order.
   */
  readonly form: readonly number[] | null
}

/** All routes of one rank at one node, by method. */
export interface RankedRoutes<T> {
  readonly key: string
  all: RouteCandidate<T>[]
  /** The candidates by method number, best first. */
  lists: readonly (readonly RouteCandidate<T>[])[]
}

/** The edge of a segment with text and captures. */
export interface MixedEdge<T> extends MixedSegment {
  readonly node: TreeNode<T>
}

const NONE: readonly never[] = Object.freeze([])

/** A node: the text between its parent and itself, and its children. */
export class TreeNode<T> {
  text: string
  leaf: RankedRoutes<T> | null = null
  /** The children by first character code; null if there are none. */
  children: Map<number, TreeNode<T>> | null = null
  /** The children by first character code minus `base`, for codes below 128. */
  table: readonly (TreeNode<T> | null)[] = NONE
  base = 0
  capture: TreeNode<T> | null = null
  // Few nodes have these; the others share an empty list.
  mixed: readonly MixedEdge<T>[] = NONE
  wild: readonly RankedRoutes<T>[] = NONE
  branching = false

  constructor(text: string) {
    this.text = text
  }

  findChild(code: number): TreeNode<T> | null {
    const index = code - this.base
    if (index >= 0 && index < this.table.length) return this.table[index] as TreeNode<T> | null
    return code < 128 ? null : (this.children?.get(code) ?? null)
  }
}

/** Inserts a route according to its shape. */
export function insertForm<T>(root: TreeNode<T>, { segments, key }: FormShape, candidate: RouteCandidate<T>): void {
  let node = root
  let text = ''
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i] as FormShape['segments'][number]
    if (i > 0) text += '/'
    if (segment.kind === 'static') {
      text += segment.text
      continue
    }
    node = ensureNode(node, text)
    text = ''
    if (segment.kind === 'wild') {
      ensureWild(node, key).all.push(candidate)
      return
    }
    node = segment.kind === 'capture' ? ensureCapture(node) : ensureMixed(node, segment.mixed)
  }
  addLeaf(ensureNode(node, text), key, candidate)
}

/** The same for a plain pattern. */
export function insertSegments<T>(root: TreeNode<T>, segments: PathSegments, candidate: RouteCandidate<T>): void {
  let node = root
  let text = ''
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i] as string
    if (i > 0) text += '/'
    if (isCaptureSegment(segment)) {
      node = ensureCapture(ensureNode(node, text))
      text = ''
    } else text += segment
  }
  addLeaf(ensureNode(node, candidate.slash ? `${text}/` : text), candidate.key, candidate)
}

function addLeaf<T>(node: TreeNode<T>, key: string, candidate: RouteCandidate<T>): void {
  if (node.leaf === null) node.leaf = { key, all: [candidate], lists: NONE }
  else node.leaf.all.push(candidate)
}

function ensureCapture<T>(node: TreeNode<T>): TreeNode<T> {
  node.capture ??= new TreeNode('')
  return node.capture
}

function ensureMixed<T>(node: TreeNode<T>, segment: MixedSegment): TreeNode<T> {
  let edge = node.mixed.find(({ id }) => id === segment.id)
  if (edge === undefined) {
    edge = { ...segment, node: new TreeNode('') }
    node.mixed = [...node.mixed, edge]
  }
  return edge.node
}

function ensureWild<T>(node: TreeNode<T>, key: string): RankedRoutes<T> {
  let routes = node.wild.find((each) => each.key === key)
  if (routes === undefined) {
    routes = { key, all: [], lists: NONE }
    node.wild = [...node.wild, routes]
  }
  return routes
}

/** Returns the node that `text` leads to from `node`; creates it, and splits an edge, if necessary. */
function ensureNode<T>(node: TreeNode<T>, text: string): TreeNode<T> {
  if (text === '') return node
  const code = text.charCodeAt(0)
  const child = node.children?.get(code)
  if (child === undefined) return attachChild(node, new TreeNode<T>(text))
  const shared = measureSharedPrefix(child.text, text)
  if (shared === child.text.length) return ensureNode(child, text.slice(shared))
  const middle = attachChild(node, new TreeNode<T>(text.slice(0, shared)))
  child.text = child.text.slice(shared)
  attachChild(middle, child)
  return ensureNode(middle, text.slice(shared))
}

function attachChild<T>(node: TreeNode<T>, child: TreeNode<T>): TreeNode<T> {
  node.children ??= new Map()
  node.children.set(child.text.charCodeAt(0), child)
  return child
}

function measureSharedPrefix(one: string, two: string): number {
  let i = 0
  while (i < one.length && i < two.length && one.charCodeAt(i) === two.charCodeAt(i)) i += 1
  return i
}

/** Prepares the finished tree for walks: tables of children, candidates by method. */
export function sealNode<T>(node: TreeNode<T>, verbs: ReadonlyMap<string, number>): void {
  node.branching = node.capture !== null || node.mixed.length > 0 || node.wild.length > 0
  if (node.wild.length > 0) {
    node.wild = node.wild.toSorted((a, b) => (a.key < b.key ? -1 : 1))
    for (const routes of node.wild) sealRoutes(routes, verbs)
  }
  if (node.leaf !== null) sealRoutes(node.leaf, verbs)
  if (node.children !== null) sealChildren(node, node.children, verbs)
  if (node.capture !== null) sealNode(node.capture, verbs)
  if (node.mixed.length > 0) for (const edge of node.mixed) sealNode(edge.node, verbs)
}

function sealChildren<T>(
  node: TreeNode<T>,
  children: ReadonlyMap<number, TreeNode<T>>,
  verbs: ReadonlyMap<string, number>,
): void {
  let low = 128
  let high = -1
  children.forEach((child, code) => {
    sealNode(child, verbs)
    if (code >= 128) return
    if (code < low) low = code
    if (code > high) high = code
  })
  node.base = low
  const table: (TreeNode<T> | null)[] = []
  for (let code = low; code <= high; code++) table.push(children.get(code) ?? null)
  node.table = table
}

function sealRoutes<T>(routes: RankedRoutes<T>, verbs: ReadonlyMap<string, number>): void {
  if (routes.all.length === 1) return sealSingleRoute(routes, routes.all[0] as RouteCandidate<T>, verbs)
  routes.all = routes.all.toSorted((a, b) => a.order - b.order || Number(a.slash) - Number(b.slash))
  routes.lists = [...verbs.keys()].map((declared) => routes.all.filter(({ verb }) => verb === declared))
}

// Most nodes have one route, which needs no grouping.
function sealSingleRoute<T>(
  routes: RankedRoutes<T>,
  { verb }: RouteCandidate<T>,
  verbs: ReadonlyMap<string, number>,
): void {
  const lists: (readonly RouteCandidate<T>[])[] = []
  for (let i = 0; i < verbs.size; i++) lists.push(NONE)
  lists[verbs.get(verb) as number] = routes.all
  routes.lists = lists
}
