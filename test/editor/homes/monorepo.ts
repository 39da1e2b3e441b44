// A monorepo of three packages: the contract of a depot, with its declarations emitted, a server and a client of it.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { depotApi, type Files } from '../../../scripts/types/depot-api.ts'
import { link, writeFiles } from '../../support/packed.ts'

const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  composite: true,
  declaration: true,
  rewriteRelativeImportExtensions: true,
  rootDir: 'src',
  outDir: 'dist',
}

function packageFiles(name: string, references: readonly string[], exports: object): Files {
  const tsconfig = { compilerOptions, include: ['src'], references: references.map((one) => ({ path: `../${one}` })) }
  return {
    [`packages/${name}/package.json`]: JSON.stringify({
      name: `@depot/${name}`,
      version: '1.0.0',
      type: 'module',
      exports,
    }),
    [`packages/${name}/tsconfig.json`]: JSON.stringify(tsconfig),
  }
}

// The other packages import the contract by its name.
const fromPackage = (text: string): string => text.replaceAll(/'\.{1,2}\/design\/(\w+)\.ts'/g, "'@depot/contract/$1'")

/** Writes the monorepo of so many endpoints into a folder below one that has edict installed. */
export function writeMonorepo(root: string, endpoints: number): void {
  const packages = ['contract', 'server', 'client']
  const exports = { './*': { types: './dist/*.d.ts', default: './dist/*.js' } }
  const files: Files = {
    'tsconfig.json': JSON.stringify({ files: [], references: packages.map((name) => ({ path: `packages/${name}` })) }),
    ...packageFiles('contract', [], exports),
    ...packageFiles('server', ['contract'], {}),
    ...packageFiles('client', ['contract'], {}),
  }
  for (const [path, text] of Object.entries(depotApi(endpoints))) {
    const [folder = '', ...rest] = path.split('/')
    if (folder === 'design') files[`packages/contract/src/${rest.join('/')}`] = text
    else if (folder === 'client') files[`packages/client/src/${rest.join('/')}`] = fromPackage(text)
    else files[`packages/server/src/${path}`] = fromPackage(text)
  }
  writeFiles(root, files)
  for (const name of packages) link(join(root, 'packages', name), join(root, 'node_modules/@depot', name))
}

/** Media types in each other, so many deep, each with a name of its own, in one package with its declarations emitted. */
export function writeDeepTypes(root: string, depth: number): void {
  const types = Array.from({ length: depth }, (_, n) => {
    const inner = n === 0 ? '' : `, inner: Level${n - 1}, all: t.array(Level${n - 1}.view('short'))`
    return `const level${n} = mediaType('Level${n}', {
  attributes: { id: t.integer({ required: true }), label${n}: t.string(), weight: t.number()${inner} },
  views: { short: ['id', 'label${n}'] },
})
export interface Level${n} extends Named<typeof level${n}> {}
export const Level${n}: Level${n} = level${n}
`
  })
  writeTypes(root, `import { mediaType, type Named, t } from 'edict'\n\n${types.join('\n')}`)
}

/** A media type that contains itself, in one package with its declarations emitted. */
export function writeRecursiveTypes(root: string): void {
  writeTypes(
    root,
    `import { mediaType, type Named, t } from 'edict'

const remark = mediaType('Remark', {
  attributes: {
    text: t.string({ required: true }),
    get answers() {
      return t.array(Remark)
    },
  },
})
export interface Remark extends Named<typeof remark> {}
export const Remark: Remark = remark
`,
  )
}

const writeTypes = (root: string, text: string): void =>
  writeFiles(root, {
    'package.json': JSON.stringify({ name: '@depot/levels', type: 'module' }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    'src/levels.ts': text,
  })

/** The files of a folder whose names end so. */
export const namesIn = (folder: string, end: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(end))

/** Their bytes. */
export const bytesOf = (folder: string, end: string): number =>
  namesIn(folder, end).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
