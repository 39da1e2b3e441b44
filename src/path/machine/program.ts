// Translates a syntax tree into the instructions of the matching machine.

import { ANYTHING, type CharSet, charSet } from '../../regexp/char-set.ts'
import { PatternError } from '../errors.ts'
import type { CaptureNode, Node, RepeatNode } from '../syntax/ast.ts'
import { literalRanges } from '../syntax/char-set.ts'
import { endsSegment, isAnnounced, partsAfter } from './look-ahead.ts'

/** Instruction codes of the matching machine. */
export const OP: {
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

/** A condition on a place of the text: what its instructions, which run backwards, can match from there on. */
export interface Look extends Instructions {
  /** True when the match must reach the end of the segment. */
  readonly toEnd: boolean
}

/** The instructions that match a whole text. */
export interface Program extends Instructions {
  /** How many positions a match records. */
  readonly slots: number
  /** Conditions of the instruction `unless`; each refers only to those before it. */
  readonly looks: readonly Look[]
}

// Matching costs at most this many steps per character of the path, conditions included.
const MAX_INSTRUCTIONS = 4000

/** Compiles a tree; slots are two per name, then two per unnamed wildcard. */
export function compileProgram(source: string, root: Node, names: readonly string[], wildcards: number): Program {
  const looks: Look[] = []
  const emitter = new Emitter({ source, names, looks, left: MAX_INSTRUCTIONS })
  emitter.emit(root, true)
  emitter.add(OP.match, 0, 0)
  return { ...emitter.finish(), slots: 2 * (names.length + wildcards), looks }
}

/** The state that the emitters of one pattern share. */
interface Compilation {
  readonly source: string
  readonly names: readonly string[]
  readonly looks: Look[]
  /** How many instructions the pattern may still have. */
  left: number
}

const ONCE = { kind: 'repeat', min: 0, max: 1, lazy: false } as const
const ANY_RUN: RepeatNode = {
  kind: 'repeat',
  item: { kind: 'set', set: ANYTHING },
  min: 0,
  max: Number.POSITIVE_INFINITY,
  lazy: true,
}

class Emitter {
  readonly shared: Compilation
  readonly ops: number[] = []
  readonly x: number[] = []
  readonly y: number[] = []
  readonly sets: CharSet[] = []
  /** The condition that must not hold in front of a character, or -1. */
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

  add(op: number, x: number, y: number): number {
    if (this.shared.left-- === 0) {
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

  /** `ends` is true when the segment ends behind the node. */
  emit(node: Node, ends: boolean): void {
    switch (node.kind) {
      case 'char':
        return this.literal(node.code)
      case 'set':
        return this.set(node.set)
      case 'seq':
        return this.sequence(node.items, ends)
      case 'alt':
        return this.choose(node.branches.map((branch) => () => this.emit(branch, ends)))
      case 'optional':
        return this.repeat({ ...ONCE, item: node.item }, ends)
      case 'repeat':
        return this.repeat(node, false)
      case 'capture':
        return this.capture(node)
      case 'wildcard': {
        const { names } = this.shared
        const index = node.name === null ? names.length + node.index : names.indexOf(node.name)
        return this.saved(2 * index, ANY_RUN)
      }
    }
  }

  literal(code: number): void {
    const ranges = literalRanges(code)
    if (ranges.length === 2) this.character(OP.char, code)
    else this.set(charSet(ranges))
  }

  set(set: CharSet): void {
    const known = this.sets.indexOf(set)
    this.character(OP.set, known >= 0 ? known : this.sets.push(set) - 1)
  }

  character(op: number, x: number): void {
    if (this.stop >= 0) this.add(OP.unless, this.stop, 0)
    this.add(op, x, 0)
  }

  capture({ name, body }: CaptureNode): void {
    this.saved(2 * this.shared.names.indexOf(name), body)
  }

  saved(slot: number, body: Node): void {
    this.add(OP.save, slot, 0)
    this.emit(body, false)
    this.add(OP.save, slot + 1, 0)
  }

  /** A capture in front of optional parts goes no further than to the place where they, all present, end the segment. */
  sequence(items: readonly Node[], ends: boolean): void {
    for (let i = 0; i < items.length; i++) {
      const item = items[i] as Node
      const parts = item.kind === 'capture' ? partsAfter(items, i + 1, ends) : []
      if (parts.length > 0) this.stop = this.look(parts)
      this.emit(item, endsSegment(items, i + 1, ends))
      this.stop = -1
    }
  }

  look(parts: readonly Node[]): number {
    const emitter = new BackwardEmitter(this.shared)
    emitter.announce(parts, [])
    return emitter.condition(parts, true)
  }

  choose(branches: readonly (() => void)[]): void {
    const ends: number[] = []
    for (const branch of branches.slice(0, -1)) {
      const split = this.add(OP.split, this.ops.length + 1, 0)
      branch()
      ends.push(this.add(OP.jump, 0, 0))
      this.y[split] = this.ops.length
    }
    branches.at(-1)?.()
    for (const end of ends) this.x[end] = this.ops.length
  }

  repeat({ item, min, max, lazy }: RepeatNode, ends: boolean): void {
    for (let i = 0; i < min; i++) this.emit(item, ends)
    const splits: number[] = []
    const copies = max === Number.POSITIVE_INFINITY ? 1 : max - min
    for (let i = 0; i < copies; i++) {
      splits.push(this.add(OP.split, 0, 0))
      this.emit(item, ends)
    }
    if (max === Number.POSITIVE_INFINITY) this.add(OP.jump, splits[0] as number, 0)
    for (const split of splits) {
      this.x[split] = lazy ? this.ops.length : split + 1
      this.y[split] = lazy ? split + 1 : this.ops.length
    }
  }
}

/** Writes conditions: the same instructions from the last to the first, without positions. */
class BackwardEmitter extends Emitter {
  /** The condition of each capture: it holds no place where everything in front of it could begin anew. */
  readonly #stops: Map<CaptureNode, number>

  constructor(shared: Compilation, stops = new Map<CaptureNode, number>()) {
    super(shared)
    this.#stops = stops
  }

  /** Adds the nodes as a condition and returns its number. */
  condition(nodes: readonly Node[], toEnd: boolean): number {
    this.sequence(nodes)
    this.add(OP.match, 0, 0)
    return this.shared.looks.push({ ...this.finish(), toEnd }) - 1
  }

  /** Finds the conditions of the captures in the nodes; `before` is what leads to them. */
  announce(nodes: readonly Node[], before: readonly Node[]): void {
    let led = before
    for (const node of nodes) {
      if (node.kind === 'seq') this.announce(node.items, led)
      else if (node.kind === 'optional') this.announce([node.item], led)
      else if (node.kind === 'alt') for (const branch of node.branches) this.announce([branch], led)
      else if (node.kind === 'capture' && isAnnounced(node))
        this.#stops.set(node, new BackwardEmitter(this.shared, this.#stops).condition(led, false))
      led = [...led, node]
    }
  }

  override sequence(items: readonly Node[]): void {
    for (let i = items.length - 1; i >= 0; i--) this.emit(items[i] as Node, false)
  }

  override character(op: number, x: number): void {
    this.add(op, x, 0)
    if (this.stop >= 0) this.add(OP.unless, this.stop, 0)
  }

  override capture(node: CaptureNode): void {
    this.stop = this.#stops.get(node) ?? -1
    this.emit(node.body, false)
    this.stop = -1
  }
}
