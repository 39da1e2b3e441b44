// The matching machine: follows every way through a program at once, one character at a time.
//
// Each step holds at most one thread per instruction, so a match costs time linear in the length of the text whatever the
// pattern. Threads stand in order of preference: when two meet, the first one stays, and the first to arrive wins.

import { type CharSet, hasChar } from '../../regexp/char-set.ts'
import { type PositionMarks, markPositions } from './backward-machine.ts'
import { PATH_OP, type PathProgram } from './program.ts'

interface Threads {
  count: number
  readonly pcs: Int32Array
  readonly slots: Int32Array
}

const NO_MARKS: readonly PositionMarks[] = Object.freeze([])

/** Runs one program; keeps its working memory between runs. */
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

  /** Offsets of a match of the whole text, two per slot and -1 where nothing was captured, or null. */
  run(text: string): number[] | null {
    const { lookaheads: looks } = this.#program
    if (looks.length > 0) this.#lookaheadMarks = markPositions(looks, text)
    this.#slots.fill(-1)
    this.#begin()
    this.#follow(0, 0)
    this.#swap()
    for (let at = 0; at < text.length && this.#now.count > 0; ) {
      const code = text.codePointAt(at) as number
      at += code > 0xffff ? 2 : 1
      this.#step(code, at)
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

  #step(code: number, at: number): void {
    const { ops, x, sets, slots } = this.#program
    const now = this.#now
    this.#begin()
    for (let i = 0; i < now.count; i++) {
      const pc = now.pcs[i] as number
      const op = ops[pc]
      const taken = op === PATH_OP.char ? x[pc] === code : op === PATH_OP.set && hasChar(sets[x[pc] as number] as CharSet, code)
      if (!taken) continue
      for (let k = 0, from = i * slots; k < slots; k++) this.#slots[k] = now.slots[from + k] as number
      this.#follow(pc + 1, at)
    }
    this.#swap()
  }

  /** Adds what is reachable from `start` without taking a character; the explicit stack also undoes recorded positions. */
  #follow(start: number, at: number): void {
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
        slots[slot] = at
      } else if (op === PATH_OP.unless) {
        if (this.#lookaheadMarks[x[pc] as number]?.[at] !== 1) stack[top++] = pc + 1
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
