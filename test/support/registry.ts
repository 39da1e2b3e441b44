// The registry of npm, for tests that install packages as users do.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Need } from '../../scripts/machine.ts'

/** Asks npm for a package that every new project needs. */
export async function registryNeed(): Promise<Need> {
  const { tsx } = JSON.parse(readFileSync('package.json', 'utf8')).devDependencies as { readonly tsx: string }
  const missing = await promisify(execFile)('npm', ['view', `tsx@${tsx}`, 'version', '--fetch-retries=1']).then(
    () => undefined,
    () => 'npm does not reach it, npm ping',
  )
  return { name: "npm's registry", missing }
}
