// The example as the README starts it, with the npm of this machine: it answers, and ends when npm is told to.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { freePort } from '../campaigns/compat/runtimes.ts'

vi.setConfig({ testTimeout: 240_000 })

async function isAnswering(url: string): Promise<boolean> {
  return fetch(url, { redirect: 'manual', headers: { connection: 'close' } }).then(
    () => true,
    () => false,
  )
}

const ways = [
  ['SIGTERM', 'npm alone, as process managers do'],
  ['SIGINT', 'the whole group, as a terminal does'],
] as const

for (const [signal, whom] of ways)
  it(`npm start ends its server: ${signal} to ${whom}`, async () => {
    const port = await freePort()
    const url = `http://localhost:${port}/`
    const { NODE_OPTIONS: _, ...env } = process.env
    const settings = { env: { ...env, PORT: String(port) }, stdio: 'ignore', detached: true } as const
    const npm = spawn('npm', ['start'], settings)
    const ended = once(npm, 'exit')
    try {
      await expect.poll(() => isAnswering(url), { timeout: 100_000, interval: 100 }).toBe(true)
      if (signal === 'SIGTERM') npm.kill(signal)
      else process.kill(-(npm.pid as number), signal)
      await ended
      await expect.poll(() => isAnswering(url), { timeout: 60_000, interval: 100 }).toBe(false)
    } finally {
      try {
        process.kill(-(npm.pid as number), 'SIGKILL')
      } catch {
        // The group has ended, as it should.
      }
    }
  })
