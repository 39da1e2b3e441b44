// Packages of tests with a lock file of their own, installed when they are missing or older than it.
import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { promisify } from 'node:util'

/** Installs the packages of a folder, unless they are there. */
export async function installed(folder: string): Promise<void> {
  const [lock, there] = [`${folder}package-lock.json`, `${folder}node_modules/.package-lock.json`]
  if (existsSync(there) && statSync(there).mtimeMs >= statSync(lock).mtimeMs) return
  await promisify(execFile)('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
  })
}
