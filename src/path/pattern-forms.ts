// The forms of a pattern: all variants after every alternative and optional part is decided.
import type { CaptureNode, CharNode, PathNode, WildcardNode } from './syntax/ast.ts'

/** One piece of a form. */
export type FormPiece = CharNode | CaptureNode | WildcardNode

/** A pattern without choices: literal characters, captures and wildcards in order. */
export type PatternForm = readonly FormPiece[]

/** The maximum number of forms that are listed. */
export const MAX_FORMS = 256

/** Returns all forms of a tree, preferred ones first; null if there are more than `MAX_FORMS`. */
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
    const branchForms = listForms(branch)
    if (branchForms === null || forms.length + branchForms.length > MAX_FORMS) return null
    forms.push(...branchForms)
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
