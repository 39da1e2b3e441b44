// `edict mock` as a child process, on files that export endpoints, an application, and neither.
import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'

// Each test starts a process, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 })

const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** Starts the command and waits for what it prints first. */
function start(...args: string[]): { readonly child: ChildProcess; readonly said: Promise<string> } {
  const command = ['--import', 'tsx', resolve('src/cli/main.ts'), 'mock', '--port', '0', ...args]
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const said = new Promise<string>((done) => {
    let text = ''
    const add = (chunk: Buffer): void => {
      text += chunk
      if (text.includes('\n')) done(text)
    }
    child.stdout.on('data', add)
    child.stderr.on('data', add)
    child.on('close', () => done(text))
  })
  return { child, said }
}

it('serves endpoints that nothing implements, and ends when it is told to', async () => {
  const { child, said } = start('--app', 'test/support/library/design.ts', '--rows', '4')
  const [, url] = /^The mock of API listens on (\S+): 7 routes, 4 elements of each kind\n$/.exec(await said) ?? []
  const answer = await fetch(`${url}/books?fields=id`)
  expect([answer.status, await answer.json()]).toEqual([200, [1, 2, 3, 4].map((id) => ({ id }))])
  const ended = new Promise((done) => child.on('close', done))
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

it('serves an application without its controllers', async () => {
  const { said } = start('--app', 'examples/blog/app.ts')
  const [, url] = /^The mock of Blogs listens on (\S+): \d+ routes, 30 elements/.exec(await said) ?? []
  const answer = await fetch(`${url}/api/authors/30`)
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ id: 30 })])
})

it('lets nobody in from elsewhere unless configured to', async () => {
  const at = async (address: string, ...args: string[]): Promise<number | string> => {
    const [, port] =
      /http:\/\/[^:]+:(\d+)/.exec(await start('--app', 'test/support/library/design.ts', ...args).said) ?? []
    return fetch(`http://${address}:${port}/books`).then(
      ({ status }) => status,
      ({ cause }: { cause: NodeJS.ErrnoException }) => String(cause.code),
    )
  }
  // A second address of this machine stands for those that other machines can reach.
  expect(await at('127.0.0.2')).toBe('ECONNREFUSED')
  expect(await at('127.0.0.1')).toBe(200)
  expect(await at('127.0.0.2', '--host', '0.0.0.0')).toBe(200)
})

it('says what is missing', async () => {
  expect(await start('--app', 'test/support/library/rows.ts').said).toContain(
    'exports neither an application nor an endpoint',
  )
  expect(await start('--app', 'test/support/library/design.ts', '--rows', 'many').said).toContain(
    'many is not a whole number',
  )
})
