// The recipes of docs/recipes run: a unit of systemd, nginx and Caddy in front of a server, Bun, Deno and Workers.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { program, programNeed } from '../../scripts/machine.ts'
import { serve } from '../../src/adapters/node/index.ts'
import { end, freePort, runtimeNeed, runtimes, toldPort } from '../campaigns/compat/runtimes.ts'
import { itWith } from '../support/needs.ts'
import { createApp } from './small-app.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const root = mkdtempSync(join(tmpdir(), 'edict-recipes-'))
const recipe = (name: string): string => readFileSync(join('docs/recipes', name), 'utf8')
const patience = 60_000
const started: ChildProcess[] = []

beforeAll(async () => {
  await build({
    entryPoints: ['test/start/small-app.ts'],
    outfile: join(root, 'app.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    tsconfig: 'tsconfig.json',
    logLevel: 'warning',
  })
  for (const name of ['bun.js', 'deno.js', 'worker.js']) copyFileSync(join('docs/recipes', name), join(root, name))
})
afterEach(() => Promise.all(started.splice(0).map(end)))
afterAll(() => rmSync(root, { recursive: true, force: true }))

function begin(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const child = spawn(command, args, { cwd: root, env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  return child
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${child.stderr?.read() ?? ''}`)
    if (await fetch(url).catch(() => undefined)) return
    await sleep(100)
  }
  throw new Error(`${url} does not answer`)
}

/** Holds that a recipe passes on a body, an error and an encoded slash. */
async function passes(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const made = await fetch(`${url}/notes`, { method: 'POST', headers, body: '{"text":"a"}' })
  expect([made.status, made.headers.get('location'), await made.text()]).toEqual([201, '/notes/1', ''])
  expect(await (await fetch(`${url}/notes/a%2Fb`)).json()).toEqual({ name: 'a/b' })
  const refused = await fetch(`${url}/notes`, { method: 'POST', headers, body: '{"txt":"a"}' })
  expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
  expect((await fetch(`${url}/nothing`)).status).toBe(404)
}

/** Serves the application on Node for a proxy. */
async function behind<R>(use: (port: number) => Promise<R>): Promise<R> {
  const server = await serve(createApp(), { port: 0, host: '127.0.0.1', signals: false })
  try {
    return await use(server.port)
  } finally {
    await server.close()
  }
}

describe('systemd', () => {
  const unit = (): string => recipe('api.service')

  it('starts Node without npm, drains within its time to stop, and is not root', () => {
    const settings = Object.fromEntries([...unit().matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
    expect(settings['ExecStart']).toBe('/usr/bin/node --import tsx src/server.ts')
    expect(settings['DynamicUser']).toBe('yes')
    expect(Number(settings['TimeoutStopSec'])).toBeGreaterThan(10)
  })

  const verified = async (): Promise<void> => {
    const file = join(root, 'api.service')
    writeFileSync(file, unit().replace('/usr/bin/node', process.execPath).replace('/srv/library', root))
    const check = (): ReturnType<typeof spawnSync> =>
      spawnSync(program('systemd-analyze') as string, ['verify', '--man=no', file], { encoding: 'utf8' })
    expect([check().status, check().stderr]).toEqual([0, ''])
    writeFileSync(
      file,
      unit().replace('TimeoutStopSec=15', 'TimeoutStop=15').replace('/usr/bin/node', process.execPath),
    )
    expect(check().stderr).toMatch(/TimeoutStop/)
  }
  itWith(programNeed('systemd-analyze', 'systemd'), 'accepts the unit', verified, patience)
})

describe('proxies', () => {
  const nginx = (): Promise<void> =>
    behind(async (port) => {
      const front = await freePort()
      const site = recipe('nginx.conf')
        .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
        .replace('listen 80', `listen 127.0.0.1:${front}`)
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (one) => `${one}_temp_path ${root}/${one};`,
      )
      const whole = `daemon off; master_process off; pid ${root}/pid; error_log ${root}/error.log warn; events {}\nhttp { access_log off; ${temporary.join(' ')}\n${site}\n}\n`
      writeFileSync(join(root, 'nginx.conf'), whole)
      const child = begin(program('nginx') as string, [
        '-p',
        root,
        '-c',
        join(root, 'nginx.conf'),
        '-e',
        join(root, 'error.log'),
      ])
      const url = `http://127.0.0.1:${front}`
      await answering(url, child)
      await passes(url)
      // The limit of the application answers, not that of nginx.
      const large = await fetch(`${url}/notes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"text":"${'a'.repeat(1_100_000)}"}`,
      })
      expect([large.status, large.headers.get('content-type')]).toEqual([413, 'application/problem+json'])
      expect(await (await fetch(`${url}/notes/seen`)).json()).toMatchObject({
        name: expect.stringMatching(/^[0-9a-f]{32} 127\.0\.0\.1$/),
      })
    })
  itWith(programNeed('nginx', 'nginx'), 'nginx passes requests on as they are', nginx, patience)

  const caddy = async (): Promise<void> => {
    const [front, port] = [await freePort(), await freePort()]
    const site = recipe('Caddyfile')
      .replace('api.example', `http://127.0.0.1:${front}`)
      .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
    writeFileSync(join(root, 'Caddyfile'), `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
    const home = { HOME: root, XDG_DATA_HOME: root, XDG_CONFIG_HOME: root }
    let server = await serve(createApp(), { port, host: '127.0.0.1', signals: false })
    const child = begin(program('caddy') as string, ['run', '--config', 'Caddyfile'], home)
    const url = `http://127.0.0.1:${front}`
    await answering(url, child)
    await passes(url)
    // During a restart, requests wait.
    await server.close()
    const waiting = fetch(`${url}/notes/late`)
    await sleep(500)
    server = await serve(createApp(), { port, host: '127.0.0.1', signals: false })
    expect((await waiting).status).toBe(200)
    await server.close()
  }
  itWith(programNeed('caddy', 'caddy'), 'Caddy passes requests on, and holds them during a restart', caddy, patience)
})

describe('runtimes', () => {
  const named = (name: string) => runtimes.find((one) => one.name === name)!

  for (const [name, ...args] of [
    ['bun', 'bun.js'],
    ['deno', 'run', '--no-prompt', '--allow-net', '--allow-env=PORT', 'deno.js'],
  ] as const) {
    const { program: path } = named(name)
    const run = async (): Promise<void> => {
      const port = await freePort()
      const child = begin(path as string, args, { PORT: String(port) })
      const url = `http://127.0.0.1:${port}`
      await answering(url, child)
      await passes(url)
      const slow = fetch(`${url}/notes/slow`)
      await sleep(300)
      child.kill('SIGTERM')
      expect(await (await slow).json()).toEqual({ name: 'slow' })
      if (child.exitCode === null) await once(child, 'exit')
      expect(child.exitCode).toBe(0)
    }
    itWith(runtimeNeed(name, path), `${name} serves, and answers what has begun when it is told to stop`, run, patience)
  }

  const { program: workerd } = named('workerd')
  const worker = async (): Promise<void> => {
    const date = /compatibility_date = "(.*)"/.exec(recipe('wrangler.toml'))?.[1]
    const modules = ['worker.js', 'app.js'].map((name) => `(name = "${name}", esModule = embed "${name}")`)
    writeFileSync(
      join(root, 'worker.capnp'),
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (modules = [${modules.join(', ')}], compatibilityDate = "${date}");
`,
    )
    const port = await toldPort(begin(workerd as string, ['serve', 'worker.capnp', '--control-fd=1']), 'workerd')
    await passes(`http://127.0.0.1:${port}`)
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200)
  }
  itWith(runtimeNeed('workerd', workerd), 'workerd runs the module of a Worker', worker, patience)
})
