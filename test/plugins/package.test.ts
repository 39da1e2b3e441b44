// A third-party package against the packed tarball: it compiles with both compilers, and its plugins do their work.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installPacked, link } from '../support/packed.ts'

const root = mkdtempSync(join(tmpdir(), 'edict-strangers-'))

beforeAll(() => {
  cpSync('test/plugins/strangers', root, { recursive: true })
  installPacked(root)
  link(resolve('node_modules/libsql'), join(root, 'node_modules/libsql'))
}, 180_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

const compile = (compiler: string, ...more: string[]): string => {
  const { stdout, stderr } = spawnSync(process.execPath, [resolve(compiler), '-p', root, ...more], { encoding: 'utf8' })
  return stdout + stderr
}

describe('[EXT-08] a plugin and a policy of another package', () => {
  it('compile with declarations on both compilers', () => {
    expect(compile('node_modules/typescript-5.9/bin/tsc', '--noEmit')).toBe('')
    expect(compile('node_modules/typescript/bin/tsc')).toBe('')
  }, 120_000)

  it('see every answer, answer before routing, add a typed value, and have a response of their own', () => {
    const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'dist/tests/library-rules.js')], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    const seen = JSON.parse(stdout)
    const expected = [
      [200, 'Books.show', '1 for lib-7'],
      [402, 'Books.show', 'card-needed'],
      [400, 'Books.show', 'validation'],
      [405, 'none', 'method-not-allowed'],
      [204, 'none', ''],
      [413, 'Books.create', 'payload-too-large'],
      [404, 'none', 'not-found'],
      [200, 'none', 'pong'],
    ]
    expect(seen.byFetch).toEqual(expected)
    expect(seen.bySocket).toEqual(expected)
    expect(seen.long).toEqual([431, 'none'])
    expect(seen.counts).toEqual({ 200: 4, 204: 2, 400: 2, 402: 2, 404: 2, 405: 2, 413: 2, 431: 1 })
    expect(seen.documented).toContain('402')
    expect(seen.steps.flat()).toEqual(expect.arrayContaining(['card', 'counter']))
  })

  it('work with a server and the typed client, each of them', () => {
    const run = spawnSync(process.execPath, ['--test-reporter=tap', join(root, 'dist/tests/all.js')], {
      encoding: 'utf8',
    })
    const failed = run.stdout.split('\n').filter((line) => line.startsWith('not ok'))
    expect(failed, run.stdout + run.stderr).toEqual([])
    expect(run.stdout).toMatch(/^# pass 11$/m)
    expect(run.status).toBe(0)
  }, 60_000)

  it('import nothing that is private', () => {
    const imports = readdirSync(join(root, 'src')).flatMap((name) =>
      [...readFileSync(join(root, 'src', name), 'utf8').matchAll(/from '([^']+)'/g)].map(([, from]) => String(from)),
    )
    expect(imports.filter((from) => !/^(?:edict(?:\/[a-z-]+)*|\.\/[\w-]+\.js)$/.test(from))).toEqual([])
  })
})
