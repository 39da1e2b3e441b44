// The campaign of laws: runs every test with generated cases, with many more cases (test/support/runs.ts).
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

const folders = process.argv.length > 2 ? process.argv.slice(2) : ['src', 'test']
const files = ['src', 'test']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .filter((name) => name.endsWith('.test.ts') && folders.some((folder) => name.startsWith(folder)))
  .filter((name) => readFileSync(name, 'utf8').includes('support/runs.ts'))
if (files.length === 0) {
  console.error(`No test in ${folders.join(', ')} draws its cases. Remedy: name a folder such as test/lists.`)
  process.exit(1)
}
const { status } = spawnSync('vitest', ['run', '--typecheck=false', ...files], {
  stdio: 'inherit',
  env: { ...process.env, EDICT_LONG: '1' },
})
process.exitCode = status ?? 1
