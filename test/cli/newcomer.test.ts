// The way of a newcomer: the package as it is published, a new project from it, its tests, its server, another resource.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, expect, it, onTestFailed, vi } from 'vitest'
import { build } from '../start/dockerfile.ts'
import { fetchFrom } from '../support/guard/wire.ts'
import { describeWith } from '../support/needs.ts'
import { registryNeed } from '../support/registry.ts'

vi.setConfig({ testTimeout: 240_000 })

const root = mkdtempSync(join(tmpdir(), 'edict-new-'))
// The container of a project runs as another user.
chmodSync(root, 0o755)
const tools = join(root, 'tools')
const library = join(root, 'library')
let tarball: string
let server: ChildProcess | undefined
let broken: string | undefined

// Each step needs those before it; one that failed may be tried again.
beforeEach(({ skip, task }) => {
  skip(broken !== undefined && broken !== task.id, 'an earlier step failed')
  broken = undefined
  onTestFailed(() => {
    broken = task.id
  })
})

afterAll(() => {
  end('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

/** Signals npm alone, as process managers do; it has to pass the signal on. */
function end(signal: NodeJS.Signals): void {
  server?.kill(signal)
}

/** Runs a program to its end and gives what it printed; anything but success fails the test. */
function run(cwd: string, command: string, ...args: string[]): string {
  return ran(cwd, command, ...args).stdout
}

function ran(cwd: string, command: string, ...args: string[]): { readonly stdout: string; readonly stderr: string } {
  const { NODE_OPTIONS: _, NODE_ENV: __, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  expect(status, `${command} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
  return { stdout, stderr }
}

/** Installs packages; npm has nothing to ask about their scripts. */
function install(cwd: string, ...names: string[]): void {
  const { stderr } = ran(cwd, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...names)
  expect(stderr).not.toContain('install-scripts')
}

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
    run('.', process.execPath, '--import', 'tsx', 'scripts/built.ts')
    run('.', 'npm', 'pack', '--ignore-scripts', '--pack-destination', root)
    tarball = join(root, readdirSync(root).find((name) => name.endsWith('.tgz')) as string)

    mkdirSync(tools)
    writeFileSync(join(tools, 'package.json'), '{ "private": true }')
    install(tools, tarball)
    const said = run(
      root,
      join(tools, 'node_modules/.bin/edict'),
      'new',
      'library',
      '--docker',
      '--ci',
      '--edict',
      `file:${tarball}`,
    )
    expect(said).toContain('  cd library\n  npm install\n  npm test\n  npm start\n')
  })

  it('installs, and its tests and checks pass', () => {
    install(library)
    expect(run(library, 'npm', 'test')).toMatch(/ pass 4$/m)
    expect(run(library, 'npm', 'run', 'check')).toContain('no mistakes')
  })

  it('starts, answers lists in parts, shows its documentation, and stops when told', async () => {
    const port = await freePort()
    const url = `http://localhost:${port}`
    const env = { ...process.env, PORT: String(port) }
    server = spawn('npm', ['start'], { cwd: library, env, stdio: 'ignore' })
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
    end('SIGTERM')
    await expect.poll(() => fetch(`${url}/books`).catch(() => 'gone'), { timeout: 20_000 }).toBe('gone')
  })

  it('runs in a container that is not root, tells its health, and drains when it is stopped', async () => {
    const machine = { ...process.env, npm_config_prefer_offline: 'true' }
    const { command, healthcheck, user, folder, env } = build(library, mkdtempSync(join(root, 'image-')), machine)
    expect(user).toBe('node')
    expect(command[0]).toBe('node')
    expect(readdirSync(folder)).not.toContain('test')
    expect(readdirSync(join(folder, 'node_modules'))).not.toContain('drizzle-kit')
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    // As the user of the image, who is not root, where this test is.
    const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
    const { NODE_OPTIONS: _, ...inherited } = process.env
    const settings = { cwd: folder, env: { ...inherited, ...env, PORT: String(port), HOME: '/nonexistent' }, ...nobody }
    server = spawn(command[0] as string, command.slice(1), { ...settings, stdio: 'ignore' })
    await answering(`${url}/health/ready`)
    const healthy = spawnSync(healthcheck[0] as string, healthcheck.slice(1), settings)
    expect(healthy.status, String(healthy.stderr)).toBe(0)
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ title: 'Emma' })
    expect((await fetch(`${url}/books`, { method: 'POST', headers, body })).status).toBe(201)
    server.kill('SIGTERM')
    expect(await once(server, 'exit')).toEqual([0, null])
    expect(spawnSync(healthcheck[0] as string, healthcheck.slice(1), settings).status).toBe(1)
  })

  it('takes another resource, which its workflow checks; the workflow fails when a change breaks clients', () => {
    const git = (...args: string[]): string =>
      run(library, 'git', '-c', 'user.name=x', '-c', 'user.email=x@example.org', '-c', 'commit.gpgsign=false', ...args)
    git('init', '--quiet')
    git('add', '.')
    git('commit', '--quiet', '--message', 'Begin')
    git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    const said = run(library, 'npx', 'edict', 'generate', 'author', 'name:string', 'born:date?')
    expect(said).toContain('wrote    src/design/authors.ts')
    expect(run(library, 'npm', 'run', 'migration')).toContain('migrations/0001_')

    const steps = stepsOf(readFileSync(join(library, '.github/workflows/ci.yml'), 'utf8'))
    expect(steps).toHaveLength(6)
    // It has been installed.
    expect(steps.shift()).toBe('npm ci')
    const env = { ...process.env, GITHUB_BASE_REF: 'main', NODE_OPTIONS: '' }
    const ran = steps.map((step) => spawnSync('bash', ['-e', '-c', step], { cwd: library, env, encoding: 'utf8' }))
    expect(ran.filter(({ status }) => status !== 0)).toEqual([])
    expect(ran[steps.indexOf('npm run check')]?.stdout).toContain('no mistakes')
    expect(ran[steps.indexOf('npm test')]?.stdout).toMatch(/ pass 7$/m)

    const design = join(library, 'src/design/books.ts')
    writeFileSync(
      design,
      readFileSync(design, 'utf8').replace("byFields = ['id', 'title', 'year']", "byFields = ['id', 'title']"),
    )
    const diff = steps.at(-1) as string
    expect(diff).toContain('edict diff')
    expect(spawnSync('bash', ['-e', '-c', diff], { cwd: library, env }).status).toBe(1)
  })
})

/** The commands of a workflow's steps. */
function stepsOf(workflow: string): string[] {
  const found = workflow.matchAll(/^ {6}(?:- | {2})run: (?:\|\n((?: {10}.*\n)+)|(.*)$)/gm)
  return [...found].map(([, lines, line]) => line ?? (lines as string).replaceAll(/^ {10}/gm, ''))
}
