// Documentation pages in a browser that is cut off from every server but the one of the page.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, onTestFinished, vi } from 'vitest'

/** A visit of a page. */
export interface Visit {
  readonly page: Page
  /** Requests to any other origin, as far as they got; all were refused. */
  readonly outside: string[]
  /** The errors of the page and its console. */
  readonly complaints: string[]
}

/** Servers that end with the tests that started them. */
export class Servers {
  readonly #servers: Server[] = []

  /** Starts a server on a free port, and gives its address. */
  async listen(answer: RequestListener): Promise<string> {
    const server = createServer(answer)
    this.#servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** Opens a page for the test that runs, and refuses whatever it asks of another server. */
export async function open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  // A page that stays open keeps on working.
  onTestFinished(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const [outside, complaints]: [string[], string[]] = [[], []]
  await context.route(
    (asked) => asked.origin !== new URL(url).origin,
    (refused) => {
      outside.push(refused.request().url())
      return refused.abort()
    },
  )
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', ({ message }) => complaints.push(message))
  await page.goto(url)
  return { page, outside, complaints }
}

/** Opens a page that Scalar makes, and goes down to its first operation. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const visited = await open(browser, url, options)
  await visited.page.getByRole('heading', { level: 1 }).first().waitFor()
  await reach(visited.page, visited.page.getByRole('button', { name: /^Test Request/ }).first())
  return visited
}

/** Scrolls down to something: parts of the page are made when a reader comes near. */
export async function reach(page: Page, wanted: Locator): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await wanted.isVisible())) {
    if (Date.now() > deadline) throw new Error(`The page does not show ${String(wanted)}`)
    await page.evaluate(() => window.scrollBy(0, window.innerHeight / 2))
    await page.waitForTimeout(100)
  }
}

/** Opens the form of an operation, sends it as it stands, waits for the answer in the page, and gives the address. */
export async function tryIt(page: Page, operation: string, answer: string): Promise<string> {
  const button = page.getByRole('button', { name: `Test Request (${operation})` })
  await reach(page, button)
  await button.click()
  const answered = page.waitForResponse((one) => one.request().resourceType() === 'fetch')
  await page.getByRole('button', { name: /^Send/ }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('200 OK').waitFor()
  await vi.waitFor(async () => expect(await dialog.innerText()).toContain(answer), 10_000)
  return (await answered).url()
}
