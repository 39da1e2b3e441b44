// Imported applications: written into a folder of this repository, compiled, and loaded.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { Application } from 'edict'
import { parse } from 'yaml'
import { type ImportedFiles, importDocument } from '../../src/cli/import/import.ts'
import type { Document } from './flat.ts'

const ROOT = resolve('.cache/import')

/** An imported application, and the document that it comes from. */
export interface Made extends ImportedFiles {
  readonly folder: string
  readonly document: Document
}

/** Imports a document and writes the application. */
export async function made(text: string, name: string = 'openapi.yml'): Promise<Made> {
  mkdirSync(ROOT, { recursive: true })
  const folder = mkdtempSync(join(ROOT, 'app-'))
  writeFileSync(join(folder, name), text)
  const imported = await importDocument(join(folder, name), folder, name)
  rmSync(join(folder, name))
  write(folder, imported.files)
  return { ...imported, folder, document: text.startsWith('{') ? JSON.parse(text) : parse(text) }
}

/** Writes files into a folder. */
export function write(folder: string, files: Iterable<readonly [path: string, text: string]>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Takes a folder away again. */
export const removed = ({ folder }: Pick<Made, 'folder'>): void => rmSync(folder, { recursive: true, force: true })

/** The application of a folder. */
export async function load({ folder }: Pick<Made, 'folder'>): Promise<Application> {
  const { app } = (await import(/* @vite-ignore */ join(folder, 'app.ts'))) as { readonly app: Application }
  return app
}

/** The errors of the compiler for some folders. */
export async function compiled(folders: readonly string[]): Promise<string> {
  const config = join(ROOT, `tsconfig-${process.pid}.json`)
  const include = folders.map((folder) => `${folder}/**/*.ts`)
  // Declarations of an API with hundreds of types are longer than the compiler writes them.
  const compilerOptions = { declaration: false }
  writeFileSync(config, JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions, include, exclude: [] }))
  const run = promisify(execFile)
  const options = { maxBuffer: 64 * 1024 * 1024 }
  return run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', config], options).then(
    () => '',
    ({ stdout }) => String(stdout),
  )
}

/** The text of a document of the folder `documents`. */
export function documentText(name: string): string {
  const bytes = readFileSync(new URL(`./documents/${name}`, import.meta.url))
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
