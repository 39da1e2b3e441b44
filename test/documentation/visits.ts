// Visits of the documentation in a real browser, cut off from every server but those that the tests start.
import { mkdirSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openDatabase } from '../../examples/blog/database.ts'
import { launchBrowser } from '../support/browser.ts'
import { freePort } from '../support/documents/lighthouse.ts'
import { Servers, type Visit, visit as visitWith } from '../support/documents/pages.ts'

/** The folder of the screenshots. */
export const screenshots = '.cache/documentation'

/** The database of the example. */
export const database: ReturnType<typeof openDatabase> = openDatabase('')

const servers = new Servers()
/** The port at which the browser can be debugged. */
export const port: number = await freePort()
/** The browser, where the machine has one, and what tests need otherwise. */
export const { browser, need } = await launchBrowser([`--remote-debugging-port=${port}`])

beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true })
  await database.prepare()
})

afterAll(async () => {
  await browser?.close()
  await database.close()
  servers.close()
})

/** Starts a server, and gives its address. */
export const listen = (answer: RequestListener): Promise<string> => servers.listen(answer)

/** Opens a page. */
export const visit = (url: string, options?: BrowserContextOptions): Promise<Visit> =>
  visitWith(browser as Browser, url, options)
