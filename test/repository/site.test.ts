// The site of the documentation: every public name has a page, no link is dead, and a reader in a real browser finds her way at
// several widths, from a path that the site does not know, without a request to any other host.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { all } from '../../scripts/machine.ts'
import exported from '../../scripts/public-exports.json' with { type: 'json' }
import { findMistakes } from '../../scripts/site/check.ts'
import { getNameUrl } from '../../scripts/site/names.ts'
import { type FileServer, serveFiles } from '../../scripts/site/serve.ts'
import { generator, listVersions, output } from '../../scripts/site/versions.ts'
import { launchBrowser } from '../support/browser.ts'
import { expectAccessible, freePort, sitePackages } from '../support/documents/lighthouse.ts'
import { describeWith } from '../support/needs.ts'
import { isLong } from '../support/runs.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 600_000 })

const run = promisify(execFile)
const port = await freePort()
const { browser, need } = await launchBrowser([`--remote-debugging-port=${port}`])
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const folder = join(output, version)
const screenshots = '.cache/site'
const temporary = mkdtempSync(join(tmpdir(), 'edict-site-'))
afterAll(async () => {
  await browser?.close()
  rmSync(temporary, { recursive: true, force: true })
})

describe('the check of the links', () => {
  it('finds what leads nowhere, depends on the place of the site, or is loaded from elsewhere', () => {
    const folder = join(temporary, 'wrong')
    mkdirSync(folder)
    const link = (target: string): string => `<a href="${target}">x</a>`
    const links = ['a.html', 'a.html#there', '#here', 'https://example.com/', 'none.html', 'a.html#none', '/a.html', '']
    const loads = '<script src="https://cdn.example/x.js"></script><img src="none.png">'
    writeFileSync(join(folder, 'index.html'), `<p id="here"></p><p id="here"></p>${links.map(link).join('')}${loads}`)
    writeFileSync(join(folder, 'a.html'), '<h2 id="there">x</h2>')
    expect(findMistakes(folder)).toEqual([
      'index.html: none.html leads to no file',
      'index.html: a.html#none leads to no heading',
      'index.html: /a.html depends on the place of the site',
      'index.html:  is empty',
      'index.html: none.png leads to no file',
      'index.html: loads https://cdn.example/x.js',
      'index.html: the id here stands twice',
    ])
  })
})

describeWith(sitePackages, 'the site', () => {
  let served: FileServer

  // The command checks the links, and fails for a dead one.
  beforeAll(async () => {
    await run('npm', ['run', '--silent', 'site'])
    const versions = join(temporary, 'versions')
    mkdirSync(join(versions, '0.0.9/guide'), { recursive: true })
    symlinkSync(folder, join(versions, version))
    writeFileSync(join(versions, '0.0.9/index.html'), '<h1>The first page of 0.0.9</h1>')
    writeFileSync(join(versions, '0.0.9/guide/routing.html'), '<h1>Routing in 0.0.9</h1>')
    listVersions(versions, version)
    served = await serveFiles(versions, 0, '/some/where/')
  })
  afterAll(() => {
    served.server.closeAllConnections()
    served.server.close()
  })

  it.each(Object.entries(exported))('every name of %s has a page', (entry, { values, types }) => {
    const names = [...new Set([...values, ...types])]
    const urlOf = (name: string): string => getNameUrl({ entry, name, isValue: values.includes(name) })
    expect(names.filter((name) => !existsSync(join(folder, urlOf(name))))).toEqual([])
  })

  it('the code of other frameworks compiles', async () => {
    const args = [join(generator, '../../node_modules/typescript/bin/tsc'), '-p', join(generator, 'foreign')]
    const { stdout } = await run(process.execPath, args)
    expect(stdout).toBe('')
  })

  describeWith(all(sitePackages, need), 'a reader', () => {
    const outside: string[] = []
    const complaints: string[] = []

    const at = (path: string): string => `${served.url}${version}/${path}`

    async function visit(path: string, width: number): Promise<{ page: Page; context: BrowserContext }> {
      const context = await (browser as Browser).newContext({ viewport: { width, height: 900 } })
      await context.route(
        (asked) => asked.origin !== new URL(served.url).origin,
        (refused) => {
          outside.push(refused.request().url())
          return refused.abort()
        },
      )
      const page = await context.newPage()
      page.on('console', (message) => message.type() === 'error' && complaints.push(`${path}: ${message.text()}`))
      page.on('pageerror', ({ message }) => complaints.push(`${path}: ${message}`))
      await page.goto(at(path))
      return { page, context }
    }

    const lightness = (page: Page): Promise<number> =>
      page.evaluate(() => Number(/\d+/.exec(getComputedStyle(document.body).backgroundColor)?.[0]))
    const overflow = (page: Page): Promise<number> =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

    beforeAll(() => void mkdirSync(screenshots, { recursive: true }))

    it.each(isLong ? [390, 820, 1440] : [390, 1440])('finds her way at a width of %i', async (width) => {
      const { page, context } = await visit('index.html', width)
      await page.screenshot({ path: `${screenshots}/first-${width}.png` })
      for (const heading of ['The declaration', 'Types', 'A refusal', 'SQL', 'The document', 'The client'])
        expect(await page.getByRole('heading', { name: heading }).count()).toBe(1)
      expect(await overflow(page)).toBe(0)

      await page.getByRole('button', { name: /^Search/ }).click()
      await page.getByRole('searchbox').fill('idempotency')
      const hit = page.getByRole('link', { name: 'Idempotency', exact: true }).last()
      await hit.waitFor()
      await page.screenshot({ path: `${screenshots}/search-${width}.png` })
      await hit.click()
      await page.getByRole('heading', { level: 1, name: 'Idempotency' }).waitFor()
      expect(page.url()).toContain(at('guide/idempotency.html'))

      await page.getByRole('button', { name: /^Search/ }).click()
      await page.getByRole('searchbox').fill('ServeOptions')
      await page.locator('#ui-results a', { hasText: 'ServeOptions' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'ServeOptions' }).waitFor()
      expect(await page.getByRole('cell', { name: 'maxHeaderSize?', exact: true }).count()).toBe(1)
      expect(await overflow(page)).toBe(0)

      expect(await lightness(page)).toBeGreaterThan(200)
      await page.getByRole('button', { name: 'Dark theme' }).click()
      expect(await lightness(page)).toBeLessThan(60)
      await page.screenshot({ path: `${screenshots}/name-${width}.png` })
      await page.goto(at('guide/routing.html'))
      expect(await lightness(page)).toBeLessThan(60)
      await context.close()
    })

    const searches = [
      ['ServeOptions', 'names/edict-node/ServeOptions.type.html'],
      ['application', 'names/edict/application.html'],
      ['t', 'names/edict/t.html'],
      ['route', 'names/edict/route.html'],
      ['staticDocs', 'names/edict-docs/staticDocs.html'],
      ['Pagination', 'guide/pagination.html'],
      ['error codes', 'guide/error-codes.html'],
      ['import', 'guide/import.html'],
      ['lambda', 'guide/lambda.html'],
      ['rate limit', 'guide/rate-limits.html'],
      ['cors', 'guide/cors.html'],
      ['validation', 'guide/validation.html'],
      ['error handling', 'guide/errors.html'],
      ['transaction', 'guide/transactions.html'],
      ['logging', 'guide/access-log.html'],
      ['zod', 'guide/validation.html'],
      ['enum', 'guide/validation.html'],
      ['configuration', 'guide/configuration.html'],
      ['middleware', 'guide/callbacks.html'],
      ['localisation', 'guide/translating.html'],
      ['translation', 'guide/translating.html'],
      ['publishing a plugin', 'guide/publishing-plugins.html'],
      ['config', 'guide/configuration.html'],
      ['Migrating from Express', 'migrating/express.html'],
    ] as const
    it('finds what people look for, before all else', async () => {
      const { page, context } = await visit('guide/routing.html', 1440)
      await page.getByRole('button', { name: /^Search/ }).click()
      const first = page.locator('#ui-results a').first()
      for (const [asked, path] of searches) {
        await page.getByRole('searchbox').fill(asked)
        const found = async (): Promise<string> => await first.evaluate((link: HTMLAnchorElement) => link.href)
        await expect.poll(found, { message: asked }).toBe(at(path))
      }
      await first.click()
      await page.waitForURL(at('migrating/express.html'))
      await context.close()
    })

    it('copies code, and goes on to the next page and back', async () => {
      const { page, context } = await visit('guide/attributes.html', 1440)
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const block = page.locator('main .block').first()
      await block.getByRole('button', { name: 'Copy' }).click()
      await block.getByRole('button', { name: 'Copied' }).waitFor()
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      expect(copied).toBe(await block.locator('code').textContent())
      const neighbours = page.getByRole('navigation', { name: 'Previous and next page' })
      await neighbours.getByRole('link', { name: /^Next/ }).click()
      await page.waitForURL(at('guide/constraints.html'))
      await neighbours.getByRole('link', { name: /^Previous/ }).click()
      await page.waitForURL(at('guide/attributes.html'))
      expect(await page.getByRole('contentinfo').getByRole('link').allTextContents()).toContain('Changelog')
      await context.close()
    })

    it('uses the menu of narrow screens', async () => {
      const { page, context } = await visit('guide/routing.html', 390)
      const link = page.getByRole('link', { name: 'Media types', exact: true }).first()
      expect(await page.locator('#ui-navigation').isVisible()).toBe(false)
      await page.getByRole('button', { name: 'Menu' }).click()
      await link.click()
      expect(page.url()).toContain(at('guide/media-types.html'))
      await context.close()
    })

    it('switches to the same page of an older version, or to its first page', async () => {
      for (const [path, found] of [
        ['guide/routing.html', 'Routing in 0.0.9'],
        ['guide/files.html', 'The first page of 0.0.9'],
      ] as const) {
        const { page, context } = await visit(path, 1440)
        await page.locator('#ui-versions option', { hasText: '0.0.9' }).waitFor({ state: 'attached' })
        await page.locator('#ui-versions').selectOption('0.0.9')
        await page.getByRole('heading', { name: found }).waitFor()
        await context.close()
      }
    })

    it('is led from the root to the current version', async () => {
      const { page, context } = await visit('../', 820)
      await page.waitForURL(at('index.html'))
      await context.close()
    })

    // Every run looks at the first page and at one of the others, each in one of its looks; the campaign of laws at all.
    it.each(
      ['index.html', 'guide/lists.html', 'names/edict-node/ServeOptions.type.html'].flatMap((path, i) =>
        [
          [path, 'light' as const, 1440],
          [path, 'dark' as const, 390],
        ].filter((_, look) => isLong || (i < 2 && look === i % 2)),
      ) as [string, 'light' | 'dark', number][],
    )(
      'can read %s however she reads: Lighthouse gives at least 95, %s, %i pixels',
      async (path, colorScheme, width) => {
        await expectAccessible(at(path), { port, colorScheme, width })
      },
    )

    it('asked nobody else, and nothing complained', () => {
      expect(outside).toEqual([])
      // An older version does not have every page.
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([])
      const missed = served.missed.filter((path) => !path.includes('/0.0.9/') && path !== '/favicon.ico')
      expect(missed).toEqual([])
    })
  })
})
