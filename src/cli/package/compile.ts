// Compiles files with the project's own TypeScript: scripts without comments, and declarations with comments.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, parse, relative } from 'node:path'
import { promisify } from 'node:util'
import { CommandError } from '../command-error.ts'

/** The output folders of the compiler; they mirror the absolute paths of the sources. */
export interface CompiledFolders {
  readonly scripts: string
  readonly declarations: string
}

/** Returns the nearest folder above a file that contains one of the given names. */
export function findFolderWith(names: readonly string[], file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (names.some((name) => existsSync(join(folder, name)))) return folder
    if (dirname(folder) === folder) return undefined
  }
}

/** Compiles files and their imports into a folder; throws an error with the compiler's messages. */
export async function compileFiles(files: readonly string[], folder: string): Promise<CompiledFolders> {
  const [first = ''] = files
  const tsc = findCompiler(first)
  const config = findFolderWith(['tsconfig.json'], first)
  const compiled = { scripts: join(folder, 'scripts'), declarations: join(folder, 'declarations') }
  const base = {
    ...(config !== undefined && { extends: join(config, 'tsconfig.json') }),
    files,
    include: [],
    references: [],
  }
  // The declarations are type-checked; the scripts come from the same sources.
  await runCompiler(tsc, folder, {
    ...base,
    compilerOptions: { ...createCompilerOptions(compiled.declarations), declaration: true, emitDeclarationOnly: true },
  })
  await runCompiler(tsc, folder, {
    ...base,
    compilerOptions: {
      ...createCompilerOptions(compiled.scripts),
      declaration: false,
      removeComments: true,
      noCheck: true,
    },
  })
  return compiled
}

/** Compiler options that override those of the project: ES modules for browsers and Node, without maps or other output. */
const createCompilerOptions = (outDir: string): object => ({
  outDir,
  // Contains all imported files.
  rootDir: parse(outDir).root,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  allowJs: true,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
  noEmit: false,
  emitDeclarationOnly: false,
  declarationMap: false,
  sourceMap: false,
  inlineSourceMap: false,
  inlineSources: false,
  composite: false,
  incremental: false,
  isolatedDeclarations: false,
  noEmitOnError: false,
  removeComments: false,
  declarationDir: null,
  tsBuildInfoFile: null,
  outFile: null,
})

async function runCompiler(tsc: string, folder: string, config: object): Promise<void> {
  const project = join(folder, 'tsconfig.json')
  writeFileSync(project, JSON.stringify(config))
  try {
    await promisify(execFile)(process.execPath, [tsc, '-p', project, '--pretty', 'false'], { maxBuffer: 2 ** 26 })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    throw createCompileError(`${stdout}${stderr}`.trim(), folder)
  }
}

const MAX_SHOWN_LINES = 12

function createCompileError(output: string, folder: string): CommandError {
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^(?:\.\.\/)+\S+?(?=\()/, (path) => relative(process.cwd(), join(folder, path))))
  const [unnameable] = lines.filter((line) => /error TS(?:2742|2883|4023|4058|7056)\b/.test(line))
  const shown = lines.slice(0, MAX_SHOWN_LINES).join('\n')
  const more = lines.length > MAX_SHOWN_LINES ? `\n… and ${lines.length - MAX_SHOWN_LINES} lines more` : ''
  const remedy =
    unnameable === undefined
      ? 'correct them: npx tsc --noEmit shows the same'
      : 'export the type that is named, or write the type of the value, so that a declaration file can name it'
  return new CommandError(`TypeScript refuses the declarations:\n${shown}${more}`, remedy)
}

// --- the compiler ----------------------------------------------------------------

function findCompiler(file: string): string {
  const require = createRequire(file)
  let manifest: string
  try {
    manifest = require.resolve('typescript/package.json')
  } catch {
    throw new CommandError(
      `There is no TypeScript for ${file}: the types of the package are written by the project's own.`,
      'npm install --save-dev typescript',
    )
  }
  const { version = '', bin } = JSON.parse(readFileSync(manifest, 'utf8')) as CompilerManifest
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < 5 || (major === 5 && minor < 9)) {
    throw new CommandError(
      `${dirname(manifest)} is TypeScript ${version}; edict supports 5.9 and newer.`,
      'npm install --save-dev typescript@latest',
    )
  }
  return join(dirname(manifest), bin?.tsc ?? 'bin/tsc')
}

interface CompilerManifest {
  readonly version?: string
  readonly bin?: { readonly tsc?: string }
}
