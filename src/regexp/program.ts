// Compiles the tree of a pattern to instructions for a machine that follows all alternatives at once.
import type { Atom } from './atom.ts'
import { type Edge, type RegExpNode, UnsupportedPatternError } from './parse-regexp.ts'

/** The instruction codes; `x` and `y` are their operands. */
export const REGEXP_OP: {
  readonly atom: 0
  readonly split: 1
  readonly jump: 2
  readonly assertion: 3
  readonly match: 4
} = {
  atom: 0,
  split: 1,
  jump: 2,
  assertion: 3,
  match: 4,
}

/** Instructions as parallel arrays: code, first operand, second operand. */
export interface RegExpCode {
  readonly ops: Uint8Array
  readonly x: Int32Array
  readonly y: Int32Array
}

/** A condition on a position between two characters. */
export type Assertion =
  | { readonly edge: Edge; readonly word: number }
  /** `code` runs towards the start of the text for a lookahead, and towards its end for a lookbehind. */
  | { readonly code: RegExpCode; readonly behind: boolean; readonly negated: boolean }

/** A pattern ready to run. */
export interface RegExpProgram {
  readonly code: RegExpCode
  readonly atoms: readonly Atom[]
  /** The assertions that instructions refer to by index; a nested one comes before the outer one. */
  readonly assertions: readonly Assertion[]
}

/** The maximum number of instructions of a pattern, and thereby of steps for each character. */
export const MAX_INSTRUCTIONS = 4000

/** Compiles a tree; the pattern must match a complete text. */
export function compileRegExpProgram(root: RegExpNode): RegExpProgram {
  const compiler = new RegExpCompiler()
  const code = compiler.compileCode(root, 'forward')
  return { code, atoms: compiler.atoms, assertions: compiler.assertions }
}

/** The direction in which code reads a text. */
type Direction = 'forward' | 'backward'

class RegExpCompiler {
  readonly atoms: Atom[] = []
  readonly assertions: Assertion[] = []
  readonly #numbers = new Map<RegExpNode, number>()
  #size = 0

  compileCode(root: RegExpNode, direction: Direction): RegExpCode {
    const emitter = new RegExpEmitter(this, direction)
    emitter.emit(root)
    emitter.addInstruction(REGEXP_OP.match, 0)
    return emitter.finish()
  }

  countInstruction(): void {
    this.#size++
    if (this.#size > MAX_INSTRUCTIONS)
      throw new UnsupportedPatternError(
        `it takes more than ${MAX_INSTRUCTIONS} steps for each character; use smaller repetition counts, or min and max`,
      )
  }

  addAtom(atom: Atom): number {
    const known = this.atoms.indexOf(atom)
    return known >= 0 ? known : this.atoms.push(atom) - 1
  }

  /** Returns the index of an assertion; copies of a repeated part share it. */
  addAssertion(node: Extract<RegExpNode, { type: 'look' | 'edge' }>): number {
    const known = this.#numbers.get(node)
    if (known !== undefined) return known
    const assertion: Assertion =
      node.type === 'edge'
        ? { edge: node.edge, word: node.word === undefined ? -1 : this.addAtom(node.word) }
        : {
            code: this.compileCode(node.part, node.behind ? 'forward' : 'backward'),
            behind: node.behind,
            negated: node.negated,
          }
    const number = this.assertions.push(assertion) - 1
    this.#numbers.set(node, number)
    return number
  }
}

class RegExpEmitter {
  readonly #compiler: RegExpCompiler
  readonly #backward: boolean
  readonly #ops: number[] = []
  readonly #x: number[] = []
  readonly #y: number[] = []

  constructor(compiler: RegExpCompiler, direction: Direction) {
    this.#compiler = compiler
    this.#backward = direction === 'backward'
  }

  finish(): RegExpCode {
    return { ops: Uint8Array.from(this.#ops), x: Int32Array.from(this.#x), y: Int32Array.from(this.#y) }
  }

  addInstruction(op: number, x: number): number {
    this.#compiler.countInstruction()
    this.#x.push(x)
    this.#y.push(0)
    return this.#ops.push(op) - 1
  }

  emit(node: RegExpNode): void {
    switch (node.type) {
      case 'atom':
        this.addInstruction(REGEXP_OP.atom, this.#compiler.addAtom(node.atom))
        return
      case 'sequence':
        for (const part of this.#backward ? node.parts.toReversed() : node.parts) this.emit(part)
        return
      case 'choice':
        return this.#emitChoice(node.parts)
      case 'repeat':
        return this.#emitRepeat(node)
      default:
        this.addInstruction(REGEXP_OP.assertion, this.#compiler.addAssertion(node))
    }
  }

  #emitChoice(parts: readonly RegExpNode[]): void {
    const ends: number[] = []
    for (const part of parts.slice(0, -1)) {
      const split = this.addInstruction(REGEXP_OP.split, this.#ops.length + 1)
      this.emit(part)
      ends.push(this.addInstruction(REGEXP_OP.jump, 0))
      this.#y[split] = this.#ops.length
    }
    this.emit(parts.at(-1) as RegExpNode)
    for (const end of ends) this.#x[end] = this.#ops.length
  }

  #emitRepeat({ part, min, max }: Extract<RegExpNode, { type: 'repeat' }>): void {
    // Repeating a part without characters has no further effect.
    const before = this.#ops.length
    for (let i = 0; i < min; i++) {
      this.emit(part)
      if (this.#ops.length === before) return
    }
    const splits: number[] = []
    const copies = max === Number.POSITIVE_INFINITY ? 1 : max - min
    for (let i = 0; i < copies; i++) {
      splits.push(this.addInstruction(REGEXP_OP.split, this.#ops.length + 1))
      this.emit(part)
    }
    if (max === Number.POSITIVE_INFINITY) this.addInstruction(REGEXP_OP.jump, splits[0] as number)
    for (const split of splits) this.#y[split] = this.#ops.length
  }
}
