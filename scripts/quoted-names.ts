// Checks the names that messages, remedies and JSDoc quote in backticks: each must exist. Messages and the JSDoc of public
// names may only mention what users can import or set; other JSDoc may mention anything that the sources declare.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts
import { commands } from '../src/cli/commands.ts'
import exported from './public-exports.json' with { type: 'json' }

/** A name in backticks, and its location. */
export interface QuotedName {
  readonly name: string
  readonly span: string
  readonly location: string
  /** Whether users read it. */
  readonly isPublic: boolean
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** Lists the source files of the package, without tests. */
export const listSourceFiles = (): string[] =>
  readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test(?:-d)?\.ts$/.test(file))
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .sort()

/** Parses a source file. */
export const parseFile = (file: string, text: string = readFileSync(root + file, 'utf8')): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)

const publicNames: ReadonlySet<string> = new Set(
  Object.values(exported).flatMap(({ values, types }) => [...values, ...types]),
)

// --- what exists -------------------------------------------------------------------------

/** The names that users know, and all names that the sources declare. */
export interface KnownNames {
  readonly users: ReadonlySet<string>
  readonly sources: ReadonlySet<string>
}

/** Collects the names of public declarations and their members, and those of all sources. */
export function collectKnownNames(files: readonly ts.SourceFile[]): KnownNames {
  const users = new Set<string>([...publicNames, ...WORDS, ...listCommandWords()])
  const sources = new Set<string>()
  for (const file of files) {
    const visit = (node: ts.Node, isPublic: boolean): void => {
      const name = getDeclaredName(node)
      if (name !== undefined) sources.add(name)
      if (name !== undefined && isPublic) users.add(name)
      const isBelow = isPublic || (node.parent === file && isPublicStatement(node))
      ts.forEachChild(node, (child) => visit(child, isBelow))
    }
    ts.forEachChild(file, (node) => visit(node, false))
  }
  for (const name of users) sources.add(name)
  return { users, sources }
}

function isPublicStatement(node: ts.Node): boolean {
  const names = ts.isVariableStatement(node)
    ? node.declarationList.declarations.map(({ name }) => name.getText())
    : [getDeclaredName(node) ?? '']
  return names.some((name) => publicNames.has(name))
}

// Members, params, and the strings that types and tables list.
function getDeclaredName(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node)) return ts.isLiteralTypeNode(node.parent) || isListed(node) ? node.text : undefined
  if (!('name' in node)) return undefined
  const { name } = node as { readonly name?: ts.Node }
  if (name === undefined || ts.isImportSpecifier(node) || ts.isPropertyAccessExpression(node)) return undefined
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined
}

const isListed = ({ parent }: ts.Node): boolean => ts.isArrayLiteralExpression(parent) || ts.isCallExpression(parent)

const listCommandWords = (): string[] =>
  Object.entries(commands).flatMap(([name, command]) => [name, ...JSON.stringify(command).matchAll(/[\w-]+/g)].flat())

/** Words that no declaration of edict has: those of standards, other packages and examples. */
const WORDS: readonly string[] = [
  // HTTP and its headers
  ...['Authorization', 'Cookie', 'Link', 'DENY', 'nosniff', 'https'],
  // JavaScript, Node and their options
  ...['Blob', 'DatabaseSync', 'Infinity', 'Map', 'NODE_ENV', 'SNICallback', 'Server', 'StatementSync', '__proto__'],
  ...['cert', 'createServer', 'performance', 'pfx'],
  // SQL, its clients and their options
  ...['$1', '$2', 'AND', 'DELETE', 'INSERT', 'NOT', 'NO_BACKSLASH_ESCAPES', 'OR', 'SELECT', 'UPDATE', 'asc', 'desc'],
  ...['maxPreparedStatements', 'mysql', 'mysql2', 'pg', 'provider', 'sql_mode', '_fts', 'c1'],
  // JSON Schema, OpenAPI, JWT, OpenTelemetry, Prometheus, Lambda, TanStack Query
  ...['additionalProperties', 'int64', 'links', 'variables', 'iss', 'aud', 'user_agent', 'original', '_OTHER'],
  ...['_bucket', '_count', '_sum', '_total', '$default', 'RESPONSE_STREAM'],
  ...['fetchInfiniteQuery', 'fetchQuery', 'useInfiniteQuery', 'useMutation', 'useQuery'],
  // projects that `edict new` and `edict import` write, and the page of the documentation browser
  ...['API_KEYS', 'DATABASE_URL', 'notWritten', 'anchors'],
  // examples of names that users give
  ...['APIKey', 'AddCover', 'BlogPost', 'BlogPosts', 'Book', 'BookLists', 'PetStore', 'add_cover', 'blogPosts'],
  ...['blog_posts', 'ideos', 'petStore', 'posts', 'reviews', 'splat'],
]

// --- what is quoted ----------------------------------------------------------------------

/** Returns the names in backticks of a source file: in its JSDoc, and in the texts of its messages. */
export function findQuotedNames(file: ts.SourceFile): QuotedName[] {
  const found: QuotedName[] = []
  const add = (text: string, position: number, isPublic: boolean): void => {
    const line = file.getLineAndCharacterOfPosition(position).line + 1
    for (const [, span] of text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g))
      for (const name of extractNames(span as string))
        found.push({ name, span: span as string, location: `${file.fileName}:${line}`, isPublic })
  }
  const visit = (node: ts.Node, isPublic: boolean): void => {
    const isBelow = isPublic || (node.parent === file && isPublicStatement(node))
    for (const doc of (node as { readonly jsDoc?: readonly ts.JSDoc[] }).jsDoc ?? [])
      add(doc.getText(), doc.pos, isBelow)
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      add(node.text, node.getStart(), true)
    ts.forEachChild(node, (child) => visit(child, isBelow))
  }
  ts.forEachChild(file, (node) => visit(node, false))
  return found
}

/** Returns the names in a piece of code: all of a path such as `route.get`, otherwise the called functions. */
export function extractNames(span: string): string[] {
  const path = /^([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(?:\(.*\))?$/.exec(span)?.[1]
  if (path !== undefined) return path.split('.')
  return [...span.matchAll(/(?<![\w$'"/-])([A-Za-z_$][\w$]*)\(/g)].map(([, name]) => name as string)
}

/** Returns the quoted names that do not exist. */
export const findUnknownNames = (files: readonly ts.SourceFile[], { users, sources }: KnownNames): QuotedName[] =>
  files.flatMap(findQuotedNames).filter(({ name, isPublic }) => !(isPublic ? users : sources).has(name))
