// Pins the public exports: the names of every entry point, values and types, are listed in public-exports.json. A change
// fails until it is recorded with --write. A public declaration without JSDoc fails, too. Reads dist/, so build first.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript-5.9' // TypeScript 7 offers no checker to scripts

type Pinned = Record<string, { values: string[]; types: string[] }>
type Target = string | { types: string; default: string }

const pinFile = 'scripts/public-exports.json'
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const { name: packageName, exports: targets } = readJson('package.json') as {
  name: string
  exports: Record<string, Target>
}
const paths = readJson('tsconfig.json').compilerOptions.paths as Record<string, string[]>
const problems: string[] = []

const entries = Object.entries(targets).flatMap(([subpath, target]) => {
  if (typeof target === 'string') return []
  const source = target.types.replace('./dist/', './src/').replace('.d.ts', '.ts')
  const name = packageName + subpath.slice(1)
  if (paths[name]?.[0] !== source) problems.push(`tsconfig.json: paths lacks "${name}": ["${source}"].`)
  return { name, source, types: target.types, script: target.default }
})
const missing = entries
  .flatMap(({ types, script, source }) => [source, types, script])
  .filter((file) => !existsSync(file))
if (missing.length > 0) {
  console.error(`exports: not there: ${missing.join(', ')}. Remedy: write the entry point, then npm run build.`)
  process.exit(1)
}

const program = ts.createProgram(
  entries.flatMap(({ types, source }) => [types, source]),
  { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, strict: true, noEmit: true, types: ['node'] },
)
const checker = program.getTypeChecker()

function listExports(file: string): Map<string, { alias: ts.Symbol; symbol: ts.Symbol }> {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)
  return new Map(
    (module ? checker.getExportsOfModule(module) : []).map((alias) => {
      const symbol = alias.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(alias) : alias
      return [alias.name, { alias, symbol }]
    }),
  )
}

// The comment of `export * as name` belongs to the statement.
function isDocumentedNamespace({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((one) => ts.isNamespaceExport(one) && ts.getJSDocCommentsAndTags(one.parent).length > 0)
}

function checkDocumentation(file: string): void {
  for (const [name, { alias, symbol }] of listExports(file)) {
    const node = symbol.declarations?.[0]
    const sourcePath = node && relative('.', node.getSourceFile().fileName)
    if (node === undefined || sourcePath?.startsWith('src/') !== true) continue
    if ([alias, symbol].some((one) => one.getDocumentationComment(checker).some(({ text }) => text.trim()))) continue
    if (isDocumentedNamespace(alias)) continue
    const line = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1
    problems.push(`${sourcePath}:${line}: ${name} is public and lacks JSDoc. Remedy: write one sentence above it.`)
  }
}

const found: Pinned = {}
for (const { name, types, source, script } of entries) {
  const declared = listExports(types)
  const values = Object.keys((await import(pathToFileURL(resolve(script)).href)) as object).sort()
  const isType = (symbol: ts.Symbol): boolean => (symbol.flags & ts.SymbolFlags.Type) !== 0
  found[name] = { values, types: [...declared].flatMap(([key, { symbol }]) => (isType(symbol) ? key : [])).sort() }
  for (const value of values)
    if (!declared.has(value)) problems.push(`${types}: ${value} exists at run time, not as a type.`)
  for (const [key, { symbol }] of declared) {
    if (!isType(symbol) && !values.includes(key)) problems.push(`${script}: ${key} is declared and does not exist.`)
  }
  checkDocumentation(source)
}

const pinned = (existsSync(pinFile) ? readJson(pinFile) : {}) as Pinned
const formatLines = (all: Pinned): string[] =>
  Object.entries(all).flatMap(([entry, { values, types }]) => [
    ...values.map((name) => `${entry}: value ${name}`),
    ...types.map((name) => `${entry}: type ${name}`),
  ])
const [before, now] = [new Set(formatLines(pinned)), new Set(formatLines(found))]
if (process.argv.includes('--write')) writeFileSync(pinFile, `${JSON.stringify(found, null, 2)}\n`)
else {
  const changes = [...before].filter((line) => !now.has(line)).map((line) => `- ${line}`)
  changes.push(...[...now].filter((line) => !before.has(line)).map((line) => `+ ${line}`))
  if (changes.length > 0)
    problems.push(...changes, 'Public exports changed. If meant: npm run check:exports -- --write, and commit.')
}
for (const problem of problems) console.error(problem)
console.log(
  `exports: ${now.size} names in ${entries.length} entry points, ${problems.length === 0 ? 'as pinned' : 'see above'}`,
)
process.exitCode = problems.length === 0 ? 0 : 1
