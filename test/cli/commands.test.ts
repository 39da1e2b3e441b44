// The command line as a child process: on projects that have edict installed as npm would, and on the example.
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { app } from '../../examples/blog/app.ts'
import { compile, type Ended, edict, MAIN, node, project } from '../support/project.ts'

// Each test starts processes, on machines that may be busy.
vi.setConfig({ testTimeout: 30_000 })

const places = 'app.ts, src/app.ts, app.js, src/app.js, dist/app.js'

const source = (body: string): string => `
import { application, collectionOf, controller, endpoint, mediaType, route, t } from 'edict'
${body}
`
const declarations = `
const Blog = mediaType('Blog', { attributes: { id: t.integer({ required: true }) } })
const Blogs = endpoint('Blogs', {
  mediaType: Blog,
  version: '1.0',
  actions: {
    show: {
      routing: [route.get('/:id', { name: 'blog' }), route.get('//b/:id')],
      params: { id: t.integer() },
      responses: { ok: true },
    },
    index: { routing: route.get('/'), responses: { ok: collectionOf(Blog) } },
  },
})
class BlogsController {
  show() { return 'x' }
  index() { return 'x' }
}
const Ping = endpoint('Ping', { actions: { ping: { routing: route.any('//ping'), responses: { ok: true } } } })
const made = application({
  basePath: '/api',
  controllers: [controller(Blogs, BlogsController), Ping.implement({ ping: () => 'pong' })],
})
`
const broken = `
export const app = application({
  controllers: [
    endpoint('Blogs', { actions: { show: { routing: [], responses: { ok: true } } } }).implement({ show: () => 'x' }),
    endpoint('Ping', { actions: { ping: { routing: route.get('/*'), responses: {} } } }).implement({ ping: () => 'x' }),
  ],
})
`

let typed: string
let plain: string

beforeAll(async () => {
  await compile()
  // The annotation and the enum keep every Node from running it by itself.
  const typescript = source(
    `enum Level { Low }\nconst level: Level = Level.Low\n${declarations}\nexport const app = made`,
  )
  typed = project('typed', { 'app.ts': typescript, 'dist/app.js': 'throw new Error("not me")' }, ['tsx'])
  plain = project('plain', {
    'src/app.js': source(`${declarations}\nexport default made`),
    'needs-tsx.ts': typescript,
    'broken.js': source(broken),
    'throws.js': 'export const app = undefinedName',
    'empty.js': 'export const api = 1; export default { fetch() {} }',
    'chatty.js': source(
      `console.log('starting'); setInterval(() => console.log('busy'), 5)\n${declarations}\nexport const app = made`,
    ),
  })
}, 120_000)

const table = `version  path            verb  resource  action  implementation
1.0      /api/blogs/:id  GET   Blogs     show    BlogsController#show
1.0      /api/b/:id      GET   Blogs     show    BlogsController#show
1.0      /api/blogs      GET   Blogs     index   BlogsController#index
n/a      /api/ping       ANY   Ping      ping    Ping.ping
`

describe('edict explain', () => {
  it('prints what a request to an action goes through', async () => {
    const { code, stdout, stderr } = await edict(plain, 'explain', 'Blogs.show')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe(
      [
        'Blogs.show (1.0)',
        ...['arrival', '   1  route', 'steps', '   2  validate:params', '   3  validate:payload', '   4  validate'],
        ...['   5  action', 'response', '   6  write', '   7  send', ''],
      ].join('\n'),
    )
  })

  it('says what there is when there is no such action', async () => {
    const { code, stderr } = await edict(plain, 'explain', 'Blogs.shaw')
    expect(code).not.toBe(0)
    expect(stderr).toContain('There is no action Blogs.shaw.\nRemedy: did you mean Blogs.show?')
  })
})

describe('edict routes', () => {
  it('[RTE-18] [VER-04] prints version, path, verb, resource, action and implementation as an aligned table', async () => {
    expect(await edict(plain, 'routes')).toEqual({ code: 0, stdout: table, stderr: '' })
  })

  it('[RTE-18] reads TypeScript through tsx, and takes the first place before the others', async () => {
    expect(await edict(typed, 'routes')).toEqual({ code: 0, stdout: table, stderr: '' })
  })

  it.each(['json', '--json'])('[RTE-19] [VER-04] prints the whole table as JSON with %s', async (json) => {
    const { code, stdout, stderr } = await edict(plain, 'routes', json)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const shown = { resource: 'Blogs', action: 'show', implementation: 'BlogsController#show', verb: 'GET' }
    expect(JSON.parse(stdout)).toEqual([
      { version: '1.0', path: '/api/blogs/:id', ...shown, name: 'blog' },
      { version: '1.0', path: '/api/b/:id', ...shown },
      {
        version: '1.0',
        path: '/api/blogs',
        verb: 'GET',
        resource: 'Blogs',
        action: 'index',
        implementation: 'BlogsController#index',
      },
      {
        version: 'n/a',
        path: '/api/ping',
        verb: 'ANY',
        resource: 'Ping',
        action: 'ping',
        implementation: 'Ping.ping',
      },
    ])
  })

  it('keeps what the application prints out of its own output, and ends whatever the application holds', async () => {
    const { code, stdout, stderr } = await edict(plain, 'routes', 'json', '--app', 'chatty.js')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toHaveLength(4)
    expect(stderr).toBe('starting\n')
  })

  it.each(['wrong.js', 'wrong.ts', 'imports-wrong.js'])('names the place of a syntax error: %s', async (file) => {
    const text = 'export const app = {\n  title: 1\n  version: 2\n}\n'
    const files = { 'wrong.js': text, 'wrong.ts': text, 'imports-wrong.js': "import './wrong.js'\n" }
    const folder = project(`syntax-${file}`, files, ['tsx'])
    const { code, stdout, stderr } = await edict(folder, 'routes', '--app', file)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^(?:.*\n)?wrong\.[jt]s:3: SyntaxError: .+\nRemedy: correct the syntax of this file\n$/)
  })

  it('uses colours on a terminal only, and not against NO_COLOR', async () => {
    const terminal = `data:text/javascript,${encodeURIComponent(`
      import { WriteStream } from 'node:tty'
      const { hasColors, getColorDepth } = WriteStream.prototype
      Object.assign(process.stdout, { isTTY: true, hasColors, getColorDepth })
    `)}`
    const args = ['--import', terminal, MAIN, 'routes']
    const { stdout } = await node(args, plain, { FORCE_COLOR: '1' })
    expect(stdout).toContain('[1mversion')
    expect(stripVTControlCharacters(stdout)).toBe(table)
    expect((await node(args, plain, { NO_COLOR: '1' })).stdout).toBe(table)
  })
})

describe('what cannot be loaded', () => {
  it('lists the mistakes of the declarations, without a stack trace', async () => {
    const { code, stdout, stderr } = await edict(plain, 'routes', '--app', 'broken.js')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('Blogs › show › routing: the action has no route.')
    expect(stderr).toContain('Ping › ping › params: the path /ping/* has wildcards.')
    expect(stderr).toContain('Ping › ping › responses: the action lists no response.')
    expect(stderr).not.toMatch(/^\s+at /m)
    // And where their endpoints are.
    expect(stderr).toMatch(/^Blogs is declared in broken\.js:6:\d+\nPing is declared in broken\.js:7:\d+$/m)
  })

  it('names the places it looked at, and the remedy', async () => {
    const { code, stderr } = await edict(project('nothing', {}), 'routes')
    expect(code).toBe(1)
    expect(stderr).toContain(`looked for ${places}`)
    expect(stderr).toContain('Remedy: start edict in the folder of your API, or name the file: --app path/to/app.ts')
  })

  it('names a file that is not there', async () => {
    const { code, stderr } = await edict(plain, 'routes', '--app', 'src')
    expect(code).toBe(1)
    expect(stderr).toMatch(/There is no file .*src\.\nRemedy: correct --app/)
  })

  it('names the exports it wants', async () => {
    const { code, stderr } = await edict(plain, 'routes', '--app', 'empty.js')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^empty\.js exports no application.*\nRemedy: write: export const app = application/)
  })

  it('names tsx where Node alone cannot run the file', async () => {
    const { code, stderr } = await edict(plain, 'routes', '--app', 'needs-tsx.ts')
    expect(code).toBe(1)
    expect(stderr).toContain('Remedy: npm install --save-dev tsx, or compile the application')
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it('shows where an unexpected error comes from', async () => {
    const { code, stderr } = await edict(plain, 'routes', '--app', 'throws.js')
    expect(code).toBe(1)
    expect(stderr).toMatch(/ReferenceError: undefinedName is not defined\n\s+at .*throws\.js:1/)
  })
})

describe('edict', () => {
  it.each([
    [['rotues'], 'No command registered for `rotues`, did you mean `routes`?'],
    [['routes', '--ap', 'x'], 'No flag registered for --ap, did you mean --app?'],
    [['routes', 'xml'], 'Failed to parse "xml" for json: say json, or nothing for a table'],
    [['routes', 'json', 'more'], 'Too many arguments'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await edict(plain, ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  it.each([
    [['check'], 'edict check'],
    [['docs', 'generate'], 'edict docs generate --out public/docs'],
    [['docs', 'preview'], 'edict docs preview --port 0'],
    [['dev'], 'PORT=8080 edict dev examples/blog/server.ts'],
    [['generate'], 'edict generate author name:string born:date?'],
    [['new'], 'edict new library'],
    [['openapi'], 'edict openapi --version 1.0'],
    [['routes'], 'edict routes --json'],
  ])('shows examples of %j', async (command, example) => {
    const { code, stdout } = await edict(plain, ...command, '--help')
    expect(code).toBe(0)
    expect(stdout.split('Examples:')[1]).toContain(`  ${example}`)
  })

  it('explains itself, also when nothing is said', async () => {
    const { code, stdout } = await edict(plain, '--help')
    expect(code).toBe(0)
    expect(await edict(plain)).toEqual({ code: 0, stdout, stderr: '' })
    expect(stdout).toContain('edict routes [--app file] [--json] [<json>]')
    expect((await edict(plain, 'routes', '--help')).stdout).toContain(places)
    expect((await edict(plain, '--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('on the example', () => {
  const sources = (...args: string[]): Promise<Ended> =>
    node(['--import', 'tsx', 'src/cli/main.ts', 'routes', ...args, '--app', 'examples/blog/app.ts'], process.cwd())

  it('[RTE-19] prints the table that the application has', async () => {
    expect(JSON.parse((await sources('json')).stdout)).toEqual(app.routes())
  })

  it('[RTE-18] [VER-04] prints a line for each route', async () => {
    const lines = (await sources()).stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(app.routes().length + 1)
    expect(lines.find((line) => line.includes('/api/authors/me'))).toMatch(
      /^n\/a +\/api\/authors\/me +GET +People +me +People\.me$/,
    )
  })
})
