// Paths: patterns with choices become the plain templates that OpenAPI knows, one for each way to write the path.
import { type PatternForm, listForms, type PathPattern, restoreSeparators } from '../path/index.ts'

/** A path of a document, and which params it takes. */
export interface OpenapiTemplate {
  readonly path: string
  /** The names in the path, and the params they stand for; several wildcards are parts of one. */
  readonly captures: ReadonlyMap<string, TemplateCapture>
}

/** The placeholder of one name in a path. */
export interface TemplateCapture {
  readonly param: string
  /** True for wildcards, whose values may have slashes and be empty. */
  readonly wildcard: boolean
}

/** The most ways to write one route that a document lists; the first ones are the preferred ones. */
const MAX_TEMPLATES = 8

/** The templates of a pattern. */
export function listTemplates(pattern: PathPattern): readonly OpenapiTemplate[] {
  const forms = listForms(pattern.root) ?? []
  const templates = forms.slice(0, MAX_TEMPLATES).map((form) => buildPathTemplate(form, pattern.wildcards))
  return templates.filter(({ path }, i) => templates.findIndex((other) => other.path === path) === i)
}

function buildPathTemplate(form: PatternForm, wildcards: number): OpenapiTemplate {
  const captures = new Map<string, TemplateCapture>()
  let path = ''
  let splats = 0
  for (const piece of form) {
    if (piece.kind === 'char') {
      path += escapePathCharacter(piece.code)
      continue
    }
    const wildcard = piece.kind === 'wildcard'
    const name = piece.name ?? (wildcards > 1 ? `splat${++splats}` : 'splat')
    captures.set(name, { param: piece.name ?? 'splat', wildcard })
    path += `{${name}}`
  }
  return { path: path.startsWith('/') ? path : `/${path}`, captures }
}

// A text that no pattern has among its own, so that only captures and wildcards take it.
const CAPTURE_ONLY_TEXT = encodeURIComponent('\u{10fffd}')

/** Returns whether a pattern matches every path that a template stands for; false where that cannot be told. */
export function canMatchTemplate(pattern: PathPattern, { path, captures }: OpenapiTemplate): boolean {
  if (captures.size > 0 && Object.keys(pattern.options).length > 0) return false
  return [CAPTURE_ONLY_TEXT, `${CAPTURE_ONLY_TEXT}/${CAPTURE_ONLY_TEXT}`, ''].every((wild) => {
    const one = path.replace(/\{([^}]*)\}/g, (_, name) => (captures.get(name)?.wildcard === true ? wild : CAPTURE_ONLY_TEXT))
    return pattern.match(one) !== null
  })
}

// Characters that need no escape in a path; all others are escaped, also braces, which would read as a name, and a slash that
// separates nothing.
function escapePathCharacter(code: number): string {
  const text = String.fromCodePoint(code)
  return /[\w.~!$&'()*+,;=:@/-]/.test(text) ? text : encodeURIComponent(restoreSeparators(text))
}

/** The paths of a document: those that differ in the names of their captures only are one to OpenAPI. */
export class TemplateRegistry {
  readonly #names = new Map<string, readonly string[]>()

  /** The template under the names that its path was first written with. */
  register(template: OpenapiTemplate): OpenapiTemplate {
    const shape = template.path.replace(/\{[^}]*\}/g, '{}')
    const first = this.#names.get(shape)
    const own = [...template.captures]
    if (first === undefined) {
      this.#names.set(
        shape,
        own.map(([name]) => name),
      )
      return template
    }
    let at = 0
    const path = shape.replace(/\{\}/g, () => `{${first[at++]}}`)
    return { path, captures: new Map(own.map(([, captured], i) => [first[i] as string, captured])) }
  }
}
