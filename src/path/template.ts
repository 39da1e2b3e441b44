// Paths with gaps, all that clients have to know of a pattern: the names that it captures, and the path for given values.
// Whether a value satisfies a constraint is the server's to judge.

// A pattern's source consists of these: escapes, variables, signs and characters.
const TOKEN = /\\(.)|(%[0-9A-Fa-f]{2})|([:*])([A-Za-z_][A-Za-z0-9_]*)?|[()|?]|./gsu

/** A path with gaps. */
export interface PathTemplate {
  /** Names of captures and wildcards, in the order of the source. */
  readonly names: readonly string[]
  /** Those of them that every path has. */
  readonly required: readonly string[]
  /** The number of unnamed wildcards, whose values are `splat`. */
  readonly wildcards: number
  /** The path for the given values; throws TypeError where there is none. */
  expand(values: Readonly<Record<string, unknown>>): string
}

interface Gap {
  readonly name: string | undefined
  readonly wild: boolean
}

/** A path without optional parts and alternatives. */
type Form = readonly (string | Gap)[]

/** Reads the source of a pattern; one with mistakes gives some template, and an application with it does not boot. */
export function pathTemplate(source: string): PathTemplate {
  const forms = formsIn(source.matchAll(TOKEN))
  const gaps = Array.from(source.matchAll(TOKEN)).flatMap(([, , , sign, name]) => (sign ? [name ?? ''] : []))
  const names = [...new Set(gaps.filter((name) => name !== ''))]
  return {
    names,
    required: names.filter((name) => forms.every((form) => gapsOf(form).some((gap) => gap.name === name))),
    wildcards: gaps.filter((name) => name === '').length,
    expand: (values) => safe(source, pathIn(forms, values)),
  }
}

const gapsOf = (form: Form): readonly Gap[] => form.flatMap((part) => (typeof part === 'string' ? [] : part))

// All forms of a path, to the end of a group: optional parts are left out first.
function formsIn(tokens: IterableIterator<RegExpMatchArray>): readonly Form[] {
  const all: Form[] = []
  let [forms, before]: (readonly Form[])[] = [[[]], []]
  // An iterator of matches goes on where a loop was left.
  for (const [text, escaped, code, sign, name] of tokens) {
    if (text === ')') break
    if (text === '|') {
      all.push(...(forms as Form[]))
      forms = [[]]
    } else if (text === '?') forms = [...(before as Form[]), ...(forms as Form[])]
    else {
      const literal = (): string => code ?? encodeURI(escaped ?? text).replace(/[?#[\]]/g, encodeURIComponent)
      const parts = text === '(' ? formsIn(tokens) : [[sign ? { name, wild: sign === '*' } : literal()]]
      before = forms
      forms = (before as Form[]).flatMap((form) => parts.map((part) => [...form, ...part]))
    }
  }
  return [...all, ...(forms as Form[])]
}

// That of the form with the most gaps that can all be filled; undefined without one.
function pathIn(forms: readonly Form[], values: Readonly<Record<string, unknown>>): string | undefined {
  const texts = forms.map((form) => {
    let splat = 0
    const filled = form.map((part) => {
      if (typeof part === 'string') return part
      const { name, wild } = part
      const value = name === undefined ? (values['splat'] as unknown[] | undefined)?.[splat++] : values[name]
      if (value === undefined || value === null || (value === '' && !wild)) return undefined
      const encoded = encodeURIComponent(String(value))
      return wild ? encoded.replaceAll('%2F', '/') : encoded
    })
    return filled.includes(undefined) ? [] : [[filled.join(''), gapsOf(form).length] as const]
  })
  return texts.flat().sort(([, a], [, b]) => b - a)[0]?.[0]
}

// URL parsers remove such segments, encoded or not, and take two slashes in front for a host.
function safe(source: string, path: string | undefined): string {
  if (path === undefined) throw new TypeError(`the path ${source} lacks a value, or one is empty`)
  if (/(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/i.test(path))
    throw new TypeError(`the path ${source} would have a segment "." or ".."`)
  return path.replace(/^\/\//, '/%2F')
}

/** The source in parentheses when it has alternatives at its top, so that text can be put before or after it. */
export function groupAlternatives(source: string): string {
  let depth = 0
  const isTop = ([text]: RegExpMatchArray): boolean => {
    depth += Number(text === '(') - Number(text === ')')
    return text === '|' && depth === 0
  }
  return Array.from(source.matchAll(TOKEN)).some(isTop) ? `(${source})` : source
}

/** The source with captures and named wildcards renamed; names that the map does not hold stay. */
export const renameCaptures = (source: string, names: { readonly [from: string]: string }): string =>
  Array.from(source.matchAll(TOKEN), ([text, , , sign, name]) =>
    name !== undefined && Object.hasOwn(names, name) ? `${sign}${names[name]}` : text,
  ).join('')
