// Front ends as bundlers make them of the built package: their size, that no server is in them, and that they work.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { application, type BodyOf, controller } from 'edict'
import { serve } from 'edict/node'
import { type BuildOptions, build, transform } from 'esbuild'
import { rollup } from 'rollup'
import { createLogger, type Logger, build as viteBuild } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.ts'
import { Books } from './front-end/books.ts'

const root = mkdtempSync(join(tmpdir(), 'edict-front-end-'))
const at = (name: string): string => join(root, `${name}.js`)

beforeAll(async () => {
  const home = join(root, 'node_modules/edict')
  await bundle(join(home, 'dist'))
  cpSync('package.json', join(home, 'package.json'))
  symlinkSync(join(process.cwd(), 'node_modules/@standard-schema'), join(root, 'node_modules/@standard-schema'))
  for (const name of ['books', 'authors', 'one', 'two', 'lists', 'conventions', 'queries']) {
    const source = readFileSync(`test/client/front-end/${name}.ts`, 'utf8')
    const { code } = await transform(source, { loader: 'ts' })
    writeFileSync(at(name), code.replaceAll('.ts"', '.js"'))
  }
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
}, 120_000)
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Bundler = (entry: string) => Promise<string>

const minified = async (code: string): Promise<string> =>
  (await transform(code, { minify: true, format: 'esm', target: 'es2022' })).code

/** The warnings of bundlers. */
const warnings: string[] = []

const esbuilt = async (entry: string, minify: boolean): Promise<string> => {
  const options = { bundle: true, format: 'esm', target: 'es2022', write: false, logLevel: 'silent' } as const
  const made = await build({ ...options, entryPoints: [entry], minify, absWorkingDir: root })
  warnings.push(...made.warnings.map(({ id, text }) => `${id}: ${text}`))
  return made.outputFiles[0]?.text ?? ''
}

/** Finds the package as bundlers of front ends do; Rollup itself knows relative paths only. */
const installed = {
  name: 'installed',
  resolveId(name: string) {
    if (!/^edict(?:\/|$)/.test(name)) return null
    const home = join(root, 'node_modules/edict')
    const { exports } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
    const target = exports[`.${name.slice('edict'.length)}`]
    return { id: join(home, (target.browser ?? target).default), moduleSideEffects: false }
  },
}

/** A logger of Vite that keeps what is not said of every build. */
const listening: Logger = {
  ...createLogger('silent'),
  warn: (text) => void warnings.push(text),
  warnOnce: (text) => void warnings.push(text),
  error: (text) => void warnings.push(text),
}

const bundlers: Readonly<Record<string, Bundler>> = {
  esbuild: (entry) => esbuilt(entry, true),
  async Rollup(entry) {
    const made = await rollup({
      input: entry,
      plugins: [installed],
      treeshake: { moduleSideEffects: false },
      onLog: (_, { message }) => warnings.push(message),
    })
    const { output } = await made.generate({ format: 'es' })
    return minified(output[0].code)
  },
  async Vite(entry) {
    const rollupOptions = { input: entry, preserveEntrySignatures: 'strict' as const }
    const made = await viteBuild({
      root,
      customLogger: listening,
      configFile: false,
      build: { write: false, target: 'es2022', modulePreload: false, rollupOptions },
    })
    const [first] = (Array.isArray(made) ? made : [made]).flatMap((one) => ('output' in one ? one.output : []))
    return first !== undefined && 'code' in first ? first.code : ''
  },
}

const sizeOf = (code: string): number => brotliCompressSync(code).length

/** The rows of the table in the guide, by the names of bundlers. */
function saidIn(page: string): Readonly<Record<string, readonly number[]>> {
  const rows = (readFileSync(page, 'utf8').split('\n## Tables')[0] as string).matchAll(
    /^\| (esbuild|Rollup|Vite) \| ([\d,]+) B \| ([\d,]+) B \|/gm,
  )
  return Object.fromEntries(
    [...rows].map(([, name, ...sizes]) => [name as string, sizes.map((one) => Number(one?.replaceAll(',', '')))]),
  )
}

/** The size that the guide gives for a front end with something. */
const saidWith = (part: string): number => {
  const [, said = ''] =
    new RegExp(`([\\d,]+) B with ${part}`).exec(readFileSync('docs/guide/front-ends.md', 'utf8')) ?? []
  return Number(said.replaceAll(',', ''))
}

/**
 * The most bytes, compressed by brotli, of the client with one endpoint of twelve attributes. esbuild keeps all kinds of `t`.
 * About 200 of them find the list in envelopes of any depth, and about 50 ask a declaration whether it reads events itself.
 */
const MOST: Readonly<Record<string, number>> = { esbuild: 13_820, Rollup: 13_020, Vite: 13_030 }
/** The most with the params of lists (pages, orders, filters, fields) and a scheme of credentials. */
const MOST_WITH_LISTS = 14_650
/**
 * The most with conventions of lists that are not edict's own. One table has the attributes of all roles, those of nine
 * published contracts included; a convention that nobody imports is not in it. 700 of them are the params of related elements
 * and query strings, and the declaration of single elements; 40 are links to pages other than the present one.
 */
const MOST_WITH_CONVENTIONS = 20_060
/** The most bytes that an endpoint of three actions and five attributes adds. */
const MOST_MORE = 170

describe('a front end', () => {
  it.each(Object.keys(bundlers))(
    'is small when it is made by %s, and the guide says how small',
    async (name) => {
      const make = bundlers[name] as Bundler
      const [one, two] = await Promise.all([make(at('one')), make(at('two'))])
      const measured = [sizeOf(one), sizeOf(two) - sizeOf(one)] as const
      console.log(`${name}: ${one.length} B minified, ${measured[0]} B brotli, ${measured[1]} B for one more endpoint`)
      expect(measured[0]).toBeGreaterThan(3000)
      expect(measured[0]).toBeLessThanOrEqual(MOST[name] as number)
      expect(measured[1]).toBeLessThanOrEqual(MOST_MORE)
      const [whole, more] = saidIn('docs/guide/front-ends.md')[name] ?? []
      expect(Math.abs((whole as number) - measured[0])).toBeLessThan(measured[0] * 0.02)
      expect(Math.abs((more as number) - measured[1])).toBeLessThan(60)
    },
    120_000,
  )

  it.each(Object.keys(bundlers))(
    'is made by %s without a warning, whatever it uses of the package',
    async (name) => {
      warnings.length = 0
      for (const entry of ['two', 'lists', 'conventions', 'queries']) await (bundlers[name] as Bundler)(at(entry))
      expect(warnings).toEqual([])
    },
    120_000,
  )

  it.each(Object.keys(bundlers))(
    '[CLT-06] made by %s, the client adds 9 kB at most to the declarations that it is made for',
    async (name) => {
      const make = bundlers[name] as Bundler
      const [declarations, whole] = (await Promise.all([make(at('books')), make(at('one'))])).map(sizeOf) as [
        number,
        number,
      ]
      console.log(`${name}: ${whole - declarations} B brotli of the client beside ${declarations} B of declarations`)
      expect(declarations).toBeGreaterThan(3000)
      expect(whole - declarations).toBeGreaterThan(1000)
      expect(whole - declarations).toBeLessThanOrEqual(9 * 1024)
      expect(Math.abs(saidWith('the client itself') - (whole - declarations))).toBeLessThan(200)
    },
    120_000,
  )

  it('[CLT-06] has nothing of the server in it: no router, no rules, no documents, no engine of patterns', async () => {
    const text = await esbuilt(at('one'), false)
    expect(text).toContain('function mediaType')
    for (const name of [
      'application(',
      'Dispatcher',
      'resolveEndpoint',
      'attributeRules',
      'compileProgram',
      'multipart/mixed',
    ])
      expect(text).not.toContain(name)
    for (const name of ['stringRules', 'jsonSchema: ', 'automaton', 'parsePattern', 'class Loading', 'DefinitionError'])
      expect(text).not.toContain(name)
  })

  it.each(Object.keys(bundlers))(
    'made by %s reads and writes declared bodies',
    async (name) => {
      const file = join(root, `made-by-${name}.mjs`)
      writeFileSync(file, await (bundlers[name] as Bundler)(at('one')))
      const { api, href } = (await import(file)) as FrontEnd
      expect([href(7)]).toEqual(['/books/7'])
      const server = await serve(application({ controllers: [books()] }), { port: 0 })
      try {
        const { create, show, index } = api(server.url.replace(/\/$/, '')).Books
        const payload = {
          ...{ isbn: '9780141439587', title: 'Emma', subtitle: null, price: '12.5', published: '1815-12-23' },
          ...{ addedAt: new Date(1_700_000_000_000), sold: 2n ** 70n, tags: ['novel', 'a,b'] },
        }
        const whole = { id: 1, ...payload, price: '12.50', inPrint: true }
        expect(await create({}, { payload })).toMatchObject({ name: 'created', status: 201, body: whole })
        expect(await show({ id: 1 })).toMatchObject({ name: 'ok', body: whole })
        expect(await show({ id: 2 })).toMatchObject({ name: 'notFound', status: 404 })
        expect(await index({ limit: 5 })).toMatchObject({ name: 'ok', body: [whole] })
        // A limit is the server's to judge, a type is not.
        expect(await index({ limit: 500 })).toMatchObject({ name: 'failure', status: 400 })
        await expect(create({}, { payload: { ...payload, sold: 'many' } })).rejects.toThrow(/must be an integer/)
        await expect(create({}, { payload: { ...payload, tags: 1 } })).rejects.toThrow(/must be a list/)
      } finally {
        await server.close()
      }
    },
    120_000,
  )

  it('with params of lists and credentials is little more, and has nothing of their rules', async () => {
    const whole = sizeOf(await esbuilt(at('lists'), true))
    console.log(`esbuild: ${whole} B brotli with params of lists and credentials`)
    expect(whole).toBeLessThanOrEqual(MOST_WITH_LISTS)
    expect(Math.abs(saidWith('params of lists and a security scheme') - whole)).toBeLessThan(whole * 0.02)
    const text = await esbuilt(at('lists'), false)
    for (const name of [
      'filterFields',
      'orderableFields',
      'acceptSettings',
      'securityPolicy',
      'class Loading',
      'Dumping',
      'automaton',
    ])
      expect(text).not.toContain(name)
  }, 120_000)

  it('writes params of plugins without the server', async () => {
    const file = join(root, 'made-with-lists.mjs')
    writeFileSync(file, await esbuilt(at('lists'), true))
    const { notes, unwritten } = (await import(file)) as Readonly<
      Record<'notes' | 'unwritten', (fetch: (request: Request) => Promise<Response>) => Promise<unknown>>
    >
    const urls: string[] = []
    const answer = await notes(async ({ url }) => {
      urls.push(decodeURIComponent(url))
      return Response.json([{ id: 1, author: { name: 'Ann' } }], {
        headers: { 'Content-Type': 'application/vnd.note+json;type=collection' },
      })
    })
    expect(urls).toEqual(['http://notes.test/notes?fields=id,author{name}&filters=id>=1&order=-id&pagination=items=2'])
    expect(answer).toMatchObject({ name: 'ok', body: [{ id: 1, author: { name: 'Ann' } }] })
    const sent = unwritten(() => Promise.reject(new Error('it was sent')))
    await expect(sent).rejects.toThrow("'filters' must be a text")
  })

  it('with other conventions of lists has nothing of their server', async () => {
    const whole = sizeOf(await esbuilt(at('conventions'), true))
    console.log(`esbuild: ${whole} B brotli with conventions of lists`)
    expect(whole).toBeLessThanOrEqual(MOST_WITH_CONVENTIONS)
    expect(Math.abs(saidWith('conventions of lists') - whole)).toBeLessThan(whole * 0.02)
    const text = await esbuilt(at('conventions'), false)
    for (const name of ['class Parser', 'PageFacts', 'class Language', 'paramMistakes', 'class Loading', 'Dumping'])
      expect(text).not.toContain(name)
  }, 120_000)

  it('walks along the lists of other conventions without the server', async () => {
    const file = join(root, 'made-with-conventions.mjs')
    writeFileSync(file, await esbuilt(at('conventions'), true))
    const { walks, sender } = (await import(file)) as {
      readonly walks: () => Promise<readonly number[][]>
      readonly sender: { fetch: (request: Request) => Promise<Response> }
    }
    const urls: string[] = []
    sender.fetch = async ({ url }) => {
      const { pathname, searchParams } = new URL(url)
      urls.push(`${pathname}?${[...searchParams].map((pair) => pair.join('=')).join('&')}`)
      const [offset, token] = [Number(searchParams.get('offset')), searchParams.get('page_token')]
      if (pathname === '/articles')
        return Response.json({ items: [{ id: offset + 1 }, { id: offset + 2 }].slice(0, 3 - offset), total: 3 })
      return Response.json({ items: [{ id: token === null ? 1 : 2 }], next_page_token: token === null ? 'n7' : '' })
    }
    expect(await walks()).toEqual([
      [1, 2, 3],
      [1, 2],
    ])
    expect(urls).toEqual([
      '/articles?limit=2&sort=-title',
      '/articles?limit=2&sort=-title&offset=2',
      '/articles/tokens?page_size=2&order_by=title desc&filter=title = "Emma"',
      '/articles/tokens?page_size=2&order_by=title desc&filter=title = "Emma"&page_token=n7',
    ])
  })
})

describe('a server in a page', () => {
  const bundled = async (conditions: readonly string[]): Promise<string> => {
    const source = `import { mock } from 'edict/mock'
      import { Notes, notes } from './lists.js'
      const parsed = Notes.parseHref('/notes/7')
      const app = mock([Notes])
      const answer = await notes((request) => app.fetch(new Request(request, { headers: { Authorization: 'Bearer a' } })))
      console.log(JSON.stringify([parsed, answer.name, answer.body.length]))`
    writeFileSync(at('page'), source)
    const file = join(root, 'page.mjs')
    const options: BuildOptions = { bundle: true, format: 'esm', logLevel: 'silent', external: ['node:*'] }
    await build({
      ...options,
      entryPoints: [at('page')],
      absWorkingDir: root,
      outfile: file,
      conditions: [...conditions],
    })
    const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
    return stdout + stderr
  }

  it('works where the bundler has the condition edict-server, or a condition of workers', async () => {
    for (const condition of ['edict-server', 'workerd', 'edge-light'])
      expect(await bundled([condition])).toBe('[{"id":7},"ok",2]\n')
  }, 60_000)

  it('is refused elsewhere, with the condition to add', async () => {
    expect(await bundled([])).toContain("add the condition 'edict-server'")
  }, 60_000)
})

it('the client and declarations can be loaded by a runtime that has little of the web', () => {
  const file = join(root, 'bare.mjs')
  const entries = [
    'edict',
    'edict/client',
    'edict/tanstack-query',
    'edict/mapper',
    'edict/pagination',
    'edict/conditional',
  ]
  // Globals of the language, and those that React Native and test environments add.
  const kept =
    /^(?:[A-Z]\w*Error|(?:Big)?(?:U?[Ii]nt|Float)\d*\w*|(?:de|en)codeURI\w*|Weak\w+|is(?:NaN|Finite)|parse\w+|console|TextEncoder)$/
  const words =
    'Object Function Array Number Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error globalThis JSON'
  const more = 'Math Intl ArrayBuffer Uint8Array Int8Array DataView Map Set Proxy Reflect FinalizationRegistry BigInt'
  writeFileSync(
    file,
    `const words = new Set(${JSON.stringify(`${words} ${more}`.split(' '))})
    for (const name of Object.getOwnPropertyNames(globalThis))
      if (!words.has(name) && !${kept}.test(name)) delete globalThis[name]
    for (const entry of ${JSON.stringify(entries)}) await import(entry)
    const { client } = await import('edict/client')
    const { Books } = await import(${JSON.stringify(at('books'))})
    console.log(typeof client({ Books }, { baseUrl: 'http://a.test' }).Books.index, typeof globalThis.TextDecoder)`,
  )
  const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', env: {} })
  expect(stdout + stderr).toBe('function undefined\n')
})

interface FrontEnd {
  api(baseUrl: string): { readonly Books: Readonly<Record<'create' | 'show' | 'index', Call>> }
  href(id: unknown): string
}

type Call = (params?: object, options?: object) => Promise<unknown>

/** A shelf in memory. */
function books() {
  const shelf: BodyOf<typeof Books, 'show', 'ok'>[] = []
  return controller(Books, {
    index: (_, { reply }) => reply.ok(shelf),
    show({ id }, { reply }) {
      const found = shelf.find((one) => one.id === id)
      return found === undefined ? reply.notFound() : reply.ok(found)
    },
    create(_, { request, reply }) {
      const made = { id: shelf.length + 1, inPrint: true, ...request.payload }
      shelf.push(made)
      return reply.created(made)
    },
  })
}
