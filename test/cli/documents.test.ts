// `edict openapi`, `edict check` and `edict docs` as child processes.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { compile, edict, MAIN, project, start } from '../support/project.ts'

vi.setConfig({ testTimeout: 30_000 })

const endpointOf = (name: string, version?: string): string => `endpoint('${name}', {
  ${version === undefined ? '' : `version: '${version}',`}
  actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
}).implement({ show: () => 'x' })`

const source = (...controllers: string[]): string => `
import { application, endpoint, route } from 'edict'
export const app = application({ title: 'Library', controllers: [${controllers.join(', ')}] })
`

let folder: string

beforeAll(async () => {
  await compile()
  folder = project('documents', {
    'app.js': source(endpointOf('Books')),
    'versions.js': source(endpointOf('Books', '1.0'), endpointOf('Loans', '2.0'), endpointOf('Health')),
    'broken.js': source(
      `endpoint('Books', { actions: { show: { routing: [], responses: {} } } }).implement({ show: () => 'x' })`,
    ),
  })
}, 120_000)

describe('edict openapi', () => {
  it('prints the document', async () => {
    const { code, stdout, stderr } = await edict(folder, 'openapi')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.1', info: { title: 'Library' }, paths: { '/books': {} } })
  })

  it('[EVT-04] prints the document in OpenAPI 3.2 by choice', async () => {
    const { code, stdout, stderr } = await edict(folder, 'openapi', '--openapi', '3.2')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.2.0', info: { title: 'Library' }, paths: { '/books': {} } })
    expect((await edict(folder, 'openapi', '--openapi', '3.0')).stderr).toMatch(/3\.0/)
  })

  it('prints several by version, or the one that is wanted', async () => {
    const all = JSON.parse((await edict(folder, 'openapi', '--app', 'versions.js')).stdout)
    expect(Object.keys(all)).toEqual(['1.0', '2.0', 'unversioned'])
    for (const version of Object.keys(all)) {
      const { stdout } = await edict(folder, 'openapi', '--app', 'versions.js', '--version', version)
      expect(JSON.parse(stdout)).toEqual(all[version])
    }
  })

  it('writes a file for each version', async () => {
    const { code, stdout } = await edict(folder, 'openapi', '--app', 'versions.js', '--out', 'out/{version}.json')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(JSON.parse(readFileSync(join(folder, 'out/2.0.json'), 'utf8'))).toMatchObject({ info: { version: '2.0' } })
    expect(existsSync(join(folder, 'out/unversioned.json'))).toBe(true)
  })

  it.each([
    [['--version', '3'], /no version 3.*\nRemedy: say --version with one of 1\.0, 2\.0, unversioned/],
    [['--out', 'all.json'], /there are 3: 1\.0, 2\.0, unversioned\.\nRemedy: choose one with --version/],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await edict(folder, 'openapi', '--app', 'versions.js', ...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(existsSync(join(folder, 'all.json'))).toBe(false)
  })
})

describe('edict check', () => {
  it('counts what there is', async () => {
    expect(await edict(folder, 'check')).toEqual({
      code: 0,
      stdout: 'Library: 1 endpoint, 1 action, 1 route; no mistakes.\n',
      stderr: '',
    })
    expect((await edict(folder, 'check', '--app', 'versions.js')).stdout).toBe(
      'Library: 3 endpoints, 3 actions, 3 routes in versions 1.0, 2.0; no mistakes.\n',
    )
  })

  it('prints every mistake and ends with 1', async () => {
    const { code, stdout, stderr } = await edict(folder, 'check', '--app', 'broken.js')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^The application has 2 mistakes in its declarations:\n/)
    expect(stderr.match(/ {2}- Books › show › .* Remedy: /g)).toHaveLength(2)
  })
})

describe('edict docs', () => {
  it('writes a folder with the page, its scripts and the documents', async () => {
    const { code, stdout } = await edict(folder, 'docs', 'generate', '--app', 'versions.js', '--out', 'public/docs')
    expect(code).toBe(0)
    expect(stdout).toBe(`Wrote 6 files to ${join(folder, 'public/docs')}\n`)
    const page = readFileSync(join(folder, 'public/docs/index.html'), 'utf8')
    const scripts = [...page.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path]) => path as string)
    expect(scripts.length).toBeGreaterThan(0)
    for (const path of scripts) expect(existsSync(join(folder, 'public/docs', path))).toBe(true)
  })

  it('serves it until it is told to stop, and names a port that is in use', async () => {
    const child = start([MAIN, 'docs', 'preview', '--port', '0'], folder)
    const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
    const url = /http:\S+/.exec(String(line))?.[0] as string
    expect(await (await fetch(url)).text()).toContain('<title>Library')
    expect((await fetch(`${url}openapi.json`)).headers.get('content-type')).toBe('application/json')
    expect((await fetch(`${url}package.json`)).status).toBe(404)
    const second = await edict(folder, 'docs', 'preview', '--port', new URL(url).port)
    expect(second).toMatchObject({ code: 1, stderr: expect.stringMatching(/port \d+ is in use.\nRemedy: /) })
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it.each([
    [['docs', 'genrate'], 'did you mean `generate`?'],
    [['docs', 'preview', '--port', '65536'], 'a port is a number from 0 to 65535'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await edict(folder, ...args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})
