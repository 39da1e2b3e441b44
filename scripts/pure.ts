// Marks what modules evaluate as free of side effects, statement by statement: `sideEffects` in package.json speaks of whole
// files, and a published file holds many modules. So bundlers of users drop every declaration that nothing uses.
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts

const MARK = '/* @__PURE__ */ '

/** The text of a module with its top-level expressions marked; statements that do something are listed. */
export function markPure(path: string, text: string): { readonly text: string; readonly effects: readonly string[] } {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
  const insertions: [at: number, text: string][] = []
  const effects: string[] = []
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { initializer } of statement.declarationList.declarations)
        if (initializer !== undefined) insertions.push(...marksOf(initializer, source))
    } else if (ts.isExpressionStatement(statement) || ts.isForOfStatement(statement) || ts.isIfStatement(statement))
      effects.push(`${path}: ${statement.getText(source).split('\n', 1)[0]}`)
  }
  let marked = text
  for (const [at, insertion] of insertions.sort(([a], [b]) => b - a))
    marked = marked.slice(0, at) + insertion + marked.slice(at)
  return { text: marked, effects }
}

/** A call by itself is marked; what else may run code, such as a spread or a getter, goes into a function that is called. */
function marksOf(initializer: ts.Expression, source: ts.SourceFile): [number, string][] {
  if (isInert(initializer)) return []
  const start = initializer.getStart(source)
  const bare = bareOf(initializer)
  if ((ts.isCallExpression(bare) || ts.isNewExpression(bare)) && (bare.arguments ?? []).every(isInert))
    return [[bare.getStart(source), MARK]]
  return [
    [start, `${MARK}(() => (`],
    [initializer.getEnd(), '))()'],
  ]
}

// Without parentheses and what is said to the compiler only.
function bareOf(node: ts.Node): ts.Node {
  const isAround =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  return isAround ? bareOf(node.expression) : node
}

/** Whether evaluating an expression runs no code of anybody. */
function isInert(given: ts.Node): boolean {
  const node = bareOf(given)
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
