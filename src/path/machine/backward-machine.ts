// Finds the positions of a text at which a condition holds, in one run from its end to its beginning.
//
// Like the matching machine it has at most one thread per instruction, so a run takes time linear in the text's length.
import { type CharSet, hasChar } from '../../regexp/char-set.ts'
import { type Lookahead, PATH_OP } from './program.ts'

/** For each position of a text, including its end, 1 if a condition holds. */
export type PositionMarks = Uint8Array

/** Returns the marked positions of the text for each condition, in order. */
export function markPositions(lookaheads: readonly Lookahead[], text: string): readonly PositionMarks[] {
  const marks: PositionMarks[] = []
  for (const lookahead of lookaheads) marks.push(new BackwardMachine(lookahead, marks).run(text))
  return marks
}

class BackwardMachine {
  readonly #lookahead: Lookahead
  readonly #earlier: readonly PositionMarks[]
  readonly #visited: Int32Array
  readonly #stack: number[] = []
  #current: number[] = []
  #next: number[] = []

  constructor(lookahead: Lookahead, earlier: readonly PositionMarks[]) {
    this.#lookahead = lookahead
    this.#earlier = earlier
    this.#visited = new Int32Array(lookahead.ops.length).fill(-1)
  }

  run(text: string): PositionMarks {
    const marks = new Uint8Array(text.length + 1)
    const { toEnd } = this.#lookahead
    for (let index = text.length; index >= 0; ) {
      const isStart = !toEnd || index === text.length || text.charCodeAt(index) === 47
      if (isStart && this.#follow(0, index)) marks[index] = 1
      this.#current = this.#next
      this.#next = []
      if (index === 0) break
      const code = readCodeBefore(text, index)
      index -= code > 0xffff ? 2 : 1
      if (this.#step(code, index)) marks[index] = 1
    }
    return marks
  }

  /** Advances every thread by one character; returns whether one of them matches. */
  #step(code: number, index: number): boolean {
    const { ops, x, sets } = this.#lookahead
    let isMatch = false
    for (const pc of this.#current) {
      const isAccepted = ops[pc] === PATH_OP.char ? x[pc] === code : hasChar(sets[x[pc] as number] as CharSet, code)
      if (isAccepted && this.#follow(pc + 1, index)) isMatch = true
    }
    return isMatch
  }

  /** Adds the instructions that are reachable without a character; returns whether the end is among them. */
  #follow(start: number, index: number): boolean {
    const { ops, x, y } = this.#lookahead
    const stack = this.#stack
    let isMatch = false
    stack.push(start)
    for (let pc = stack.pop(); pc !== undefined; pc = stack.pop()) {
      if (this.#visited[pc] === index) continue
      this.#visited[pc] = index
      const op = ops[pc]
      if (op === PATH_OP.jump) stack.push(x[pc] as number)
      else if (op === PATH_OP.split) stack.push(y[pc] as number, x[pc] as number)
      else if (op === PATH_OP.unless) {
        if (this.#earlier[x[pc] as number]?.[index] !== 1) stack.push(pc + 1)
      } else if (op === PATH_OP.match) isMatch = true
      else this.#next.push(pc)
    }
    return isMatch
  }
}

function readCodeBefore(text: string, index: number): number {
  const unit = text.charCodeAt(index - 1)
  if (index < 2 || (unit & 0xfc00) !== 0xdc00) return unit
  const code = text.codePointAt(index - 2) as number
  return code > 0xffff ? code : unit
}
