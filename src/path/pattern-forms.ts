// The forms of a pattern: what it looks like once every alternative and optional part is decided.
import type { CaptureNode, CharNode, PathNode, WildcardNode } from './syntax/ast.ts'

/** One piece of a form. */
export type FormPiece = CharNode | CaptureNode | WildcardNode

/** A pattern without choices: literal characters, captures and wildcards in order. */
export type PatternForm = readonly FormPiece[]

/** Most forms a pattern may have to be listed. */
export const MAX_FORMS = 256

/** All forms of a tree, preferred ones first, or null when there are more than `MAX_FORMS`. */
export function listForms(node: PathNode): readonly PatternForm[] | null {
  switch (node.kind) {
    case 'char':
    case 'capture':
    case 'wildcard':
      return [[node]]
    case 'alt':
      return listAlternatives(node.branches)
    case 'optional': {
      const forms = listForms(node.item)
      return forms === null || forms.length === MAX_FORMS ? null : [...forms, []]
    }
    case 'seq':
      return combineSequence(node.items)
    default:
      return null
  }
}

function listAlternatives(branches: readonly PathNode[]): readonly PatternForm[] | null {
  const forms: PatternForm[] = []
  for (const branch of branches) {
    const own = listForms(branch)
    if (own === null || forms.length + own.length > MAX_FORMS) return null
    forms.push(...own)
  }
  return forms
}

function combineSequence(items: readonly PathNode[]): readonly PatternForm[] | null {
  let forms: FormPiece[][] = [[]]
  for (const item of items) {
    if (item.kind === 'char') {
      for (const form of forms) form.push(item)
      continue
    }
    const next = listForms(item)
    if (next === null || forms.length * next.length > MAX_FORMS) return null
    const [only] = next
    if (next.length === 1 && only !== undefined) for (const form of forms) form.push(...only)
    else forms = forms.flatMap((head) => next.map((tail) => [...head, ...tail]))
  }
  return forms
}
