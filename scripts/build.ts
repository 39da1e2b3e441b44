// Builds dist/ from scratch: scripts with the bundler, declarations with the compiler. The compiler leaves `./x.ts` in
// declarations, where some consumers' tools expect `./x.js`, so the specifiers are rewritten; a remaining `.ts` import fails
// the build.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript-5.9' // TypeScript 7 offers no parser to scripts
import { bundle } from './bundle.ts'

const findSpecifiers = (text: string) =>
  ts.preProcessFile(text, true, true).importedFiles.filter(({ fileName }) => /^\..*\.ts$/.test(fileName))

rmSync('dist', { recursive: true, force: true })
const compiler = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--emitDeclarationOnly'],
  { stdio: 'inherit' },
)
if (compiler.status !== 0) process.exit(1)

const { server, browser } = await bundle('dist')
const scripts = [...Object.keys(server), ...Object.keys(browser)]

const files = readdirSync('dist', { recursive: true, encoding: 'utf8' }).map((name) => join('dist', name))
for (const file of files.filter((name) => name.endsWith('.d.ts'))) {
  let text = readFileSync(file, 'utf8')
  for (const { fileName, pos } of findSpecifiers(text).toReversed()) {
    const start = text.indexOf(fileName, pos)
    text = `${text.slice(0, start)}${fileName.slice(0, -'.ts'.length)}.js${text.slice(start + fileName.length)}`
  }
  writeFileSync(file, text)
}
const remaining = files.filter(
  (name) => /\.(js|d\.ts)$/.test(name) && findSpecifiers(readFileSync(name, 'utf8')).length > 0,
)
for (const file of remaining) console.error(`${file}: still imports a .ts file`)
console.log(`build: ${scripts.length} scripts in dist/`)
process.exitCode = remaining.length === 0 ? 0 : 1
