// `edict client`: the package that it writes from the example, in a project that has nothing else.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blogApi } from '../../examples/blog/api.ts'
import { openDatabase } from '../../examples/blog/database.ts'
import { urlOf } from '../support/ask.ts'
import { installPacked, link, writeFiles } from '../support/packed.ts'
import { type Ended, node } from '../support/project.ts'
import { shown } from './blog/seen.ts'

const root = mkdtempSync(join(tmpdir(), 'edict-package-'))
const repository = join(root, 'repository')
const consumer = join(root, 'consumer')
const written = join(consumer, 'node_modules/@acme/blog-client')
const main = 'node_modules/edict/dist/cli/main.js'
const designs = readdirSync('examples/blog/design').map((name) => `src/design/${name}`)

const strict = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    allowImportingTsExtensions: true,
    noEmit: true,
  },
}

const install = (folder: string, ...names: string[]): void => {
  for (const name of names) link(resolve('node_modules', name), join(folder, 'node_modules', name))
}

/** The code of the guide, which speaks of a package of books. */
function codeOfGuide(): Record<string, string> {
  const page = readFileSync('docs/guide/client-package.md', 'utf8').replaceAll('books-client', 'blog-client')
  const blocks = [...page.matchAll(/```text\n(import .*?)```/gs)].map(([, text = '']) =>
    text.replaceAll('Books', 'Blogs'),
  )
  return Object.fromEntries(blocks.map((text, index) => [`guide-${index}.ts`, text]))
}

/** The calls of its README, those of the guide, and the comparison with the client of the repository. */
function ownFiles(): Record<string, string> {
  const calls = [...readFileSync(join(written, 'README.md'), 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(
    ([, text]) => text,
  )
  const guide = codeOfGuide()
  return {
    ...guide,
    'package.json': '{ "type": "module", "private": true }',
    'tsconfig.json': JSON.stringify({ ...strict, files: ['readme.ts', 'same.ts', ...Object.keys(guide)] }),
    'readme.ts': calls.join('\n'),
    'same.ts': readFileSync('test/client/blog/same.ts.txt', 'utf8'),
    'run.js': `import { client } from '@acme/blog-client'
import { tour } from './tour.js'
const [, , baseUrl] = process.argv
const api = client({ baseUrl, headers: { Authorization: 'Bearer ada-secret' } })
console.log(JSON.stringify(await tour(api, false)))
`,
  }
}

let said: Ended

beforeAll(async () => {
  mkdirSync(repository)
  installPacked(repository)
  install(repository, '@stricli/core', 'zod', 'typescript')
  cpSync('examples/blog/design', join(repository, 'src/design'), { recursive: true })
  writeFiles(repository, {
    'package.json': '{ "name": "@acme/blog", "version": "1.2.0", "license": "MIT", "type": "module" }',
    'tsconfig.json': JSON.stringify(strict),
  })
  said = await node([main, 'client', ...designs, '--out', written], repository)
  expect(said).toMatchObject({ code: 0 })
  link(join(repository, 'node_modules/edict'), join(consumer, 'node_modules/edict'))
  install(consumer, 'zod')
  writeFiles(consumer, ownFiles())
  const { code } = await transform(readFileSync('test/client/blog/tour.ts', 'utf8'), { loader: 'ts' })
  writeFiles(consumer, { 'tour.js': code })
}, 300_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

const files = (): string[] => readdirSync(written, { recursive: true, encoding: 'utf8' }).sort()
const read = (name: string): string => readFileSync(join(written, name), 'utf8')

describe('CLT-07: the package that edict client writes', () => {
  it('has declarations, types, contract and README, and says so', () => {
    expect(said).toEqual({
      code: 0,
      stdout: `Wrote @acme/blog-client 1.2.0 to ${written}: Assets, Blogs, Comments, Feeds, Avatars, People, Posts, StatsV1, StatsV2, Subscriptions. It needs edict 0.1.0, zod 4.6.7.\n`,
      stderr: expect.stringContaining('Legacy, Comments.import'),
    })
    const names = designs.map((path) => path.replace('src/design', 'declarations').replace('.ts', ''))
    const compiled = names.flatMap((name) => [`${name}.d.ts`, `${name}.js`])
    const others = ['README.md', 'contract.json', 'declarations', 'index.d.ts', 'index.js', 'package.json']
    expect(files()).toEqual([...compiled, ...others].sort())
    expect(JSON.parse(read('package.json'))).toMatchObject({
      name: '@acme/blog-client',
      version: '1.2.0',
      license: 'MIT',
      type: 'module',
      dependencies: { edict: '0.1.0', zod: '4.6.7' },
      edict: { contract: expect.stringMatching(/^[0-9a-f]{16}$/), versions: ['1.0', '2.0'] },
    })
    const contract = JSON.parse(read('contract.json'))
    expect(contract.endpoints.map(({ name }: { name: string }) => name)).toContain('Blogs')
    expect(existsSync(join(repository, 'node_modules/.cache'))).toBe(true)
    expect(readdirSync(join(repository, 'node_modules/.cache'))).toEqual([])
  })

  it('has no comments of the sources but those that explain what is exported', () => {
    const scripts = files().filter((name) => name.endsWith('.js'))
    expect(scripts.filter((name) => /^\s*\/\//m.test(read(name)))).toEqual([])
    expect(read('declarations/blogs.d.ts')).toContain('/** Everything about blogs. */')
    expect(
      files().flatMap((name) =>
        /\.[jd][st.]/.test(name) ? (read(name).match(/drizzle|controller\(|node:/g) ?? []) : [],
      ),
    ).toEqual([])
  })

  it.each(['typescript', 'typescript-5.9'])(
    'compiles in a new project, with the types of the repository: %s',
    (name) => {
      const tsc = resolve('node_modules', name, 'bin/tsc')
      const { stdout } = spawnSync(process.execPath, [tsc, '-p', consumer], { encoding: 'utf8' })
      expect(stdout).toBe('')
    },
    120_000,
  )

  it('calls the whole example over a socket', async () => {
    const database = openDatabase()
    await database.prepare()
    const url = await urlOf(blogApi(database) as never)
    const { stdout, stderr } = await node(['run.js', `${url}/api`], consumer)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(shown)
    await database.close()
  })

  it('is written again over itself, and over nothing else', async () => {
    const again = await node([main, 'client', designs[0] as string, '--out', written, '--version', '2.0.0'], repository)
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('2.0.0') })
    expect(files().filter((name) => name.startsWith('declarations/'))).toEqual([
      'declarations/assets.d.ts',
      'declarations/assets.js',
    ])
    const refused = await node([main, 'client', designs[0] as string, '--out', 'src'], repository)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(
      `${join(repository, 'src')} has files that edict client did not write.\nRemedy: choose another`,
    )
  })
})

const imports = "import { application, controller, endpoint, route } from 'edict'\n"
const books =
  "export const Books = endpoint('Books', { actions: { index: { routing: route.get('/'), responses: { ok: 'text/plain' } } } })\n"

describe('CLT-07: edict client refuses, with the location and a remedy,', () => {
  it.each([
    [
      'controllers in the file of declarations',
      {
        'all.ts': `${imports}${books}export const app = application({ controllers: [controller(Books, { index: () => 'a' })] })\n`,
      },
      [
        "all.ts imports application from 'edict': the package would contain the server.",
        'Remedy: move the declarations into files of their own',
      ],
    ],
    [
      'names that only this project resolves',
      {
        'all.ts': `import { endpoint, route } from 'edict'\nimport { path } from '#path'\n${books.replace("'/'", 'path')}`,
        'path.ts': "export const path = '/all'\n",
        'package.json': '{ "name": "x", "type": "module", "imports": { "#path": "./path.ts" } }',
      },
      [
        "all.ts imports '#path', which is no installed package.",
        'Remedy: import files of the project by relative paths',
      ],
    ],
    [
      'what TypeScript refuses',
      {
        'all.ts': `import { endpoint, route } from 'edict'\n${books.replace('text/plain', '')}export const n: number = 'one'\n`,
      },
      ['all.ts(3,14): error TS2322', 'Remedy: correct them'],
    ],
    [
      'files without endpoints',
      { 'all.ts': 'export const one = 1\n' },
      ['all.ts exports no endpoint that may be seen.'],
    ],
  ])('%s', async (title, texts, parts) => {
    const folder = join(root, title.replaceAll(' ', '-'))
    writeFiles(folder, { 'package.json': '{ "name": "x", "type": "module" }', ...texts } as Record<string, string>)
    writeFiles(folder, { 'tsconfig.json': JSON.stringify(strict) })
    link(join(repository, 'node_modules'), join(folder, 'node_modules'))
    const { code, stdout, stderr } = await node([main, 'client', 'all.ts', '--out', 'client'], folder)
    for (const part of parts) expect(stderr).toContain(part)
    expect([code, stdout, existsSync(join(folder, 'client'))]).toEqual([1, '', false])
  })
})
