// Projects that edict lives in: monorepos with emitted declarations, settings of compilers, CommonJS, Jest.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inCi } from '../../scripts/machine.ts'
import { nodeProgram, runtimeNeed } from '../campaigns/compat/runtimes.ts'
import { itWith } from '../support/needs.ts'
import { installPacked, writeFiles } from '../support/packed.ts'
import { bytesOf, namesIn, writeDeepTypes, writeMonorepo, writeRecursiveTypes } from './homes/monorepo.ts'

const root = mkdtempSync(join(tmpdir(), 'edict-homes-'))
// At a desk the newer compiler will do: the older one takes five times as long.
const compilers: Readonly<Record<string, string>> = {
  ...(inCi && { 'TypeScript 5.9': 'node_modules/typescript-5.9/bin/tsc' }),
  'TypeScript 7.0': 'node_modules/typescript/bin/tsc',
}
/** Compilers take their time on a busy machine. */
const LONG = 240_000

beforeAll(() => installPacked(root), LONG)
afterAll(() => rmSync(root, { recursive: true, force: true }))

function run(program: string, args: readonly string[], cwd = root): string {
  const { NODE_OPTIONS: _, ...env } = process.env
  const { stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 })
  return stdout + stderr
}

const compile = (compiler: string, ...args: string[]): string => run(process.execPath, [resolve(compiler), ...args])

/** The compiler options that docs/guide/typescript.md recommends. */
function settingsOfGuide(): object {
  const [, block = '{}'] = /```jsonc\n(.*?)```/s.exec(readFileSync('docs/guide/typescript.md', 'utf8')) ?? []
  return JSON.parse(block).compilerOptions
}

/** The first lines that tell an error. */
const errorsOf = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) => line.includes('error TS'))
    .slice(0, 5)

for (const [version, compiler] of Object.entries(compilers)) {
  const folder = join(root, version.replaceAll(' ', '-'))

  describe(`a monorepo, ${version}`, () => {
    const contract = join(folder, 'packages/contract')
    let said: string
    const emittedTimes = (): number => bytesOf(join(contract, 'dist'), '.d.ts') / bytesOf(join(contract, 'src'), '.ts')

    beforeAll(() => {
      writeMonorepo(folder, 10)
      said = compile(compiler, '-b', folder)
    }, LONG)

    it('[EDT-04] builds: a contract with declarations, a server and a client that refer to it', () => {
      expect(errorsOf(said)).toEqual([])
      expect(existsSync(join(folder, 'packages/client/dist/api.d.ts'))).toBe(true)
    })

    it('[EDT-04] emits declarations of at most four times the source', () => {
      expect(namesIn(join(contract, 'dist'), '.d.ts').length).toBe(namesIn(join(contract, 'src'), '.ts').length)
      expect(emittedTimes()).toBeGreaterThan(1)
      expect(emittedTimes()).toBeLessThanOrEqual(4)
    })

    it(
      '[EDT-04] emits as much for each named media type, however many there are, and however deep',
      () => {
        const sizes = [2, 8].map((depth) => {
          const deep = join(folder, `depth-${depth}`)
          writeDeepTypes(deep, depth)
          expect(errorsOf(compile(compiler, '-p', deep))).toEqual([])
          return bytesOf(join(deep, 'dist'), '.d.ts') / depth
        })
        expect(sizes[1]! / sizes[0]!).toBeLessThanOrEqual(1.25)
      },
      LONG,
    )

    it(
      '[EDT-04] emits a named media type that contains itself as it is declared',
      () => {
        const home = join(folder, 'recursive')
        writeRecursiveTypes(home)
        expect(errorsOf(compile(compiler, '-p', home))).toEqual([])
        const text = readFileSync(join(home, 'dist/levels.d.ts'), 'utf8')
        expect(text).toContain('ArrayOf<Remark, undefined, false>')
        expect(text).not.toContain('any')
      },
      LONG,
    )
  })

  describe(`settings, ${version}`, () => {
    const settings: Readonly<Record<string, object>> = {
      'the settings of the guide': settingsOfGuide(),
      'nodenext with every strict setting': {
        module: 'nodenext',
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: true,
        isolatedModules: true,
        skipLibCheck: false,
      },
      'node16 without the types of browsers': { module: 'node16', lib: ['es2022'] },
      bundler: { module: 'esnext', moduleResolution: 'bundler', exactOptionalPropertyTypes: true },
      'bundler with Preserve': { module: 'preserve', isolatedModules: true, verbatimModuleSyntax: true },
    }
    const common = { target: 'es2022', strict: true, skipLibCheck: true, noEmit: true, types: ['node'] }

    // Module resolution differs little between compilers: the slower one gets the settings that are told and the strictest.
    const tried = Object.entries(settings).slice(0, version === 'TypeScript 5.9' ? 2 : undefined)
    for (const [name, given] of tried)
      it(
        `[EDT-04] an application compiles with ${name}`,
        () => {
          const home = join(folder, name.replaceAll(' ', '-'))
          cpSync('test/editor/cinema', join(home, 'src'), { recursive: true })
          const compilerOptions = { ...common, allowImportingTsExtensions: true, ...given }
          writeFiles(home, {
            'package.json': '{ "type": "module" }',
            'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
          })
          expect(errorsOf(compile(compiler, '-p', home))).toEqual([])
        },
        LONG,
      )

    it(
      '[EDT-04] an application in CommonJS compiles and runs',
      () => {
        const home = join(folder, 'commonjs')
        writeFiles(home, {
          'package.json': '{ "type": "commonjs" }',
          'tsconfig.json': JSON.stringify({ compilerOptions: { ...common, noEmit: false, module: 'nodenext' } }),
          'main.ts': commonjs,
        })
        expect(errorsOf(compile(compiler, '-p', home))).toEqual([])
        expect(readFileSync(join(home, 'main.js'), 'utf8')).toContain('require("edict")')
        expect(run(process.execPath, [join(home, 'main.js')])).toContain('200 Emma')
      },
      LONG,
    )
  })
}

const commonjs = `import { application, endpoint, route } from 'edict'
import { pagination } from 'edict/pagination'

const Books = endpoint('Books', { actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } } })
const app = application({ controllers: [Books.implement({ show: () => 'Emma' })], plugins: [pagination()] })
app.fetch(new Request('http://localhost/books')).then(async (answer) => console.log(answer.status, await answer.text()))
`

describe('require', () => {
  const text = commonjs.replaceAll(/^import (.*) from (.*)$/gm, 'const $1 = require($2)')

  it('is written as the guide says', () => {
    expect(readFileSync('docs/guide/typescript.md', 'utf8')).toContain(`\n${text.split('\n')[0]}\n`)
  })

  for (const major of [20, 22, 24]) {
    const program = nodeProgram(major)
    itWith(
      runtimeNeed(`node ${major}`, program),
      `[EDT-04] gives the entry points to CommonJS on Node ${major}`,
      async () => {
        writeFiles(root, { 'required.cjs': text })
        expect(run(program!, [join(root, 'required.cjs')])).toContain('200 Emma')
      },
      LONG,
    )
  }
})

describe('Jest', () => {
  const home = resolve('test/editor/homes/jest')
  const isInstalled = existsSync(join(home, 'node_modules/jest/bin/jest.js'))
  const missing = isInstalled ? undefined : 'not installed, npm install --no-save --prefix test/editor/homes/jest'

  itWith(
    { name: 'Jest', missing },
    '[EDT-04] runs tests of an application with its flag for modules',
    async () => {
      const folder = join(root, 'jest')
      cpSync(home, folder, { recursive: true, filter: (source) => !source.includes('node_modules') })
      const args = ['--experimental-vm-modules', join(home, 'node_modules/jest/bin/jest.js'), '--rootDir', folder]
      expect(run(process.execPath, args, folder)).toContain('Tests:       2 passed, 2 total')
    },
    LONG,
  )
})
