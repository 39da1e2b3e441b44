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

/** Returns whether a node reads the name of a kind: `x.kindName`, `x['kindName']`, or `{ kindName }` in a binding pattern. */
function isRead(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === NAME
  if (ts.isElementAccessExpression(node))
    return ts.isStringLiteralLike(node.argumentExpression) && node.argumentExpression.text === NAME
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return false
  const { propertyName, name } = node
  return (propertyName ?? name).getText().replaceAll(/['"]/g, '') === NAME
}

/** Returns whether a value is used directly in a text. */
function isInText({ parent }: ts.Node): boolean {
  if (ts.isTemplateSpan(parent)) return true
  return ts.isCallExpression(parent) && parent.expression.getText() === 'String'
}
