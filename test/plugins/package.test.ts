// A third-party package against the packed tarball: it compiles with both compilers, and its plugins do their work.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
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

  it('see every response, respond before routing, add a typed value, and have a response of their own', () => {
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
    expect(run.stdout).toMatch(/^# pass 19$/m)
    expect(run.status).toBe(0)
  }, 60_000)

  it('import nothing that is private', () => {
    const imports = readdirSync(join(root, 'src')).flatMap((name) =>
      [...readFileSync(join(root, 'src', name), 'utf8').matchAll(/from '([^']+)'/g)].map(([, from]) => String(from)),
    )
    expect(imports.filter((from) => !/^(?:edict(?:\/[a-z-]+)*|\.\/[\w-]+\.js)$/.test(from))).toEqual([])
  })

  it('read and write structures in a bundle for browsers, where there are no rules of kinds', async () => {
    writeFileSync(join(root, 'front-end.js'), FRONT_END)
    const options = { bundle: true, format: 'esm', target: 'es2022', write: false, platform: 'browser' } as const
    const made = await build({ ...options, entryPoints: [join(root, 'front-end.js')], absWorkingDir: root })
    const text = made.outputFiles[0]?.text ?? ''
    expect(text).not.toMatch(/["']node:|class Dispatcher|stringRules|function application\(/)
    writeFileSync(join(root, 'bundle.mjs'), text)
    const { results } = (await import(pathToFileURL(join(root, 'bundle.mjs')).href)) as { results: object }
    expect(results).toEqual({
      written: WRITTEN,
      same: true,
      refused: ['/price must be an amount such as 12.50 EUR', '/list/1 must be an integer', '/id is required'],
      envelope: { data: { id: 1, price: '0.07 EUR' }, meta: {} },
      opened: 7,
      events: [1, 2],
    })
  }, 60_000)
})

const WRITTEN = {
  id: 1,
  price: '0.07 EUR',
  at: '2026-01-02T03:04:05.000Z',
  big: '12345678901234567890',
  list: [1, 2],
  record: { a: '1.00 CHF' },
  below: { on: true, day: '2026-01-02' },
  either: { kind: 'one', at: '2026-01-02T03:04:05.000Z' },
}

const FRONT_END = `
import { t } from 'edict'
import { readValue, writeValue } from 'edict/client'
import { enveloped, money, readEvents, writeEvents } from './dist/src/index.js'

const price = money(['EUR', 'CHF'])
const Book = t.object({ id: t.integer({ required: true }), price, at: t.dateTime(), big: t.bigint(),
  list: t.array(t.integer()), record: t.record(price), below: t.object({ on: t.boolean(), day: t.date() }),
  either: t.union('kind', { one: { at: t.dateTime() } }) })
const at = new Date('2026-01-02T03:04:05Z')
const value = { id: 1, price: { cents: 7, currency: 'EUR' }, at, big: 12345678901234567890n, list: [1, 2],
  record: { a: { cents: 100, currency: 'CHF' } }, below: { on: true, day: '2026-01-02' }, either: { kind: 'one', at } }
const written = writeValue(Book, value)
const again = readValue(Book, JSON.parse(JSON.stringify(written)))
const refuse = (json) => { try { return readValue(Book, json) } catch (error) { return error.message } }
const envelope = enveloped(t.object({ id: t.integer(), price }))
const events = []
const text = []
for await (const one of writeEvents(t.object({ id: t.integer() }), [{ id: 1 }, { id: 2 }])) text.push(one)
for await (const { id } of readEvents(t.object({ id: t.integer() }), text.join(''))) events.push(id)
export const results = {
  written,
  same: again.at.getTime() === at.getTime() && again.big === value.big && again.record.a.cents === 100
    && again.price.cents === 7 && again.either.at.getTime() === at.getTime(),
  refused: [refuse({ id: 1, price: 'x' }), refuse({ id: 1, list: [1, 'x'] }), refuse({})],
  envelope: writeValue(envelope, { id: 1, price: { cents: 7, currency: 'EUR' } }),
  opened: readValue(envelope, { data: { id: 1, price: '0.07 EUR' }, meta: {} }).price.cents,
  events,
}
`
