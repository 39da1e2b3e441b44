// edict as npm installs it: the packed tarball in the node_modules of a folder, with what it depends on.
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Packs a build of now and installs it in a folder, beside the types of Node. */
export function installPacked(root: string): void {
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/built.ts'])
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', root])
  const [{ filename }] = JSON.parse(packed.toString()) as [{ filename: string }]
  const folder = join(root, 'node_modules/edict')
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['xzf', join(root, filename), '-C', folder, '--strip-components=1'])
  for (const name of ['@standard-schema/spec', '@types/node', 'undici-types'])
    link(resolve('node_modules', name), join(root, 'node_modules', name))
}

/** Makes a package known in a node_modules folder. */
export function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, 'junction')
}

/** Writes files below a folder. */
export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
