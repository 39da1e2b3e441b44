// Writes the package of a client: compiled declarations, the client function, package.json, contract and README.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, parse, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isEndpoint } from '../../design/declare/endpoint.ts'
import type { AnyDefinition } from '../../design/definition.ts'
import { refuseMistakes } from '../../design/mistakes.ts'
import { mock } from '../../mock/mock.ts'
import { CommandError } from '../command-error.ts'
import { type CompiledFolders, compileFiles, findFolderWith } from './compile.ts'
import {
  buildManifest,
  type ClientManifest,
  type PackageChoices,
  readProjectManifest,
  resolveDependencies,
} from './manifest.ts'
import { copyModules, findCommonFolder, followImports, getSourcePath, type ModuleEnding } from './modules.ts'
import { formatReadme } from './readme.ts'

/** The source of a package. */
export interface PackageSource extends PackageChoices {
  /** The files that export the definitions. */
  readonly files: readonly string[]
  readonly out: string
  readonly server?: string
}

/** The written package. */
export interface WrittenPackage {
  readonly manifest: ClientManifest
  /** The names under which the package exports endpoints. */
  readonly endpoints: readonly string[]
  /** Endpoints and actions with `nodoc`, whose code is in the package. */
  readonly hidden: readonly string[]
}

/** Builds the package inside the project's node_modules, so that its imports resolve, and copies it to the output folder. */
export async function writePackage(source: PackageSource): Promise<WrittenPackage> {
  refuseForeign(source.out)
  const [first = ''] = source.files
  const project = findFolderWith(['package.json'], first) ?? dirname(first)
  const cache = join(project, 'node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const stage = mkdtempSync(join(cache, 'edict-client-'))
  try {
    const result = await assemblePackage(source, project, stage)
    rmSync(join(source.out, 'declarations'), { recursive: true, force: true })
    cpSync(join(stage, 'package'), source.out, { recursive: true })
    return result
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

async function assemblePackage(source: PackageSource, project: string, stage: string): Promise<WrittenPackage> {
  const folder = join(stage, 'package')
  const { modules, packages } = copyDeclarations(await compileFiles(source.files, stage), source.files, folder)
  const dependencies = resolveDependencies(packages, project, source.edict)
  const manifest = buildManifest(readProjectManifest(project), source, dependencies)
  writeText(folder, 'package.json', formatJson(manifest))
  const exported = await importEndpoints(modules, folder)
  const shown = [...exported].filter(([, { definition }]) => !definition.resolve().nodoc)
  if (shown.length === 0) throw createNoEndpointError(source.files)
  const contract = formatJson(mock(shown.map(([, { definition }]) => definition)).contract())
  const endpoints = new Map(shown.map(([name, { definition }]) => [name, definition.resolve()]))
  const complete: ClientManifest = {
    ...manifest,
    edict: {
      contract: createHash('sha256').update(contract).digest('hex').slice(0, 16),
      versions: [...new Set([...endpoints.values()].flatMap(({ version }) => version ?? []))].sort(),
    },
  }
  writeText(folder, 'package.json', formatJson(complete))
  writeText(folder, 'contract.json', contract)
  writeText(folder, 'README.md', formatReadme({ manifest: complete, server: source.server, endpoints }))
  writeIndex(folder, modules, new Map(shown.map(([name, { module }]) => [name, module])))
  return { manifest: complete, endpoints: [...endpoints.keys()], hidden: [...exported].flatMap(listHidden) }
}

function listHidden([name, { definition }]: readonly [string, ExportedEndpoint]): string[] {
  const { nodoc, actions } = definition.resolve()
  return nodoc ? [name] : [...actions.values()].filter((one) => one.nodoc).map((one) => `${name}.${one.name}`)
}

const formatJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const writeText = (folder: string, name: string, text: string): void => writeFileSync(join(folder, name), text)

/** Refuses a folder with files that edict did not write. */
function refuseForeign(out: string): void {
  if (!existsSync(out) || readdirSync(out).every((name) => name === '.git')) return
  const manifest = join(out, 'package.json')
  if (existsSync(manifest) && 'edict' in JSON.parse(readFileSync(manifest, 'utf8'))) return
  throw new CommandError(
    `${out} has files that edict client did not write.`,
    'choose another folder with --out, or empty this one',
  )
}

// --- the declarations ------------------------------------------------------------

interface CopiedDeclarations {
  /** The modules of the definitions, as paths in the package. */
  readonly modules: readonly CopiedModule[]
  readonly packages: ReadonlyMap<string, string>
}

interface CopiedModule {
  /** The path within the package, without extension. */
  readonly path: string
  readonly source: string
}

function copyDeclarations(
  { scripts, declarations }: CompiledFolders,
  files: readonly string[],
  folder: string,
): CopiedDeclarations {
  const stems = files.map((file) =>
    relative(parse(file).root, file)
      .split(sep)
      .join('/')
      .replace(/\.[cm]?[jt]sx?$/, ''),
  )
  const listEntries = (ending: ModuleEnding): string[] => stems.map((path) => path + ending)
  const code = followImports(scripts, listEntries('.js'), '.js')
  const types = followImports(declarations, listEntries('.d.ts'), '.d.ts')
  const common = findCommonFolder([...code.modules, ...types.modules])
  const toPackagePath = (module: string): string =>
    `declarations/${common === '' ? module : module.slice(common.length + 1)}`
  copyModules(scripts, code, '.js', (module) => join(folder, toPackagePath(module)))
  copyModules(declarations, types, '.d.ts', (module) => join(folder, toPackagePath(module)))
  return {
    modules: stems.map((path) => ({ path: toPackagePath(path), source: getSourcePath(`${path}.js`) })),
    packages: new Map([...types.packages, ...code.packages]),
  }
}

// --- the definitions -------------------------------------------------------------

interface ExportedEndpoint {
  readonly definition: AnyDefinition
  readonly module: CopiedModule
}

/** Imports the copied modules, which proves that they run, and returns the exported endpoints. */
async function importEndpoints(
  modules: readonly CopiedModule[],
  folder: string,
): Promise<Map<string, ExportedEndpoint>> {
  const all = new Map<string, { readonly value: unknown; readonly module: CopiedModule }>()
  for (const module of modules) {
    const url = pathToFileURL(join(folder, `${module.path}.js`)).href
    const exported: Readonly<Record<string, unknown>> = await import(url)
    for (const [name, value] of Object.entries(exported)) {
      refuseExport(name, value, module)
      const other = all.get(name)
      if (other !== undefined && other.value !== value) throw createDuplicateError(name, other.module, module)
      if (name !== 'default') all.set(name, { value, module })
    }
  }
  const definitions = [...all].flatMap(([name, { value, module }]) =>
    isEndpoint(value) ? [[name, { definition: value as AnyDefinition, module }] as const] : [],
  )
  for (const [, { definition }] of definitions) refuseMistakes(definition.resolve().mistakes)
  return new Map(definitions)
}

function refuseExport(name: string, value: unknown, { source }: CopiedModule): void {
  if (name === 'default' && isEndpoint(value)) {
    const remedy = `write: export const ${value.name} = …`
    throw new CommandError(`${source} exports ${value.name} as its default, which gives it no name.`, remedy)
  }
  if (name === 'client') {
    throw new CommandError(`${source} exports 'client', which the package has for the client itself.`, 'rename it')
  }
  if (typeof value === 'object' && value !== null && '~controller' in value) {
    const remedy = 'move the controllers into files of their own, and name only those of the declarations'
    throw new CommandError(`${source} exports '${name}', a controller: the package would contain the server.`, remedy)
  }
}

const createDuplicateError = (name: string, one: CopiedModule, other: CopiedModule): CommandError =>
  new CommandError(`${one.source} and ${other.source} both export '${name}'.`, 'rename one of them')

const createNoEndpointError = (files: readonly string[]): CommandError =>
  new CommandError(
    `${files.map((file) => relative(process.cwd(), file)).join(', ')} exports no endpoint that may be seen.`,
    "write: export const Books = endpoint('Books', { … })",
  )

// --- the entry -------------------------------------------------------------------

function writeIndex(
  folder: string,
  modules: readonly CopiedModule[],
  endpoints: ReadonlyMap<string, CopiedModule>,
): void {
  const names = [...endpoints.keys()]
  const paths = [...new Set([...endpoints.values()].map(({ path }) => path))]
  const formatImports = (keyword: string): string[] =>
    paths.map((path) => {
      const exported = [...endpoints].flatMap(([name, module]) => (module.path === path ? [name] : []))
      return `import ${keyword}{ ${exported.join(', ')} } from './${path}.js'`
    })
  const exportLines = modules.map(({ path }) => `export * from './${path}.js'`)
  const comment = '/** Makes the client of the API; `baseUrl` says where it is, its base path included. */'
  const script = [
    "import { client as clientOf } from 'edict/client'",
    ...formatImports(''),
    '',
    ...exportLines,
    '',
    `const endpoints = { ${names.join(', ')} }`,
    '',
    'export const client = (options) => clientOf(endpoints, options)',
  ]
  const types = [
    "import type { Attribute } from 'edict'",
    "import type { Client, ClientOptions, ProblemOf } from 'edict/client'",
    ...formatImports('type '),
    '',
    ...exportLines,
    '',
    comment,
    'export declare function client<F extends Attribute | undefined = undefined, G extends string = never>(',
    '  options: ClientOptions<F, G>,',
    '): Client<',
    `  {\n${names.map((name) => `    readonly ${name}: typeof ${name}\n`).join('')}  },`,
    '  ProblemOf<F>,\n  G\n>',
  ]
  writeText(folder, 'index.js', `${script.join('\n')}\n`)
  writeText(folder, 'index.d.ts', `${types.join('\n')}\n`)
}
