// Finds the optional parts to which a capture leaves their text: those directly after it that reach to the end of the
// segment.
import { type CaptureNode, hasLeadingSlash, type OptionalNode, type PathNode } from '../syntax/ast.ts'

/**
 * Returns the optional parts after a capture, from `items[start]` on. Returns none if they do not apply: they are not
 * followed by the segment's end, or one of them has a slash or a wildcard.
 */
export function findPartsAfter(items: readonly PathNode[], start: number, isLast: boolean): PathNode[] {
  const parts: PathNode[] = []
  for (let i = start; i < items.length; i++) {
    const item = items[i] as PathNode
    if (item.kind !== 'optional' || !isSegmentPart(item.item)) return isSegmentEnd(items, i, isLast) ? parts : []
    parts.push(item.item)
  }
  return isLast ? parts : []
}

/**
 * Returns whether nothing or a slash comes at `items[start]`; `isLast` states whether the segment ends after the items.
 */
export function isSegmentEnd(items: readonly PathNode[], start: number, isLast: boolean): boolean {
  for (let i = start; i < items.length; i++) {
    const item = items[i] as PathNode
    if (hasLeadingSlash(item)) return true
    if (!isOptionalSlash(item)) return false
  }
  return isLast
}

function isOptionalSlash(item: PathNode): item is OptionalNode {
  return item.kind === 'optional' && hasLeadingSlash(item.item)
}

/** Returns whether a node consists of text and captures of one segment. */
function isSegmentPart(node: PathNode): boolean {
  switch (node.kind) {
    case 'char':
      return node.code !== 47
    case 'capture':
      return true
    case 'optional':
      return isSegmentPart(node.item)
    case 'seq':
      return node.items.every(isSegmentPart)
    case 'alt':
      return node.branches.every(isSegmentPart)
    default:
      return false
  }
}

/**
 * Returns whether a capture begins at the last occurrence of the text before it: `.:format` begins after the last dot.
 * A capture with its own constraint takes everything that the constraint allows.
 */
export function followsLastPrefix({ constraintKey }: CaptureNode): boolean {
  return constraintKey === '' || constraintKey.startsWith('class ')
}
