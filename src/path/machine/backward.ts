// Finds the places of a text where a condition holds, in one run from its end to its beginning.
//
// Like the matching machine it holds at most one thread per instruction, so a run costs time linear in the text's length.
import { type CharSet, holds } from '../../regexp/char-set.ts'
import { type Look, OP } from './program.ts'

/** For each place of a text, its end included, 1 where a condition holds. */
export type Places = Uint8Array

/** The places of the text for each of the conditions, in order. */
export function placesOf(looks: readonly Look[], text: string): readonly Places[] {
  const places: Places[] = []
  for (const look of looks) places.push(new Backward(look, places).run(text))
  return places
}

class Backward {
  readonly #look: Look
  readonly #known: readonly Places[]
  readonly #marks: Int32Array
  readonly #stack: number[] = []
  #now: number[] = []
  #next: number[] = []

  constructor(look: Look, known: readonly Places[]) {
    this.#look = look
    this.#known = known
    this.#marks = new Int32Array(look.ops.length).fill(-1)
  }

  run(text: string): Places {
    const places = new Uint8Array(text.length + 1)
    const { toEnd } = this.#look
    for (let at = text.length; at >= 0; ) {
      const begins = !toEnd || at === text.length || text.charCodeAt(at) === 47
      if (begins && this.#follow(0, at)) places[at] = 1
      this.#now = this.#next
      this.#next = []
      if (at === 0) break
      const code = codeBefore(text, at)
      at -= code > 0xffff ? 2 : 1
      if (this.#step(code, at)) places[at] = 1
    }
    return places
  }

  /** Takes one character with every thread; true when one of them arrives. */
  #step(code: number, at: number): boolean {
    const { ops, x, sets } = this.#look
    let arrived = false
    for (const pc of this.#now) {
      const taken = ops[pc] === OP.char ? x[pc] === code : holds(sets[x[pc] as number] as CharSet, code)
      if (taken && this.#follow(pc + 1, at)) arrived = true
    }
    return arrived
  }

  /** Adds what is reachable without a character; true when that is the end. */
  #follow(start: number, at: number): boolean {
    const { ops, x, y } = this.#look
    const stack = this.#stack
    let arrived = false
    stack.push(start)
    for (let pc = stack.pop(); pc !== undefined; pc = stack.pop()) {
      if (this.#marks[pc] === at) continue
      this.#marks[pc] = at
      const op = ops[pc]
      if (op === OP.jump) stack.push(x[pc] as number)
      else if (op === OP.split) stack.push(y[pc] as number, x[pc] as number)
      else if (op === OP.unless) {
        if (this.#known[x[pc] as number]?.[at] !== 1) stack.push(pc + 1)
      } else if (op === OP.match) arrived = true
      else this.#next.push(pc)
    }
    return arrived
  }
}

function codeBefore(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1)
  if (at < 2 || (unit & 0xfc00) !== 0xdc00) return unit
  const code = text.codePointAt(at - 2) as number
  return code > 0xffff ? code : unit
}
