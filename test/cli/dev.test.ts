// `edict dev`: a server that is started again after changes, told about once, and ended with its supervisor.
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { compile, edict, MAIN, project, start } from '../support/project.ts'

// Every start is a process that compiles, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 })

const server = `
import { existsSync } from 'node:fs'
// From here on, the supervisor is stopped and receives no reports.
if (existsSync('stop')) process.kill(process.ppid, 'SIGSTOP')
const { text } = await import('./lib/text.ts')
const timer: NodeJS.Timeout = setInterval(() => {}, 1000)
let told = 0
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    console.log('told', signal, ++told)
    const drained = setInterval(() => {
      if (existsSync('busy')) return
      clearInterval(timer)
      clearInterval(drained)
    }, 50)
  })
}
console.log('up:', text, process.pid)
`
const text = (value: string): string => `export const text: string = '${value}'\n`

let folder: string
let child: ChildProcess
let output = ''

beforeAll(async () => {
  await compile()
  folder = project('dev', { 'server.ts': server, 'lib/text.ts': text('one') }, ['tsx'])
}, 120_000)

/** Waits for a text in the output from now on, and gives what came. */
async function heard(wanted: string | RegExp): Promise<string> {
  for (let tries = 0; tries < 1000; tries++) {
    if (output.search(wanted) >= 0) {
      const all = output
      output = ''
      return all
    }
    await sleep(100)
  }
  throw new Error(`${wanted} did not come, but: ${output}`)
}

const ended = (): Promise<number | null> => new Promise((done) => child.on('close', done))
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Writes a file of the project. */
const write = (name: string, content: string): void => writeFileSync(join(folder, name), content)

/** Makes changes that the supervisor sees all at once, however slowly they are made. */
function atOnce(change: () => void): void {
  child.kill('SIGSTOP')
  change()
  child.kill('SIGCONT')
}

/** Replaces a file as editors do it: another file takes the place of the old one. */
function replace(name: string, content: string): void {
  write(`${name}~`, content)
  renameSync(join(folder, `${name}~`), join(folder, name))
}

/** Waits for a start with this text, and insists that it was the only one, and that nothing follows. */
async function startedOnce(value: string): Promise<void> {
  let said = await heard(`up: ${value}`)
  await sleep(500)
  said += output
  output = ''
  expect(said.match(/starting again/g)).toHaveLength(1)
  expect(said.match(/up: /g)).toHaveLength(1)
}

function startDev(): void {
  child = start([MAIN, 'dev'], folder)
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
}

beforeEach(() => {
  output = ''
  for (const name of ['stop', 'busy', 'lib', 'server.ts']) rmSync(join(folder, name), { recursive: true, force: true })
  mkdirSync(join(folder, 'lib'))
  write('server.ts', server)
  write('lib/text.ts', text('one'))
})

afterEach(() => {
  child.kill('SIGKILL')
})

describe('edict dev', () => {
  beforeEach(startDev)

  it('starts again after each change, also of files that are replaced, and after a crash', async () => {
    expect(await heard('up: one')).toMatch(
      /^edict dev {2}server\.ts starts again when its files change; Ctrl\+C ends it/,
    )
    for (const value of ['two', 'three']) {
      replace('lib/text.ts', text(value))
      const said = await heard(`up: ${value}`)
      expect(said).toContain('edict dev  lib/text.ts has changed: starting again')
      expect(said.match(/told SIGTERM/g)).toHaveLength(1)
    }
    writeFileSync(join(folder, 'lib/text.ts'), `throw new Error('broken')\n${text('')}`)
    const crashed = await heard('the next change starts it again')
    expect(crashed).toMatch(/Error: broken\n\s+at .*lib\/text\.ts:1/)
    expect(crashed).toContain('edict dev  server.ts has failed (code 1)')
    writeFileSync(join(folder, 'lib/text.ts'), 'export const text: string = ,\n')
    expect(await heard('has failed \\(code 1\\); the next change starts it again\n')).toBe(
      [
        'edict dev  lib/text.ts has changed: starting again',
        'lib/text.ts:1:28: SyntaxError: Unexpected ","',
        'edict dev  server.ts has failed (code 1); the next change starts it again\n',
      ].join('\n'),
    )
    writeFileSync(join(folder, 'lib/text.ts'), text('four'))
    await heard('up: four')
    child.kill('SIGTERM')
    expect(await ended()).toBe(0)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('passes %s on once, and ends when the server has', async (signal) => {
    const pid = Number(/up: one (\d+)/.exec(await heard('up: one \\d+\n'))?.[1])
    child.kill(signal)
    expect(await ended()).toBe(0)
    expect(output).toBe(`told ${signal} 1\n`)
    expect(isAlive(pid)).toBe(false)
  })

  it('leaves no server behind when it is killed', async () => {
    const pid = Number(/up: one (\d+)/.exec(await heard('up: one \\d+\n'))?.[1])
    const killed = ended()
    child.kill('SIGKILL')
    expect(await killed).toBe(null)
    while (isAlive(pid)) await sleep(50)
  })
})

describe('no change is missed:', () => {
  const changes: Readonly<Record<string, () => void>> = {
    'written in place': () => write('lib/text.ts', text('two')),
    'replaced by another file': () => replace('lib/text.ts', text('two')),
    'deleted and written again': () => {
      rmSync(join(folder, 'lib/text.ts'))
      write('lib/text.ts', text('two'))
    },
    'in a folder that is made anew': () => {
      rmSync(join(folder, 'lib'), { recursive: true })
      mkdirSync(join(folder, 'lib'))
      write('lib/text.ts', text('two'))
    },
  }

  it.each(Object.entries(changes))('a file %s after its import and before it is watched', async (_, change) => {
    write('stop', '')
    startDev()
    await heard('up: one')
    change()
    rmSync(join(folder, 'stop'))
    child.kill('SIGCONT')
    await startedOnce('two')
    atOnce(() => write('lib/text.ts', text('three')))
    await startedOnce('three')
  })

  it.each(Object.entries(changes))('a file %s while it is watched', async (_, change) => {
    startDev()
    await heard('up: one')
    atOnce(change)
    await startedOnce('two')
    atOnce(() => write('lib/text.ts', text('three')))
    await startedOnce('three')
  })

  it('a change while the server drains is part of the same start', async () => {
    startDev()
    await heard('up: one')
    write('busy', '')
    write('lib/text.ts', text('two'))
    const before = await heard('told SIGTERM 1')
    write('lib/text.ts', text('three'))
    await sleep(500)
    output = before + output
    rmSync(join(folder, 'busy'))
    await startedOnce('three')
  })

  it.each([
    ['in a folder that is there', './lib/more.ts', 'lib/more.ts'],
    ['that is asked for as a script', './lib/more.js', 'lib/more.ts'],
    ['in folders that are not there either', './deep/er/more.ts', 'deep/er/more.ts'],
  ])('a module that was not found and is written then, %s', async (_, specifier, file) => {
    write('lib/text.ts', `export { text } from '.${specifier}'\n`)
    startDev()
    await heard('the next change starts it again')
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    write(file, text('found'))
    await startedOnce('found')
    rmSync(join(folder, 'deep'), { recursive: true, force: true })
  })

  it('a folder that goes with the server, and comes back', async () => {
    startDev()
    await heard('up: one')
    rmSync(join(folder, 'lib'), { recursive: true })
    await heard('the next change starts it again')
    mkdirSync(join(folder, 'lib'))
    await sleep(300)
    write('lib/text.ts', text('back'))
    await startedOnce('back')
  })
})

describe('without a change', () => {
  it('a file that is saved as it was starts nothing again, unless the server has ended', async () => {
    startDev()
    await heard('up: one')
    write('lib/text.ts', text('one'))
    utimesSync(join(folder, 'server.ts'), new Date(), new Date())
    await sleep(1000)
    expect(output).toBe('')
    write('lib/text.ts', "throw new Error('broken')\n")
    await heard('the next change starts it again')
    utimesSync(join(folder, 'lib/text.ts'), new Date(), new Date())
    expect(await heard('the next change starts it again')).toContain('Error: broken')
  })

  it('a server that writes one of its own files does not start for ever', async () => {
    const own = `import { writeFileSync } from 'node:fs'\nwriteFileSync('lib/text.ts', ${JSON.stringify(text('made'))})\n`
    write('lib/text.ts', text('made'))
    write('server.ts', own + server)
    startDev()
    await heard('up: made')
    await sleep(5000)
    // The file was written a moment before its import: one more start, in case that the import read the old one.
    expect(output.match(/up: made/g)?.length ?? 0).toBeLessThanOrEqual(1)
  })
})

describe('mistakes in declarations', () => {
  it('are told once, with the file', async () => {
    write(
      'server.ts',
      `import { application } from 'edict'
import { Books } from './lib/text.ts'
application({ controllers: [Books.implement({ show: () => 'x' })] })
`,
    )
    write(
      'lib/text.ts',
      `import { endpoint } from 'edict'

export const Books = endpoint('Books', { actions: { show: { routing: [], responses: { ok: 'text/plain' } } } })
`,
    )
    startDev()
    const said = await heard('the next change starts it again')
    expect(said.match(/the action has no route/g)).toHaveLength(1)
    expect(said).toMatch(/^ {4}at Books \(.*lib\/text\.ts:3:\d+\)$/m)
  })
})

describe('what cannot be run', () => {
  it('names the places, a file that is not there, and tsx', async () => {
    const empty = project('empty', { 'api/server.ts': server })
    expect(await edict(empty, 'dev')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/looked for server\.ts, src\/server\.ts, .*\nRemedy: start edict in the folder/),
    })
    expect((await edict(empty, 'dev', 'serve.ts')).stderr).toMatch(
      /There is no file .*serve\.ts\.\nRemedy: correct the name/,
    )
    expect((await edict(empty, 'dev', 'api/server.ts')).stderr).toMatch(/tsx is not installed.\nRemedy: npm install/)
    rmSync(empty, { recursive: true })
  })
})
