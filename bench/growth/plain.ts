// Runs a program written in TypeScript as plain JavaScript: bundled with the parts of src it measures, in a process of its
// own, so that no loader adds its own cost. `tsx bench/growth/plain.ts program.ts [options of the program]`.
import { spawnSync } from 'node:child_process'
import { buildSync } from 'esbuild'

const [program, ...rest] = process.argv.slice(2)
if (program === undefined) throw new Error('Which program?')
// Below bench/, so that the peers that are installed there are found.
const bundle = `bench/.cache/${program
  .replace(/^bench\//, '')
  .replaceAll('/', '-')
  .replace(/\.ts$/, '.mjs')}`
buildSync({
  entryPoints: [program],
  outfile: bundle,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
})
const { status } = spawnSync(process.execPath, ['--expose-gc', bundle, ...rest], {
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'production' },
})
process.exitCode = status ?? 1
