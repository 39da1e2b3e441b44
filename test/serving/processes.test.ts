// Servers as processes of their own: what signals, crashes and fatal errors do to the requests under way.
import { afterAll, describe, expect, it, vi } from 'vitest'
import { type Child, start } from '../support/serving/child.ts'
import { load } from '../support/serving/load.ts'
import { Wire } from '../support/serving/wire.ts'

const children: Child[] = []

// Starting a process takes its time where many things run at once.
vi.setConfig({ testTimeout: 60_000 })

afterAll(async () => {
  for (const child of children) {
    child.process.kill('SIGKILL')
    await child.ended
  }
})

async function started(options?: Parameters<typeof start>[0]): Promise<Child> {
  const child = await start(options)
  children.push(child)
  return child
}

async function ask(port: number, path: string): Promise<Wire> {
  const wire = await Wire.open(port)
  return wire.send(`GET ${path} HTTP/1.1`, 'Host: a.test', '', '')
}

/** Waits until a server has taken the requests that were sent before: it answers one that came after them. */
async function taken(port: number): Promise<void> {
  const wire = await ask(port, '/')
  await wire.answer()
  wire.close()
}

const messages = ({ log }: Child): string[] => log.map(({ message }) => message)

describe('a signal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('%s loses no request of a server under load', async (signal) => {
    const child = await started()
    const clients = load(child.port, '/slow/3', 60)
    await expect.poll(() => clients.answered, { timeout: 45_000 }).toBeGreaterThan(2000)
    child.process.kill(signal)
    await clients.over
    expect(await child.ended).toBe(0)
    expect(clients).toMatchObject({ lost: 0, faults: [], refused: 60 })
    expect(clients.answered).toBe(clients.sent)
    expect(messages(child)).toEqual([expect.stringContaining('Listening on'), 'Draining', 'closed'])
  })

  it.concurrent('lets a slow response finish and cuts the one that never comes', async () => {
    const child = await started({ timeouts: { drain: 3000 } })
    const [slow, hanging] = await Promise.all([ask(child.port, '/slow/700'), ask(child.port, '/hang')])
    await taken(child.port)
    child.process.kill('SIGTERM')
    expect(await slow.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } })
    expect(await child.ended).toBe(1)
    expect(hanging.text).toBe('')
    expect(child.log).toContainEqual(expect.objectContaining({ level: 'warn', connections: 1, deadline: 3000 }))
  })

  it.concurrent('that comes twice ends the process at once', async ({ expect }) => {
    const child = await started()
    await ask(child.port, '/hang')
    await taken(child.port)
    child.process.kill('SIGINT')
    await expect.poll(() => messages(child)).toContain('Draining')
    child.process.kill('SIGINT')
    expect(await child.ended).toBe(130)
  })

  it.concurrent('is left to the program if it says so', async () => {
    const child = await started({ signals: false })
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe('SIGTERM')
  })
})

const uncaught = [
  ['/throw', 'Error: thrown late'],
  ['/reject', 'Error: never caught'],
] as const

describe('an uncaught error', () => {
  it.concurrent.each(uncaught)('(%s) is logged once, and the process goes on', async (path, err) => {
    const child = await started()
    await ask(child.port, path)
    await expect.poll(() => messages(child)).toContain('Uncaught error')
    expect((await (await ask(child.port, '/')).answer()).status).toBe(200)
    expect(child.log.filter(({ level }) => level === 'error')).toEqual([expect.objectContaining({ err })])
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
  })
})

describe('a fatal error', () => {
  it.concurrent.each(uncaught)(
    '(%s) is logged, lets the others finish and ends the process with 1',
    async (path, err) => {
      const child = await started({ fatal: true })
      const slow = await ask(child.port, '/slow/1000')
      await taken(child.port)
      await ask(child.port, path)
      expect((await slow.answer()).status).toBe(200)
      expect(await child.ended).toBe(1)
      expect(child.log).toContainEqual(
        expect.objectContaining({ level: 'error', err, message: 'Uncaught error: draining' }),
      )
      expect(messages(child).at(-1)).toBe('closed')
    },
  )
})

describe('workers', () => {
  const pidOf = async (port: number): Promise<number> => {
    const wire = await ask(port, '/')
    const { body } = await wire.answer()
    wire.close()
    return Number(body.split(' ')[0])
  }

  it('share a port, are replaced when they die, and drain together', async () => {
    const child = await started({ workers: 2 })
    const pids = new Set<number>()
    for (let n = 0; n < 10; n++) pids.add(await pidOf(child.port))
    expect(pids.size).toBe(2)
    expect(pids).not.toContain(child.process.pid)
    const [victim] = pids
    process.kill(victim!, 'SIGKILL')
    await expect.poll(() => messages(child)).toContain('A worker ended')
    for (let n = 0; n < 10; n++) expect(await pidOf(child.port)).not.toBe(victim)
    const replacement = async (): Promise<boolean> => !pids.has(await pidOf(child.port))
    await expect.poll(replacement, { timeout: 45_000 }).toBe(true)
    const clients = load(child.port, '/slow/3', 40)
    await expect.poll(() => clients.answered, { timeout: 45_000 }).toBeGreaterThan(1000)
    child.process.kill('SIGTERM')
    await clients.over
    expect(await child.ended).toBe(0)
    expect(clients).toMatchObject({ lost: 0, faults: [] })
    expect(child.log).toContainEqual(expect.objectContaining({ level: 'error', pid: victim, signal: 'SIGKILL' }))
    expect(messages(child).filter((message) => message === 'closed')).toHaveLength(3)
  })

  it.concurrent('are replaced while they still drain after a fatal error', async ({ expect }) => {
    const child = await started({ workers: 2, fatal: true })
    const slow = await ask(child.port, '/slow/1500')
    const pid = await pidOf(child.port)
    const hurt = await ask(child.port, '/reject')
    await hurt.answer()
    const seen = new Set([pid])
    const known = async (): Promise<number> => seen.add(await pidOf(child.port)).size
    await expect.poll(known, { timeout: 45_000 }).toBeGreaterThanOrEqual(2)
    expect((await slow.answer()).status).toBe(200)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBeTypeOf('number')
  })

  it.concurrent('that cannot start fail the start', async () => {
    const { port } = await started()
    await expect(start({ workers: 2, port })).rejects.toThrow(/Ended with 1.*EADDRINUSE/s)
  })
})

describe('a log that is gone', () => {
  const counts = async ({ port }: Child): Promise<{ uncaught: number; logged: number }> =>
    JSON.parse((await (await ask(port, '/counts')).answer()).body)
  const askOften = async ({ port }: Child, times: number): Promise<void> => {
    for (let count = 0; count < times; count++) expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
  }
  const lost: readonly (readonly [('stdout' | 'stderr')[], number])[] = [
    [['stderr'], 1],
    [['stdout', 'stderr'], 1],
    [['stdout', 'stderr'], 2],
  ]

  it.each(lost)('does not end a server, nor keep it busy: %o, %i process(es)', async (streams, workers) => {
    const child = await started({ fatal: 'log', workers })
    for (const stream of streams) child.process[stream]?.destroy()
    await (await ask(child.port, '/log')).answer()
    for (const path of ['/throw', '/reject']) await (await ask(child.port, path)).answer()
    await askOften(child, 50)
    // One error was thrown and one promise was rejected: the loss of the log adds none.
    expect((await counts(child)).uncaught).toBeLessThanOrEqual(2)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
  })

  it('is no fatal error', async () => {
    const child = await started({ fatal: true })
    child.process.stderr?.destroy()
    child.process.stdout?.destroy()
    await (await ask(child.port, '/log')).answer()
    await askOften(child, 20)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
  })

  it('and that says so late is not told of it for ever', async () => {
    const child = await started({ fatal: 'log' })
    await (await ask(child.port, '/break')).answer()
    await (await ask(child.port, '/throw')).answer()
    await askOften(child, 600)
    const { uncaught, logged } = await counts(child)
    expect(uncaught).toBeGreaterThan(1)
    expect(logged).toBeLessThan(200)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe(0)
  })
})
