// The guard of kinds: only src/schema treats one kind of attribute differently from another by its name. Elsewhere the name is for
// people: a text that is made of it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts

const NAME = 'kindName'

/** Files outside of src/schema that pass the name of a kind on, each with its reason. */
const allowed: Readonly<Record<string, string>> = {
  'src/contract/build-contract.ts': 'a contract has the names of kinds, as data',
  'src/plugins/mapper/field-terms.ts': 'the type of a term, as messages tell it',
  'src/plugins/mapper/write/column-values.ts': 'an issue has the name of the expected kind, as data',
}

/** Lines outside of src/schema that read the name of a kind for anything but a text. */
export function kindViolations(root: string, files: readonly string[]): string[] {
  return files
    .filter((file) => !file.startsWith('src/schema/') && !Object.hasOwn(allowed, file))
    .flatMap((file) => findReads(readFileSync(join(root, file), 'utf8'), file).map((line) => `${file}:${line}`))
    .map((at) => `${at}: asks for the name of a kind. Remedy: ask its structure (shape, scalar, element), or the kind.`)
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

/** Whether a node reads the name of a kind: `x.kindName`, `x['kindName']`, `{ kindName }` and `{ kindName: x }` of a pattern. */
function isRead(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === NAME
  if (ts.isElementAccessExpression(node))
    return ts.isStringLiteralLike(node.argumentExpression) && node.argumentExpression.text === NAME
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return false
  const { propertyName, name } = node
  return (propertyName ?? name).getText().replaceAll(/['"]/g, '') === NAME
}

/** Whether a value goes directly into a text. */
function isInText({ parent }: ts.Node): boolean {
  if (ts.isTemplateSpan(parent)) return true
  return ts.isCallExpression(parent) && parent.expression.getText() === 'String'
}
