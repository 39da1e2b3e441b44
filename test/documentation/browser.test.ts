// The documentation in a real browser, cut off from every server but those that the tests start.
import type { IncomingMessage } from 'node:http'
import { expect, it, vi } from 'vitest'
import { blogApi } from '../../examples/blog/api.ts'
import { listener } from '../../src/adapters/node/index.ts'
import { type Application, application, endpoint, route, security, t, verifier } from '../../src/index.ts'
import { docs, staticDocs } from '../../src/plugins/docs/index.ts'
import { reach, tryIt } from '../support/documents/pages.ts'
import { describeWith } from '../support/needs.ts'
import { database, listen, need, screenshots, visit } from './visits.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

describeWith(need, '[DOC-02] the documentation of the example', () => {
  it('lists endpoints with their descriptions, and tries requests against the running API', async () => {
    const url = await listen(listener(blogApi(database)))
    const { page, outside, complaints } = await visit(`${url}/api/docs`)
    await page.screenshot({ path: `${screenshots}/blogs.png` })
    expect(await page.title()).toContain('Blogs')
    const text = await page.locator('body').innerText()
    for (const shown of ['Subscriptions', 'Delete a blog', '/blogs/@{handle}']) expect(text).toContain(shown)
    expect(text).not.toMatch(/wordpress|Documentation of/)
    expect(await page.locator('.markdown strong', { hasText: 'blogs' }).count()).toBeGreaterThan(0)

    await reach(page, page.getByText('Deletes the blog and everything in it.').first())

    await page.getByRole('button', { name: 'Blogs 1.0' }).click()
    await page.getByRole('option', { name: 'Blogs 2.0' }).click()
    expect(await tryIt(page, 'get /stats', '9007199254860993')).toContain(`${url}/api/v2.0/stats`)
    await page.screenshot({ path: `${screenshots}/try-it.png` })
    expect(outside).toEqual([])
    expect(complaints).toEqual([])
  })
})

const things = (version: string, description: string) =>
  endpoint('Things', {
    version,
    description,
    actions: {
      show: {
        description,
        routing: route.get('/'),
        params: { size: t.integer({ description }) },
        responses: { ok: { mediaType: t.object({ version: t.string({ description }) }), description } },
      },
    },
  }).implement({ show: (_, { reply }) => reply.ok({ version: `this is ${version}` }) })

const library = (description: string): Application =>
  application({
    title: 'Things </script><script>canary = 1</script>',
    description,
    basePath: '/api',
    controllers: [things('1.0', description), things('2.0', `Of two. ${description}`)],
    plugins: [docs()],
  })

const rich = `Some **bold** words, \`code\` and <kbd>HTML</kbd>.

| markdown | table |
|---|---|
| left | right |

<table><tr><td>an HTML table</td></tr></table>
`

const hostile = (outside: string): string => `Before **the storm**.

<script>canary = 'script'</script>
<img src="x" onerror="canary = 'error'"><img src="${outside}/html.png">
<svg onload="canary = 'svg'"><script>canary = 'svg script'</script></svg>
<a href="javascript:canary = 'link'">a link</a> <a href="java&#10;script:canary = 'link'">another link</a>
<iframe src="javascript:parent.canary = 'frame'"></iframe>
<iframe srcdoc="<script>parent.canary = 'srcdoc'</script>"></iframe><iframe src="${outside}/frame"></iframe>
<details open ontoggle="canary = 'toggle'"><summary>summary</summary></details>
<form action="javascript:canary = 'form'"><button>a button</button></form>
<object data="javascript:canary = 'object'"></object><embed src="${outside}/embed"><link rel="stylesheet" href="${outside}/css">
<style>body { background: url(${outside}/style) }</style><div style="background: url(${outside}/attribute)">styled</div>
<math><mtext><table><mglyph><style><img src=x onerror="canary = 'math'"></style></mglyph></table></mtext></math>
<meta http-equiv="refresh" content="0; url=${outside}/meta"><base href="${outside}/">

![a picture](${outside}/markdown.png) [a link in markdown](javascript:canary='markdown')
`

const traces = (): string[] =>
  [...document.querySelectorAll('.markdown *')].flatMap((element) => [
    ...(/^(script|iframe|object|embed|form|svg|style|link|meta|base)$/i.test(element.tagName) ? [element.tagName] : []),
    ...[...element.attributes]
      .filter(({ name, value }) => /^on|^style$/i.test(name) || /script\s*:/i.test(value))
      .map(({ name, value }) => `${element.tagName} ${name}=${value}`),
  ])

describeWith(need, '[DOC-02] descriptions', () => {
  it('have their markdown and HTML rendered', async () => {
    const { page, complaints } = await visit(`${await listen(listener(library(rich)))}/api/docs/`)
    const rendered = page.locator('.markdown')
    for (const [element, text] of Object.entries({ strong: 'bold', code: 'code', kbd: 'HTML', th: 'markdown' })) {
      expect(await rendered.locator(element, { hasText: text }).count(), element).toBeGreaterThan(0)
    }
    expect(await rendered.locator('td', { hasText: 'an HTML table' }).count()).toBeGreaterThan(0)
    expect(complaints).toEqual([])
  })

  it.each([
    ['with its policy', false],
    ['even if a browser knew no policies', true],
  ])('run nothing, %s', async (_, bypassCSP) => {
    const reached: (string | undefined)[] = []
    const outside = await listen(({ url }: IncomingMessage, response) => {
      reached.push(url)
      response.end()
    })
    const url = await listen(listener(library(hostile(outside))))
    const visited = await visit(`${url}/api/docs`, { bypassCSP })
    const { page } = visited
    expect(await page.locator('.markdown strong', { hasText: 'the storm' }).count()).toBeGreaterThan(0)
    for (const link of await page.locator('.markdown a').all()) await link.dispatchEvent('click')
    await page.waitForTimeout(500)
    expect(await page.evaluate(() => Reflect.get(window, 'canary'))).toBeUndefined()
    expect(await page.evaluate(traces)).toEqual([])
    expect(page.url()).toContain(`${url}/api/docs`)
    expect(reached).toEqual([])
    // Pictures are all of another server that descriptions may name, and the policy keeps them out.
    const pictures = [...new Set(visited.outside)].map((one) => one.slice(outside.length)).sort()
    expect(pictures).toEqual(bypassCSP ? ['/html.png', '/markdown.png'] : [])
  })
})

describeWith(need, '[DOC-02] versions', () => {
  it('are switched in the page, and each is tried as itself', async () => {
    const url = await listen(listener(library('Plain.')))
    const { page } = await visit(`${url}/api/docs`)
    await tryIt(page, 'get /things', 'this is 1.0')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: /canary.* 1\.0$/ }).click()
    await page.getByRole('option', { name: /2\.0$/ }).click()
    await page.getByText('Of two.').first().waitFor()
    expect(await tryIt(page, 'get /things', 'this is 2.0')).toContain('/api/v2.0/things')
  })

  it('are shown light or dark, as the reader likes', async () => {
    const { page } = await visit(`${await listen(listener(library('Plain.')))}/api/docs`, { colorScheme: 'dark' })
    const light = () =>
      page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.body).backgroundColor)?.[0] ?? -1))
    await page.screenshot({ path: `${screenshots}/dark.png` })
    expect(await light()).toBeLessThan(64)
    await page.getByRole('button', { name: /light mode/i }).click()
    await vi.waitFor(async () => expect(await light()).toBeGreaterThan(192))
  })
})

describeWith(need, '[DOC-02] credentials', () => {
  it('are requested where an action needs them, sent along, and kept nowhere', async () => {
    const token = security.bearer<string>('token')
    const Secrets = endpoint('Secrets', {
      actions: { show: { routing: route.get('/'), security: token, responses: { ok: 'text/plain' } } },
    })
    const app = application({
      controllers: [Secrets.implement({ show: (_, { principal }) => `Hello ${principal}!` })],
      verifiers: [verifier(token, (sent) => (sent === 'ada-secret' ? 'Ada' : undefined))],
      plugins: [docs()],
    })
    const { page, outside } = await visit(`${await listen(listener(app))}/docs`)
    await page.getByPlaceholder('Token').first().fill('ada-secret')
    await tryIt(page, 'get /secrets', 'Hello Ada!')
    const kept = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])
    expect(await page.evaluate(kept)).not.toContain('ada-secret')
    expect(outside).toEqual([])
  })

  it('are requested together where an action needs several', async () => {
    const token = security.bearer<string>('token')
    const device = security.apiKey<string>('device', { in: 'header', name: 'X-Device' })
    const Secrets = endpoint('Secrets', {
      actions: {
        show: { routing: route.get('/'), security: security.all({ token, device }), responses: { ok: 'text/plain' } },
      },
    })
    const app = application({
      controllers: [
        Secrets.implement({ show: (_, { principal }) => `Hello ${principal.token} at ${principal.device}!` }),
      ],
      verifiers: [verifier(token, (sent) => sent), verifier(device, (sent) => sent)],
      plugins: [docs()],
    })
    const { page } = await visit(`${await listen(listener(app))}/docs`)
    await page.getByPlaceholder('Token').first().fill('Ada')
    await page.getByPlaceholder('QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT').first().fill('home')
    await tryIt(page, 'get /secrets', 'Hello Ada at home!')
  })
})

describeWith(need, '[DOC-05] the documentation needs no other server', () => {
  it('asks only its own, for the page, two scripts and the documents', async () => {
    const asked: string[] = []
    const serve = listener(library(rich))
    const url = await listen((request, response) => {
      asked.push(request.url ?? '')
      serve(request as never, response)
    })
    const { outside, complaints } = await visit(`${url}/api/docs`)
    await vi.waitFor(() => expect(asked).toContain('/api/docs/openapi/2.0.json'))
    expect(asked.map((path) => path.replace(/-[0-9a-f]{16}\./, '-….')).sort()).toEqual([
      '/api/docs',
      '/api/docs/openapi/1.0.json',
      '/api/docs/openapi/2.0.json',
      '/api/docs/scalar-….js',
      '/api/docs/start.js',
    ])
    expect([...outside, ...complaints]).toEqual([])
  })

  it('works behind a proxy that takes a prefix away', async () => {
    const serve = listener(library('Plain.'))
    const url = await listen((request, response) => {
      if (!request.url?.startsWith('/gate/way/')) return void response.writeHead(502).end()
      request.url = request.url.slice('/gate/way'.length)
      serve(request as never, response)
    })
    for (const path of ['/gate/way/api/docs', '/gate/way/api/docs/']) {
      const { page, outside, complaints } = await visit(url + path)
      const sent = await tryIt(page, 'get /things', 'this is 1.0')
      expect(sent).toContain(`${url}/gate/way/api/v1.0/things`)
      expect([...outside, ...complaints]).toEqual([])
    }
  })

  it('works as a folder of files under any address', async () => {
    const app = library(rich)
    const files = new Map<string, Uint8Array>()
    for await (const { path, content } of staticDocs(app)) files.set(path, content)
    const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', json: 'application/json' }
    const serve = listener(app)
    const url = await listen((request, response) => {
      const [, path] = /^\/any\/where\/(.*)$/.exec(request.url ?? '') ?? []
      if (path === undefined) return serve(request as never, response)
      const name = path === '' ? 'index.html' : path
      const content = files.get(name)
      if (content === undefined) return void response.writeHead(404).end()
      response.setHeader('Content-Type', types[name.split('.').at(-1) as string] ?? 'text/plain').end(content)
    })
    const { page, outside, complaints } = await visit(`${url}/any/where/`)
    expect(await page.locator('.markdown kbd', { hasText: 'HTML' }).count()).toBeGreaterThan(0)
    await tryIt(page, 'get /things', 'this is 1.0')
    expect([...outside, ...complaints]).toEqual([])
  })
})
