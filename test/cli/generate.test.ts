// `edict new` and `edict generate` as child processes: what they write, and what they refuse to touch.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { attributesOf } from '../../src/cli/templates/attributes.ts'
import { namesOf } from '../../src/cli/templates/names.ts'
import { resourceFiles, tableText } from '../../src/cli/templates/resource-files.ts'
import { compile, type Ended, edict, MAIN, node, project } from '../support/project.ts'

vi.setConfig({ testTimeout: 60_000 })

const needed = ['tsx', 'drizzle-orm', '@libsql/client', '@libsql/core', '@standard-schema/spec']
let workshop: string

beforeAll(async () => {
  await compile()
  workshop = project('workshop', { 'full/notes.txt': 'mine' }, needed)
}, 120_000)

const listed = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(folder.length + 1))
    .sort()

const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(listed(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]))

/** Makes a project below the workshop, whose node_modules it finds. */
async function made(name: string): Promise<string> {
  const { code, stderr } = await edict(workshop, 'new', name)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return join(workshop, name)
}

const within = (folder: string, ...args: string[]): Promise<Ended> => node([join(workshop, MAIN), ...args], folder)

describe('edict new', () => {
  it('writes a project of exact versions, names it, and says how to go on', async () => {
    const { code, stdout, stderr } = await edict(workshop, 'new', 'library')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('  cd library\n  npm install\n  npm test\n  npm start\n')
    const folder = join(workshop, 'library')
    expect(listed(folder)).toEqual([
      '.gitignore',
      'README.md',
      'package.json',
      'src/api.ts',
      'src/app.ts',
      'src/controllers/books.ts',
      'src/database.ts',
      'src/design/books.ts',
      'src/resources.ts',
      'src/server.ts',
      'src/tables.ts',
      'test/ask.ts',
      'test/books.test.ts',
      'tsconfig.json',
    ])
    const { name, dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const own = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(name).toBe('library')
    expect(dependencies.edict).toBe(own.version)
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(Object.values(contents(folder)).join()).not.toContain('__NAME__')
    expect(await within(folder, 'check')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^library: 2 endpoints/),
    })
  })

  it('takes this folder, even with a repository in it, and another edict', async () => {
    const folder = join(workshop, 'here')
    mkdirSync(join(folder, '.git'), { recursive: true })
    const { code, stdout } = await within(folder, 'new', '.', '--edict', 'file:edict.tgz')
    expect(code).toBe(0)
    expect(stdout).not.toContain('cd ')
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: 'here', dependencies: { edict: 'file:edict.tgz' } })
  })

  it.each([
    ['full', /full is not empty: it has notes\.txt\.\nRemedy: choose another name/],
    ['My API', /'My API'.* cannot be the name of a package\.\nRemedy: use lower-case/],
  ])('refuses %s', async (name, message) => {
    const { code, stdout, stderr } = await edict(workshop, 'new', name)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(existsSync(join(workshop, 'My API'))).toBe(false)
    expect(listed(join(workshop, 'full'))).toEqual(['notes.txt'])
  })

  it('has the resource that edict generate would write', () => {
    const [names, attributes] = [namesOf('book'), attributesOf(['title:string', 'year:integer?'])]
    for (const [file, text] of Object.entries(resourceFiles(names, attributes))) {
      expect(readFileSync(join('templates/project', file), 'utf8'), file).toBe(text)
    }
    expect(readFileSync('templates/project/src/tables.ts', 'utf8')).toContain(tableText(names, attributes))
  })
})

describe('edict generate', () => {
  const everyKind = ['title:string', 'words:integer?', 'score:number', 'open:boolean?', 'born:date', 'at:dateTime?']

  it('adds a resource whose tests pass, and says what it did', async () => {
    const folder = await made('adds')
    const { code, stdout, stderr } = await within(folder, 'generate', 'blog-post', ...everyKind)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`wrote    src/design/blog-posts.ts
wrote    src/controllers/blog-posts.ts
wrote    test/blog-posts.test.ts
changed  src/tables.ts
changed  src/resources.ts
changed  src/api.ts

Left to do:
  - say in src/design/blog-posts.ts what BlogPost really is, and the same in src/tables.ts
  - npm test
`)
    expect((await within(folder, 'routes')).stdout).toMatch(/\/blog_posts\/:id +GET +BlogPosts +show/)
    const tested = await node(['--import', 'tsx', '--test', 'test/blog-posts.test.ts'], folder)
    expect(tested.code, tested.stdout).toBe(0)
  })

  it('says what is left where its marks were removed', async () => {
    const folder = await made('unmarked')
    const api = join(folder, 'src/api.ts')
    writeFileSync(api, readFileSync(api, 'utf8').replace(/ *\/\/ edict generate adds controllers.*\n/, ''))
    const { code, stdout } = await within(folder, 'generate', 'person', '--plural', 'people')
    expect(code).toBe(0)
    expect(stdout).toContain('  - add to src/api.ts: people(resources),\n')
  })

  it.each([
    [['articles'], /articles looks like a plural\.\nRemedy: say the singular: edict generate article;/],
    [['book'], /There is already src\/design\/books\.ts, .*\nRemedy: choose another name, or remove/],
    [['sheep', '--plural', 'sheep'], /are both called sheep\.\nRemedy: name the plural/],
    [['table'], /The name Tables is taken/],
    [['../escape'], /'\.\.\/escape' cannot be the name of a resource\.\nRemedy: use letters/],
    [['article', 'title:strng'], /title:strng has no kind.*\nRemedy: write title: and one of string, integer/],
    [['article', 'Title:string'], /'Title:string' is no attribute\.\nRemedy: write a name in snake case/],
    [['article', 'a:date', 'a:string'], /The attribute a is there twice/],
    [['article', 'id:integer'], /has an id already/],
  ])('refuses %j and changes nothing', async (args, message) => {
    const folder = join(workshop, 'refusing')
    if (!existsSync(folder)) await made('refusing')
    const before = contents(folder)
    const { code, stdout, stderr } = await within(folder, 'generate', ...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(contents(folder)).toEqual(before)
  })

  it('refuses folders of another kind, and asks for a name', async () => {
    const { code, stderr } = await within(join(workshop, 'full'), 'generate', 'article')
    expect(code).toBe(1)
    expect(stderr).toMatch(/has not the files .*: src\/tables\.ts, src\/api\.ts, src\/resources\.ts\.\nRemedy: /)
    expect((await within(workshop, 'generate')).code).toBe(2)
  })
})

describe('names', () => {
  it.each([
    ['article', { mediaType: 'Article', endpoint: 'Articles', table: 'articles', file: 'articles' }],
    ['blog-post', { mediaType: 'BlogPost', endpoint: 'BlogPosts', table: 'blog_posts', file: 'blog-posts' }],
    ['BlogPost', { mediaType: 'BlogPost', endpoint: 'BlogPosts', table: 'blog_posts', file: 'blog-posts' }],
    ['story', { mediaType: 'Story', endpoint: 'Stories', table: 'stories', file: 'stories' }],
    ['day', { mediaType: 'Day', endpoint: 'Days', table: 'days', file: 'days' }],
    ['box', { mediaType: 'Box', endpoint: 'Boxes', table: 'boxes', file: 'boxes' }],
    ['status', { mediaType: 'Status', endpoint: 'Statuses', table: 'statuses', file: 'statuses' }],
  ])('%s', (given, names) => {
    expect(namesOf(given)).toMatchObject(names)
  })
})
