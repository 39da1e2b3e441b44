// The matching machine: follows all paths through a program at once, one character at a time.
//
// Each step has at most one thread per instruction, so a match takes time linear in the length of the text for every
// pattern. Threads are ordered by preference: if two reach the same instruction, the first one stays, and the first to
// match wins.

import { type CharSet, hasChar } from '../../regexp/char-set.ts'
import { markPositions, type PositionMarks } from './backward-machine.ts'
import { PATH_OP, type PathProgram } from './program.ts'

interface Threads {
  count: number
  readonly pcs: Int32Array
  readonly slots: Int32Array
}

const NO_MARKS: readonly PositionMarks[] = Object.freeze([])

/** Runs one program; reuses its working memory between runs. */
export class PathMachine {
  readonly #program: PathProgram
  readonly #marks: Int32Array
  readonly #stack: Int32Array
  readonly #slots: Int32Array
  #lookaheadMarks: readonly PositionMarks[] = NO_MARKS
  #generation = 0
  #now: Threads
  #next: Threads

  constructor(program: PathProgram) {
    const size = program.ops.length
    this.#program = program
    this.#marks = new Int32Array(size)
    this.#stack = new Int32Array(3 * size + 3)
    this.#slots = new Int32Array(program.slots)
    this.#now = { count: 0, pcs: new Int32Array(size), slots: new Int32Array(size * program.slots) }
    this.#next = { count: 0, pcs: new Int32Array(size), slots: new Int32Array(size * program.slots) }
  }

  /**
   * Returns the offsets of a match of the complete text, two per slot and -1 for absent captures; null if it does not
   * match.
   */
  run(text: string): number[] | null {
    const { lookaheads } = this.#program
    if (lookaheads.length > 0) this.#lookaheadMarks = markPositions(lookaheads, text)
    this.#slots.fill(-1)
    this.#begin()
    this.#follow(0, 0)
    this.#swap()
    for (let index = 0; index < text.length && this.#now.count > 0; ) {
      const code = text.codePointAt(index) as number
      index += code > 0xffff ? 2 : 1
      this.#step(code, index)
    }
    return this.#readResult()
  }

  #begin(): void {
    if (this.#generation === 0x7fffffff) {
      this.#marks.fill(0)
      this.#generation = 0
    }
    this.#generation += 1
    this.#next.count = 0
  }

  #swap(): void {
    const now = this.#now
    this.#now = this.#next
    this.#next = now
  }

  #step(code: number, index: number): void {
    const { ops, x, sets, slots } = this.#program
    const now = this.#now
    this.#begin()
    for (let i = 0; i < now.count; i++) {
      const pc = now.pcs[i] as number
      const op = ops[pc]
      const isAccepted =
        op === PATH_OP.char ? x[pc] === code : op === PATH_OP.set && hasChar(sets[x[pc] as number] as CharSet, code)
      if (!isAccepted) continue
      for (let k = 0, from = i * slots; k < slots; k++) this.#slots[k] = now.slots[from + k] as number
      this.#follow(pc + 1, index)
    }
    this.#swap()
  }

  /**
   * Adds the instructions that are reachable from `start` without a character; the explicit stack also restores saved
   * positions.
   */
  #follow(start: number, index: number): void {
    const { ops, x, y } = this.#program
    const stack = this.#stack
    const marks = this.#marks
    const slots = this.#slots
    let top = 0
    stack[top++] = start
    while (top > 0) {
      const pc = stack[--top] as number
      if (pc < 0) {
        slots[~pc] = stack[--top] as number
        continue
      }
      if (marks[pc] === this.#generation) continue
      marks[pc] = this.#generation
      const op = ops[pc]
      if (op === PATH_OP.jump) stack[top++] = x[pc] as number
      else if (op === PATH_OP.split) {
        stack[top++] = y[pc] as number
        stack[top++] = x[pc] as number
      } else if (op === PATH_OP.save) {
        const slot = x[pc] as number
        stack[top++] = slots[slot] as number
        stack[top++] = ~slot
        stack[top++] = pc + 1
        slots[slot] = index
      } else if (op === PATH_OP.unless) {
        if (this.#lookaheadMarks[x[pc] as number]?.[index] !== 1) stack[top++] = pc + 1
      } else this.#keepThread(pc)
    }
  }

  #keepThread(pc: number): void {
    const next = this.#next
    const width = this.#slots.length
    const from = next.count * width
    for (let k = 0; k < width; k++) next.slots[from + k] = this.#slots[k] as number
    next.pcs[next.count++] = pc
  }

  #readResult(): number[] | null {
    const { ops, slots } = this.#program
    const now = this.#now
    for (let i = 0; i < now.count; i++) {
      if (ops[now.pcs[i] as number] !== PATH_OP.match) continue
      return Array.from(now.slots.subarray(i * slots, (i + 1) * slots))
    }
    return null
  }
}
