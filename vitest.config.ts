import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { SlowestFirst } from './scripts/sequence.ts'
import { guardPlugin } from './test/support/guard/plugin.ts'

// The names users import ('edict', 'edict/node', …) lead to the sources; tsconfig.json holds the only list of them.
const { paths } = JSON.parse(readFileSync(new URL('./tsconfig.json', import.meta.url), 'utf8')).compilerOptions as {
  paths: Record<string, [string]>
}
const alias = Object.entries(paths).map(([name, [file]]) => ({
  find: new RegExp(`^${name}$`),
  replacement: new URL(file, import.meta.url).pathname,
}))

// `npm test` leaves out files that CI runs, and CI those that `npm test` has just run: scripts/test.ts writes which.
const list = process.env['EDICT_LEFT_OUT']
const leftOut: readonly string[] = list === undefined ? [] : JSON.parse(readFileSync(list, 'utf8'))

/**
 * Tests that leave nothing behind share the processes of the workers: a module is loaded once in each of them, not once for each
 * file. Production mode is set for a whole process.
 */
const sharing: readonly string[] = [
  '{src,scripts}/**/*.test.ts',
  'test/{contract,credentials,errors,inputs,pagination,plugins,responses,routing}/**/!(production-mode).test.ts',
  'test/{declarations,mock}/**/!(cli).test.ts',
  'test/lists/{columns,conventions,exports,indexes,params,plain,queries,reads,scopes,walks,writes}/**/*.test.ts',
  'test/{observability,testing}/**/*.test.ts',
]

interface Tests {
  readonly name: string
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
  readonly isolate?: boolean
}

const project = ({ name, include, exclude = [], isolate = true }: Tests) => ({
  extends: true as const,
  test: {
    name,
    include: [...include],
    exclude: [...configDefaults.exclude, ...leftOut, ...exclude],
    isolate,
    // Those of all projects belong to the one that shares.
    ...(isolate && { typecheck: { enabled: false } }),
  },
})
const projects = [
  project({ name: 'apart', include: ['test/**/*.test.ts'], exclude: sharing }),
  project({ name: 'sharing', include: sharing, isolate: false }),
]

export default defineConfig({
  resolve: { alias },
  plugins: [guardPlugin],
  test: {
    projects,
    setupFiles: ['./src/server/boot/boot.ts', './test/support/guard/setup.ts'],
    globalSetup: ['./test/support/engines/global-setup.ts', './scripts/scalar.ts'],
    // A busy machine takes its time; only what hangs is to fail by the clock.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A machine that stands still for a moment must not cost a whole run, of users neither; what needed the second try is named.
    retry: 1,
    expect: { poll: { timeout: 20_000 } },
    // Many tests wait for processes of their own: on two cores, two workers leave a third of the time unused.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: SlowestFirst },
    typecheck: {
      // Vitest does not pass the flag on to projects.
      enabled: !process.argv.includes('--typecheck=false'),
      include: ['{src,scripts,test}/**/*.test-d.ts'],
      tsconfig: './tsconfig.type-tests.json',
      ignoreSourceErrors: true,
    },
    coverage: {
      provider: 'v8',
      reporter: ['text-summary', 'html', 'lcovonly'],
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts', 'src/**/*.test-d.ts'],
      thresholds: { statements: 94, branches: 91, functions: 93, lines: 95 },
    },
  },
})
