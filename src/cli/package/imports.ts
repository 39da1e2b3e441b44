// The imports of a module as the compiler writes it: the modules that it names, and the positions of their names.

/** One import, or one export from another module. */
export interface ModuleImport {
  readonly specifier: string
  /** Where the specifier stands, without its quotes. */
  readonly start: number
  /** The imported names, as they are written, such as `{ endpoint, t }`. */
  readonly clause: string
}

const IMPORT_STATEMENTS = /(?<![\w$.])(?:import\s*\(?\s*|(?:import|export)\b([^"'`;()=]*?)\bfrom\s*)(?=["'])/g

/** Finds the imports of a script or of a declaration file, dynamic ones and types by `import("…")` included. */
export function findImports(text: string): ModuleImport[] {
  const code = maskLiterals(text)
  return [...code.matchAll(IMPORT_STATEMENTS)].map(({ 0: matched, 1: clause = '', index }) => {
    const start = index + matched.length + 1
    return { specifier: text.slice(start, code.indexOf(code.charAt(start - 1), start)), start, clause }
  })
}

/** Puts other specifiers into a text. */
export function withSpecifiers(text: string, change: (specifier: string) => string): string {
  return findImports(text).reduceRight(
    (changed, { specifier, start }) =>
      changed.slice(0, start) + change(specifier) + changed.slice(start + specifier.length),
    text,
  )
}

// --- code ----------------------------------------------------------------

/** Behind these a slash begins a regular expression; behind anything else it divides. */
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
 * The text with blanks for all that is written in comments, strings and regular expressions. The quotes stay, and so does
 * every position. A template is one string: an import within its `${…}` is not seen.
 */
export function maskLiterals(text: string): string {
  const code: string[] = []
  // The text before, as far as it decides what a slash means.
  let before = ''
  for (let at = 0; at < text.length; ) {
    const length = measureLiteral(text, at, before)
    const piece = length === 0 ? text.charAt(at) : maskLiteral(text.slice(at, at + length))
    code.push(piece)
    if (piece.trim() !== '') before = `${before}${piece}`.slice(-12)
    else if (!before.endsWith(' ')) before += ' '
    at += piece.length
  }
  return code.join('')
}

function maskLiteral(literal: string): string {
  const quote = /["'`]/.test(literal.charAt(0)) ? literal.charAt(0) : ' '
  return quote + literal.slice(1, -1).replace(/[^\n]/g, ' ') + quote
}

function measureLiteral(text: string, at: number, before: string): number {
  if (!/["'`/]/.test(text.charAt(at))) return 0
  for (const literal of LITERAL_PATTERNS) {
    literal.lastIndex = at
    const [found] = literal.exec(text) ?? []
    if (found === undefined) continue
    if (literal !== LITERAL_PATTERNS.at(-1) || BEFORE_REGEXP.test(before)) return found.length
  }
  return 0
}
