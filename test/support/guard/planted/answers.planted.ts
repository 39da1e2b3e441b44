// Tests of which one gets an answer that breaks its declaration, in this process, and one in a process of its own. Run by
// test/support/guard/guard.test.ts only.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { broken } from './app.ts'

it('gets what is declared', async () => {
  expect((await broken.fetch(new Request('http://x/books/1'))).status).toBe(200)
})

it('gets something else', async () => {
  expect((await broken.fetch(new Request('http://x/books/2'))).status).toBe(200)
})

it('gets something else from a process', { timeout: 60_000 }, async () => {
  const file = new URL('./process.ts', import.meta.url).pathname
  const [code] = await once(spawn(process.execPath, ['--import', 'tsx', file]), 'exit')
  expect(code).toBe(0)
})
