// The optional parts that a capture leaves their text to: those that follow it directly and reach to the end of the segment.
import { type CaptureNode, type PathNode, type OptionalNode, hasLeadingSlash } from '../syntax/ast.ts'

/**
 * The optional parts behind a capture, in front of `items[from]`, or none when they have no claim: something else than the
 * segment's end follows them, or one of them holds a slash or a wildcard.
 */
export function findPartsAfter(items: readonly PathNode[], from: number, ends: boolean): PathNode[] {
  const parts: PathNode[] = []
  for (let i = from; i < items.length; i++) {
    const item = items[i] as PathNode
    if (item.kind !== 'optional' || !isSegmentPart(item.item)) return isSegmentEnd(items, i, ends) ? parts : []
    parts.push(item.item)
  }
  return ends ? parts : []
}

/** True when nothing or a slash comes at `items[from]`; `ends` says it of what is behind the items. */
export function isSegmentEnd(items: readonly PathNode[], from: number, ends: boolean): boolean {
  for (let i = from; i < items.length; i++) {
    const item = items[i] as PathNode
    if (hasLeadingSlash(item)) return true
    if (!isOptionalSlash(item)) return false
  }
  return ends
}

function isOptionalSlash(item: PathNode): item is OptionalNode {
  return item.kind === 'optional' && hasLeadingSlash(item.item)
}

/** Text and captures of one segment. */
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
 * True for a capture that begins at the last place where what leads to it occurs: `.:format` is behind the last dot. One
 * with its own constraint takes all that the constraint allows.
 */
export function isPrefixAnchored({ key }: CaptureNode): boolean {
  return key === '' || key.startsWith('class ')
}
