// A set of instructions that a pattern can be at, with everything that is reached from it without taking a character.
import { type RegExpCode, REGEXP_OP } from './program.ts'

/** Returns whether a demand holds at the place where the machine is. */
export type AssertionTest = (demand: number) => boolean

const rejectAssertion: AssertionTest = () => false

/** Collects instructions; keeps its working memory between runs. */
export class Closure {
  readonly #code: RegExpCode
  readonly #marks: Int32Array
  readonly #stack: Int32Array
  #generation = 0
  /** The instructions that take a character. */
  readonly found: Int32Array
  count = 0
  /** True when the end of the pattern is among what was reached. */
  matched = false
  /** How many instructions were visited in total. */
  steps = 0

  constructor(code: RegExpCode) {
    const size = code.ops.length
    this.#code = code
    this.#marks = new Int32Array(size)
    this.#stack = new Int32Array(2 * size + 2)
    this.found = new Int32Array(size)
  }

  /** Empties the set. */
  clear(): void {
    if (this.#generation === 0x7fffffff) {
      this.#marks.fill(0)
      this.#generation = 0
    }
    this.#generation += 1
    this.count = 0
    this.matched = false
  }

  /** Adds an instruction and what is reached from it. */
  add(start: number, holds: AssertionTest = rejectAssertion): void {
    const { ops, x, y } = this.#code
    const stack = this.#stack
    let top = 0
    stack[top++] = start
    while (top > 0) {
      const at = stack[--top] as number
      this.steps++
      if (this.#marks[at] === this.#generation) continue
      this.#marks[at] = this.#generation
      const op = ops[at]
      if (op === REGEXP_OP.atom) this.found[this.count++] = at
      else if (op === REGEXP_OP.match) this.matched = true
      else if (op === REGEXP_OP.jump) stack[top++] = x[at] as number
      else if (op === REGEXP_OP.assertion) {
        if (holds(x[at] as number)) stack[top++] = at + 1
      } else {
        stack[top++] = y[at] as number
        stack[top++] = x[at] as number
      }
    }
  }

  /** Adds what follows those of some instructions that take a character of a class. */
  advance(from: Int32Array, count: number, members: Uint8Array, holds?: AssertionTest): void {
    const { x } = this.#code
    for (let i = 0; i < count; i++) {
      const at = from[i] as number
      const atom = x[at] as number
      this.steps++
      if (members[atom] === 1) this.add(at + 1, holds)
    }
  }
}
