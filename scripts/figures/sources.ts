// Counts constructs of the sources by their syntax trees.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts

/** The figures of a source file. */
export interface SourceFigures {
  readonly file: string
  readonly lines: number
  readonly commentLines: number
  /** The texts of its comments. */
  readonly comments: readonly string[]
  /** The files of the same tree that it imports. */
  readonly imports: readonly string[]
  /** The length of each function in lines. */
  readonly functionLines: readonly number[]
  /** The names of the functions at the top level of the module. */
  readonly topFunctions: readonly string[]
  readonly topTypes: readonly string[]
  readonly counts: Readonly<Record<Counted, number>>
}

/** The constructs that are counted. */
export type Counted =
  | 'any'
  | 'nestedTernaries'
  | 'manyParameters'
  | 'booleanParameters'
  | 'casts'
  | 'doubleCasts'
  | 'nonNull'
  | 'suppressions'
  | 'todos'

/** Reads the sources below a folder, without tests. */
export function readSources(root: string): SourceFigures[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => /(?<!\.test(-d)?)(?<!\.d)\.ts$/.test(name))
  return files.map((file) => readSource(file, readFileSync(join(root, file), 'utf8'), new Set(files)))
}

/** Counts the constructs of one source; `all` lists the files that it may import. */
export function readSource(file: string, text: string, all: ReadonlySet<string> = new Set()): SourceFigures {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const counts: Record<Counted, number> = {
    ...{ any: 0, nestedTernaries: 0, manyParameters: 0, booleanParameters: 0, casts: 0, doubleCasts: 0 },
    ...{ nonNull: 0, suppressions: 0, todos: 0 },
  }
  const functionLines: number[] = []
  const visit = (node: ts.Node): void => {
    countNode(node, counts)
    if (ts.isFunctionLike(node)) {
      countParameters(node, counts)
      if ('body' in node && node.body !== undefined)
        functionLines.push(getLine(source, node.end) - getLine(source, node.getStart()) + 1)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  const comments = listComments(source, text)
  for (const comment of comments) {
    counts.suppressions += /@ts-(?:ignore|expect-error|nocheck)|biome-ignore|eslint-disable/.test(comment) ? 1 : 0
    counts.todos += /\b(?:TODO|FIXME|XXX)\b/.test(comment) ? 1 : 0
  }
  return {
    ...{ file, functionLines, counts, comments, lines: text.trimEnd().split('\n').length },
    commentLines: comments.reduce((sum, comment) => sum + comment.split('\n').length, 0),
    imports: listImports(source, file).filter((name) => all.has(name)),
    topFunctions: source.statements.flatMap(listFunctionNames),
    topTypes: source.statements.flatMap((node) =>
      ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ? [node.name.text] : [],
    ),
  }
}

const getLine = (source: ts.SourceFile, position: number): number => source.getLineAndCharacterOfPosition(position).line

function countNode(node: ts.Node, counts: Record<Counted, number>): void {
  if (node.kind === ts.SyntaxKind.AnyKeyword) counts.any++
  if (ts.isNonNullExpression(node)) counts.nonNull++
  if (ts.isConditionalExpression(node) && [node.whenTrue, node.whenFalse].some(isTernary)) counts.nestedTernaries++
  if (!ts.isAsExpression(node) || node.type.getText() === 'const') return
  counts.casts++
  if (ts.isAsExpression(node.expression)) counts.doubleCasts++
}

function isTernary(node: ts.Expression): boolean {
  return ts.isParenthesizedExpression(node) ? isTernary(node.expression) : ts.isConditionalExpression(node)
}

function countParameters(node: ts.SignatureDeclaration, counts: Record<Counted, number>): void {
  const { parameters } = node
  if (parameters.length > 4) counts.manyParameters++
  const isBoolean = ({ type, initializer }: ts.ParameterDeclaration): boolean =>
    type?.kind === ts.SyntaxKind.BooleanKeyword ||
    initializer?.kind === ts.SyntaxKind.TrueKeyword ||
    initializer?.kind === ts.SyntaxKind.FalseKeyword
  if ('body' in node && node.body !== undefined) counts.booleanParameters += parameters.filter(isBoolean).length
}

function listFunctionNames(node: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(node)) return node.name === undefined || node.body === undefined ? [] : [node.name.text]
  if (!ts.isVariableStatement(node)) return []
  return node.declarationList.declarations.flatMap(({ name, initializer }) => {
    const isFunction =
      initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
    return isFunction && ts.isIdentifier(name) ? [name.text] : []
  })
}

function listImports(source: ts.SourceFile, file: string): string[] {
  const found: string[] = []
  const add = (node: ts.Expression | undefined): void => {
    if (node === undefined || !ts.isStringLiteral(node) || !node.text.startsWith('.')) return
    found.push(join(file, '..', node.text))
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0])
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal as ts.Expression)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...new Set(found)]
}

function listComments(source: ts.SourceFile, text: string): string[] {
  const found = new Map<number, string>()
  const visit = (node: ts.Node): void => {
    const start = node.getFullStart()
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, start) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ]
    for (const { pos, end } of ranges) found.set(pos, text.slice(pos, end))
    node.getChildren(source).forEach(visit)
  }
  visit(source)
  return [...found].sort(([one], [other]) => one - other).map(([, comment]) => comment)
}
