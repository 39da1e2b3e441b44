// The look of the documentation: widths, prose, order, samples, credentials, and whether everybody can use it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { beforeAll, expect, it, vi } from 'vitest'
import { blogApi } from '../../examples/blog/api.ts'
import { all } from '../../scripts/machine.ts'
import { listener } from '../../src/adapters/node/index.ts'
import { type ApiServer, application, endpoint, type Plugin, route, security, t, verifier } from '../../src/index.ts'
import { cors } from '../../src/plugins/cors/index.ts'
import { docs } from '../../src/plugins/docs/index.ts'
import { swaggerUi } from '../../src/plugins/docs/swagger-ui.ts'
import { installed } from '../support/documents/installed.ts'
import { expectAccessible, type JudgedPage, sitePackages } from '../support/documents/lighthouse.ts'
import { open, reach, tryIt } from '../support/documents/pages.ts'
import { describeWith } from '../support/needs.ts'
import { registryNeed } from '../support/registry.ts'
import { isLong } from '../support/runs.ts'
import { browser, database, listen, need, port, screenshots, visit } from './visits.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 300_000 })

const registry = await registryNeed()
const tools = fileURLToPath(new URL('./tools/', import.meta.url))

const overflow = (): number => document.documentElement.scrollWidth - window.innerWidth

describeWith(need, '[DOC-02] the documentation of the example, in several widths', () => {
  const looks = [
    [390, 'dark'],
    [820, 'dark'],
    [1440, 'light'],
  ] as const
  it.each(looks.filter(([width]) => isLong || width !== 820))(
    '%i pixels, %s: prose, reference, a request',
    async (width, colorScheme) => {
      const url = await listen(listener(blogApi(database)))
      const { page, outside, complaints } = await visit(`${url}/api/docs`, {
        viewport: { width, height: 900 },
        colorScheme,
      })
      await page.screenshot({ path: `${screenshots}/page-${width}.png` })
      for (const heading of ['Getting started', 'Authentication', 'Errors', 'List blogs'])
        expect(await page.getByRole('heading', { name: heading, exact: true }).count(), heading).toBeGreaterThan(0)
      expect(await page.getByRole('img', { name: 'Blogs' }).filter({ visible: true }).count()).toBe(1)
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
      const sent = await tryIt(page, 'get /blogs', '"handle"')
      await page.screenshot({ path: `${screenshots}/try-it-${width}.png` })
      expect(sent).toBe(`${url}/api/v1.0/blogs`)
      expect([...outside, ...complaints]).toEqual([])
    },
  )
})

const Letters = endpoint('Letters', {
  version: '1.0',
  actions: {
    index: {
      summary: 'List letters',
      description: 'List letters. All of them.',
      routing: route.get('/'),
      params: {
        zebra: t.string(),
        apple: t.string({ example: 'red' }),
        must: t.integer({ required: true, example: 7 }),
      },
      headers: { 'X-Zoo': t.string(), 'X-Ant': t.string() },
      responses: {
        ok: { mediaType: t.object({ zulu: t.string(), alpha: t.string({ required: true }), mike: t.string() }) },
      },
    },
  },
})

const letters = (
  options: Parameters<typeof docs>[0] = {},
  plugins: readonly Plugin[] = [],
  servers: readonly ApiServer[] = [],
) =>
  application({
    title: 'Letters',
    description: 'Signs.',
    servers,
    controllers: [Letters.implement({ index: (_, { reply }) => reply.ok({ alpha: 'a' }) })],
    plugins: [docs(options), ...plugins],
  })

describeWith(need, '[DOC-02] the reference', () => {
  const shownIn = async (page: Page): Promise<string> => page.locator('#documentation').innerText()
  const inOrder = (text: string, names: readonly string[]) => names.map((name) => text.indexOf(name))

  it('has attributes, params and headers in the order of their declaration', async () => {
    const { page } = await visit(`${await listen(listener(letters()))}/docs`)
    const text = await shownIn(page)
    for (const names of [
      ['zebra', 'apple', 'must'],
      ['X-Zoo', 'X-Ant'],
      ['zulu', 'alpha', 'mike'],
    ]) {
      const places = inOrder(text, names)
      expect(places, names.join()).toEqual([...places].sort((a, b) => a - b))
      expect(places, names.join()).not.toContain(-1)
    }
  })

  it('has samples with what must be sent, and one way to send the version', async () => {
    const url = await listen(listener(letters()))
    const { page } = await visit(`${url}/docs`)
    const sample = await page.locator('.scalar-codeblock-code, pre code').first().innerText()
    expect(sample).toContain(`${url}/v1.0/letters?must=7`)
    expect(sample).not.toMatch(/apple|zebra|X-|api_version/i)
    const text = await shownIn(page)
    expect(text).not.toMatch(/X-Api-Version|api_version|9007199254740991/)
    // The title is not said again below itself.
    expect(text.match(/List letters\./)).toBeNull()
    expect(text).toContain('All of them.')
  })

  it('has titles in English, no badge without a version, and the server of the page, also in prose', async () => {
    const Users = endpoint('Users', {
      actions: {
        index: { routing: route.get('/'), responses: { ok: 'text/plain' } },
        register: { description: 'Register', routing: route.post('/'), responses: { noContent: true } },
        ban: { routing: route.post('/:id/ban'), params: { id: t.integer() }, responses: { noContent: true } },
        list: {
          summary: 'List',
          description: 'Listing of all.',
          routing: route.get('/all'),
          responses: { ok: 'text/plain' },
        },
      },
    })
    const controller = Users.implement({ index: () => '', register: () => {}, ban: () => {}, list: () => '' } as never)
    const app = application({
      basePath: '/api',
      controllers: [controller],
      plugins: [docs({ pages: ['# Begin\n\n`curl {{server}}/users`, or {{server}}.'] })],
    })
    const url = await listen(listener(app))
    const { page } = await visit(`${url}/api/docs`)
    await reach(page, page.getByText('Listing of all.'))
    const text = await shownIn(page)
    for (const title of ['List users', 'Register', 'Ban a user']) {
      // Whole lines: a summary that the description repeats would come twice.
      const headings = page.getByRole('heading', { name: title, exact: true })
      expect(await headings.count(), title).toBe(1)
    }
    expect(await page.locator('.markdown', { hasText: /^Register\.?$/ }).count()).toBe(0)
    expect(text).not.toMatch(/unversioned|localhost|\{\{server/)
    expect(text).toContain(`curl ${url}/api/users, or ${url}/api.`)
    expect(await page.getByText(`${url}/api`, { exact: true }).count()).toBeGreaterThan(0)
    expect(await page.locator('.badge').allInnerTexts()).toEqual(['OpenAPI 3.1.1'])
    const { page: versioned } = await visit(`${await listen(listener(letters()))}/docs`)
    expect(await versioned.locator('.badge').allInnerTexts()).toEqual(['v1.0', 'OpenAPI 3.1.1'])
  })

  it('comes after pages of prose, under a logo, in the chosen colours', async () => {
    const logo = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>')}`
    const hostile = '# Hostile\n\n</script><script>canary = 1</script><img src=x onerror="canary = 2">'
    const pages = ['# First steps\n\nSome **bold** words.\n\n## A part\n\n| a | b |\n|---|---|\n| c | d |', hostile]
    const app = letters({
      pages,
      logo: { src: logo, alt: 'Our letters', href: '/' },
      favicon: logo,
      colors: { accent: '#123456' },
    })
    const { page, outside, complaints } = await visit(`${await listen(listener(app))}/docs`)
    expect(await page.locator('.markdown strong', { hasText: 'bold' }).count()).toBe(1)
    expect(await page.locator('.markdown td', { hasText: 'd' }).count()).toBe(1)
    const menu = await page.locator('aside, nav').first().innerText()
    for (const heading of ['First steps', 'Hostile', 'List letters']) expect(menu).toContain(heading)
    expect(await page.getByRole('img', { name: 'Our letters' }).isVisible()).toBe(true)
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe(logo)
    const accent = () => getComputedStyle(document.body).getPropertyValue('--scalar-color-accent').trim()
    expect(await page.evaluate(accent)).toBe('#123456')
    expect(await page.evaluate(() => Reflect.get(window, 'canary'))).toBeUndefined()
    expect(outside).toEqual([])
    // The picture that the hostile page names is none.
    expect(complaints.filter((one) => !/404/.test(one))).toEqual([])
  })
})

describeWith(need, '[DOC-02] pages of prose', () => {
  const pages = [
    '# First steps\n\nBegin.',
    `# Élan & \`code\`\n\n${'A line.\n\n'.repeat(60)}`,
    '# Errors\n\nAll of them.',
  ]

  it.each(['errors', 'élan-code'])('have an anchor that links can name: #%s', async (anchor) => {
    const url = await listen(listener(letters({ pages })))
    const title = anchor === 'errors' ? 'Errors' : 'Élan & code'
    const { page, complaints } = await open(browser as Browser, `${url}/docs#${anchor}`)
    const heading = page.getByRole('heading', { name: title, exact: true })
    await expectOnTop(heading)
    // The menu leads to the same place, once the page has seen that its reader went elsewhere.
    await page.evaluate(() => window.scrollTo(0, 0))
    await vi.waitFor(async () => {
      await page.locator('aside, nav').first().getByRole('link', { name: title }).click()
      await expectOnTop(heading, 2000)
    }, 20_000)
    expect(decodeURIComponent(page.url())).toBe(`${url}/docs#1-0/description/${anchor}`)
    expect(complaints).toEqual([])
  })

  it('are shown for a fragment that cannot be decoded, too', async () => {
    const url = await listen(listener(letters({ pages })))
    const { page, complaints } = await open(browser as Browser, `${url}/docs#%E0%A4%A`)
    await page.getByRole('heading', { name: 'First steps', exact: true }).waitFor()
    expect(complaints).toEqual([])
  })
})

/** Waits until a heading is at the top of the window. */
const expectOnTop = (heading: Locator, patience = 20_000): Promise<void> =>
  vi.waitFor(async () => {
    const { y } = (await heading.boundingBox()) ?? { y: -1 }
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y).toBeLessThan(200)
  }, patience)

describeWith(need, '[DOC-02] servers', () => {
  it('are those of the page first, and the declared ones by choice', async () => {
    const elsewhere = await listen(listener(letters({}, [cors({ origins: '*' })])))
    const servers = [{ url: `${elsewhere}/`, description: 'Staging' }]
    const url = await listen(listener(letters({}, [], servers)))
    const asked: string[] = []
    const context = await (browser as Browser).newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    page.on('request', (one) => one.resourceType() === 'fetch' && asked.push(one.url()))
    await page.goto(`${url}/docs`)
    expect(await tryIt(page, 'get /letters', '"alpha"')).toBe(`${url}/v1.0/letters?must=7`)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    // All that was asked so far is the server of the page.
    expect(asked.filter((one) => !one.startsWith(url))).toEqual([])

    await page.evaluate(() => window.scrollTo(0, 0))
    await page
      .getByRole('button', { name: /\/v1\.0/ })
      .first()
      .click()
    await page.getByRole('option', { name: elsewhere }).click()
    expect(await tryIt(page, 'get /letters', '"alpha"')).toBe(`${elsewhere}/v1.0/letters?must=7`)
    await context.close()
  })
})

describeWith(need, '[DOC-02] requests that are tried', () => {
  const key = security.apiKey<string>('Key', { in: 'header', name: 'X-Key' })
  const password = security.basic<string>('Password')
  const action = (scheme: typeof key | typeof password) =>
    ({ routing: route.get('/'), security: scheme, responses: { ok: 'text/plain' } }) as const

  it('carry the key that the declared scheme names', async () => {
    const Keys = endpoint('Keys', { actions: { show: action(key) } })
    const app = application({
      controllers: [Keys.implement({ show: (_, { principal }) => `Hello ${principal}!` })],
      verifiers: [verifier(key, (sent) => (sent === 'ada-key' ? 'Ada' : undefined))],
      plugins: [docs()],
    })
    const { page } = await visit(`${await listen(listener(app))}/docs`)
    await page
      .getByPlaceholder(/key|QUxMIFlPVVI/i)
      .first()
      .fill('ada-key')
    await tryIt(page, 'get /keys', 'Hello Ada!')
  })

  it('carry the password that the declared scheme requests', async () => {
    const Locked = endpoint('Locked', { actions: { show: action(password) } })
    const app = application({
      controllers: [Locked.implement({ show: (_, { principal }) => `Hello ${principal}!` })],
      verifiers: [verifier(password, ({ user, password: sent }) => (sent === 'open' ? user : undefined))],
      plugins: [docs()],
    })
    const { page } = await visit(`${await listen(listener(app))}/docs`)
    await page.locator('[contenteditable=true]').first().click()
    await page.keyboard.type('Ada')
    await page.getByPlaceholder('********').first().fill('open')
    await tryIt(page, 'get /locked', 'Hello Ada!')
  })
})

describeWith(need.missing === undefined ? registry : need, '[DOC-02] with packages of others', () => {
  beforeAll(() => installed(tools))

  it('the page is one that everybody can use, as axe sees it', async () => {
    const url = await listen(listener(blogApi(database)))
    const { page } = await visit(`${url}/api/docs`, { bypassCSP: true, viewport: { width: 1440, height: 900 } })
    await page.addScriptTag({ content: readFileSync(`${tools}node_modules/axe-core/axe.min.js`, 'utf8') })
    const found = await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(): Promise<{ passes: Rule[]; violations: Rule[] }> } }
      const { passes, violations } = await axe.run()
      return {
        passes: passes.length,
        violations: violations.map(({ id, impact, nodes }) => `${impact} ${id} ${nodes.length}`),
      }
    })
    expect(found.violations).toEqual([])
    expect(found.passes).toBeGreaterThan(20)
  })

  it('Swagger UI shows the documents and tries requests, and asks no other server', async () => {
    const app = letters({
      renderer: swaggerUi({ from: `${tools}package.json` }),
      pages: ['# First steps\n\nSome **bold** words.'],
    })
    const url = await listen(listener(app))
    const { page, outside, complaints } = await open(browser as Browser, `${url}/docs`)
    await page.getByText('List letters').first().click()
    expect(await page.locator('strong', { hasText: 'bold' }).count()).toBe(1)
    await page.getByRole('button', { name: /try it out/i }).click()
    const answered = page.waitForResponse((one) => one.url().includes('/letters?'))
    await page.getByRole('button', { name: /execute/i }).click()
    expect((await answered).url()).toBe(`${url}/v1.0/letters?must=7`)
    await page.screenshot({ path: `${screenshots}/swagger-ui.png` })
    expect([...outside, ...complaints]).toEqual([])
  })
})

describeWith(all(need, sitePackages), '[DOC-02] a reader with assistive technology', () => {
  const dark = { colorScheme: 'dark', width: 390 } as const
  it.each([
    ['light', '1440', {}],
    ['dark', '390', dark],
  ] as const)('can use the page and its form: Lighthouse gives at least 95, %s, %s pixels', async (theme, _, look) => {
    const url = await listen(listener(blogApi(database)))
    const reached = (page: JudgedPage) =>
      page.waitForFunction(toForm, { polling: 100, timeout: 60_000 }, '.show-api-client-button')
    const opened = async (page: JudgedPage) => {
      await reached(page)
      await page.waitForFunction(inForm, { polling: 100, timeout: 60_000 }, '.show-api-client-button')
    }
    // A judgement takes a quarter of a minute: all four are for the campaign of laws.
    if (isLong || theme === 'light') await expectAccessible(`${url}/api/docs`, { port, ...look, prepare: reached })
    if (isLong || theme === 'dark') await expectAccessible(`${url}/api/docs`, { port, ...look, prepare: opened })
  })
})

/** Scrolls on, until the button of a form is there. */
function toForm(button: string): boolean {
  if (document.querySelector(button) !== null) return true
  window.scrollBy(0, window.innerHeight / 2)
  return false
}

/** Opens the form of the first operation. */
function inForm(button: string): boolean {
  if (document.querySelector('[role=dialog] [role=combobox]') !== null) return true
  document.querySelector<HTMLElement>(button)?.click()
  return false
}

interface Rule {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly unknown[]
}
