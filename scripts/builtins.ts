// Guards the Node modules that code outside src/adapters and src/cli requests at run time, so that it loads on every runtime
// and does more on Node.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts

/** The files that may request Node modules, with the modules of each. */
export const allowedModules: Readonly<Record<string, readonly string[]>> = {
  'src/plugins/access-log/stdout.ts': ['node:fs'],
  'src/plugins/compression/codings.ts': ['node:zlib'],
  'src/plugins/diagnostics/plugin.ts': ['node:diagnostics_channel'],
  'src/plugins/docs/swagger-ui.ts': ['node:fs/promises', 'node:module', 'createRequire'],
  'src/plugins/datastores/replicas/database-nodes.ts': ['node:async_hooks'],
  'src/plugins/prometheus/runtime-meter.ts': ['node:perf_hooks'],
}

/** The functions that reach a Node module without an import. */
const MODULE_FUNCTIONS: ReadonlySet<string> = new Set(['getBuiltinModule', 'createRequire', 'mainModule', '_load'])

/**
 * Returns an error for each Node module requested outside src/adapters and src/cli that is not listed, and for each unused
 * entry of the list.
 */
export function findBuiltinViolations(root: string, files: readonly string[], list = allowedModules): string[] {
  const outside = files.filter((file) => !/^src\/(?:adapters|bundler|cli)\//.test(file))
  const found = outside.flatMap((file) => {
    const requests = findRequests(readFileSync(join(root, file), 'utf8'), file)
    const allowed = list[file] ?? []
    const unlisted = requests.filter(({ module }) => !allowed.includes(module))
    const unused = allowed.filter((module) => !requests.some((one) => one.module === module))
    return [
      ...unlisted.map(
        ({ line, module }) =>
          `${file}:${line}: asks Node for ${module}. Remedy: use a web-standard global, or list it in scripts/builtins.ts.`,
      ),
      ...unused.map((module) => `scripts/builtins.ts: ${file} does not ask for ${module}. Remedy: remove it.`),
    ]
  })
  const missing = Object.keys(list).filter(
    (file) => list === allowedModules && files.length > 100 && !files.includes(file),
  )
  return [...found, ...missing.map((file) => `scripts/builtins.ts: ${file} does not exist. Remedy: remove it.`)]
}

interface ModuleRequest {
  readonly line: number
  /** The module, or the function when no literal names the module. */
  readonly module: string
}

function findRequests(text: string, file: string): ModuleRequest[] {
  if (!/\bimport\s*\(|\brequire\b|\bprocess\b/.test(text) && ![...MODULE_FUNCTIONS].some((name) => text.includes(name)))
    return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: ModuleRequest[] = []
  const visit = (node: ts.Node): void => {
    const module = getRequestedModule(node)
    if (module !== undefined)
      found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, module })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Returns the module that a node requests; the name of the function when no literal names the module. */
function getRequestedModule(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node)) return getCalledModule(node)
  const isText = ts.isStringLiteralLike(node) && MODULE_FUNCTIONS.has(node.text)
  if (!(ts.isIdentifier(node) && MODULE_FUNCTIONS.has(node.text)) && !isText) return undefined
  const { parent } = node
  if (ts.isMethodSignature(parent) || ts.isPropertySignature(parent)) return undefined
  const access = ts.isPropertyAccessExpression(parent) ? parent : undefined
  const [argument] = access !== undefined && ts.isCallExpression(access.parent) ? access.parent.arguments : []
  return argument !== undefined && ts.isStringLiteralLike(argument) ? argument.text : node.text
}

// The floors check imports and `require` with a literal.
function getCalledModule({ expression, arguments: args }: ts.CallExpression): string | undefined {
  const [argument] = args
  const isLiteral = argument !== undefined && ts.isStringLiteralLike(argument)
  if (expression.kind === ts.SyntaxKind.ImportKeyword) return isLiteral ? undefined : 'import(…)'
  const isRequire = ts.isIdentifier(expression) && expression.text === 'require'
  const isBinding =
    ts.isPropertyAccessExpression(expression) &&
    expression.name.text === 'binding' &&
    /\bprocess$/.test(expression.expression.getText())
  if (isRequire) return isLiteral ? undefined : 'require(…)'
  if (!isBinding) return undefined
  return isLiteral ? argument.text : expression.getText()
}
