// `edict import` as a child process: what it writes, what it does not touch, and what other commands make of it.
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { compile, edict, MAIN, project, start } from '../support/project.ts'

vi.setConfig({ testTimeout: 60_000 })

const PETSTORE = readFileSync('test/import/documents/petstore.yaml', 'utf8')
const REALWORLD = readFileSync('test/import/documents/realworld.yaml', 'utf8')
let folder: string

beforeAll(async () => {
  await compile()
  folder = project('shop', { 'petstore.yaml': PETSTORE, 'realworld.yaml': REALWORLD }, ['tsx', 'yaml'])
}, 120_000)

/** Waits for the address that a server prints. */
function addressIn(child: ChildProcess): Promise<string> {
  let text = ''
  return new Promise((done, fail) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        text += chunk
        const [, address] = /(http:\/\/[^\s:]+:\d+)/.exec(text) ?? []
        if (address !== undefined) done(address)
      })
    child.on('close', () => fail(new Error(`It ended: ${text}`)))
  })
}

describe('edict import', () => {
  it('writes an application that edict check accepts, and says how to go on', async () => {
    const { code, stdout } = await edict(folder, 'import', 'petstore.yaml')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Wrote \d+ files to src: 19 actions\.\n/)
    expect(stdout).toContain('Go on with:\n  npx edict check --app src/app.ts\n')
    expect(readFileSync(join(folder, 'src/IMPORT.md'), 'utf8')).toContain('petstore.yaml')
    const checked = await edict(folder, 'check', '--app', 'src/app.ts')
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('no mistakes') })
  })

  it('keeps files that exist, names them, and overwrites them when told to', async () => {
    const app = join(folder, 'kept/app.ts')
    expect((await edict(folder, 'import', 'realworld.yaml', '--out', 'kept')).code).toBe(0)
    const written = readFileSync(app, 'utf8')
    writeFileSync(app, 'mine')
    const again = await edict(folder, 'import', 'realworld.yaml', '--out', 'kept')
    expect(again.code).not.toBe(0)
    expect(again.stderr).toContain('design/media-types.ts')
    expect(again.stderr).toContain('overwrite these files with --force')
    expect(readFileSync(app, 'utf8')).toBe('mine')
    expect((await edict(folder, 'import', 'realworld.yaml', '--out', 'kept', '--force')).code).toBe(0)
    expect(readFileSync(app, 'utf8')).toBe(written)
  })

  it('writes stubs that respond with 501, and a mock responds as the document says', async () => {
    expect((await edict(folder, 'import', 'petstore.yaml', '--out', 'served')).code).toBe(0)
    const asked = async (...command: string[]): Promise<number> => {
      const child = start(command, folder, { PORT: '0' })
      try {
        const { origin } = new URL(await addressIn(child))
        return (await fetch(`${origin}/api/v3/user/login?username=ada&password=secret`)).status
      } finally {
        child.kill('SIGKILL')
      }
    }
    expect(await asked('--import', 'tsx', 'served/server.ts')).toBe(501)
    expect(await asked(MAIN, 'mock', '--port', '0', '--app', 'served/app.ts')).toBe(200)
  })

  it.each([
    ['a file that is not there', 'missing.yaml', /missing\.yaml/],
    ['a document of Swagger 2.0', 'swagger.json', /2\.0/],
    ['no document', 'notes.json', /notes\.json/],
  ])('refuses %s in a sentence, and writes nothing', async (_, file, told) => {
    writeFileSync(join(folder, 'swagger.json'), '{ "swagger": "2.0", "info": {}, "paths": {} }')
    writeFileSync(join(folder, 'notes.json'), '[1, 2]')
    const { code, stdout, stderr } = await edict(folder, 'import', file, '--out', 'never')
    expect(code).not.toBe(0)
    expect(stderr).toMatch(told)
    expect(stderr).not.toMatch(/\n {4}at /)
    expect(stdout).toBe('')
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })

  it('says how to read YAML where the package for it is missing', async () => {
    const bare = project('bare', { 'petstore.yaml': PETSTORE })
    const { code, stderr } = await edict(bare, 'import', 'petstore.yaml')
    expect(code).not.toBe(0)
    expect(stderr).toContain('npm install --save-dev yaml')
  })
})
