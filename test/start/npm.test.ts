// The example as the README starts it, with the npm of this machine: it answers, and ends when npm is told to.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { freePort } from '../campaigns/compat/runtimes.ts'

async function isAnswering(url: string): Promise<boolean> {
  return fetch(url, { redirect: 'manual' }).then(
    () => true,
    () => false,
  )
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  'npm start ends its server on %s, after the requests in progress',
  async (signal) => {
    const port = await freePort()
    const url = `http://localhost:${port}/`
    const npm = spawn('npm', ['start'], {
      env: { ...process.env, NODE_OPTIONS: '', PORT: String(port) },
      stdio: 'ignore',
    })
    const ended = once(npm, 'exit')
    try {
      for (let tries = 0; tries < 600 && !(await isAnswering(url)); tries++) await sleep(100)
      expect(await isAnswering(url)).toBe(true)
      // To npm alone, as process managers do.
      npm.kill(signal)
      await ended
      for (let tries = 0; tries < 150 && (await isAnswering(url)); tries++) await sleep(100)
      expect(await isAnswering(url)).toBe(false)
    } finally {
      npm.kill('SIGKILL')
    }
  },
  120_000,
)
