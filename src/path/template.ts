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

interface Group {
  readonly branches: Part[][]
  readonly optional: boolean
}

type Part = string | Gap | Group

/** Reads the source of a pattern; one with mistakes gives some template, and an application with it does not boot. */
export function pathTemplate(source: string): PathTemplate {
  const root: Group = { branches: [[]], optional: false }
  const gaps: Gap[] = []
  const open = [root]
  for (const [text, escaped, code, sign, name] of source.matchAll(TOKEN)) {
    const { branches } = open.at(-1) as Group
    const parts = branches.at(-1) as Part[]
    if (text === '(') {
      const group: Group = { branches: [[]], optional: false }
      parts.push(group)
      open.push(group)
    } else if (text === ')' && open.length > 1) open.pop()
    else if (text === '|') branches.push([])
    else if (text === '?') parts.push({ branches: [[parts.pop() ?? '']], optional: true })
    else if (sign !== undefined) {
      const gap = { name, wild: sign === '*' }
      parts.push(gap)
      gaps.push(gap)
    } else parts.push(code ?? encodeURI(escaped ?? text).replace(/[?#[\]]/g, encodeURIComponent))
  }
  const names = [...new Set(gaps.flatMap(({ name }) => name ?? []))]
  return {
    names,
    required: names.filter((name) => isIn(root, name)),
    wildcards: gaps.filter(({ name }) => name === undefined).length,
    expand: (values) => safe(source, bestOf(root, values, 0)?.text),
  }
}

// Whether every path of a part has a value of this name.
function isIn(part: Part, name: string): boolean {
  if (typeof part === 'string') return false
  if ('wild' in part) return part.name === name
  return !part.optional && part.branches.every((parts) => parts.some((one) => isIn(one, name)))
}

interface Filled {
  readonly text: string
  /** How many gaps were filled, and how many of `splat` before and with them. */
  readonly used: number
  readonly splat: number
}

// Optional parts are written only for the values in them.
function bestOf(
  { branches, optional }: Group,
  values: Readonly<Record<string, unknown>>,
  splat: number,
): Filled | undefined {
  const [best] = branches.flatMap((parts) => filled(parts, values, splat) ?? []).sort((a, b) => b.used - a.used)
  return optional && !best?.used ? { text: '', used: 0, splat } : best
}

function filled(parts: readonly Part[], values: Readonly<Record<string, unknown>>, from: number): Filled | undefined {
  let [text, used, splat] = ['', 0, from]
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else if ('wild' in part) {
      const value = part.name === undefined ? (values['splat'] as unknown[] | undefined)?.[splat++] : values[part.name]
      if (value === undefined || value === null || (value === '' && !part.wild)) return undefined
      const encoded = encodeURIComponent(String(value))
      text += part.wild ? encoded.replaceAll('%2F', '/') : encoded
      used++
    } else {
      const best = bestOf(part, values, splat)
      if (best === undefined) return undefined
      text += best.text
      used += best.used
      splat = best.splat
    }
  }
  return { text, used, splat }
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
  for (const [text] of source.matchAll(TOKEN)) {
    if (text === '|' && depth === 0) return `(${source})`
    if (text === '(') depth++
    else if (text === ')') depth--
  }
  return source
}

/** The source with captures and named wildcards renamed; names that the map does not hold stay. */
export const renameCaptures = (source: string, names: { readonly [from: string]: string }): string =>
  Array.from(source.matchAll(TOKEN), ([text, , , sign, name]) =>
    name !== undefined && Object.hasOwn(names, name) ? `${sign}${names[name]}` : text,
  ).join('')
