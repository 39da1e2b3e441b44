// Marks top-level expressions of modules as free of side effects: `sideEffects` in package.json applies to whole files, and
// a published file contains many modules. Users' bundlers can then drop every unused declaration.
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts

const MARK = '/* @__PURE__ */ '

/** Returns the text of a module with its top-level expressions marked, and the statements that have side effects. */
export function markPure(path: string, text: string): { readonly text: string; readonly effects: readonly string[] } {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
  const insertions: [at: number, text: string][] = []
  const effects: string[] = []
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { initializer } of statement.declarationList.declarations)
        if (initializer !== undefined) insertions.push(...createMarks(initializer, source))
    } else if (ts.isExpressionStatement(statement) || ts.isForOfStatement(statement) || ts.isIfStatement(statement))
      effects.push(`${path}: ${statement.getText(source).split('\n', 1)[0]}`)
  }
  let marked = text
  for (const [at, insertion] of insertions.sort(([a], [b]) => b - a))
    marked = marked.slice(0, at) + insertion + marked.slice(at)
  return { text: marked, effects }
}

/**
 * Marks a plain call; wraps any other expression that may run code, such as a spread or a getter, in a marked function call.
 */
function createMarks(initializer: ts.Expression, source: ts.SourceFile): [number, string][] {
  if (isInert(initializer)) return []
  const start = initializer.getStart(source)
  const bare = unwrapExpression(initializer)
  if ((ts.isCallExpression(bare) || ts.isNewExpression(bare)) && (bare.arguments ?? []).every(isInert))
    return [[bare.getStart(source), MARK]]
  return [
    [start, `${MARK}(() => (`],
    [initializer.getEnd(), '))()'],
  ]
}

// Strips parentheses, casts and assertions.
function unwrapExpression(node: ts.Node): ts.Node {
  const isWrapper =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  return isWrapper ? unwrapExpression(node.expression) : node
}

/** Returns whether evaluating an expression runs no code. */
function isInert(expression: ts.Node): boolean {
  const node = unwrapExpression(expression)
  if (ts.isFunctionLike(node) || ts.isIdentifier(node) || ts.isLiteralExpression(node)) return true
  if (ts.isObjectLiteralExpression(node))
    return node.properties.every(
      (one) =>
        ts.isShorthandPropertyAssignment(one) ||
        ts.isMethodDeclaration(one) ||
        (ts.isPropertyAssignment(one) && !ts.isComputedPropertyName(one.name) && isInert(one.initializer)),
    )
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isInert)
  if (ts.isPrefixUnaryExpression(node)) return isInert(node.operand)
  return KEYWORDS.has(node.kind)
}

const KEYWORDS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.NullKeyword,
])
