// The way of a newcomer: the package as it is published, a new project from it, its tests, its server, another resource.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, expect, it, onTestFailed, vi } from 'vitest'
import { fetchFrom } from '../support/guard/wire.ts'
import { describeWith } from '../support/needs.ts'
import { registryNeed } from '../support/registry.ts'

vi.setConfig({ testTimeout: 240_000 })

const root = mkdtempSync(join(tmpdir(), 'edict-new-'))
const tools = join(root, 'tools')
const library = join(root, 'library')
let tarball: string
let server: ChildProcess | undefined
let broken = false

// Each step needs those before it.
beforeEach(({ skip }) => {
  skip(broken, 'an earlier step failed')
  onTestFailed(() => {
    broken = true
  })
})

afterAll(() => {
  end('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

/** Signals the group of the server, as Ctrl+C does; npm alone would not pass the signal on. */
function end(signal: NodeJS.Signals): void {
  try {
    if (server?.pid !== undefined) process.kill(-server.pid, signal)
  } catch {
    // The group has ended already.
  }
}

/** Runs a program to its end and gives what it printed; anything but success fails the test. */
function run(cwd: string, command: string, ...args: string[]): string {
  const { NODE_OPTIONS: _, NODE_ENV: __, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  expect(status, `${command} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
  return stdout
}

const install = (cwd: string, ...names: string[]): string =>
  run(cwd, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...names)

async function freePort(): Promise<number> {
  const held = createServer().listen(0)
  await once(held, 'listening')
  const { port } = held.address() as { port: number }
  held.close()
  await once(held, 'close')
  return port
}

/** Waits until the server answers. */
async function answering(url: string): Promise<Response> {
  for (let tries = 0; tries < 1200; tries++) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer !== undefined) return answer
    await sleep(100)
  }
  throw new Error(`${url} does not answer`)
}

// One after the other, as all tests of a file.
describeWith(await registryNeed(), 'a new project', () => {
  it('is written by the package as it is published', () => {
    // Built in a folder of its own, so that dist/ stays as it is.
    const stage = join(root, 'stage')
    for (const name of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'src', 'scripts', 'templates']) {
      cpSync(name, join(stage, name), { recursive: true })
    }
    for (const name of readdirSync('.').filter((one) => /^tsconfig.*\.json$/.test(one))) cpSync(name, join(stage, name))
    symlinkSync(resolve('node_modules'), join(stage, 'node_modules'), 'junction')
    run(stage, process.execPath, '--import', 'tsx', 'scripts/build.ts')
    run(stage, 'npm', 'pack', '--ignore-scripts', '--pack-destination', root)
    tarball = join(root, readdirSync(root).find((name) => name.endsWith('.tgz')) as string)

    mkdirSync(tools)
    writeFileSync(join(tools, 'package.json'), '{ "private": true }')
    install(tools, tarball)
    const said = run(root, join(tools, 'node_modules/.bin/edict'), 'new', 'library', '--edict', `file:${tarball}`)
    expect(said).toContain('  cd library\n  npm install\n  npm test\n  npm start\n')
  })

  it('installs, and its tests and checks pass', () => {
    install(library)
    expect(run(library, 'npm', 'test')).toMatch(/ pass 3$/m)
    expect(run(library, 'npm', 'run', 'check')).toContain('no mistakes')
  })

  it('starts, answers lists in parts, shows its documentation, and stops when told', async () => {
    const port = await freePort()
    const url = `http://localhost:${port}`
    // A group of processes, as a terminal starts it: npm, its shell, and the server.
    const env = { ...process.env, PORT: String(port) }
    server = spawn('npm', ['start'], { cwd: library, env, stdio: 'ignore', detached: true })
    const document = JSON.parse(run(library, 'npx', 'edict', 'openapi'))
    const fetchBooks = fetchFrom({ documents: () => ({ shown: [document], hidden: [] }) })
    expect(await (await answering(`${url}/books`)).json()).toEqual([])
    for (const [title, year] of [
      ['Kokoro', 1914],
      ['Middlemarch', 1871],
      ['Dubliners', 1914],
    ] as const) {
      const headers = { 'content-type': 'application/json' }
      const sent = await fetchBooks(`${url}/books`, { method: 'POST', headers, body: JSON.stringify({ title, year }) })
      expect(sent.status).toBe(201)
    }
    const query = 'filters=year=1914&order=title&pagination=items=1,total_count=true&fields=title'
    const page = await fetchBooks(`${url}/books?${query}`)
    expect(await page.json()).toEqual([{ title: 'Dubliners' }])
    expect(page.headers.get('total-count')).toBe('2')
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    expect(await (await fetchBooks(new URL(next as string, url))).json()).toEqual([{ title: 'Kokoro' }])
    const docs = await fetch(`${url}/docs`)
    expect([docs.status, docs.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await docs.text()).toContain('<title>library')
    end('SIGINT')
    await expect.poll(() => fetch(`${url}/books`).catch(() => 'gone'), { timeout: 20_000 }).toBe('gone')
  })

  it('takes another resource, and its tests and checks pass again', () => {
    const said = run(library, 'npx', 'edict', 'generate', 'author', 'name:string', 'born:date?')
    expect(said).toContain('wrote    src/design/authors.ts')
    expect(run(library, 'npm', 'test')).toMatch(/ pass 6$/m)
    expect(run(library, 'npm', 'run', 'check')).toContain('no mistakes')
  })
})
