// For Vite: test/support/guard/server.ts takes the place of src/server/create-server.ts, in tests and in what they bundle.
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const server = fileURLToPath(new URL('../../../src/server/create-server.ts', import.meta.url))
const guard = fileURLToPath(new URL('./server.ts', import.meta.url))

/** Watches the answers of every application. */
export const guardPlugin: Plugin = {
  name: 'guard',
  enforce: 'pre',
  resolveId: (source, importer) =>
    importer !== undefined && importer !== guard && resolve(dirname(importer), source) === server ? guard : undefined,
}
