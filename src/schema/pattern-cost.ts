// How the time of a backtracking match can grow with the length of the text: found from the ways a pattern can read one text.
//
// A pattern becomes an automaton whose states are its characters. Two different ways to read one text around a loop and
// back make the time exponential; one loop that can pass a text on to a later loop makes it a power of the length.
// Limits: a part repeated a bounded number of times counts as a loop when its length varies or the bounds lie far apart,
// so that a harmless one may be reported; many optional characters in a row (`a?a?a?…aaa`) are not seen.
import { type CharSet, everything, intersection } from './char-set.ts'
import type { PatternNode } from './pattern-syntax.ts'

/** How the time of a match can grow with the length of the text. */
export type PatternCost = 'linear' | 'power' | 'exponential'

/** Finds how the time of matching a pattern can grow; a pattern too large to tell counts as a power. */
export function patternCost(node: PatternNode): PatternCost {
  const automaton = new Automaton()
  automaton.add(node)
  const costs = [costOf(automaton), ...automaton.conditions.map(patternCost)]
  return costs.find((cost) => cost === 'exponential') ?? costs.find((cost) => cost === 'power') ?? 'linear'
}

interface Piece {
  readonly optional: boolean
  readonly first: readonly number[]
  readonly last: readonly number[]
}

const MAX_STATES = 300
const MAX_COPIES = 32
const MAX_OPTIONAL_COPIES = 8
const MAX_STEPS = 200_000
const EMPTY: Piece = { optional: true, first: [], last: [] }

class Automaton {
  readonly sets: CharSet[] = []
  readonly next: number[][] = []
  /** True when one loop lies so within another that the same step belongs to both. */
  doubled = false
  readonly conditions: PatternNode[] = []

  add(node: PatternNode): Piece {
    if (node.type === 'set') return this.#state(node.set)
    if (node.type === 'back') return this.#loop(this.#state(everything), true)
    if (node.type === 'repeat') return this.#repeat(node)
    if (node.type === 'look') {
      this.conditions.push(node.part)
      return EMPTY
    }
    const pieces = node.parts.map((part) => this.add(part))
    return node.type === 'choice' ? either(pieces) : pieces.reduce((before, after) => this.#join(before, after), EMPTY)
  }

  #state(set: CharSet): Piece {
    this.sets.push(set)
    this.next.push([])
    const state = this.sets.length - 1
    return { optional: false, first: [state], last: [state] }
  }

  #join(before: Piece, after: Piece): Piece {
    this.#connect(before.last, after.first)
    return {
      optional: before.optional && after.optional,
      first: before.optional ? [...before.first, ...after.first] : before.first,
      last: after.optional ? [...before.last, ...after.last] : after.last,
    }
  }

  #repeat({ part, min, max }: PatternNode & { type: 'repeat' }): Piece {
    if (max === 0) return EMPTY
    if (max === 1) {
      const once = this.add(part)
      return { ...once, optional: min === 0 || once.optional }
    }
    const few = max <= MAX_COPIES && max - min <= MAX_OPTIONAL_COPIES && this.sets.length <= MAX_STATES
    if (!few || widthOf(part) === undefined) return this.#loop(this.add(part), min === 0)
    let all = EMPTY
    for (let i = max; i > 0; i--) {
      const rest = this.#join(this.add(part), all)
      all = i > min ? { ...rest, optional: true } : rest
    }
    return all
  }

  #loop(body: Piece, optional: boolean): Piece {
    this.#connect(body.last, body.first)
    return { ...body, optional: optional || body.optional }
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const state of from) {
      const next = this.next[state] as number[]
      for (const one of to) {
        if (next.includes(one)) this.doubled = true
        else next.push(one)
      }
    }
  }
}

function either(pieces: readonly Piece[]): Piece {
  return {
    optional: pieces.some((one) => one.optional),
    first: pieces.flatMap((one) => one.first),
    last: pieces.flatMap((one) => one.last),
  }
}

/** The number of characters that every text of a part has, or undefined when they differ. */
function widthOf(node: PatternNode): number | undefined {
  if (node.type === 'set') return 1
  if (node.type === 'look') return 0
  if (node.type === 'back') return undefined
  if (node.type === 'repeat') {
    const width = node.min === node.max ? widthOf(node.part) : undefined
    return width === undefined ? undefined : width * node.min
  }
  const widths = node.parts.map(widthOf)
  if (node.type === 'choice') return widths.every((width) => width === widths[0]) ? widths[0] : undefined
  return widths.reduce((sum, width) => (sum === undefined || width === undefined ? undefined : sum + width), 0)
}

function costOf(automaton: Automaton): PatternCost {
  if (automaton.doubled) return 'exponential'
  if (automaton.sets.length > MAX_STATES) return 'power'
  const walk = new Walk(automaton)
  if (walk.comesBackInTwoWays()) return 'exponential'
  return walk.passesOn() || walk.exhausted ? 'power' : 'linear'
}

type Allowed = (from: number, to: number) => boolean
type Met = (before: readonly number[], after: readonly number[]) => boolean

/** Follows several readings of one text through an automaton at once. */
class Walk {
  readonly #sets: readonly CharSet[]
  readonly #next: readonly (readonly number[])[]
  /** Which states can follow a state, after any number of steps. */
  readonly #after: readonly ReadonlySet<number>[]
  #steps = 0

  constructor({ sets, next }: Automaton) {
    this.#sets = sets
    this.#next = next
    this.#after = next.map((first) => reachable(first, next))
  }

  /** True when the walk was given up because the pattern is too large. */
  get exhausted(): boolean {
    return this.#steps > MAX_STEPS
  }

  /** Two readings that part within a loop and meet again in it double with every turn. */
  comesBackInTwoWays(): boolean {
    const within = (from: number, to: number) => this.#inOneLoop(from, to)
    const pairs = this.#looping().map((state) => [state, state])
    return this.#search(pairs, [within, within], ([p, q], [p2, q2]) => p !== q && p2 === q2)
  }

  /** A text that one loop reads, that leads from it to a later loop, and that the later loop reads as well. */
  passesOn(): boolean {
    const looping = this.#looping()
    const within = (from: number, to: number) => this.#inOneLoop(from, to)
    for (const p of looping) {
      for (const q of looping) {
        if (!this.#after[p]?.has(q) || this.#after[q]?.has(p)) continue
        const towards = (_: number, to: number) => to === q || this.#after[to]?.has(q) === true
        const met: Met = (_, [a, b, c]) => a === p && b === q && c === q
        if (this.#search([[p, p, q]], [within, towards, within], met)) return true
      }
    }
    return false
  }

  #search(from: number[][], allowed: readonly Allowed[], met: Met): boolean {
    const seen = new Set(from.map(String))
    const queue = [...from]
    for (let states = queue.pop(); states !== undefined && !this.exhausted; states = queue.pop()) {
      for (const step of this.#stepsFrom(states, allowed)) {
        if (met(states, step)) return true
        if (seen.has(String(step))) continue
        seen.add(String(step))
        queue.push(step)
      }
    }
    return false
  }

  /** The states that several readings can be in together after one more character. */
  #stepsFrom(states: readonly number[], allowed: readonly Allowed[]): number[][] {
    let steps: { to: number[]; shared: CharSet }[] = [{ to: [], shared: everything }]
    states.forEach((state, i) => {
      const choices = (this.#next[state] ?? []).filter((to) => allowed[i]?.(state, to))
      steps = steps.flatMap(({ to, shared }) =>
        choices
          .map((one) => ({ to: [...to, one], shared: intersection(shared, this.#sets[one] ?? []) }))
          .filter((step) => step.shared.length > 0),
      )
      this.#steps += steps.length
    })
    return steps.map(({ to }) => to)
  }

  #looping(): number[] {
    return [...this.#after.keys()].filter((state) => this.#after[state]?.has(state))
  }

  #inOneLoop(p: number, q: number): boolean {
    return this.#after[p]?.has(q) === true && this.#after[q]?.has(p) === true
  }
}

function reachable(from: readonly number[], next: readonly (readonly number[])[]): Set<number> {
  const seen = new Set(from)
  for (const state of seen) for (const one of next[state] ?? []) seen.add(one)
  return seen
}
