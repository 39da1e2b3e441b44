// Path templates, the part of a pattern that clients need: the names of its captures, and the path for given values.
// The server checks constraints.

// The tokens of a pattern's source: escapes, variables, operators and characters.
const TOKEN = /\\(.)|(%[0-9A-Fa-f]{2})|([:*])([A-Za-z_][A-Za-z0-9_]*)?|[()|?]|./gsu

type TemplateValues = Readonly<Record<string, unknown>>

/** A path with variables. */
export interface PathTemplate {
  /** The names of captures and wildcards, in the order of the source. */
  readonly names: readonly string[]
  /** The names that every path has. */
  readonly required: readonly string[]
  /** The number of unnamed wildcards, whose values are `splat`. */
  readonly wildcards: number
  /** Returns the path for the given values; throws a TypeError if there is none. */
  expand(values: TemplateValues): string
}

/** A partly filled path: its text, the number of its variables, and of its unnamed ones. */
type FilledPath = readonly [text: string, variables: number, unnamed: number]

/**
 * Parses the source of a pattern. A source with mistakes results in an arbitrary template, but an application with it
 * does not boot.
 */
export function parsePathTemplate(source: string): PathTemplate {
  const tokens = tokenizePath(source)
  const variables = tokens.flatMap(([, , , sign, name = '']) => (sign ? [name] : []))
  const names = [...new Set(variables)].filter(Boolean)
  const allValues: TemplateValues = Object.fromEntries([...names.map((name) => [name, 1]), ['splat', variables]])
  const fill = (values: TemplateValues): string | undefined =>
    fillTokens(tokens.values(), values, [['', 0, 0]]).sort(([, a], [, b]) => b - a)[0]?.[0]
  return {
    names,
    required: names.filter((name) => fill({ ...allValues, [name]: undefined }) === undefined),
    wildcards: variables.filter((name) => name === '').length,
    expand: (values) => ensureSafePath(source, fill(values)),
  }
}

const tokenizePath = (source: string): RegExpExecArray[] => [...source.matchAll(TOKEN)]

// Appends the tokens, up to the end of a group, to the beginnings of a path; forms without optional parts come first.
function fillTokens(
  tokens: IterableIterator<RegExpMatchArray>,
  values: TemplateValues,
  starts: readonly FilledPath[],
): FilledPath[] {
  const finished: FilledPath[] = []
  let [current, previous] = [starts, starts]
  // The iterator of matches continues where the inner loop stopped.
  for (const token of tokens) {
    const [text] = token
    if (text === ')') break
    if (text === '|') {
      finished.push(...current)
      current = starts
    } else if (text === '?') current = keepLongest([...previous, ...current])
    else {
      previous = current
      current =
        text === '(' ? fillTokens(tokens, values, current) : current.flatMap((one) => appendToken(one, token, values))
    }
  }
  return keepLongest([...finished, ...current])
}

// Paths with the same number of unnamed variables continue in the same way, so the one with the most variables
// suffices.
function keepLongest(paths: readonly FilledPath[]): FilledPath[] {
  const longest = new Map<number, FilledPath>()
  for (const one of paths) if (one[1] > (longest.get(one[2])?.[1] ?? -1)) longest.set(one[2], one)
  return [...longest.values()]
}

// Appends one character or variable; returns nothing if the variable has no value.
function appendToken(
  [path, variables, unnamed]: FilledPath,
  token: RegExpMatchArray,
  values: TemplateValues,
): readonly FilledPath[] {
  const [text, escaped = text, code, sign, name] = token
  if (!sign) return [[path + (code ?? encodeURI(escaped).replace(/[?#[\]]/g, encodeURIComponent)), variables, unnamed]]
  const value = name === undefined ? (values['splat'] as unknown[] | undefined)?.[unnamed] : readOwn(values, name)
  if (value === undefined || value === null || (value === '' && sign === ':')) return []
  const encoded = encodeURIComponent(String(value)).replaceAll('%2F', sign === '*' ? '/' : '%2F')
  return [[path + encoded, variables + 1, unnamed + Number(name === undefined)]]
}

/** Returns a value by its name; the names that objects inherit are those of no value. */
export const readOwn = <V>(values: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

// URL parsers remove such segments, encoded or not, and read two leading slashes as a host.
/** Returns a path that URL parsers leave as it is; throws if there is none. */
export function ensureSafePath(source: string, path: string | undefined): string {
  if (path === undefined) throw new TypeError(`the path ${source} lacks a value, or one is empty`)
  if (/(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/i.test(path))
    throw new TypeError(`the path ${source} would have a segment "." or ".."`)
  return path.replace(/^\/\//, '/%2F')
}

/** Returns the names of a source's captures, without wildcards, which have no constraints. */
export const listCaptures = (source: string): string[] =>
  tokenizePath(source).flatMap(([, , , sign, name]) => (sign === ':' && name !== undefined ? [name] : []))

/** Encloses a source with top-level alternatives in parentheses, so that text can be put before or after it. */
export function groupAlternatives(source: string): string {
  if (!source.includes('|')) return source
  let depth = 0
  const hasAlternatives = tokenizePath(source).some(([text]) => {
    depth += Number(text === '(') - Number(text === ')')
    return text === '|' && depth === 0
  })
  return hasAlternatives ? `(${source})` : source
}

/** Renames captures and named wildcards of a source; names that are not in the map stay. */
export const renameCaptures = (source: string, names: { readonly [from: string]: string }): string =>
  tokenizePath(source)
    .map(([text, , , sign, name]) => (name && Object.hasOwn(names, name) ? `${sign}${names[name]}` : text))
    .join('')
