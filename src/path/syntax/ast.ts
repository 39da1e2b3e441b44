// The syntax tree of patterns and capture constraints, and functions that inspect it.
import { type CharSet, hasChar } from '../../regexp/char-set.ts'
import { getLiteralRanges } from './char-set.ts'

/** One literal character of a pattern or constraint. */
export interface CharNode {
  readonly kind: 'char'
  readonly code: number
}

/** One character out of a set. */
interface SetNode {
  readonly kind: 'set'
  readonly set: CharSet
}

/** A named capture, `:name`. */
export interface CaptureNode {
  readonly kind: 'capture'
  readonly name: string
  readonly body: PathNode
  /** Equal for equal constraints, empty without one; distinguishes routes that differ only in their constraints. */
  readonly constraintKey: string
  readonly at: number
}

/** A wildcard: `*name`, or `*` with its index among the unnamed ones. */
export interface WildcardNode {
  readonly kind: 'wildcard'
  readonly name: string | null
  readonly index: number
  readonly at: number
}

/** A sequence of nodes. */
interface SeqNode {
  readonly kind: 'seq'
  readonly items: readonly PathNode[]
}

/** Alternatives, preferred ones first. */
interface AltNode {
  readonly kind: 'alt'
  readonly branches: readonly PathNode[]
}

/** An optional part. */
export interface OptionalNode {
  readonly kind: 'optional'
  readonly item: PathNode
}

/** A repetition inside a constraint. */
export interface RepeatNode {
  readonly kind: 'repeat'
  readonly item: PathNode
  readonly min: number
  readonly max: number
  readonly lazy: boolean
}

/** Any node of the syntax tree. */
export type PathNode = CharNode | SetNode | CaptureNode | WildcardNode | SeqNode | AltNode | OptionalNode | RepeatNode

const ASCII_NODES: (CharNode | undefined)[] = []

/** Returns the node of a literal character; ASCII nodes are shared between patterns. */
export function createCharNode(code: number): CharNode {
  if (code >= 128) return { kind: 'char', code }
  const known = ASCII_NODES[code]
  if (known !== undefined) return known
  const node: CharNode = Object.freeze({ kind: 'char', code })
  ASCII_NODES[code] = node
  return node
}

/** Returns the nodes directly inside a node, without a capture's constraint. */
function getChildren(node: PathNode): readonly PathNode[] {
  switch (node.kind) {
    case 'seq':
      return node.items
    case 'alt':
      return node.branches
    case 'optional':
    case 'repeat':
      return [node.item]
    default:
      return []
  }
}

/** Returns the captures and wildcards of the node, in order. */
export function listVariables(
  node: PathNode,
  found: (CaptureNode | WildcardNode)[] = [],
): (CaptureNode | WildcardNode)[] {
  if (node.kind === 'capture' || node.kind === 'wildcard') found.push(node)
  else if (node.kind !== 'char') for (const each of getChildren(node)) listVariables(each, found)
  return found
}

/** Returns the names of captures and named wildcards, in order, without duplicates. */
export function listVariableNames(node: PathNode): string[] {
  const names: string[] = []
  for (const { name } of listVariables(node)) if (name !== null && !names.includes(name)) names.push(name)
  return names
}

/** Returns the names that every match of the node captures. */
export function listRequiredNames(node: PathNode): string[] {
  return listVariableNames(node).filter((name) => isAlwaysCaptured(node, name))
}

function isAlwaysCaptured(node: PathNode, name: string): boolean {
  if (node.kind === 'capture' || node.kind === 'wildcard') return node.name === name
  if (node.kind === 'seq') return node.items.some((item) => isAlwaysCaptured(item, name))
  return node.kind === 'alt' && node.branches.every((branch) => isAlwaysCaptured(branch, name))
}

/** Returns whether the node can match the empty text. */
export function canBeEmpty(node: PathNode): boolean {
  switch (node.kind) {
    case 'char':
    case 'set':
      return false
    case 'capture':
      return canBeEmpty(node.body)
    case 'wildcard':
    case 'optional':
      return true
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.item)
    case 'seq':
      return node.items.every(canBeEmpty)
    case 'alt':
      return node.branches.some(canBeEmpty)
  }
}

/** Returns whether a match of the node can contain the character. */
export function canContain(node: PathNode, code: number): boolean {
  switch (node.kind) {
    case 'char':
      return getLiteralRanges(node.code).includes(code)
    case 'set':
      return hasChar(node.set, code)
    case 'wildcard':
      return true
    case 'capture':
      return canContain(node.body, code)
    default:
      return getChildren(node).some((each) => canContain(each, code))
  }
}

/** Returns whether every match of the node begins with `/`. */
export function hasLeadingSlash(node: PathNode): boolean {
  switch (node.kind) {
    case 'char':
      return node.code === 47
    case 'seq': {
      const first = node.items[0]
      return first !== undefined && hasLeadingSlash(first)
    }
    case 'alt':
      return node.branches.every(hasLeadingSlash)
    default:
      return false
  }
}
