// The client on every runtime and in a browser: the whole API of the example, called over sockets.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blogApi } from '../../examples/blog/api.ts'
import { openDatabase } from '../../examples/blog/database.ts'
import type { AnyDefinition } from '../../src/design/definition.ts'
import { end, runtimeNeed, runtimes, toldPort } from '../campaigns/compat/runtimes.ts'
import { urlOf } from '../support/ask.ts'
import { launchBrowser } from '../support/browser.ts'
import { itWith } from '../support/needs.ts'
import { endpoints } from './blog/run.ts'
import { whole } from './blog/seen.ts'

const folder = mkdtempSync(join(tmpdir(), 'edict-tour-'))
const patience = 60_000
const { browser, need } = await launchBrowser()

const bundle = (file: string, format: 'esm' | 'iife') =>
  build({
    entryPoints: ['test/client/blog/run.ts'],
    outfile: join(folder, file),
    bundle: true,
    format,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    ...(format === 'iife' && { globalName: 'blog' }),
    tsconfig: 'tsconfig.json',
    logLevel: 'warning',
  })

beforeAll(async () => {
  await Promise.all([bundle('run.js', 'esm'), bundle('page.js', 'iife')])
  cpSync('test/client/blog/runtimes', folder, { recursive: true })
}, patience)
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The example on a socket of its own, with rows of its own. */
async function served<R>(use: (url: string) => Promise<R>): Promise<R> {
  const database = openDatabase()
  await database.prepare()
  try {
    return await use(`${await urlOf(blogApi(database) as never)}/api`)
  } finally {
    await database.close()
  }
}

async function printed(program: string, args: readonly string[]): Promise<unknown> {
  const { NODE_OPTIONS: _, ...env } = process.env
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (output === '') throw new Error(errors)
  return JSON.parse(output)
}

async function byWorker(program: string, url: string): Promise<unknown> {
  const child = spawn(program, ['serve', 'worker.capnp', '--control-fd=1'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const port = await toldPort(child, 'workerd')
    const answer = await fetch(`http://127.0.0.1:${port}/?base=${encodeURIComponent(url)}`)
    return await answer.json()
  } finally {
    await end(child)
  }
}

describe('the client calls the whole example', () => {
  it('with every action in it', () => {
    const named = JSON.stringify(whole)
    const actions = Object.entries(endpoints).flatMap(([name, one]) =>
      [...(one as AnyDefinition).resolve().actions.keys()].map((action) => `${name}.${action}`),
    )
    expect(actions.filter((action) => !named.includes(`"${action}"`))).toEqual([])
    expect(actions.length).toBeGreaterThan(30)
  })

  for (const { name, program, arguments: serving } of runtimes.filter(({ name }) => !/22/.test(name))) {
    const run = async (): Promise<void> => {
      const args = name === 'deno' ? [...serving.slice(0, -1), 'main.js'] : ['main.js']
      const seen = await served((url) =>
        name === 'workerd' ? byWorker(program ?? '', url) : printed(program ?? '', [...args, url]),
      )
      expect(seen).toEqual(whole)
    }
    itWith(runtimeNeed(name, program), `on ${name}`, run, patience)
  }

  const inChromium = async (): Promise<void> => {
    const page = await browser?.newPage()
    const seen = await served(async (url) => {
      await page?.goto(`${url}/health/live`)
      await page?.addScriptTag({ path: join(folder, 'page.js') })
      return page?.evaluate(`blog.run(${JSON.stringify(url)}, true)`)
    })
    expect(seen).toEqual(whole)
  }
  itWith(need, 'in Chromium', inChromium, patience)
})
