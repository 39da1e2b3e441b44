// `edict new` and `edict generate` as child processes: what they write, and what they refuse to touch.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { deriveNames } from '../../src/cli/templates/resource-names.ts'
import { compile, type Ended, edict, MAIN, node, project, typing } from '../support/project.ts'

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
      'drizzle.config.ts',
      'migrations/0000_books.sql',
      'migrations/meta/0000_snapshot.json',
      'migrations/meta/_journal.json',
      'package.json',
      'src/api.ts',
      'src/app.ts',
      'src/connection.ts',
      'src/controllers/books.ts',
      'src/controllers/home.ts',
      'src/database.ts',
      'src/design/books.ts',
      'src/design/home.ts',
      'src/migrate.ts',
      'src/resources.ts',
      'src/server.ts',
      'src/tables.ts',
      'test/ask.ts',
      'test/books.test.ts',
      'test/database.ts',
      'test/declarations.test.ts',
      'tsconfig.json',
    ])
    const { name, dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const own = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(name).toBe('library')
    expect(dependencies.edict).toBe(own.version)
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(readFileSync(join(folder, 'src/api.ts'), 'utf8')).toContain("title: 'library'")
    expect(await within(folder, 'check')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^library: 5 endpoints/),
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

  it('depends on the file that it was installed from', async () => {
    const folder = project('unpublished', {}, needed)
    const lock = { packages: { 'node_modules/edict': { version: '0.1.0', resolved: 'file:../edict-0.1.0.tgz' } } }
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify(lock))
    expect((await edict(folder, 'new', 'library')).code).toBe(0)
    const manifest = JSON.parse(readFileSync(join(folder, 'library/package.json'), 'utf8'))
    expect(manifest.dependencies.edict).toBe(`file:${join(folder, '../edict-0.1.0.tgz')}`)
  })

  it('takes choices as flags, and refuses others', async () => {
    const flags = [
      '--database',
      'postgresql',
      '--orm',
      'kysely',
      '--auth',
      'jwt',
      '--tests',
      'vitest',
      '--docker',
      '--ci',
    ]
    const { code, stdout } = await edict(workshop, 'new', 'flags', ...flags)
    expect(code).toBe(0)
    expect(stdout).toContain('  npm install\n  docker compose up -d database\n  npm test\n')
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(workshop, 'flags/package.json'), 'utf8'))
    const names = ['edict', 'jose', 'kysely', 'pg', 'tsx', '@types/node', '@types/pg', 'typescript', 'vitest']
    expect(Object.keys({ ...dependencies, ...devDependencies })).toEqual(names)
    expect(listed(join(workshop, 'flags'))).toEqual(
      expect.arrayContaining([
        '.dockerignore',
        '.github/workflows/ci.yml',
        'Dockerfile',
        'compose.yaml',
        'src/verifier.ts',
      ]),
    )
    const refused = await edict(workshop, 'new', 'other', '--database', 'oracle')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/oracle.*sqlite/s)
  })

  describe('at a terminal', () => {
    const terminal = `data:text/javascript,${encodeURIComponent(`
      for (const stream of [process.stdin, process.stdout]) Object.assign(stream, { isTTY: true })
    `)}`
    const asked = (name: string, typed: string, ...flags: string[]): Promise<Ended> =>
      typing(['--import', terminal, MAIN, 'new', name, ...flags], workshop, typed)
    const stackOf = (name: string): string[] => {
      const { dependencies, devDependencies } = JSON.parse(readFileSync(join(workshop, name, 'package.json'), 'utf8'))
      return Object.keys({ ...dependencies, ...devDependencies }).filter(
        (one) => !['edict', 'tsx', '@types/node', 'typescript'].includes(one),
      )
    }

    it('asks for each choice; an empty answer takes the first, a beginning is enough', async () => {
      const { code, stdout } = await asked('asked', 'oracle\nmaria\n\napi\nvitest\ny\n\n')
      expect(code).toBe(0)
      expect(stdout).toContain('Database (sqlite, postgresql, mariadb) [sqlite]: ')
      expect(stdout).toContain('Say one of sqlite, postgresql, mariadb, or its beginning.')
      expect(stackOf('asked')).toEqual(['drizzle-orm', 'mysql2', 'drizzle-kit', 'vitest'])
      expect(existsSync(join(workshop, 'asked/Dockerfile'))).toBe(true)
      expect(existsSync(join(workshop, 'asked/.github'))).toBe(false)
    })

    it('does not ask for what flags say, nor with --yes, and takes the end of the input as empty answers', async () => {
      const { stdout } = await asked('partly', '', '--database', 'postgresql', '--orm', 'none')
      expect(stdout).not.toContain('Database (')
      expect(stdout).toContain('Authentication (none, api-key, jwt, password) [none]: ')
      expect(stackOf('partly')).toEqual(['pg', '@types/pg'])
      expect((await asked('all', '', '--yes')).stdout).not.toContain('Database (')
      expect(stackOf('all')).toEqual(['@libsql/client', 'drizzle-orm', 'drizzle-kit'])
    })
  })
})

describe('edict generate', () => {
  const everyKind = ['title:string', 'words:integer?', 'score:number', 'open:boolean?', 'born:date', 'at:dateTime?']

  it('adds a resource, and says what it did', async () => {
    const folder = await made('adds')
    const { code, stdout, stderr } = await within(folder, 'generate', 'blog-post', ...everyKind)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`wrote    src/design/blog-posts.ts
wrote    src/controllers/blog-posts.ts
wrote    test/blog-posts.test.ts
changed  src/api.ts
changed  src/resources.ts
changed  src/tables.ts

Left to do:
  - say in src/design/blog-posts.ts what BlogPost really is, and the same in src/tables.ts
  - npx drizzle-kit generate, which writes the migration
  - npm test
`)
    expect((await within(folder, 'routes')).stdout).toMatch(/\/blog_posts\/:id +GET +BlogPosts +show/)
    // Without the migration there is no table: test/start/stacks.test.ts makes it, and runs the tests.
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
    [
      ['article', 'isbn:string?:uniqe'],
      /isbn:string\?:uniqe has an unknown flag.*\nRemedy: write isbn:string\?:unique, or/,
    ],
  ])('refuses %j and changes nothing', async (args, message) => {
    const folder = join(workshop, 'refusing')
    if (!existsSync(folder)) await made('refusing')
    const before = contents(folder)
    const { code, stdout, stderr } = await within(folder, 'generate', ...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(contents(folder)).toEqual(before)
  })

  it('adds to a project with accounts, whose tables keep their names', async () => {
    const flags = ['--orm', 'none', '--auth', 'password']
    expect((await edict(workshop, 'new', 'accounts', ...flags)).code).toBe(0)
    const folder = join(workshop, 'accounts')
    for (const [name, file] of [
      ['account', 'src/design/accounts.ts'],
      ['token', 'src/resources.ts'],
    ] as const) {
      const before = contents(folder)
      const { code, stderr } = await within(folder, 'generate', name)
      expect(code).toBe(1)
      expect(stderr).toContain(file)
      expect(contents(folder)).toEqual(before)
    }
    const { stdout } = await within(folder, 'generate', 'edition', 'isbn:string?:unique')
    expect(stdout).toContain('wrote    migrations/0004_editions.sql\n')
    const sql = readFileSync(join(folder, 'migrations/0004_editions.sql'), 'utf8')
    expect(sql).toContain('create unique index editions_unique_isbn on "editions" ("isbn");')
    expect(sql).toContain('create index editions_by_isbn on "editions" ("isbn", "id");')
    const test = readFileSync(join(folder, 'test/editions.test.ts'), 'utf8')
    expect(test).toContain('app = createApi(database)\n')
    expect(test).toContain("it('has no two editions of one isbn'")
  })

  it('asks for a name', async () => {
    expect((await within(workshop, 'generate')).code).toBe(2)
  })

  it('works in a project of another kind: makes what is missing, and says what to add', async () => {
    const app = `
      import { application } from 'edict'
      import { mapper } from 'edict/mapper'
      import { pagination } from 'edict/pagination'
      import { drizzle } from 'drizzle-orm/libsql'
      import { drizzleDatastore } from 'edict/mapper/drizzle'
      import { authors } from './src/controllers/authors.ts'
      import { resourcesIn } from './src/resources.ts'
      const resources = resourcesIn(drizzleDatastore(drizzle(':memory:')))
      export const app = application({ controllers: [authors(resources)], plugins: [mapper({ resources }), pagination()] })
    `
    const manifest = '{ "type": "module", "dependencies": { "drizzle-orm": "0.45.4", "@libsql/client": "0.18.0" } }'
    const folder = project('own', { 'app.ts': app, 'package.json': manifest }, needed)
    const { code, stdout, stderr } = await edict(folder, 'generate', 'author', 'name:string')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`wrote    src/design/authors.ts
wrote    src/controllers/authors.ts
wrote    src/resources.ts
wrote    src/tables.ts

Left to do:
  - give your application the controller: authors(resourcesIn(datastore)) of src/controllers/authors.ts
  - say in src/design/authors.ts what Author really is, and the same in src/tables.ts
  - npx drizzle-kit generate, which writes the migration
`)
    expect(await edict(folder, 'check')).toMatchObject({ code: 0, stdout: expect.stringContaining('no mistakes') })
    // The second one finds what the first one made.
    const second = await edict(folder, 'generate', 'publisher')
    expect(second.stdout).toContain('changed  src/resources.ts\nchanged  src/tables.ts\n')
    expect(readFileSync(join(folder, 'src/resources.ts'), 'utf8')).toContain('    authors,\n    publishers,\n')
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
    expect(deriveNames(given)).toMatchObject(names)
  })
})
