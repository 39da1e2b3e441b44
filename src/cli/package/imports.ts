// Parses the imports of compiled modules: the specifiers and their positions.

/** An import, or an export from another module. */
export interface ModuleImport {
  readonly specifier: string
  /** The position of the specifier, after its opening quote. */
  readonly start: number
  /** The imported names as written, such as `{ endpoint, t }`. */
  readonly clause: string
}

const IMPORT_STATEMENTS = /(?<![\w$.])(?:import\s*\(?\s*|(?:import|export)\b([^"'`;()=]*?)\bfrom\s*)(?=["'])/g

/** Finds the imports of a script or a declaration file, including dynamic imports and `import("…")` types. */
export function findImports(text: string): ModuleImport[] {
  const code = maskLiterals(text)
  return [...code.matchAll(IMPORT_STATEMENTS)].map(({ 0: matched, 1: clause = '', index }) => {
    const start = index + matched.length + 1
    return { specifier: text.slice(start, code.indexOf(code.charAt(start - 1), start)), start, clause }
  })
}

/** Replaces the specifiers in a text. */
export function withSpecifiers(text: string, change: (specifier: string) => string): string {
  return findImports(text).reduceRight(
    (changed, { specifier, start }) =>
      changed.slice(0, start) + change(specifier) + changed.slice(start + specifier.length),
    text,
  )
}

// --- code ----------------------------------------------------------------

/** A slash after one of these begins a regular expression; otherwise it is a division. */
const BEFORE_REGEXP =
  /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|new|void|delete|throw|else|do|yield|await))\s*$/

const LITERAL_PATTERNS = [
  /\/\/[^\n]*/y,
  /\/\*[\s\S]*?\*\//y,
  /"(?:[^"\\\n]|\\[\s\S])*"/y,
  /'(?:[^'\\\n]|\\[\s\S])*'/y,
  /`(?:[^`\\]|\\[\s\S])*`/y,
  /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y,
] as const

/**
 * Returns the text with the contents of comments, strings and regular expressions replaced by spaces. Quotes and positions
 * are kept. A template counts as one string: imports within its `${…}` are not found.
 */
export function maskLiterals(text: string): string {
  const code: string[] = []
  // The end of the preceding code, which decides the meaning of a slash.
  let before = ''
  for (let position = 0; position < text.length; ) {
    const length = measureLiteral(text, position, before)
    const piece = length === 0 ? text.charAt(position) : maskLiteral(text.slice(position, position + length))
    code.push(piece)
    if (piece.trim() !== '') before = `${before}${piece}`.slice(-12)
    else if (!before.endsWith(' ')) before += ' '
    position += piece.length
  }
  return code.join('')
}

function maskLiteral(literal: string): string {
  const quote = /["'`]/.test(literal.charAt(0)) ? literal.charAt(0) : ' '
  return quote + literal.slice(1, -1).replace(/[^\n]/g, ' ') + quote
}

function measureLiteral(text: string, position: number, before: string): number {
  if (!/["'`/]/.test(text.charAt(position))) return 0
  for (const literal of LITERAL_PATTERNS) {
    literal.lastIndex = position
    const [found] = literal.exec(text) ?? []
    if (found === undefined) continue
    if (literal !== LITERAL_PATTERNS.at(-1) || BEFORE_REGEXP.test(before)) return found.length
  }
  return 0
}
