// Translates the tree of a pattern into instructions for a machine that follows every way at once.
import type { Atom } from './atom.ts'
import { type Edge, type PatternNode, UnsupportedPatternError } from './syntax.ts'

/** Instruction codes: `x` and `y` are what each works on. */
export const OP: { readonly atom: 0; readonly split: 1; readonly jump: 2; readonly demand: 3; readonly match: 4 } = {
  atom: 0,
  split: 1,
  jump: 2,
  demand: 3,
  match: 4,
}

/** Instructions as parallel arrays: code, first operand, second operand. */
export interface Code {
  readonly ops: Uint8Array
  readonly x: Int32Array
  readonly y: Int32Array
}

/** Something that must hold at a place between two characters. */
export type Demand =
  | { readonly edge: Edge; readonly word: number }
  /** `code` reads towards the start of the text for a look ahead, and towards its end for a look behind. */
  | { readonly code: Code; readonly behind: boolean; readonly negated: boolean }

/** A pattern ready to run. */
export interface Program {
  readonly code: Code
  readonly atoms: readonly Atom[]
  /** The demands that instructions name by their numbers; one inside another comes before it. */
  readonly demands: readonly Demand[]
}

/** The most instructions that a pattern may have: at most this many steps are taken for each character. */
export const MAX_INSTRUCTIONS = 4000

/** Compiles a tree; the pattern has to be all of a text. */
export function compileProgram(root: PatternNode): Program {
  const compiler = new Compiler()
  const code = compiler.codeOf(root, false)
  return { code, atoms: compiler.atoms, demands: compiler.demands }
}

class Compiler {
  readonly atoms: Atom[] = []
  readonly demands: Demand[] = []
  readonly #numbers = new Map<PatternNode, number>()
  #size = 0

  codeOf(root: PatternNode, backward: boolean): Code {
    const emitter = new Emitter(this, backward)
    emitter.emit(root)
    emitter.add(OP.match, 0)
    return emitter.finish()
  }

  count(): void {
    this.#size++
    if (this.#size > MAX_INSTRUCTIONS)
      throw new UnsupportedPatternError(
        `it takes more than ${MAX_INSTRUCTIONS} steps for each character; use smaller repetition counts, or min and max`,
      )
  }

  atom(atom: Atom): number {
    const known = this.atoms.indexOf(atom)
    return known >= 0 ? known : this.atoms.push(atom) - 1
  }

  /** The number of a demand; copies of a repeated part share theirs. */
  demand(node: Extract<PatternNode, { type: 'look' | 'edge' }>): number {
    const known = this.#numbers.get(node)
    if (known !== undefined) return known
    const made: Demand =
      node.type === 'edge'
        ? { edge: node.edge, word: node.word === undefined ? -1 : this.atom(node.word) }
        : { code: this.codeOf(node.part, !node.behind), behind: node.behind, negated: node.negated }
    const number = this.demands.push(made) - 1
    this.#numbers.set(node, number)
    return number
  }
}

class Emitter {
  readonly #compiler: Compiler
  readonly #backward: boolean
  readonly #ops: number[] = []
  readonly #x: number[] = []
  readonly #y: number[] = []

  constructor(compiler: Compiler, backward: boolean) {
    this.#compiler = compiler
    this.#backward = backward
  }

  finish(): Code {
    return { ops: Uint8Array.from(this.#ops), x: Int32Array.from(this.#x), y: Int32Array.from(this.#y) }
  }

  add(op: number, x: number): number {
    this.#compiler.count()
    this.#x.push(x)
    this.#y.push(0)
    return this.#ops.push(op) - 1
  }

  emit(node: PatternNode): void {
    switch (node.type) {
      case 'atom':
        this.add(OP.atom, this.#compiler.atom(node.atom))
        return
      case 'sequence':
        for (const part of this.#backward ? node.parts.toReversed() : node.parts) this.emit(part)
        return
      case 'choice':
        return this.#choose(node.parts)
      case 'repeat':
        return this.#repeat(node)
      default:
        this.add(OP.demand, this.#compiler.demand(node))
    }
  }

  #choose(parts: readonly PatternNode[]): void {
    const ends: number[] = []
    for (const part of parts.slice(0, -1)) {
      const split = this.add(OP.split, this.#ops.length + 1)
      this.emit(part)
      ends.push(this.add(OP.jump, 0))
      this.#y[split] = this.#ops.length
    }
    this.emit(parts.at(-1) as PatternNode)
    for (const end of ends) this.#x[end] = this.#ops.length
  }

  #repeat({ part, min, max }: Extract<PatternNode, { type: 'repeat' }>): void {
    // A part without characters, repeated a thousand times, says no more than once.
    const before = this.#ops.length
    for (let i = 0; i < min; i++) {
      this.emit(part)
      if (this.#ops.length === before) return
    }
    const splits: number[] = []
    const copies = max === Number.POSITIVE_INFINITY ? 1 : max - min
    for (let i = 0; i < copies; i++) {
      splits.push(this.add(OP.split, this.#ops.length + 1))
      this.emit(part)
    }
    if (max === Number.POSITIVE_INFINITY) this.add(OP.jump, splits[0] as number)
    for (const split of splits) this.#y[split] = this.#ops.length
  }
}
