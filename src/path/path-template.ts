// Paths with gaps, all that clients have to know of a pattern: the names that it captures, and the path for given values.
// Whether a value satisfies a constraint is the server's to judge.

// A pattern's source consists of these: escapes, variables, signs and characters.
const TOKEN = /\\(.)|(%[0-9A-Fa-f]{2})|([:*])([A-Za-z_][A-Za-z0-9_]*)?|[()|?]|./gsu

type TemplateValues = Readonly<Record<string, unknown>>

/** A path with gaps. */
export interface PathTemplate {
  /** Names of captures and wildcards, in the order of the source. */
  readonly names: readonly string[]
  /** Those of them that every path has. */
  readonly required: readonly string[]
  /** The number of unnamed wildcards, whose values are `splat`. */
  readonly wildcards: number
  /** The path for the given values; throws TypeError where there is none. */
  expand(values: TemplateValues): string
}

/** A path as far as it is filled: its text, the number of its gaps, and of those without a name. */
type FilledPath = readonly [text: string, gaps: number, unnamed: number]

/** Reads the source of a pattern; one with mistakes gives some template, and an application with it does not boot. */
export function parsePathTemplate(source: string): PathTemplate {
  const tokens = tokenizePath(source)
  const gaps = tokens.flatMap(([, , , sign, name = '']) => (sign ? [name] : []))
  const names = [...new Set(gaps)].filter(Boolean)
  const every: TemplateValues = Object.fromEntries([...names.map((name) => [name, 1]), ['splat', gaps]])
  const filled = (values: TemplateValues): string | undefined =>
    fillTokens(tokens.values(), values, [['', 0, 0]]).sort(([, a], [, b]) => b - a)[0]?.[0]
  return {
    names,
    required: names.filter((name) => filled({ ...every, [name]: undefined }) === undefined),
    wildcards: gaps.filter((name) => name === '').length,
    expand: (values) => ensureSafePath(source, filled(values)),
  }
}

const tokenizePath = (source: string): RegExpExecArray[] => [...source.matchAll(TOKEN)]

// What the tokens, to the end of a group, make of the beginnings of a path: optional parts are left out first.
function fillTokens(tokens: IterableIterator<RegExpMatchArray>, values: TemplateValues, from: readonly FilledPath[]): FilledPath[] {
  const found: FilledPath[] = []
  let [now, before] = [from, from]
  // An iterator of matches goes on where a loop was left.
  for (const token of tokens) {
    const [text] = token
    if (text === ')') break
    if (text === '|') {
      found.push(...now)
      now = from
    } else if (text === '?') now = keepLongest([...before, ...now])
    else {
      before = now
      now = text === '(' ? fillTokens(tokens, values, now) : now.flatMap((one) => appendToken(one, token, values))
    }
  }
  return keepLongest([...found, ...now])
}

// Those with the same number of unnamed gaps go on alike, so that the one with the most gaps is enough of them.
function keepLongest(all: readonly FilledPath[]): FilledPath[] {
  const found = new Map<number, FilledPath>()
  for (const one of all) if (one[1] > (found.get(one[2])?.[1] ?? -1)) found.set(one[2], one)
  return [...found.values()]
}

// With one more character or gap; none if the gap has no value.
function appendToken([path, gaps, unnamed]: FilledPath, token: RegExpMatchArray, values: TemplateValues): readonly FilledPath[] {
  const [text, escaped = text, code, sign, name] = token
  if (!sign) return [[path + (code ?? encodeURI(escaped).replace(/[?#[\]]/g, encodeURIComponent)), gaps, unnamed]]
  const value = name === undefined ? (values['splat'] as unknown[] | undefined)?.[unnamed] : values[name]
  if (value === undefined || value === null || (value === '' && sign === ':')) return []
  const filling = encodeURIComponent(String(value)).replaceAll('%2F', sign === '*' ? '/' : '%2F')
  return [[path + filling, gaps + 1, unnamed + Number(name === undefined)]]
}

// URL parsers remove such segments, encoded or not, and take two slashes in front for a host.
function ensureSafePath(source: string, path: string | undefined): string {
  if (path === undefined) throw new TypeError(`the path ${source} lacks a value, or one is empty`)
  if (/(?:^|\/)(?:\.|%2e){1,2}(?=\/|$)/i.test(path))
    throw new TypeError(`the path ${source} would have a segment "." or ".."`)
  return path.replace(/^\/\//, '/%2F')
}

/** The names of a source's captures, without those of wildcards, which nothing constrains. */
export const listCaptures = (source: string): string[] =>
  tokenizePath(source).flatMap(([, , , sign, name]) => (sign === ':' && name !== undefined ? [name] : []))

/** The source in parentheses when it has alternatives at its top, so that text can be put before or after it. */
export function groupAlternatives(source: string): string {
  let depth = 0
  const hasTop = tokenizePath(source).some(([text]) => {
    depth += Number(text === '(') - Number(text === ')')
    return text === '|' && depth === 0
  })
  return hasTop ? `(${source})` : source
}

/** The source with captures and named wildcards renamed; names that the map does not hold stay. */
export const renameCaptures = (source: string, names: { readonly [from: string]: string }): string =>
  tokenizePath(source)
    .map(([text, , , sign, name]) => (name && Object.hasOwn(names, name) ? `${sign}${names[name]}` : text))
    .join('')
