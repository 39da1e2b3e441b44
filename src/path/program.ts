// Translates a syntax tree into the instructions of the matching machine.
import { canContain, endsInCapture, type Node, type OptionalNode, startsWithSlash } from './ast.ts'
import { ANYTHING, type CharSet, charSet, literalRanges } from './char-set.ts'
import { PatternError } from './errors.ts'

/** Instruction codes of the matching machine. */
export const OP: {
  readonly char: 0
  readonly set: 1
  readonly split: 2
  readonly jump: 3
  readonly save: 4
  readonly match: 5
} = {
  char: 0,
  set: 1,
  split: 2,
  jump: 3,
  save: 4,
  match: 5,
}

/** Instructions as parallel arrays: code, first operand, second operand. */
export interface Program {
  readonly ops: Uint8Array
  readonly x: Int32Array
  readonly y: Int32Array
  readonly sets: readonly CharSet[]
  /** How many positions a match records; the last one marks a match as refused. */
  readonly slots: number
}

// Matching costs at most this many steps per character of the path.
const MAX_INSTRUCTIONS = 4000
const MAX_PARTS = 6

/** Compiles a tree; slots are two per name, then two per unnamed wildcard, then the refusal mark. */
export function compileProgram(source: string, root: Node, names: readonly string[], wildcards: number): Program {
  const emitter = new Emitter(source, names, wildcards)
  emitter.emit(root)
  emitter.add(OP.match, 0, 0)
  return emitter.finish()
}

class Emitter {
  readonly source: string
  readonly names: readonly string[]
  readonly refused: number
  readonly ops: number[] = []
  readonly x: number[] = []
  readonly y: number[] = []
  readonly sets: CharSet[] = []

  constructor(source: string, names: readonly string[], wildcards: number) {
    this.source = source
    this.names = names
    this.refused = 2 * (names.length + wildcards)
  }

  finish(): Program {
    return {
      ops: Uint8Array.from(this.ops),
      x: Int32Array.from(this.x),
      y: Int32Array.from(this.y),
      sets: this.sets,
      slots: this.refused + 1,
    }
  }

  add(op: number, x: number, y: number): number {
    if (this.ops.length >= MAX_INSTRUCTIONS) {
      throw new PatternError(
        this.source,
        0,
        'the pattern is too complex to match in bounded time',
        'Use fewer optional parts in a row and smaller repetition counts',
      )
    }
    this.x.push(x)
    this.y.push(y)
    return this.ops.push(op) - 1
  }

  emit(node: Node): void {
    switch (node.kind) {
      case 'char':
        return this.literal(node.code)
      case 'set':
        return this.set(node.set)
      case 'seq':
        return this.sequence(node.items)
      case 'alt':
        return this.choose(node.branches.map((branch) => () => this.emit(branch)))
      case 'optional':
        return this.repeat(node.item, 0, 1, false)
      case 'repeat':
        return this.repeat(node.item, node.min, node.max, node.lazy)
      case 'capture':
        return this.saved(2 * this.names.indexOf(node.name), node.body)
      case 'wildcard': {
        const index = node.name === null ? this.names.length + node.index : this.names.indexOf(node.name)
        return this.saved(2 * index, {
          kind: 'repeat',
          item: { kind: 'set', set: ANYTHING },
          min: 0,
          max: Number.POSITIVE_INFINITY,
          lazy: true,
        })
      }
    }
  }

  literal(code: number): void {
    const ranges = literalRanges(code)
    if (ranges.length === 2) this.add(OP.char, code, 0)
    else this.set(charSet(ranges))
  }

  set(set: CharSet): void {
    const known = this.sets.indexOf(set)
    this.add(OP.set, known >= 0 ? known : this.sets.push(set) - 1, 0)
  }

  saved(slot: number, body: Node): void {
    this.add(OP.save, slot, 0)
    this.emit(body)
    this.add(OP.save, slot + 1, 0)
  }

  sequence(items: readonly Node[]): void {
    for (let i = 0; i < items.length; i++) {
      const item = items[i] as Node
      const parts = optionalsAfter(items, i + 1)
      if (competes(item, parts)) {
        this.yielding(item, parts)
        i += parts.length
      } else this.emit(item)
    }
  }

  /**
   * A capture in front of optional parts leaves them what they can match: first the parts are present and the capture
   * is as long as it can be; a path where they leave nothing for the capture is refused; only then they are absent.
   */
  yielding(item: Node, parts: readonly OptionalNode[]): void {
    if (parts.length > MAX_PARTS) {
      throw new PatternError(
        this.source,
        0,
        `more than ${MAX_PARTS} optional parts follow one capture`,
        'Nest them, or split the pattern in two',
      )
    }
    const subsets = nonEmptySubsets(parts)
    const present = subsets.map((subset) => () => this.all([item, ...subset]))
    const refused = subsets.map((subset) => () => {
      this.add(OP.save, this.refused, 0)
      this.all(subset)
    })
    this.choose([...present, ...refused, () => this.emit(item)])
  }

  all(items: readonly Node[]): void {
    for (const item of items) this.emit(item)
  }

  choose(branches: readonly (() => void)[]): void {
    const ends: number[] = []
    for (const branch of branches.slice(0, -1)) {
      const split = this.add(OP.split, this.ops.length + 1, 0)
      branch()
      ends.push(this.add(OP.jump, 0, 0))
      this.y[split] = this.ops.length
    }
    branches.at(-1)?.()
    for (const end of ends) this.x[end] = this.ops.length
  }

  repeat(item: Node, min: number, max: number, lazy: boolean): void {
    for (let i = 0; i < min; i++) this.emit(item)
    const splits: number[] = []
    const copies = max === Number.POSITIVE_INFINITY ? 1 : max - min
    for (let i = 0; i < copies; i++) {
      splits.push(this.add(OP.split, 0, 0))
      this.emit(item)
    }
    if (max === Number.POSITIVE_INFINITY) this.add(OP.jump, splits[0] as number, 0)
    for (const split of splits) {
      this.x[split] = lazy ? this.ops.length : split + 1
      this.y[split] = lazy ? split + 1 : this.ops.length
    }
  }
}

/** True when optional parts could take characters that the capture in front of them would take too. */
function competes(item: Node, parts: readonly OptionalNode[]): boolean {
  if (parts.length === 0 || !endsInCapture(item)) return false
  return canContain(item, 47) || parts.some((part) => !startsWithSlash(part.item))
}

function optionalsAfter(items: readonly Node[], from: number): OptionalNode[] {
  const found: OptionalNode[] = []
  for (let i = from; i < items.length; i++) {
    const item = items[i]
    if (item?.kind !== 'optional') break
    found.push(item)
  }
  return found
}

/** Every way to have at least one of the parts, those with the first part first. */
function nonEmptySubsets(parts: readonly OptionalNode[]): Node[][] {
  const [first, ...rest] = parts
  if (first === undefined) return []
  const others = nonEmptySubsets(rest)
  return [...others.map((subset) => [first.item, ...subset]), [first.item], ...others]
}
