// The syntax tree that patterns and capture constraints share, and the questions asked of it.
import { type CharSet, holds } from '../../regexp/char-set.ts'
import { literalRanges } from './char-set.ts'

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
  readonly body: Node
  /** Equal for equal constraints; tells routes apart that differ only in theirs. */
  readonly key: string
  readonly at: number
}

/** A wildcard: `*name`, or `*` with its place among the unnamed ones. */
export interface WildcardNode {
  readonly kind: 'wildcard'
  readonly name: string | null
  readonly index: number
  readonly at: number
}

/** One node after the other. */
interface SeqNode {
  readonly kind: 'seq'
  readonly items: readonly Node[]
}

/** Alternatives, best first. */
interface AltNode {
  readonly kind: 'alt'
  readonly branches: readonly Node[]
}

/** A part that may be absent. */
export interface OptionalNode {
  readonly kind: 'optional'
  readonly item: Node
}

/** A repetition inside a constraint. */
export interface RepeatNode {
  readonly kind: 'repeat'
  readonly item: Node
  readonly min: number
  readonly max: number
  readonly lazy: boolean
}

/** Any node of the syntax tree. */
export type Node = CharNode | SetNode | CaptureNode | WildcardNode | SeqNode | AltNode | OptionalNode | RepeatNode

const ASCII: (CharNode | undefined)[] = []

/** The node of a literal character; frequent ones are shared between patterns. */
export function charNode(code: number): CharNode {
  if (code >= 128) return { kind: 'char', code }
  const known = ASCII[code]
  if (known !== undefined) return known
  const made: CharNode = Object.freeze({ kind: 'char', code })
  ASCII[code] = made
  return made
}

/** The nodes directly inside a node; a capture's constraint is not one of them. */
function inside(node: Node): readonly Node[] {
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

/** Captures and wildcards of the node, in order. */
export function variablesOf(node: Node, found: (CaptureNode | WildcardNode)[] = []): (CaptureNode | WildcardNode)[] {
  if (node.kind === 'capture' || node.kind === 'wildcard') found.push(node)
  else if (node.kind !== 'char') for (const each of inside(node)) variablesOf(each, found)
  return found
}

/** Names of captures and named wildcards, in order, each once. */
export function namesOf(node: Node): string[] {
  const names: string[] = []
  for (const { name } of variablesOf(node)) if (name !== null && !names.includes(name)) names.push(name)
  return names
}

/** Names that are captured in every match of the node. */
export function requiredOf(node: Node): string[] {
  return namesOf(node).filter((name) => always(node, name))
}

function always(node: Node, name: string): boolean {
  if (node.kind === 'capture' || node.kind === 'wildcard') return node.name === name
  if (node.kind === 'seq') return node.items.some((item) => always(item, name))
  return node.kind === 'alt' && node.branches.every((branch) => always(branch, name))
}

/** True when the node can match the empty text. */
export function isNullable(node: Node): boolean {
  switch (node.kind) {
    case 'char':
    case 'set':
      return false
    case 'capture':
      return isNullable(node.body)
    case 'wildcard':
    case 'optional':
      return true
    case 'repeat':
      return node.min === 0 || isNullable(node.item)
    case 'seq':
      return node.items.every(isNullable)
    case 'alt':
      return node.branches.some(isNullable)
  }
}

/** True when some match of the node can contain the character. */
export function canContain(node: Node, code: number): boolean {
  switch (node.kind) {
    case 'char':
      return literalRanges(node.code).includes(code)
    case 'set':
      return holds(node.set, code)
    case 'wildcard':
      return true
    case 'capture':
      return canContain(node.body, code)
    default:
      return inside(node).some((each) => canContain(each, code))
  }
}

/** True when every match of the node begins with the separator `/`. */
export function startsWithSlash(node: Node): boolean {
  switch (node.kind) {
    case 'char':
      return node.code === 47
    case 'seq': {
      const first = node.items[0]
      return first !== undefined && startsWithSlash(first)
    }
    case 'alt':
      return node.branches.every(startsWithSlash)
    default:
      return false
  }
}
