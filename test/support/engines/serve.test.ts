// A server ends, and its folder goes, when the process that started it is killed; restarted, it keeps its folder.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { serve } from './serve.ts'

const starter = `
  const { serve } = await import(${JSON.stringify(new URL('./serve.ts', import.meta.url).href)})
  const code = (port) => "require('node:http').createServer((_, r) => r.end()).listen(" + port + ", '127.0.0.1')"
  const { started } = await serve({
    command: process.execPath,
    args: (port) => ['-e', code(port)],
    folder: process.argv[1],
    signal: 'TERM',
    as: undefined,
    url: (port) => 'http://127.0.0.1:' + port,
    connect: (url) => fetch(url).then((answer) => answer.text()).then(() => undefined),
  })
  console.log(started.url)
`

test('a server does not outlive a starter that is killed', { timeout: 30_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edict-served-'))
  const arguments_ = ['--import', 'tsx', '--input-type=module', '--eval', starter, folder]
  const child = spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text).trim())))
  expect((await fetch(url)).status).toBe(200)
  child.kill('SIGKILL')
  await vi.waitFor(() => expect(existsSync(folder)).toBe(false), { timeout: 20_000 })
  await expect(fetch(url)).rejects.toThrow()
})

test('a server that is restarted is another process in the same folder', { timeout: 30_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edict-served-'))
  const code = (port: number): string =>
    `require('node:http').createServer((_, r) => r.end(String(process.pid))).listen(${port}, '127.0.0.1')`
  const server = await serve({
    command: process.execPath,
    args: (port) => ['-e', code(port)],
    folder,
    signal: 'KILL',
    as: undefined,
    url: (port) => `http://127.0.0.1:${port}`,
    connect: async (url) => void (await (await fetch(url)).text()),
  })
  const { url } = server.started as { url: string }
  const pid = async (): Promise<string> => (await fetch(url)).text()
  const before = await pid()
  await server.restart?.()
  expect(await pid()).not.toBe(before)
  expect(existsSync(folder)).toBe(true)
  await server.stop()
  expect(existsSync(folder)).toBe(false)
})
