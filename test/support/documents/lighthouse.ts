// Lighthouse, which judges pages as they stand in a browser: whether everybody can use them.
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import type { Need } from '../../../scripts/machine.ts'
import { generator } from '../../../scripts/site/versions.ts'

/** The packages of the site, Lighthouse among them. */
export const sitePackages: Need = {
  name: 'the packages of the site',
  missing: existsSync(join(generator, 'node_modules')) ? undefined : 'npm ci --prefix docs/site',
}

/** A page of Puppeteer, which Lighthouse judges. */
export interface JudgedPage {
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>
  emulateMediaFeatures(features: readonly { readonly name: string; readonly value: string }[]): Promise<void>
  goto(url: string): Promise<unknown>
  waitForFunction<Argument>(
    wanted: (argument: Argument) => unknown,
    options: object,
    argument: Argument,
  ): Promise<unknown>
  close(): Promise<void>
}

/** The look of a page when it is judged. */
export interface Judgement {
  /** The port at which a browser can be debugged. */
  readonly port: number
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  /** Goes on to the state that is to be judged. */
  readonly prepare?: (page: JudgedPage) => Promise<unknown>
}

/** The score of a page for accessibility, of 100; what failed is told where it is too low. */
export async function expectAccessible(url: string, { port, colorScheme, width, prepare }: Judgement): Promise<void> {
  const { snapshot } = (await load('lighthouse/core/index.js')) as Lighthouse
  const { default: puppeteer } = (await load('puppeteer-core/lib/esm/puppeteer/puppeteer-core.js')) as Puppeteer
  const browser = await puppeteer.connect({ browserURL: `http://127.0.0.1:${port}`, defaultViewport: null })
  try {
    const page = await browser.newPage()
    await page.setViewport({ width: width ?? 1440, height: 900 })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: colorScheme ?? 'light' }])
    await page.goto(url)
    await prepare?.(page)
    const { lhr } = await snapshot(page, { config: { extends: 'lighthouse:default', settings } })
    const failed = Object.values(lhr.audits).filter(({ score }) => score !== null && score < 1)
    const score = (lhr.categories['accessibility']?.score ?? 0) * 100
    expect(score, failed.map(({ id }) => id).join()).toBeGreaterThanOrEqual(95)
    await page.close()
  } finally {
    await browser.disconnect()
  }
}

/** A port that is free. */
export async function freePort(): Promise<number> {
  const held = createServer()
  await new Promise<void>((resolve) => held.listen(0, '127.0.0.1', resolve))
  const { port } = held.address() as AddressInfo
  await new Promise((resolve) => held.close(resolve))
  return port
}

// The size and the colours are those that the page was opened with.
const settings = {
  onlyCategories: ['accessibility'],
  formFactor: 'desktop',
  screenEmulation: { disabled: true },
  disableFullPageScreenshot: true,
}

const load = (module: string): Promise<unknown> =>
  import(/* @vite-ignore */ pathToFileURL(join(generator, 'node_modules', module)).href)

interface Lighthouse {
  snapshot(page: JudgedPage, flags: object): Promise<{ readonly lhr: Judged }>
}

interface Puppeteer {
  readonly default: {
    connect(options: object): Promise<{ newPage(): Promise<JudgedPage>; disconnect(): Promise<void> }>
  }
}

interface Judged {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, { readonly id: string; readonly score: number | null }>>
}
