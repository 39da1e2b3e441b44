// Guards the names of kinds: only src/schema distinguishes kinds of attributes by name. Elsewhere a name is only part of a
// text.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts

const NAME = 'kindName'

/** Files outside src/schema that pass on the name of a kind, each with the reason. */
const allowed: Readonly<Record<string, string>> = {
  'src/contract/build-contract.ts': 'a contract has the names of kinds, as data',
  'src/plugins/mapper/field-terms.ts': 'the type of a term, as messages tell it',
  'src/plugins/mapper/write/column-values.ts': 'an issue has the name of the expected kind, as data',
}

/** Returns the lines outside src/schema that use the name of a kind other than in a text. */
export function findKindViolations(root: string, files: readonly string[]): string[] {
  return files
    .filter((file) => !file.startsWith('src/schema/') && !Object.hasOwn(allowed, file))
    .flatMap((file) => findReads(readFileSync(join(root, file), 'utf8'), file).map((line) => `${file}:${line}`))
    .map(
      (location) =>
        `${location}: asks for the name of a kind. Remedy: ask its structure (shape, scalar, element), or the kind.`,
    )
}

function findReads(text: string, file: string): number[] {
  if (!text.includes(NAME)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: number[] = []
  const visit = (node: ts.Node): void => {
    if (isRead(node) && !isInText(node)) found.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/**
 * Returns whether a node reads the name of a kind: `x.kindName`, `{ kindName }` in a pattern, or the name as a text, which
 * `x['kindName']` and `Reflect.get(x, 'kindName')` have.
 */
function isRead(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === NAME
  if (ts.isStringLiteralLike(node)) return node.text === NAME && !ts.isLiteralTypeNode(node.parent)
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent))
    return (node.propertyName ?? node.name).getText() === NAME
  const isAssigned = ts.isShorthandPropertyAssignment(node) || ts.isPropertyAssignment(node)
  return isAssigned && node.name.getText() === NAME && isAssignmentPattern(node.parent)
}

/** Returns whether an object is the pattern of a destructuring assignment: `({ kindName } = core)`. */
function isAssignmentPattern({ parent }: ts.Node): boolean {
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.kind === ts.SyntaxKind.EqualsToken && isFirst(parent)
  return ts.isForOfStatement(parent)
}

const isFirst = ({ left }: ts.BinaryExpression): boolean => ts.isObjectLiteralExpression(left)

/** Returns whether a value is used directly in a text that nothing is asked about. */
function isInText({ parent }: ts.Node): boolean {
  if (ts.isTemplateSpan(parent)) return !isExamined(parent.parent)
  return ts.isCallExpression(parent) && parent.expression.getText() === 'String' && !isExamined(parent)
}

/** Returns whether a text is compared, looked up, or searched. */
function isExamined(text: ts.Node): boolean {
  const { parent } = text
  if (ts.isParenthesizedExpression(parent)) return isExamined(parent)
  if (ts.isBinaryExpression(parent)) return /^[!=]==?$/.test(parent.operatorToken.getText())
  if (ts.isSwitchStatement(parent) || ts.isCaseClause(parent)) return true
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) return true
  if (!ts.isCallExpression(parent) || !ts.isPropertyAccessExpression(parent.expression)) return false
  return /^(?:get|has|hasOwn|includes|indexOf|is|test|exec)$/.test(parent.expression.name.text)
}
