// The documents of the example are true: what they describe is accepted, and clients that others generate from
// them work. That answers are what they say, test/support/guard holds of all tests.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { attributeRules } from 'edict/extend'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { blogApi } from '../../examples/blog/api.ts'
import { openDatabase } from '../../examples/blog/database.ts'
import { nodeProgram, runtimeNeed } from '../campaigns/compat/runtimes.ts'
import { urlOf } from '../support/ask.ts'
import { installed } from '../support/documents/installed.ts'
import { operationsOf, requestsOf, send, withCredentials } from '../support/documents/requests.ts'
import { describeWith } from '../support/needs.ts'
import { registryNeed } from '../support/registry.ts'

const run = promisify(execFile)
const here = fileURLToPath(new URL('./clients/', import.meta.url))

async function freshBlog() {
  const database = openDatabase()
  await database.prepare()
  return { app: blogApi(database), close: () => database.close() }
}

/** Values that exist in the example, by the names in its paths. */
const KNOWN = { id: '1', blog_id: '1', person_id: '1', slug: 'note-g', post_slug: 'note-g', handle: 'notes' }

// The ids of comments are not numbers.
const there = (known: Readonly<Record<string, string>>, path: string): Readonly<Record<string, string>> =>
  known === KNOWN && path.includes('/comments/') ? { ...known, id: '6a1f5c1e-6f43-4c1b-9d4e-1f0f3a2b7c01' } : known

describe('[DOC-04] the documents of the example', () => {
  for (const known of [{}, KNOWN]) {
    for (const which of ['required', 'all'] as const) {
      const what = known === KNOWN ? 'of what is there' : 'of what the examples name'
      it(`describe requests that are accepted, and their responses: ${what}, with ${which}`, {
        timeout: 60_000,
      }, async () => {
        const seen: number[] = []
        for (const version of ['1.0', '2.0', undefined]) {
          const { app: first, close } = await freshBlog()
          const document = first.openapi(version)
          await close()
          for (const located of operationsOf(document)) {
            const { path, operation } = located
            const [server] = document.servers
            for (const plain of requestsOf(server?.url ?? '', located, which, there(known, path))) {
              const blog = await freshBlog()
              const answer = await send(blog.app, withCredentials(plain, operation, document, 'ada-secret'))
              const text = await answer.text()
              const line = `${plain.method} ${plain.url} ${plain.type} → ${answer.status} ${text.slice(0, 500)}`
              expect([400, 415, 500], line).not.toContain(answer.status)
              const status = Object.hasOwn(operation.responses, answer.status) ? String(answer.status) : 'default'
              expect(status, line).not.toBe('default')
              seen.push(answer.status)
              await blog.close()
            }
          }
        }
        expect(seen.length).toBeGreaterThan(30)
        expect(seen.filter((status) => status < 300).length).toBeGreaterThan(known === KNOWN ? 15 : 4)
      })
    }
  }
})

const node24 = nodeProgram(24)
const registry = await registryNeed()

describeWith(
  registry.missing === undefined ? runtimeNeed('node 24', node24) : registry,
  '[DOC-04] [CLT-07] clients that others generate',
  () => {
    const expected = {
      created: 201,
      title: 'Made by a client',
      kind: 'personal',
      handles: ['by-a-client', expect.any(String)],
      total: expect.any(Number),
      linked: true,
      code: 'validation',
      pointers: ['/order'],
    }
    const blogs: Record<string, Awaited<ReturnType<typeof freshBlog>>> = {}
    const urlFor = async (name: string): Promise<string> => `${await urlOf(blogs[name]?.app as never)}/api/v1.0`
    // The newest of them need a newer Node than the tests; what they write does not.
    const generate = (script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
      run(node24 ?? '', [`node_modules/${script}`, ...args], { cwd: here, env: { ...process.env, ...env } })
    const heyApi = (input: string, output: string): string[] => [
      ...['-i', input, '-o', output, '--no-log-file', '-s'],
      ...['-c', '@hey-api/client-fetch'],
    ]
    const generators = { blog: 'openapi-typescript', 'hey-api': '@hey-api/openapi-ts', orval: 'orval' } as const

    beforeAll(async () => {
      await installed(here)
      for (const name of Object.keys(generators)) blogs[name] = await freshBlog()
      rmSync(`${here}generated`, { recursive: true, force: true })
      mkdirSync(`${here}generated`, { recursive: true })
      writeFileSync(`${here}generated/blog.json`, JSON.stringify(blogs['blog']?.app.openapi('1.0')))
      const input = './generated/blog.json'
      await Promise.all([
        generate('openapi-typescript/bin/cli.js', [input, '-o', 'generated/blog.d.ts']),
        generate('@hey-api/openapi-ts/bin/run.js', heyApi(input, './generated/hey-api')),
        generate('orval/dist/bin/orval.mjs', ['--config', 'orval.config.js'], { BASE_URL: await urlFor('orval') }),
      ])
    }, 300_000)
    afterAll(async () => {
      for (const one of Object.values(blogs)) await one.close()
    })

    it('type-check', { timeout: 120_000 }, async () => {
      const checked = await run(`${here}node_modules/.bin/tsc`, ['-p', 'tsconfig.json'], { cwd: here }).catch(
        (error) => error,
      )
      expect(checked.stdout).toBe('')
    })

    it('[EVT-04] are the same from a document in OpenAPI 3.2', { timeout: 120_000 }, async () => {
      const document = blogs['blog']?.app.openapi('1.0', { openapi: '3.2' })
      writeFileSync(`${here}generated/blog-3.2.json`, JSON.stringify(document))
      const input = './generated/blog-3.2.json'
      await Promise.all([
        generate('openapi-typescript/bin/cli.js', [input, '-o', 'generated/blog-3.2.d.ts']),
        generate('@hey-api/openapi-ts/bin/run.js', heyApi(input, './generated/hey-api-3.2')),
      ])
      for (const [usual, newer] of [
        ['blog.d.ts', 'blog-3.2.d.ts'],
        ['hey-api/sdk.gen.ts', 'hey-api-3.2/sdk.gen.ts'],
        ['hey-api/types.gen.ts', 'hey-api-3.2/types.gen.ts'],
      ])
        expect(readFileSync(`${here}generated/${newer}`, 'utf8')).toBe(
          readFileSync(`${here}generated/${usual}`, 'utf8'),
        )
    })

    it.each(Object.entries(generators))(
      'create, show, list and are refused: %s, by %s',
      { timeout: 60_000 },
      async (name) => {
        const file = existsSync(`${here}${name}.ts`) ? `${name}.ts` : `${name}.js`
        const outfile = `${here}generated/${name}.run.js`
        await build({
          entryPoints: [here + file],
          outfile,
          bundle: true,
          format: 'esm',
          platform: 'node',
          logLevel: 'warning',
        })
        const script = `import('./generated/${name}.run.js').then(({ talk }) => talk(process.argv[1], (value) => console.log(JSON.stringify(value))))`
        const { stdout } = await run(process.execPath, ['-e', script, await urlFor(name)], { cwd: here })
        expect(JSON.parse(stdout)).toEqual(expected)
      },
    )
  },
)

describe('the cost of documents', () => {
  it('is none until somebody asks', async () => {
    const database = openDatabase()
    const described = vi.spyOn(attributeRules, 'buildSchema')
    const app = blogApi(database)
    expect(described.mock.calls).toEqual([])
    for (const version of app.versions) app.openapi(version)
    expect(described.mock.calls.length).toBeGreaterThan(0)
    described.mockRestore()
    await database.close()
  })
})
