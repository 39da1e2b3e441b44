// The package as it is bundled: one copy of every module whatever is imported, and few files for a start.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.ts'

const root = mkdtempSync(join(tmpdir(), 'edict-package-'))
const folder = join(root, 'node_modules/edict/dist')
let outputs: Awaited<ReturnType<typeof bundle>>

beforeAll(async () => {
  outputs = await bundle(folder)
  cpSync('package.json', join(root, 'node_modules/edict/package.json'))
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
}, 60_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Files that importing one of the bundle's reads, without those that wait for a dynamic import. */
function loaded(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const text = readFileSync(join(folder, file), 'utf8')
  for (const [, path] of text.matchAll(/(?:^|\s|\})(?:from|import) ?"(\.[^"]+)"/g))
    loaded(relative(folder, resolve(folder, dirname(file), path as string)), seen)
  return seen
}

/** Runs a module that sees the package as its users do. */
function run(source: string): string {
  const file = join(root, 'main.js')
  writeFileSync(file, source)
  const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
  return stdout + stderr
}

describe('the bundle', () => {
  it('has every module once, so that entry points share classes and caches', () => {
    for (const [part, least] of [
      ['server', 150],
      ['browser', 100],
    ] as const) {
      const places = new Map<string, string[]>()
      for (const [output, { inputs }] of Object.entries(outputs[part])) {
        for (const input of Object.keys(inputs)) places.set(input, [...(places.get(input) ?? []), output])
      }
      expect(places.size).toBeGreaterThan(least)
      expect([...places].filter(([, files]) => files.length > 1)).toEqual([])
    }
  })

  it('reads thirteen files at most when an application starts', () => {
    const files = [...loaded('index.js'), ...loaded('adapters/node/index.js')]
    expect(new Set(files).size).toBeLessThanOrEqual(13)
  })

  it('gives the client alone nothing of the server', () => {
    const text = [...loaded('client/index.js')].map((file) => readFileSync(join(folder, file), 'utf8')).join('')
    expect(text).toContain('fetch')
    expect(text).not.toContain('createServer')
    expect(text).not.toContain('Dispatcher')
  })

  it('imports nothing but Node and what npm installs along', () => {
    const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const known = Object.keys({ ...dependencies, ...peerDependencies })
    const outside = Object.values({ ...outputs.server, ...outputs.browser }).flatMap(({ imports }) =>
      imports.filter(({ external }) => external === true).map(({ path }) => path),
    )
    expect(outside.length).toBeGreaterThan(0)
    const strange = outside.filter(
      (path) => !path.startsWith('node:') && !known.some((name) => path === name || path.startsWith(`${name}/`)),
    )
    expect(strange).toEqual([])
  })

  it('takes the licences of what it contains along', () => {
    const licences = readFileSync(join(folder, 'LICENSES.txt'), 'utf8')
    expect(licences).toMatch(/content-type:.*MIT License.*negotiator:.*MIT License/s)
    expect(readFileSync(join(folder, 'plugins/docs/scalar.js'), 'utf8').slice(0, 200)).toContain('MIT License')
  })
})

describe('entry points together', () => {
  it('know the values of each other', () => {
    const said = run(`
      import { application, controller, DefinitionError, endpoint, route, t } from 'edict'
      import { serve } from 'edict/node'
      import { pagination } from 'edict/pagination'
      import { mock } from 'edict/mock'
      const Books = endpoint('Books', { actions: { show: { routing: route.get('/:id'), params: { id: t.integer() }, responses: { ok: 'text/plain' } } } })
      const app = application({ controllers: [controller(Books, { show: ({ id }, { reply }) => reply.ok('book ' + id) })], plugins: [pagination()] })
      const { url, close } = await serve(app, { port: 0, host: '127.0.0.1', signals: false, logger: { info() {}, warn() {}, error() {} } })
      console.log(await (await fetch(url + '/books/7')).text())
      await close()
      try { application({ controllers: [], plugins: [pagination({ maxItems: -1 })] }) } catch (error) { console.log(error instanceof DefinitionError, error.mistakes.length > 1) }
      console.log(typeof mock)
    `)
    expect(said).toBe('book 7\ntrue true\nfunction\n')
  })
})
