// The pattern parser: converts `:name`, `*`, `*name`, `(…)`, `|`, `?` and `\` to a syntax tree.

import { getEscapeLength, guardSeparator, isSeparator, readEscape } from '../decode.ts'
import { PatternError } from '../errors.ts'
import { type CaptureNode, createCharNode, type PathNode } from './ast.ts'

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y
const MAX_DEPTH = 50

/** Returns the tree and the key of a capture's constraint. */
export type ResolveConstraint = (name: string) => Pick<CaptureNode, 'body' | 'constraintKey'>

/** Parses a pattern. */
export function parsePathPattern(source: string, resolve: ResolveConstraint): PathNode {
  const parser = new PatternParser(source, resolve)
  const root = parser.parseAlternatives(0)
  if (parser.pos < source.length) {
    throw new PatternError(
      source,
      parser.pos,
      'this ")" closes no group',
      'Remove it, or write "\\)" for the character',
    )
  }
  refuseRepeatedNames(source, root, new Set())
  return root
}

class PatternParser {
  readonly source: string
  readonly resolve: ResolveConstraint
  pos = 0
  wildcards = 0

  constructor(source: string, resolve: ResolveConstraint) {
    this.source = source
    this.resolve = resolve
  }

  parseAlternatives(depth: number): PathNode {
    if (depth > MAX_DEPTH) throw this.createError('groups are nested too deeply', `Use at most ${MAX_DEPTH} levels`)
    const branches: PathNode[][] = [this.parseSequence(depth)]
    while (this.source[this.pos] === '|') {
      this.refuseEmpty(branches.at(-1))
      this.pos += 1
      branches.push(this.parseSequence(depth))
    }
    if (branches.length > 1 || depth > 0) this.refuseEmpty(branches.at(-1))
    const nodes = branches.map((items): PathNode => ({ kind: 'seq', items }))
    return nodes.length === 1 ? (nodes[0] as PathNode) : { kind: 'alt', branches: nodes }
  }

  parseSequence(depth: number): PathNode[] {
    const items: PathNode[] = []
    while (this.pos < this.source.length) {
      const next = this.source[this.pos]
      if (next === '|' || next === ')') break
      const node = this.parseAtom(depth)
      if (this.source[this.pos] === '?') {
        this.pos += 1
        items.push({ kind: 'optional', item: node })
      } else if (node.kind === 'seq') items.push(...node.items)
      else items.push(node)
    }
    return items
  }

  parseAtom(depth: number): PathNode {
    switch (this.source[this.pos]) {
      case ':':
        return this.parseCapture()
      case '*':
        return this.parseWildcard()
      case '(':
        return this.parseGroup(depth)
      case '?':
        throw this.createError(
          'there is nothing before "?" to make optional',
          'Put it after a character, capture or group, or write "\\?" for the character',
        )
      case '{':
      case '}':
        throw this.createError(
          'braces have no meaning here',
          'Write ":name" for a capture, or put "\\" before the brace for the character',
        )
      default:
        return this.parseChar()
    }
  }

  parseCapture(): PathNode {
    const at = this.pos
    this.pos += 1
    const name = this.parseName()
    if (name === null) {
      throw new PatternError(
        this.source,
        at,
        'a capture needs a name of ASCII letters, digits and "_" that begins with no digit',
        'Write for example ":id", or "\\:" for the character',
      )
    }
    this.refuseReserved(name, at)
    return { kind: 'capture', name, at, ...this.resolve(name) }
  }

  parseWildcard(): PathNode {
    const at = this.pos
    this.pos += 1
    const name = this.parseName()
    if (name !== null) {
      this.refuseReserved(name, at)
      return { kind: 'wildcard', name, index: 0, at }
    }
    this.wildcards += 1
    return { kind: 'wildcard', name: null, index: this.wildcards - 1, at }
  }

  parseName(): string | null {
    NAME.lastIndex = this.pos
    const found = NAME.exec(this.source)?.[0] ?? null
    if (found === null) return null
    this.pos += found.length
    if (/^\p{L}/u.test(this.source.slice(this.pos, this.pos + 2))) {
      throw this.createError(
        `the name "${found}" runs into a letter outside ASCII`,
        'Names are ASCII; put the name in a group, "(:name)", to end it here',
      )
    }
    return found
  }

  parseGroup(depth: number): PathNode {
    const at = this.pos
    this.pos += 1
    const node = this.parseAlternatives(depth + 1)
    if (this.source[this.pos] !== ')') {
      throw new PatternError(this.source, at, 'this group is never closed', 'Add ")", or write "\\(" for the character')
    }
    this.pos += 1
    return node
  }

  parseChar(): PathNode {
    const at = this.pos
    const escaped = readEscape(this.source, at)
    if (escaped >= 0) {
      this.pos += getEscapeLength(escaped)
      return createCharNode(isSeparator(escaped) ? guardSeparator(escaped) : escaped)
    }
    if (this.source[at] === '\\') this.pos += 1
    const code = this.source.codePointAt(this.pos)
    if (code === undefined)
      throw new PatternError(this.source, at, 'there is no character after "\\"', 'Write "\\\\" for a backslash')
    if (code >= 0xd800 && code <= 0xdfff)
      throw this.createError('half of a surrogate pair', 'Write the whole character')
    this.pos += code > 0xffff ? 2 : 1
    return createCharNode(code)
  }

  refuseReserved(name: string, at: number): void {
    if (name !== 'splat') return
    throw new PatternError(this.source, at, 'the name "splat" belongs to the unnamed wildcards', 'Choose another name')
  }

  refuseEmpty(branch: readonly PathNode[] | undefined): void {
    if (branch !== undefined && branch.length > 0) return
    throw this.createError('an empty group or alternative', 'Make the part optional with "?" instead')
  }

  createError(problem: string, remedy: string): PatternError {
    return new PatternError(this.source, this.pos, problem, remedy)
  }
}

/** Refuses a name that one match could capture twice; `seen` collects the names of preceding nodes. */
function refuseRepeatedNames(source: string, node: PathNode, seen: Set<string>): void {
  if (node.kind === 'capture' || node.kind === 'wildcard') {
    if (node.name === null) return
    if (seen.has(node.name)) {
      throw new PatternError(
        source,
        node.at,
        `the name "${node.name}" is captured twice`,
        'Give each capture its own name',
      )
    }
    seen.add(node.name)
  } else if (node.kind === 'seq') {
    for (const item of node.items) refuseRepeatedNames(source, item, seen)
  } else if (node.kind === 'optional') {
    refuseRepeatedNames(source, node.item, seen)
  } else if (node.kind === 'alt') {
    const before = [...seen]
    for (const branch of node.branches) {
      const branchNames = new Set(before)
      refuseRepeatedNames(source, branch, branchNames)
      for (const name of branchNames) seen.add(name)
    }
  }
}
