// Guards `instanceof`: values of users, plugins and other copies of the package are recognised by brands
// (src/util/brand.ts), so that several copies work together. Only platform classes and those listed below may follow
// `instanceof`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts

/** Classes of the language and of every runtime. */
const platform = new Set([
  ...['ArrayBuffer', 'Blob', 'Date', 'Error', 'Map', 'Object', 'Promise', 'RangeError', 'RegExp', 'SyntaxError'],
  'TypeError',
  'ReadableStream',
  'Uint8Array',
])

/** Classes of edict whose instances never leave the code that creates them, each with the reason. */
export const allowed: Readonly<Record<string, string>> = {
  'src/adapters/node/listener.ts LeanResponse':
    'its own server makes it; one of another server is written in the usual way',
  'src/adapters/node/message/collect-body.ts LeanRequest':
    'its own server makes it; one of another server is read in the usual way',
  'src/adapters/node/message/body-chunks.ts LeanRequest':
    'its own server makes it; one of another server is read in the usual way',
  'src/bundler/plugins.ts DeclarationError': 'thrown by the loader that the plugin made',
  'src/bundler/write-table.ts UnwritableError': 'thrown by the module that is written there',
  'src/cli/command-error.ts CommandError': 'thrown and caught by the command line',
  'src/client/send-with-retries.ts ResponseError': 'thrown by the request that is repeated there',
  'src/design/resolve/resolve-routes.ts PatternError': 'thrown by the pattern that is compiled there',
  'src/path/syntax/capture-regexp.ts UnsupportedPatternError': 'thrown by the pattern that is read there',
  'src/plugins/datastores/kysely/kysely.ts type': 'beside the name of the class, for another copy of Kysely',
  'src/plugins/mapper/faults.ts UnfitValueError': 'thrown by the condition that is made there',
  'src/plugins/mapper/plan/caller-bounds.ts UnfitValueError': 'thrown by the condition that is made there',
  'src/plugins/mapper/plugin.ts FieldError': 'thrown by the lookup that is made there',
  'src/plugins/mapper/plugin.ts UnfitAggregateError': 'thrown by the lookup that is made there',
  'src/plugins/mapper/read/cursor-operands.ts UnfitValueError': 'thrown by the condition that is made there',
  'src/plugins/mapper/read/distinct.ts FieldError': 'thrown by the lookup that is made there',
  'src/plugins/mapper/read/list-query.ts FieldError': 'thrown by the lookup that is made there',
  'src/plugins/mapper/read/refusals.ts FieldError': 'thrown by the lookup that is made there',
  'src/plugins/mapper/read/refusals.ts UnfitValueError': 'thrown by the condition that is made there',
  'src/plugins/mapper/read/refusals.ts ListFault': 'thrown by the list that is read there',
  'src/plugins/mapper/resource/model-check.ts FieldError': 'thrown by the lookup that is made there',
  'src/plugins/mapper/resource/model-check.ts UnfitAggregateError': 'thrown by the lookup that is made there',
  'src/plugins/mapper/resource/model-check.ts UnfitValueError': 'thrown by the condition that is made there',
  'src/plugins/mapper/resource/resource.ts FieldError': 'thrown by the lookup that is made there',
  'src/schema/scalars/text-pattern.ts UnsupportedPatternError': 'thrown by the pattern that is compiled there',
  'src/server/query/body-params.ts UrlValue': 'the values of one request, marked there',
  'src/server/query/value-tree.ts NullObject': 'the nodes of one tree, made by its parser',
}

interface ClassTest {
  readonly line: number
  readonly name: string
}

function findClassTests(text: string, file: string): ClassTest[] {
  if (!/instanceof|constructor|[pP]rototypeOf|hasInstance/.test(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: ClassTest[] = []
  const visit = (node: ts.Node): void => {
    const name = getTestedClass(node)
    if (name !== undefined) found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, name })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const COMPARISONS: ReadonlySet<ts.SyntaxKind> = new Set([
  ...[ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken],
  ...[ts.SyntaxKind.EqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsToken],
])

/**
 * Returns the class that a node tests for: after `instanceof`, compared with a constructor, its name or a prototype, or by
 * `isPrototypeOf`.
 */
function getTestedClass(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node)) return getClassOfCall(node)
  if (ts.isCaseClause(node) && isConstructorRead(node.parent.parent.expression)) return node.expression.getText()
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent))
    return (node.propertyName ?? node.name).getText() === 'constructor' ? 'constructor' : undefined
  if (!ts.isBinaryExpression(node)) return undefined
  const { left, right, operatorToken } = node
  if (operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword) return right.getText()
  if (!COMPARISONS.has(operatorToken.kind)) return undefined
  return getComparedClass(left, right) ?? getComparedClass(right, left)
}

function getClassOfCall({ expression: callee, arguments: args }: ts.CallExpression): string | undefined {
  if (!ts.isPropertyAccessExpression(callee)) return undefined
  const { name, expression } = callee
  if (name.text === 'isPrototypeOf' || name.text === Symbol.hasInstance.description)
    return expression.getText().replace(/\.prototype$/, '')
  const [first, second] = args
  if (name.text === 'is' && first !== undefined && second !== undefined)
    return getComparedClass(first, second) ?? getComparedClass(second, first)
  return args.some(isConstructorRead) ? callee.getText() : undefined
}

/** Returns the class that an expression is compared with, if it reads the class of a value. */
function getComparedClass(read: ts.Expression, other: ts.Expression): string | undefined {
  const compared = unwrap(other).getText()
  if (isConstructorRead(read)) return compared
  const side = unwrap(read)
  if (getPropertyName(side) === 'name' && isConstructorRead((side as ts.PropertyAccessExpression).expression))
    return compared.replaceAll(/['"`]/g, '')
  const isPrototypeRead = ts.isCallExpression(side) && /\bgetPrototypeOf$/.test(side.expression.getText())
  return isPrototypeRead && compared.endsWith('.prototype') ? compared.replace(/\.prototype$/, '') : undefined
}

const isConstructorRead = (node: ts.Expression): boolean => getPropertyName(unwrap(node)) === 'constructor'

function getPropertyName(node: ts.Expression): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (!ts.isElementAccessExpression(node)) return undefined
  return ts.isStringLiteralLike(node.argumentExpression) ? node.argumentExpression.text : undefined
}

/** Removes parentheses, type assertions and `!`. */
function unwrap(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isSatisfiesExpression(node)
  return isWrapped ? unwrap(node.expression) : node
}

/** Returns every `instanceof` below `root`/src that could meet a value of another copy, and unused entries of the list. */
export function findInstanceViolations(root: string, list: Readonly<Record<string, string>> = allowed): string[] {
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => /(?<!\.test(-d)?)(?<!\.d)\.ts$/.test(name)).map((name) => `src/${name}`)
  const used = new Set<string>()
  const violations = files.flatMap((file) =>
    findClassTests(readFileSync(join(root, file), 'utf8'), file).flatMap(({ line, name }) => {
      const entry = `${file} ${name}`
      used.add(entry)
      if (platform.has(name) || Object.hasOwn(list, entry)) return []
      return `${file}:${line}: asks for an instance of ${name}. Remedy: give it a brand (src/util/brand.ts), or list it in scripts/instances.ts with a reason.`
    }),
  )
  const unused = Object.keys(list).filter((entry) => !used.has(entry))
  return [...violations, ...unused.map((entry) => `scripts/instances.ts: nothing needs '${entry}'. Remedy: remove it.`)]
}
