// A project on each database and ORM: its own tests pass, also those of a generated resource; its server answers over a
// socket, its indexes serve its lists, and it ends when it is told to.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ProjectChoices } from '../../src/cli/templates/choice-values.ts'
import { createProjectFiles } from '../../src/cli/templates/project.ts'
import type { Engine, EngineNeed } from '../support/engines/engine.ts'
import { startMariadb } from '../support/engines/mariadb.ts'
import { startPostgres } from '../support/engines/postgres.ts'
import { type Ended, node } from '../support/project.ts'
import { isLong } from '../support/runs.ts'
import { allStacks, compile, fewStacks, installAll, nameOf, write } from './combinations.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const root = mkdtempSync(join(tmpdir(), 'edict-stacks-'))
const needs: Partial<Record<string, EngineNeed>> = { postgresql: await startPostgres(), mariadb: await startMariadb() }
const { publicKey, privateKey } = await generateKeyPair('ES256')
const everyKind = [
  'title:string:unique',
  'words:integer?',
  'score:number',
  'open:boolean?',
  'born:date',
  'at:dateTime?',
]
/** The number of tests of a project after another resource was added. */
const TESTS = { none: '8', 'api-key': '12', jwt: '12', password: '21' } as const
const EDICT = join(root, 'node_modules/edict/dist/cli/main.js')
let issuer: Server
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  installAll(root)
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] }
  issuer = createServer((request, response) => {
    const found = { issuer: environment['JWT_ISSUER'], jwks_uri: `${environment['JWT_ISSUER']}/keys` }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(request.url === '/keys' ? keys : found))
  }).listen(0, '127.0.0.1')
  await once(issuer, 'listening')
  environment = {
    JWT_ISSUER: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`,
    JWT_AUDIENCE: 'library',
    // The digest of "secret".
    API_KEYS: 'ada:2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b',
    PORT: '0',
  }
})
afterAll(() => {
  issuer.close()
  rmSync(root, { recursive: true, force: true })
})

async function credentials(auth: ProjectChoices['auth'], url: string): Promise<Record<string, string>> {
  if (auth === 'none') return {}
  if (auth === 'password') {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'ada', password: 'correct horse battery staple' })
    const registered = await fetch(`${url}/accounts`, { method: 'POST', headers, body })
    expect([registered.status, await registered.json()]).toEqual([201, { id: 1, name: 'ada' }])
    const { token } = await (await fetch(`${url}/tokens`, { method: 'POST', headers, body })).json()
    return { authorization: `Bearer ${token}` }
  }
  if (auth === 'api-key') return { 'x-api-key': 'secret' }
  const token = new SignJWT({ sub: 'ada' }).setProtectedHeader({ alg: 'ES256', kid: 'one' }).setAudience('library')
  const signed = token.setIssuer(environment['JWT_ISSUER'] as string).setExpirationTime('5m')
  return { authorization: `Bearer ${await signed.sign(privateKey)}` }
}

/** Waits for the line in which a server says where it is. */
function urlOf(server: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((done, fail) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on('data', (chunk) => {
        said += chunk
        const [, url] = / is at (http:\S+?),/.exec(said) ?? []
        if (url !== undefined) done(url)
      })
    }
    server.once('exit', (code) => fail(new Error(`The server ended with ${code}: ${said}`)))
  })
}

for (const chosen of isLong ? allStacks : fewStacks) {
  const name = nameOf(chosen)
  const describeStack = (engine?: Engine): void => {
    let folder: string
    let env: NodeJS.ProcessEnv
    let database: { readonly url: string; close(): Promise<void> } | undefined
    const run = (...args: string[]): Promise<Ended> => node(args, folder, env)

    beforeAll(async () => {
      folder = write(root, name, createProjectFiles('library', '0.1.0', chosen))
      database = await engine?.createDatabase()
      env = { ...environment, ...(database && { DATABASE_URL: database.url }) }
    })
    afterAll(() => database?.close())

    it('takes another resource with its migration, and compiles', async () => {
      const kit = resolve('node_modules/drizzle-kit/bin.cjs')
      const isDrizzle = chosen.orm === 'drizzle'
      if (isDrizzle) expect((await run(kit, 'generate')).stdout).toContain('No schema changes')
      const made = await run(EDICT, 'generate', 'blog-post', ...everyKind)
      expect(made).toMatchObject({ code: 0, stderr: '' })
      expect(made.stdout.includes('npx drizzle-kit generate')).toBe(isDrizzle)
      if (isDrizzle) expect((await run(kit, 'generate')).stdout).toContain('Your SQL migration file')
      expect(readdirSync(join(folder, 'migrations')).filter((file) => /^\d{4}_/.test(file))).toHaveLength(
        chosen.auth === 'password' && !isDrizzle ? 4 : 2,
      )
      expect(compile(folder)).toBe('')
    })

    it('passes its own tests', async () => {
      const runner =
        chosen.tests === 'vitest' ? [resolve('node_modules/vitest/vitest.mjs'), 'run'] : ['--import', 'tsx', '--test']
      const files = readdirSync(join(folder, 'test')).filter((file) => file.endsWith('.test.ts'))
      const { code, stdout, stderr } = await run(...runner, ...files.map((file) => `test/${file}`))
      expect(code, stdout + stderr).toBe(0)
      const passed = chosen.tests === 'vitest' ? /Tests +(\d+) passed/ : /pass (\d+)$/m
      expect(passed.exec(stripVTControlCharacters(stdout))?.[1]).toBe(TESTS[chosen.auth])
    })

    it('is migrated, checked, and has the indexes that its lists need', async () => {
      expect(await run('--import', 'tsx', 'src/migrate.ts')).toMatchObject({ code: 0, stdout: '', stderr: '' })
      expect(await run(EDICT, 'check')).toMatchObject({ code: 0, stdout: expect.stringContaining('no mistakes') })
      const indexes = await run(EDICT, 'indexes', '--no-filters', '--strict')
      expect(indexes.code, indexes.stdout + indexes.stderr).toBe(0)
    })

    it('serves over a socket, and drains', async () => {
      const server = spawn(process.execPath, ['--import', 'tsx', 'src/server.ts'], {
        cwd: folder,
        env: { ...process.env, NODE_OPTIONS: '', ...env },
      })
      try {
        const url = await urlOf(server)
        const headers = { ...(await credentials(chosen.auth, url)), 'content-type': 'application/json' }
        const get = (path: string): Promise<Response> => fetch(url + path, { headers, redirect: 'manual' })
        for (const [title, year] of [
          ['Kokoro', 1914],
          ['Emma', 1815],
          ['Dubliners', 1914],
        ] as const) {
          const sent = await fetch(`${url}/books`, { method: 'POST', headers, body: JSON.stringify({ title, year }) })
          expect([sent.status, await sent.text()]).toEqual([201, ''])
        }
        const page = await get('/books?filters=year=1914&order=-title&pagination=items=1,total_count=true&fields=title')
        expect(await page.json()).toEqual([{ title: 'Kokoro' }])
        expect(page.headers.get('total-count')).toBe('2')
        const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
        expect(await (await get(next as string)).json()).toEqual([{ title: 'Dubliners' }])
        expect(await (await get('/health/ready')).json()).toEqual({ status: 'ok' })
        const root = await get('/')
        expect([root.status, root.headers.get('location')]).toEqual([303, '/docs'])
        expect((await get('/docs')).status).toBe(200)
        if (chosen.auth !== 'none') expect((await fetch(`${url}/books`)).status).toBe(401)
        server.kill('SIGTERM')
        expect(await once(server, 'exit')).toEqual([0, null])
      } finally {
        server.kill('SIGKILL')
      }
    })
  }
  const need = needs[chosen.database]
  if (need === undefined) describe(`${name}:`, () => describeStack())
  else describe(`${name}:`, () => need.describe(describeStack))
}
