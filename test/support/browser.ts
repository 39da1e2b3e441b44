// The browser of the tests: the one that CHROMIUM names, that of a package from npm, or that of the system.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { chromium, type Browser as Launched } from 'playwright-core'
import { type Environment, isProgram, type Need, program } from '../../scripts/machine.ts'
import { filesOf } from '../../scripts/tar.ts'

interface Found {
  readonly executable: string
  readonly variables: Environment
  readonly from: 'CHROMIUM' | 'npm' | 'PATH'
}

/** A browser that can be started, or why there is none. */
export type Browser = Found | { readonly missing: string }

/** The names that systems give it, in the order of preference. */
const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const remedy = 'install Chromium (Debian: apt-get install chromium), or set CHROMIUM to the path of one'
const flags = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
]

/** The environment in which a browser is looked for; tests of the order pass their own. */
export interface Surroundings {
  readonly environment: Environment
  readonly machine: string
  /** Unpacks the browser of the package, if that is installed, and gives its folder. */
  readonly unpack: () => string | undefined
}

/** Finds the browser. A variable that names no program is a mistake rather than a reason to look elsewhere. */
export function findBrowser({ environment, machine, unpack }: Surroundings): Browser {
  const { CHROMIUM } = environment
  if (CHROMIUM) {
    if (isProgram(CHROMIUM)) return { executable: CHROMIUM, variables: {}, from: 'CHROMIUM' }
    throw new Error(`CHROMIUM names ${CHROMIUM}, which is no program. Remedy: correct the path, or unset it.`)
  }
  const folder = machine === 'linux-x64' ? unpack() : undefined
  if (folder !== undefined) {
    // It finds its libraries and its only font there; the system may have neither.
    const variables = { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_PATH: folder }
    return { executable: join(folder, 'chromium'), variables, from: 'npm' }
  }
  const own = names.map((name) => program(name, environment)).find((path) => path !== undefined)
  if (own !== undefined) return { executable: own, variables: {}, from: 'PATH' }
  if (machine !== 'linux-x64') return { missing: `no package of npm has one for ${machine}, ${remedy}` }
  return { missing: `the package @sparticuz/chromium is not installed, npm ci` }
}

/** Unpacks the files of the package once into a folder that is there when it is complete. */
export function unpackBrowser(): string | undefined {
  const cache = fileURLToPath(new URL('../../node_modules/.cache/edict/', import.meta.url))
  const require = createRequire(import.meta.url)
  let home: string
  try {
    home = join(dirname(require.resolve('@sparticuz/chromium')), '../..')
  } catch {
    return undefined
  }
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const own = mkdtempSync(join(cache, 'chromium-'))
  const packed = (name: string): Buffer => brotliDecompressSync(readFileSync(join(home, 'bin', name)))
  writeFileSync(join(own, 'chromium'), packed('chromium.br'), { mode: 0o755 })
  for (const name of ['al2023', 'fonts', 'swiftshader']) {
    for (const { path, content } of filesOf(packed(`${name}.tar.br`))) {
      mkdirSync(dirname(join(own, path)), { recursive: true })
      writeFileSync(join(own, path), content, { mode: 0o755 })
    }
  }
  writeFileSync(
    join(own, 'fonts.conf'),
    `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>\n`,
  )
  try {
    renameSync(own, folder)
  } catch {
    // Another process was faster.
    rmSync(own, { recursive: true })
  }
  return folder
}

/** Starts the browser, with further flags, or tells why the tests have to do without. */
export async function launchBrowser(
  further: readonly string[] = [],
): Promise<{ readonly browser?: Launched; readonly need: Need }> {
  const surroundings = { environment: process.env, machine: `${process.platform}-${process.arch}` }
  const need = { name: 'a browser', missing: undefined }
  const start = ({ executable, variables }: Found): Promise<Launched> => {
    const env = { ...process.env, ...variables } as Record<string, string>
    return chromium.launch({ executablePath: executable, args: [...flags, ...further], env })
  }
  const found = findBrowser({ ...surroundings, unpack: unpackBrowser })
  if ('missing' in found) return { need: { ...need, missing: found.missing } }
  try {
    return { need, browser: await start(found) }
  } catch (error) {
    // The package may lack a library of this system; an installed browser should work.
    if (found.from !== 'npm') throw error
    const other = findBrowser({ ...surroundings, unpack: () => undefined })
    if (!('missing' in other)) return { need, browser: await start(other) }
    const [reason = ''] = /error while loading.*|cannot open.*/.exec(String(error)) ?? String(error).split('\n')
    return { need: { ...need, missing: `that of @sparticuz/chromium does not start (${reason}), ${remedy}` } }
  }
}
