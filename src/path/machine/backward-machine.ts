// Finds the places of a text where a condition holds, in one run from its end to its beginning.
//
// Like the matching machine it holds at most one thread per instruction, so a run costs time linear in the text's length.
import { type CharSet, hasChar } from '../../regexp/char-set.ts'
import { type Lookahead, PATH_OP } from './program.ts'

/** For each place of a text, its end included, 1 where a condition holds. */
export type PositionMarks = Uint8Array

/** The places of the text for each of the conditions, in order. */
export function markPositions(looks: readonly Lookahead[], text: string): readonly PositionMarks[] {
  const places: PositionMarks[] = []
  for (const look of looks) places.push(new BackwardMachine(look, places).run(text))
  return places
}

class BackwardMachine {
  readonly #lookahead: Lookahead
  readonly #known: readonly PositionMarks[]
  readonly #marks: Int32Array
  readonly #stack: number[] = []
  #now: number[] = []
  #next: number[] = []

  constructor(look: Lookahead, known: readonly PositionMarks[]) {
    this.#lookahead = look
    this.#known = known
    this.#marks = new Int32Array(look.ops.length).fill(-1)
  }

  run(text: string): PositionMarks {
    const places = new Uint8Array(text.length + 1)
    const { toEnd } = this.#lookahead
    for (let at = text.length; at >= 0; ) {
      const begins = !toEnd || at === text.length || text.charCodeAt(at) === 47
      if (begins && this.#follow(0, at)) places[at] = 1
      this.#now = this.#next
      this.#next = []
      if (at === 0) break
      const code = readCodeBefore(text, at)
      at -= code > 0xffff ? 2 : 1
      if (this.#step(code, at)) places[at] = 1
    }
    return places
  }

  /** Takes one character with every thread; true when one of them arrives. */
  #step(code: number, at: number): boolean {
    const { ops, x, sets } = this.#lookahead
    let arrived = false
    for (const pc of this.#now) {
      const taken = ops[pc] === PATH_OP.char ? x[pc] === code : hasChar(sets[x[pc] as number] as CharSet, code)
      if (taken && this.#follow(pc + 1, at)) arrived = true
    }
    return arrived
  }

  /** Adds what is reachable without a character; true when that is the end. */
  #follow(start: number, at: number): boolean {
    const { ops, x, y } = this.#lookahead
    const stack = this.#stack
    let arrived = false
    stack.push(start)
    for (let pc = stack.pop(); pc !== undefined; pc = stack.pop()) {
      if (this.#marks[pc] === at) continue
      this.#marks[pc] = at
      const op = ops[pc]
      if (op === PATH_OP.jump) stack.push(x[pc] as number)
      else if (op === PATH_OP.split) stack.push(y[pc] as number, x[pc] as number)
      else if (op === PATH_OP.unless) {
        if (this.#known[x[pc] as number]?.[at] !== 1) stack.push(pc + 1)
      } else if (op === PATH_OP.match) arrived = true
      else this.#next.push(pc)
    }
    return arrived
  }
}

function readCodeBefore(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1)
  if (at < 2 || (unit & 0xfc00) !== 0xdc00) return unit
  const code = text.codePointAt(at - 2) as number
  return code > 0xffff ? code : unit
}
