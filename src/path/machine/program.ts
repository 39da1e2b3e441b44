// Compiles a syntax tree to the instructions of the matching machine.

import { ALL_CHARS, type CharSet, createCharSet } from '../../regexp/char-set.ts'
import { PatternError } from '../errors.ts'
import type { CaptureNode, PathNode, RepeatNode } from '../syntax/ast.ts'
import { getLiteralRanges } from '../syntax/char-set.ts'
import { findPartsAfter, followsLastPrefix, isSegmentEnd } from './look-ahead.ts'

/** The instruction codes of the matching machine. */
export const PATH_OP: {
  readonly char: 0
  readonly set: 1
  readonly split: 2
  readonly jump: 3
  readonly save: 4
  readonly match: 5
  readonly unless: 6
} = {
  char: 0,
  set: 1,
  split: 2,
  jump: 3,
  save: 4,
  match: 5,
  unless: 6,
}

/** Instructions as parallel arrays: code, first operand, second operand. */
interface Instructions {
  readonly ops: Uint8Array
  readonly x: Int32Array
  readonly y: Int32Array
  readonly sets: readonly CharSet[]
}

/** A condition on a position of the text: its instructions, which run backwards, match from there on. */
export interface Lookahead extends Instructions {
  /** True when the match must reach the end of the segment. */
  readonly toEnd: boolean
}

/** The instructions that match a complete text. */
export interface PathProgram extends Instructions {
  /** The number of positions that a match records. */
  readonly slots: number
  /** The conditions of the instruction `unless`; each refers only to earlier ones. */
  readonly lookaheads: readonly Lookahead[]
}

// Matching takes at most this many steps per character of the path, including conditions.
const MAX_INSTRUCTIONS = 4000

/** Compiles a tree; there are two slots per name, then two per unnamed wildcard. */
export function compilePathProgram(
  source: string,
  root: PathNode,
  names: readonly string[],
  wildcards: number,
): PathProgram {
  const lookaheads: Lookahead[] = []
  const emitter = new PathEmitter({ source, names, lookaheads, instructionsLeft: MAX_INSTRUCTIONS })
  emitter.emit(root, true)
  emitter.addInstruction(PATH_OP.match, 0, 0)
  return { ...emitter.finish(), slots: 2 * (names.length + wildcards), lookaheads }
}

/** The state shared by the emitters of one pattern. */
interface Compilation {
  readonly source: string
  readonly names: readonly string[]
  readonly lookaheads: Lookahead[]
  /** The number of instructions that the pattern may still have. */
  instructionsLeft: number
}

const AT_MOST_ONCE = { kind: 'repeat', min: 0, max: 1, lazy: false } as const
const ANY_CHARS: RepeatNode = {
  kind: 'repeat',
  item: { kind: 'set', set: ALL_CHARS },
  min: 0,
  max: Number.POSITIVE_INFINITY,
  lazy: true,
}

class PathEmitter {
  readonly shared: Compilation
  readonly ops: number[] = []
  readonly x: number[] = []
  readonly y: number[] = []
  readonly sets: CharSet[] = []
  /** The condition that must not hold before a character, or -1. */
  stop = -1

  constructor(shared: Compilation) {
    this.shared = shared
  }

  finish(): Instructions {
    return {
      ops: Uint8Array.from(this.ops),
      x: Int32Array.from(this.x),
      y: Int32Array.from(this.y),
      sets: this.sets,
    }
  }

  addInstruction(op: number, x: number, y: number): number {
    if (this.shared.instructionsLeft-- === 0) {
      throw new PatternError(
        this.shared.source,
        0,
        'the pattern is too complex to match in bounded time',
        'Use fewer optional parts in a row and smaller repetition counts',
      )
    }
    this.x.push(x)
    this.y.push(y)
    return this.ops.push(op) - 1
  }

  /** Emits a node; `isLast` states whether the segment ends after it. */
  emit(node: PathNode, isLast: boolean): void {
    switch (node.kind) {
      case 'char':
        return this.emitLiteral(node.code)
      case 'set':
        return this.emitSet(node.set)
      case 'seq':
        return this.emitSequence(node.items, isLast)
      case 'alt':
        return this.emitChoice(node.branches.map((branch) => () => this.emit(branch, isLast)))
      case 'optional':
        return this.emitRepeat({ ...AT_MOST_ONCE, item: node.item }, isLast)
      case 'repeat':
        return this.emitRepeat(node, false)
      case 'capture':
        return this.emitCapture(node)
      case 'wildcard': {
        const { names } = this.shared
        const index = node.name === null ? names.length + node.index : names.indexOf(node.name)
        return this.emitSaved(2 * index, ANY_CHARS)
      }
    }
  }

  emitLiteral(code: number): void {
    const ranges = getLiteralRanges(code)
    if (ranges.length === 2) this.emitCharacter(PATH_OP.char, code)
    else this.emitSet(createCharSet(ranges))
  }

  emitSet(set: CharSet): void {
    const known = this.sets.indexOf(set)
    this.emitCharacter(PATH_OP.set, known >= 0 ? known : this.sets.push(set) - 1)
  }

  emitCharacter(op: number, x: number): void {
    if (this.stop >= 0) this.addInstruction(PATH_OP.unless, this.stop, 0)
    this.addInstruction(op, x, 0)
  }

  emitCapture({ name, body }: CaptureNode): void {
    this.emitSaved(2 * this.shared.names.indexOf(name), body)
  }

  emitSaved(slot: number, body: PathNode): void {
    this.addInstruction(PATH_OP.save, slot, 0)
    this.emit(body, false)
    this.addInstruction(PATH_OP.save, slot + 1, 0)
  }

  /** Emits a sequence. A capture before optional parts stops where they, all present, would end the segment. */
  emitSequence(items: readonly PathNode[], isLast: boolean): void {
    for (let i = 0; i < items.length; i++) {
      const item = items[i] as PathNode
      const parts = item.kind === 'capture' ? findPartsAfter(items, i + 1, isLast) : []
      if (parts.length > 0) this.stop = this.addLookahead(parts)
      this.emit(item, isSegmentEnd(items, i + 1, isLast))
      this.stop = -1
    }
  }

  addLookahead(parts: readonly PathNode[]): number {
    const emitter = new BackwardEmitter(this.shared)
    emitter.addCaptureStops(parts, [])
    return emitter.addCondition(parts, true)
  }

  emitChoice(branches: readonly (() => void)[]): void {
    const ends: number[] = []
    for (const branch of branches.slice(0, -1)) {
      const split = this.addInstruction(PATH_OP.split, this.ops.length + 1, 0)
      branch()
      ends.push(this.addInstruction(PATH_OP.jump, 0, 0))
      this.y[split] = this.ops.length
    }
    branches.at(-1)?.()
    for (const end of ends) this.x[end] = this.ops.length
  }

  emitRepeat({ item, min, max, lazy }: RepeatNode, isLast: boolean): void {
    for (let i = 0; i < min; i++) this.emit(item, isLast)
    const splits: number[] = []
    const copies = max === Number.POSITIVE_INFINITY ? 1 : max - min
    for (let i = 0; i < copies; i++) {
      splits.push(this.addInstruction(PATH_OP.split, 0, 0))
      this.emit(item, isLast)
    }
    if (max === Number.POSITIVE_INFINITY) this.addInstruction(PATH_OP.jump, splits[0] as number, 0)
    for (const split of splits) {
      this.x[split] = lazy ? this.ops.length : split + 1
      this.y[split] = lazy ? split + 1 : this.ops.length
    }
  }
}

/** Emits conditions: the same instructions from the last to the first, without positions. */
class BackwardEmitter extends PathEmitter {
  /** The condition of each capture: it does not contain a position where everything before it could begin again. */
  readonly #stops: Map<CaptureNode, number>

  constructor(shared: Compilation, stops = new Map<CaptureNode, number>()) {
    super(shared)
    this.#stops = stops
  }

  /** Adds the nodes as a condition and returns its index. */
  addCondition(nodes: readonly PathNode[], toEnd: boolean): number {
    this.emitSequence(nodes)
    this.addInstruction(PATH_OP.match, 0, 0)
    return this.shared.lookaheads.push({ ...this.finish(), toEnd }) - 1
  }

  /** Adds the conditions of the captures in the nodes; `before` are the nodes that precede them. */
  addCaptureStops(nodes: readonly PathNode[], before: readonly PathNode[]): void {
    let preceding = before
    for (const node of nodes) {
      if (node.kind === 'seq') this.addCaptureStops(node.items, preceding)
      else if (node.kind === 'optional') this.addCaptureStops([node.item], preceding)
      else if (node.kind === 'alt') for (const branch of node.branches) this.addCaptureStops([branch], preceding)
      else if (node.kind === 'capture' && followsLastPrefix(node))
        this.#stops.set(node, new BackwardEmitter(this.shared, this.#stops).addCondition(preceding, false))
      preceding = [...preceding, node]
    }
  }

  override emitSequence(items: readonly PathNode[]): void {
    for (let i = items.length - 1; i >= 0; i--) this.emit(items[i] as PathNode, false)
  }

  override emitCharacter(op: number, x: number): void {
    this.addInstruction(op, x, 0)
    if (this.stop >= 0) this.addInstruction(PATH_OP.unless, this.stop, 0)
  }

  override emitCapture(node: CaptureNode): void {
    this.stop = this.#stops.get(node) ?? -1
    this.emit(node.body, false)
    this.stop = -1
  }
}
