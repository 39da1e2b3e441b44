// Capture constraints as RegExp: only the regular subset, so that matching takes linear time.
import { readAtomRanges } from '../../regexp/atom-ranges.ts'
import {
  type EdgeNode,
  parseRegExpSyntax,
  type RegExpNode,
  UnsupportedPatternError,
} from '../../regexp/parse-regexp.ts'
import { PatternError } from '../errors.ts'
import type { PathNode } from './ast.ts'
import { createDecodedSet } from './char-set.ts'

const MAX_DEPTH = 50

/**
 * Parses the RegExp that constrains a capture; it must match the complete value, so anchors at its ends have no effect.
 */
export function parseCaptureRegExp(regexp: RegExp, capture: string): PathNode {
  try {
    refuseFlags(regexp)
    const root = parseRegExpSyntax(regexp, { codePoints: true, maxDepth: MAX_DEPTH })
    const branches = root.type === 'choice' ? root.parts : [root]
    return createAlternatives(branches.map((branch) => toPathNode(stripAnchors(branch), regexp)))
  } catch (error) {
    if (!(error instanceof UnsupportedPatternError)) throw error
    const [problem, remedy = 'write the constraint without it'] = error.message.split('; ')
    const source = { label: `capture "${capture}", RegExp`, text: regexp.source }
    throw new PatternError(source, error.at ?? 0, problem as string, capitalizeText(remedy))
  }
}

const capitalizeText = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function refuseFlags({ flags }: RegExp): void {
  const unsupported = /[^isu]/.exec(flags)
  if (unsupported !== null)
    throw new UnsupportedPatternError(
      `the flag "${unsupported[0]}" is not supported; remove it, i, s and u are understood`,
      0,
    )
  if (flags.includes('i') && flags.includes('u'))
    throw new UnsupportedPatternError('the flags "i" and "u" together are not supported; remove one of them', 0)
}

/** Removes the anchors at the ends of an alternative, outside of all groups. */
function stripAnchors(branch: RegExpNode): RegExpNode {
  const parts = branch.type === 'sequence' ? branch.parts : [branch]
  const start = isAnchor(parts[0], 'start') ? 1 : 0
  const rest = parts.slice(start)
  if (isAnchor(rest.at(-1), 'end')) rest.pop()
  return rest.length === parts.length ? branch : { type: 'sequence', parts: rest }
}

const isAnchor = (node: RegExpNode | undefined, edge: 'start' | 'end'): boolean =>
  node?.type === 'edge' && node.edge === edge && node.depth === 0

const createAlternatives = (branches: readonly PathNode[]): PathNode =>
  branches.length === 1 ? (branches[0] as PathNode) : { kind: 'alt', branches }

function toPathNode(node: RegExpNode, regexp: RegExp): PathNode {
  switch (node.type) {
    case 'atom':
      return { kind: 'set', set: createDecodedSet(readAtomRanges(regexp, node)) }
    case 'choice':
      return createAlternatives(node.parts.map((part) => toPathNode(part, regexp)))
    case 'sequence': {
      const items = node.parts.map((part) => toPathNode(part, regexp))
      return items.length === 1 ? (items[0] as PathNode) : { kind: 'seq', items }
    }
    case 'repeat':
      return { kind: 'repeat', item: toPathNode(node.part, regexp), min: node.min, max: node.max, lazy: node.lazy }
    case 'look':
      throw new UnsupportedPatternError(
        'lookaround is not supported; express the exclusion with the option "except", or with character classes',
        node.at,
      )
    case 'edge':
      throw createEdgeError(node)
  }
}

function createEdgeError({ edge, at }: EdgeNode): UnsupportedPatternError {
  if (edge === 'word' || edge === 'not-word')
    return new UnsupportedPatternError('a word boundary is not supported; name the characters that may stand there', at)
  const anchor = edge === 'start' ? '^' : '$'
  return new UnsupportedPatternError(
    `"${anchor}" inside the expression is not supported; anchors may stand at the ends only, where they change nothing`,
    at,
  )
}
