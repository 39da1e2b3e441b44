// Notes on params in API documents: the limits and orders of related lists.
import { getDeclaredMediaType, getMediaType, type ParamNote, type ResolvedAction } from '../../extend.ts'
import type { MediaType, View } from '../../index.ts'
import type { ManyNode, Model, ModelNodes } from './model/model.ts'

/** Returns notes on the params that select fields of a resource with limited related lists. */
export function buildFieldNotes(
  { params }: ResolvedAction,
  models: readonly Model[],
): Readonly<Record<string, ParamNote>> {
  const notes: Record<string, ParamNote> = {}
  for (const [name, { core }] of Object.entries(params)) {
    if (core.selectsFrom === undefined) continue
    const of = getDeclaredMediaType(getMediaType(core.selectsFrom as MediaType | View))
    const model = models.find(({ mediaType }) => mediaType === of)
    const limited = model === undefined ? [] : [...describeLimits(model.nodes, '', 0)]
    if (limited.length > 0) notes[name] = { text: limited.join(' ') }
  }
  return notes
}

/** The depth to which related lists are described. */
const MAX_DEPTH = 3

function* describeLimits(nodes: ModelNodes, above: string, depth: number): Generator<string> {
  for (const [name, node] of nodes) {
    const path = `${above}${name}`
    if (node.type === 'many') yield* describeLimit(node, path)
    if (depth === MAX_DEPTH) continue
    if (node.type === 'struct') yield* describeLimits(node.nodes, `${path}.`, depth + 1)
    else if (node.type === 'one' || node.type === 'many')
      yield* describeLimits(node.target().nodes, `${path}.`, depth + 1)
  }
}

function* describeLimit({ settings: { limit, order = [] } }: ManyNode, path: string): Generator<string> {
  if (limit === undefined) return
  const ordered = order.length === 0 ? '' : `, in the order \`${order.join(',')}\``
  yield `\`${path}\` has at most ${limit}${ordered}.`
}
