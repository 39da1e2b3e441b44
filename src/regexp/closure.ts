// A set of active instructions of a pattern, with everything that is reachable from them without consuming a character.
import { REGEXP_OP, type RegExpCode } from './program.ts'

/** Returns whether an assertion holds at the current position of the machine. */
export type AssertionTest = (assertion: number) => boolean

const rejectAssertion: AssertionTest = () => false

/** Collects instructions; reuses its working memory between runs. */
export class Closure {
  readonly #code: RegExpCode
  readonly #marks: Int32Array
  readonly #stack: Int32Array
  #generation = 0
  /** The instructions that consume a character. */
  readonly found: Int32Array
  count = 0
  /** True when the end of the pattern was reached. */
  matched = false
  /** The total number of visited instructions. */
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

  /** Adds an instruction and everything reachable from it. */
  add(start: number, holds: AssertionTest = rejectAssertion): void {
    const { ops, x, y } = this.#code
    const stack = this.#stack
    let top = 0
    stack[top++] = start
    while (top > 0) {
      const pc = stack[--top] as number
      this.steps++
      if (this.#marks[pc] === this.#generation) continue
      this.#marks[pc] = this.#generation
      const op = ops[pc]
      if (op === REGEXP_OP.atom) this.found[this.count++] = pc
      else if (op === REGEXP_OP.match) this.matched = true
      else if (op === REGEXP_OP.jump) stack[top++] = x[pc] as number
      else if (op === REGEXP_OP.assertion) {
        if (holds(x[pc] as number)) stack[top++] = pc + 1
      } else {
        stack[top++] = y[pc] as number
        stack[top++] = x[pc] as number
      }
    }
  }

  /** Adds the successors of those instructions that match a character of a class. */
  advance(instructions: Int32Array, count: number, members: Uint8Array, holds?: AssertionTest): void {
    const { x } = this.#code
    for (let i = 0; i < count; i++) {
      const pc = instructions[i] as number
      const atom = x[pc] as number
      this.steps++
      if (members[atom] === 1) this.add(pc + 1, holds)
    }
  }
}
