// Follows the imports of definitions, refuses modules that a client cannot use, and copies the others.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, parse, posix, relative, sep } from 'node:path'
import { CommandError } from '../command-error.ts'
import { findImports, type ModuleImport, maskLiterals, withSpecifiers } from './imports.ts'

/** The modules reached by following imports. */
export interface ReachedModules {
  /** The paths relative to the folder. */
  readonly modules: ReadonlySet<string>
  /** The imported packages, each with a module that imports it. */
  readonly packages: ReadonlyMap<string, string>
}

const MODULE_ENDINGS = {
  '.js': ['', '.js', '/index.js', '.mjs', '.json'],
  '.d.ts': ['', '.d.ts', '/index.d.ts', '.d.mts'],
} as const

/** The extension of scripts or of declarations. */
export type ModuleEnding = keyof typeof MODULE_ENDINGS

/** Follows the imports of compiled modules. */
export function followImports(folder: string, entries: readonly string[], ending: ModuleEnding): ReachedModules {
  const modules = new Set(entries)
  const packages = new Map<string, string>()
  for (const module of modules) {
    const text = readFileSync(join(folder, module), 'utf8')
    if (module.endsWith('.json')) continue
    const found = findImports(text)
    if (ending === '.js') for (const one of found) refuseServer(one, module)
    if (ending === '.js') refuseEnvironment(text, module)
    for (const { specifier } of found) {
      const other = specifier.startsWith('.') ? resolveModule(folder, module, specifier, ending) : undefined
      if (other !== undefined) modules.add(other)
      else if (packages.get(getPackageName(specifier)) === undefined) packages.set(getPackageName(specifier), module)
    }
  }
  return { modules, packages }
}

/** Resolves a relative specifier to a compiled module. */
function resolveModule(folder: string, from: string, specifier: string, ending: ModuleEnding): string {
  const path = posix.join(posix.dirname(from), specifier)
  const stem = path.replace(/\.([cm]?)[jt]sx?$/, '')
  const moduleStem = ending === '.js' ? stem : stem.replace(/\.d$/, '')
  const candidates = [
    ...MODULE_ENDINGS[ending].map((end) => path + end),
    ...MODULE_ENDINGS[ending].map((end) => moduleStem + end),
  ]
  const found = candidates.find((one) => /\.(?:[cm]?js|json|d\.[cm]?ts)$/.test(one) && existsSync(join(folder, one)))
  if (found !== undefined) return found
  throw new CommandError(
    `${getSourcePath(from)} imports '${specifier}', which the compiler wrote no file for.`,
    'import TypeScript or JavaScript, and write declarations there, not in a .d.ts file',
  )
}

/** Copies modules into a folder, with specifiers that every runtime resolves. */
export function copyModules(
  folder: string,
  { modules }: ReachedModules,
  ending: ModuleEnding,
  getTarget: (module: string) => string,
): void {
  for (const module of modules) {
    const text = readFileSync(join(folder, module), 'utf8')
    const target = getTarget(module)
    const rewritten = withSpecifiers(text, (specifier) => {
      if (!specifier.startsWith('.')) return specifier
      const path = relative(dirname(target), getTarget(resolveModule(folder, module, specifier, ending)))
        .split(sep)
        .join('/')
      return (path.startsWith('.') ? path : `./${path}`).replace(/\.d\.([cm]?)ts$/, '.$1js')
    })
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, module.endsWith('.json') ? text : rewritten)
  }
}

/** Returns the folder that contains all modules. */
export function findCommonFolder(modules: Iterable<string>): string {
  const [first = [], ...others] = [...modules].map((module) => posix.dirname(module).split('/'))
  const length = first.findIndex((step, i) => others.some((steps) => steps[i] !== step))
  return first.slice(0, length === -1 ? first.length : length).join('/')
}

/** Returns the source path of a compiled module, for messages. */
export function getSourcePath(module: string): string {
  const stem = join(parse(process.cwd()).root, module.replace(/\.(?:d\.[cm]?ts|[cm]?js)$/, ''))
  const ending = ['.ts', '.mts', '.tsx', '.js', '.mjs'].find((one) => existsSync(stem + one)) ?? '.ts'
  return relative(process.cwd(), stem + ending)
}

/** Returns the package name of a specifier. */
export const getPackageName = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

// --- server code ------------------------------------------------------

/** Entry points that declarations may import; all others are for servers. */
const DECLARATION_ENTRIES: ReadonlySet<string> = new Set([
  'edict',
  'edict/cache',
  'edict/client',
  'edict/conditional',
  'edict/extend',
  'edict/idempotency',
  'edict/mapper',
  'edict/mapper/extend',
  'edict/pagination',
  'edict/rate-limit',
  'edict/sessions',
  'edict/visibility',
])

/** Exports of those entry points that belong to a server. */
const SERVER_EXPORTS =
  /\b(?:application|controller|verifier|resource|mapper|pagination|conditional|rateLimits|idempotency|sessions|visibility|members)\b/

const SEPARATE_REMEDY =
  'move the declarations into files of their own, which import no controllers, and name those: edict client src/design.ts'

function refuseServer({ specifier, clause }: ModuleImport, module: string): void {
  const source = getSourcePath(module)
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) {
    throw new CommandError(`${source} imports '${specifier}', which only servers have.`, SEPARATE_REMEDY)
  }
  if (getPackageName(specifier) !== 'edict') return
  if (!DECLARATION_ENTRIES.has(specifier))
    throw new CommandError(`${source} imports '${specifier}', which is for servers.`, SEPARATE_REMEDY)
  const [name] = SERVER_EXPORTS.exec(clause) ?? []
  if (name === undefined) return
  throw new CommandError(
    `${source} imports ${name} from '${specifier}': the package would contain the server.`,
    SEPARATE_REMEDY,
  )
}

function refuseEnvironment(text: string, module: string): void {
  if (!/\bprocess\s*\.\s*env\b/.test(maskLiterals(text))) return
  throw new CommandError(
    `${getSourcePath(module)} reads process.env, which browsers do not have.`,
    'read it where the application is made, and keep declarations the same everywhere',
  )
}
