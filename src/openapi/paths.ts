// Expands path patterns with optional parts into the plain templates of OpenAPI, one for each form of the path.
import { listForms, type PathPattern, type PatternForm, restoreSeparators } from '../path/index.ts'

/** A path of a document with its captures. */
export interface OpenapiTemplate {
  readonly path: string
  /** The params by their names in the path. Several wildcards belong to one param. */
  readonly captures: ReadonlyMap<string, TemplateCapture>
}

/** The capture behind a name in a path. */
export interface TemplateCapture {
  readonly param: string
  /** Whether it is a wildcard, whose value may contain slashes and be empty. */
  readonly wildcard: boolean
}

/** The maximum number of templates of a route; the preferred forms come first. */
const MAX_TEMPLATES = 8

/** Lists the templates of a pattern. */
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

// A string that no pattern contains literally, so that only captures and wildcards match it.
const CAPTURE_ONLY_TEXT = encodeURIComponent('\u{10fffd}')

/** Returns whether a pattern matches every path of a template; false if that cannot be determined. */
export function canMatchTemplate(pattern: PathPattern, { path, captures }: OpenapiTemplate): boolean {
  if (captures.size > 0 && Object.keys(pattern.options).length > 0) return false
  return [CAPTURE_ONLY_TEXT, `${CAPTURE_ONLY_TEXT}/${CAPTURE_ONLY_TEXT}`, ''].every((wild) => {
    const one = path.replace(/\{([^}]*)\}/g, (_, name) =>
      captures.get(name)?.wildcard === true ? wild : CAPTURE_ONLY_TEXT,
    )
    return pattern.match(one) !== null
  })
}

// Escapes all characters but those allowed in a path. Braces would read as a capture, and an escaped slash is not a
// separator.
function escapePathCharacter(code: number): string {
  const text = String.fromCodePoint(code)
  return /[\w.~!$&'()*+,;=:@/-]/.test(text) ? text : encodeURIComponent(restoreSeparators(text))
}

/** The paths of a document. Paths that differ only in the names of captures are the same path in OpenAPI. */
export class TemplateRegistry {
  readonly #names = new Map<string, readonly string[]>()

  /** Returns the template with the capture names under which its path was first registered. */
  register(template: OpenapiTemplate): OpenapiTemplate {
    const shape = template.path.replace(/\{[^}]*\}/g, '{}')
    const first = this.#names.get(shape)
    const captures = [...template.captures]
    if (first === undefined) {
      this.#names.set(
        shape,
        captures.map(([name]) => name),
      )
      return template
    }
    let index = 0
    const path = shape.replace(/\{\}/g, () => `{${first[index++]}}`)
    return { path, captures: new Map(captures.map(([, captured], i) => [first[i] as string, captured])) }
  }
}
