// The guard of Node's modules that code outside of src/adapters and src/cli asks a running process for, so that it loads on every
// runtime and does more on Node.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts

/** The files that may, with the modules that each asks for. */
export const asking: Readonly<Record<string, readonly string[]>> = {
  'src/plugins/access-log/stdout.ts': ['node:fs'],
  'src/plugins/compression/codings.ts': ['node:zlib'],
  'src/plugins/diagnostics/plugin.ts': ['node:diagnostics_channel'],
  'src/plugins/docs/swagger-ui.ts': ['node:fs/promises', 'node:module', 'createRequire'],
  'src/plugins/datastores/sql/nodes/database-nodes.ts': ['node:async_hooks'],
  'src/plugins/prometheus/runtime-meter.ts': ['node:perf_hooks'],
}

/** Ways to a module of Node that are no import. */
const DOORS: ReadonlySet<string> = new Set(['getBuiltinModule', 'createRequire', 'mainModule', '_load'])

/** Modules of Node that files outside of src/adapters and src/cli ask for, beyond that list; and entries that nothing needs. */
export function builtinViolations(root: string, files: readonly string[], list = asking): string[] {
  const outside = files.filter((file) => !/^src\/(?:adapters|cli)\//.test(file))
  const found = outside.flatMap((file) => {
    const asked = findAsked(readFileSync(join(root, file), 'utf8'), file)
    const allowed = list[file] ?? []
    const wrong = asked.filter(({ module }) => !allowed.includes(module))
    const idle = allowed.filter((module) => !asked.some((one) => one.module === module))
    return [
      ...wrong.map(
        ({ line, module }) =>
          `${file}:${line}: asks Node for ${module}. Remedy: use a web-standard global, or list it in scripts/builtins.ts.`,
      ),
      ...idle.map((module) => `scripts/builtins.ts: ${file} does not ask for ${module}. Remedy: remove it.`),
    ]
  })
  const gone = Object.keys(list).filter((file) => list === asking && files.length > 100 && !files.includes(file))
  return [...found, ...gone.map((file) => `scripts/builtins.ts: ${file} does not exist. Remedy: remove it.`)]
}

interface Asked {
  readonly line: number
  /** The module, or the code that names it. */
  readonly module: string
}

function findAsked(text: string, file: string): Asked[] {
  if (![...DOORS].some((name) => text.includes(name))) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Asked[] = []
  const visit = (node: ts.Node): void => {
    const module = moduleOf(node)
    if (module !== undefined)
      found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, module })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Finds the module that a mention of such a function asks for; where no literal names it, the function itself. */
function moduleOf(node: ts.Node): string | undefined {
  const isText = ts.isStringLiteralLike(node) && DOORS.has(node.text)
  if (!(ts.isIdentifier(node) && DOORS.has(node.text)) && !isText) return undefined
  const { parent } = node
  if (ts.isMethodSignature(parent) || ts.isPropertySignature(parent)) return undefined
  const access = ts.isPropertyAccessExpression(parent) ? parent : undefined
  const [argument] = access !== undefined && ts.isCallExpression(access.parent) ? access.parent.arguments : []
  return argument !== undefined && ts.isStringLiteralLike(argument) ? argument.text : node.text
}
