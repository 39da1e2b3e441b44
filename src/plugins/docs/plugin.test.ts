// The docs plugin serves the page, its scripts and the documents, with the headers of each.
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ask, askSocket, mistakesOf } from '../../../test/support/ask.ts'
import {
  type Application,
  type ApplicationOptions,
  application,
  endpoint,
  type Plugin,
  route,
  security,
  verifier,
} from '../../index.ts'
import { cacheControl } from '../cache/index.ts'
import { renderPage } from './docs-page.ts'
import { docs, staticDocs } from './index.ts'
import { scalarRelease } from './scalar-release.ts'

const createThings = (version?: string) =>
  endpoint('Things', {
    ...(version !== undefined && { version }),
    actions: { show: { routing: route.get('/'), responses: { ok: 'text/plain' } } },
  }).implement({ show: () => 'things' })

const createApp = (options: Partial<ApplicationOptions> = {}): Application =>
  application({ title: 'Library', controllers: [createThings('1.0'), createThings()], plugins: [docs()], ...options })

const scalar = `/docs/scalar-${scalarRelease.sha256.slice(0, 16)}.js`

describe('the page', () => {
  it('is served with and without a slash, with links that fit', async () => {
    const [bare, slashed] = [await ask(createApp(), 'GET /docs?x=1'), await ask(createApp(), 'GET /docs/')]
    for (const { status, headers } of [bare, slashed]) {
      expect(status).toBe(200)
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      const policy = headers['content-security-policy'] ?? ''
      expect(policy).toContain("default-src 'none'; script-src 'self';")
      expect(policy).toContain("connect-src 'self';")
      expect(policy).toContain("img-src 'self' data: blob:; media-src 'self' data: blob:;")
      expect(policy).not.toMatch(/unsafe-eval|https?:|\*/)
    }
    expect(bare.text).toContain(`src="${scalar.slice(1)}"`)
    expect(bare.text).toContain('"docs/openapi/1.0.json"')
    expect(slashed.text).toContain(`src="${scalar.slice('/docs/'.length)}"`)
    expect(slashed.text).toContain('"openapi.json"')
  })

  it('quotes what applications call themselves', () => {
    const title = `</script><script>alert("&")</script>`
    const page = renderPage({ title, documents: [{ title, slug: 'a', url: 'a.json', schemes: [] }], scripts: [] })
    expect(page).not.toContain('<script>alert')
    expect(JSON.parse(/id="settings">(.*?)<\/script>/.exec(page)?.[1] as string).documents[0].title).toBe(title)
  })
})

describe('documents', () => {
  it('are those of the application, one for each version', async () => {
    const app = createApp({ basePath: '/api' })
    expect((await ask(app, 'GET /api/docs/openapi/1.0.json')).json).toEqual(
      JSON.parse(JSON.stringify(app.openapi('1.0'))),
    )
    expect((await ask(app, 'GET /api/docs/openapi.json')).json).toEqual(JSON.parse(JSON.stringify(app.openapi())))
    expect((await ask(app, 'GET /api/docs/openapi/2.0.json')).status).toBe(404)
    expect((await ask(app, 'GET /docs/openapi.json')).status).toBe(404)
    expect(app.openapi().tags.map(({ name }) => name)).toEqual(['Things'])
    expect(app.versions).toEqual(['1.0', undefined])
  })

  it('are made when first requested, and once', async () => {
    const versions: (string | undefined)[] = []
    const counted: Plugin = {
      name: 'counted',
      apply: (options, finished) => {
        const openapi = (version?: string) => {
          versions.push(version)
          return finished().openapi(version)
        }
        return docs().apply?.(options, () => ({ ...finished(), openapi })) ?? options
      },
    }
    const app = createApp({ plugins: [counted] })
    await ask(app, 'GET /docs')
    expect(versions).toEqual([])
    for (let i = 0; i < 2; i++) await ask(app, 'GET /docs/openapi/1.0.json')
    expect(versions).toEqual(['1.0'])
  })

  it('have a tag, and are not sent again to those who have them', async () => {
    const app = createApp()
    const { headers } = await ask(app, 'GET /docs/openapi.json')
    const etag = headers['etag'] as string
    expect(etag).toMatch(/^W\/"[0-9a-f]{16}"$/)
    for (const ifNoneMatch of [etag, `"other", ${etag.slice(2)}`, '*']) {
      const { status, text, headers } = await ask(app, 'GET /docs/openapi.json', {
        headers: { 'if-none-match': ifNoneMatch },
      })
      expect([status, text, headers['etag']]).toEqual([304, '', etag])
    }
    expect((await ask(app, 'GET /docs/openapi.json', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })
})

describe('files', () => {
  it('are compressed for those who want it', async () => {
    const app = createApp()
    const request = async (encoding: string) =>
      askSocket(app, 'GET /docs/openapi.json', { headers: { 'accept-encoding': encoding } })
    const plain = await ask(app, 'GET /docs/openapi.json')
    for (const encoding of ['gzip', 'br, gzip;q=0.5', '*']) {
      const { headers, bytes } = await request(encoding)
      expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: expect.stringContaining('Accept-Encoding') })
      expect(gunzipSync(bytes).toString()).toBe(plain.text)
    }
    for (const encoding of ['identity', 'br', 'gzip;q=0']) {
      expect((await request(encoding)).headers['content-encoding']).toBeUndefined()
    }
    expect(plain.headers['content-encoding']).toBeUndefined()
  })

  it('named after their content are kept for a year', async () => {
    const app = createApp()
    const gzipped = await askSocket(app, `GET ${scalar}`, { headers: { 'accept-encoding': 'gzip' } })
    expect(gzipped.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
    })
    const plain = await ask(app, `GET ${scalar}`)
    expect(gunzipSync(gzipped.bytes).equals(plain.bytes)).toBe(true)
    expect(plain.text).toContain('createApiReference')
    expect(plain.text).not.toContain('sourceMappingURL=')
  })

  it('that do not exist are not found', async () => {
    const app = createApp()
    for (const path of [
      '/docs/x',
      '/docs/openapi/',
      '/docs/constructor',
      '/docs/../docs/x',
      '/docs/openapi/%2e%2e.json',
    ]) {
      expect((await askSocket(app, `GET ${path}`)).status, path).toBe(404)
    }
    expect((await ask(app, 'POST /docs')).status).toBe(405)
  })
})

describe('options', () => {
  it('choose the path, and the config of the application overrides them', async () => {
    const app = createApp({ plugins: [docs({ path: '/about/api' })] })
    expect((await ask(app, 'GET /about/api')).text).toContain('"api/openapi.json"')
    const configured = createApp({ config: { docs: { path: '/help' } } })
    expect((await ask(configured, 'GET /help')).status).toBe(200)
    expect((await ask(configured, 'GET /docs')).status).toBe(404)
  })

  it.each(['docs', '/', '', '/a b', '/:id', 7])('refuse the path %j', (path) => {
    expect(mistakesOf(() => createApp({ plugins: [docs({ path: path as string })] }))).toMatchObject([
      { setting: 'docs.path' },
    ])
  })

  it.each([
    [{ pages: ['No title'] }, 'docs.pages[0]'],
    [{ logo: 'https://example.com/logo.svg' }, 'docs.logo'],
    [{ logo: '//example.com/logo.svg' }, 'docs.logo'],
    [{ logo: { src: '/logo.svg', dark: 'javascript:1' } }, 'docs.logo.dark'],
    [{ favicon: 'icon.png' }, 'docs.favicon'],
    [{ colors: { accent: 'red } body { display: none' } }, 'docs.colors.accent'],
    [{ colors: { accent: { light: '#fff' } } }, 'docs.colors.accent.dark'],
    [{ colors: { accents: '#fff' } }, 'docs.colors.accents'],
    [{ renderer: 'swagger' }, 'docs.renderer'],
  ])('refuse the look %j', (options, setting) => {
    expect(mistakesOf(() => createApp({ plugins: [docs(options as never)] }))).toMatchObject([{ setting }])
  })

  it('give the look to the page, and to the files that the command line writes', async () => {
    const look = { pages: ['# First steps </script>'], logo: '/a"b.svg', colors: { accent: '#123' } }
    expect(mistakesOf(() => createApp({ plugins: [docs(look)] }))).toMatchObject([{ setting: 'docs.logo' }])
    const app = createApp({ plugins: [docs({ ...look, logo: '/ab.svg' })] })
    const files = app.tools['docs']?.() as AsyncIterable<{ path: string; content: Uint8Array }>
    const pages = [(await ask(app, 'GET /docs')).text]
    for await (const { path, content } of files)
      if (path === 'index.html') pages.push(new TextDecoder().decode(content))
    expect(pages).toHaveLength(2)
    for (const page of pages) {
      expect(page).toContain('<img src="/ab.svg" alt="Library">')
      expect(page).toContain('body.light-mode { --scalar-color-accent: #123;')
      expect(page).toContain('# First steps \\u003c/script>')
    }
  })

  it('take colours of every notation, one for both modes or one for each', async () => {
    const colors = {
      accent: 'rgb(11 114 133)',
      text: { light: '#0b7285', dark: 'oklch(70% 0.1 200 / 0.5)' },
      background: 'hsla(10, 20%, 30%, 1)',
      sidebar: 'white',
    }
    const { text } = await ask(createApp({ plugins: [docs({ colors })] }), 'GET /docs')
    for (const [mode, tone] of [
      ['light', '#0b7285'],
      ['dark', 'oklch(70% 0.1 200 / 0.5)'],
    ] as const)
      expect(text).toContain(
        `body.${mode}-mode { --scalar-color-accent: rgb(11 114 133); --docs-accent: rgb(11 114 133); ` +
          `--scalar-link-color: rgb(11 114 133); --scalar-color-1: ${tone}; --scalar-sidebar-color-1: ${tone}; ` +
          `--docs-text: ${tone}; --scalar-background-1: hsla(10, 20%, 30%, 1); ` +
          '--docs-background: hsla(10, 20%, 30%, 1); --scalar-sidebar-background-1: white }',
      )
  })

  it('prefer the schemes that most actions list first, whatever policies stand before them', async () => {
    const [Token, Key] = [
      security.bearer<string>('Token'),
      security.apiKey<string>('Key', { in: 'header', name: 'X-Key' }),
    ]
    const Doors = endpoint('Doors', {
      actions: {
        one: {
          routing: route.get('/1'),
          policies: [cacheControl({ noStore: true })],
          security: Key,
          responses: { ok: 'text/plain' },
        },
        two: { routing: route.get('/2'), security: Key, responses: { ok: 'text/plain' } },
        three: { routing: route.get('/3'), security: [Token, Key], responses: { ok: 'text/plain' } },
        four: {
          routing: route.get('/4'),
          policies: [cacheControl({ noStore: true })],
          responses: { ok: 'text/plain' },
        },
        five: {
          routing: route.get('/5'),
          policies: [cacheControl({ noStore: true })],
          responses: { ok: 'text/plain' },
        },
        six: { routing: route.get('/6'), policies: [cacheControl({ noStore: true })], responses: { ok: 'text/plain' } },
      },
    }).implement({ one: () => 'x', two: () => 'x', three: () => 'x', four: () => 'x', five: () => 'x', six: () => 'x' })
    const verifiers = [verifier(Token, () => 'me'), verifier(Key, () => 'me')]
    const app = application({ controllers: [Doors], verifiers, plugins: [docs()] })
    const { text } = await ask(app, 'GET /docs')
    expect(JSON.parse(/id="settings">(.*?)<\/script>/.exec(text)?.[1] as string).documents[0].schemes).toEqual(['Key'])
  })

  it('one plugin serves two applications, each with its own documents', async () => {
    const plugins = [docs()]
    const [one, two] = [createApp({ plugins, title: 'One' }), createApp({ plugins, title: 'Two' })]
    expect((await ask(one, 'GET /docs/openapi.json')).json.info.title).toBe('One')
    expect((await ask(two, 'GET /docs/openapi.json')).json.info.title).toBe('Two')
  })
})

describe('the static folder', () => {
  it('has the page, the scripts and the documents', async () => {
    const files = new Map<string, string>()
    for await (const { path, content } of staticDocs(createApp(), { server: 'http://127.0.0.1:1/' })) {
      files.set(path, new TextDecoder().decode(content))
    }
    expect([...files.keys()]).toEqual([
      'index.html',
      scalar.slice('/docs/'.length),
      'start.js',
      'openapi/1.0.json',
      'openapi.json',
    ])
    expect(files.get('index.html')).toContain("connect-src 'self' http://127.0.0.1:1;")
    expect(JSON.parse(files.get('openapi.json') as string)).toMatchObject({ openapi: '3.1.1' })
  })
})

describe('docs({ security })', () => {
  const Staff = security.basic<string>('Staff')
  const plugins = [docs({ security: Staff })]
  const staffVerifier = verifier(Staff, ({ user, password }) => (password === 'open' ? user : undefined))
  const headers = { authorization: `Basic ${btoa('ada:open')}` }

  it('lets only clients in that the scheme knows, to the page, its scripts and the documents', async () => {
    const app = createApp({ plugins, verifiers: [staffVerifier] })
    for (const path of ['/docs', '/docs/start.js', '/docs/openapi/1.0.json']) {
      const anonymous = await ask(app, `GET ${path}`)
      expect(anonymous).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Basic realm="Library"' } })
      expect((await ask(app, `GET ${path}`, { headers })).status).toBe(200)
    }
    expect((await ask(app, 'GET /things')).status).toBe(200)
  })

  it('does not boot without a verifier', () => {
    const settings = mistakesOf(() => createApp({ plugins })).map(({ action, setting }) => `${action} ${setting}`)
    expect(settings).toEqual(['page security', 'file security'])
  })
})
