// `edict dev`: a server that is started again after changes, told about once, and ended with its supervisor.
import { type ChildProcess, spawnSync } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { compile, edict, MAIN, project, start } from './cli-project.ts'

vi.setConfig({ testTimeout: 60_000 })

const server = `
import { text } from './lib/text.ts'
const timer: NodeJS.Timeout = setInterval(() => {}, 1000)
let told = 0
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    console.log('told', signal, ++told)
    setTimeout(() => clearInterval(timer), 100)
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
  for (let tries = 0; tries < 300; tries++) {
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
const isAlive = (pid: number): boolean => spawnSync('kill', ['-0', String(pid)]).status === 0

beforeEach(() => {
  output = ''
  writeFileSync(join(folder, 'lib/text.ts'), text('one'))
  child = start([MAIN, 'dev'], folder)
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
})

afterEach(() => {
  child.kill('SIGKILL')
})

describe('edict dev', () => {
  it('starts again after each change, also of files that are replaced, and after a crash', async () => {
    expect(await heard('up: one')).toMatch(
      /^edict dev {2}server\.ts starts again when its files change; Ctrl\+C ends it/,
    )
    for (const value of ['two', 'three']) {
      // As editors do it: another file takes the place of the old one.
      writeFileSync(join(folder, 'lib/text.ts~'), text(value))
      renameSync(join(folder, 'lib/text.ts~'), join(folder, 'lib/text.ts'))
      const said = await heard(`up: ${value}`)
      expect(said).toContain('edict dev  lib/text.ts has changed: starting again')
      expect(said.match(/told SIGTERM/g)).toHaveLength(1)
    }
    writeFileSync(join(folder, 'lib/text.ts'), `throw new Error('broken')\n${text('')}`)
    const crashed = await heard('the next change starts it again')
    expect(crashed).toMatch(/Error: broken\n\s+at .*lib\/text\.ts:1/)
    expect(crashed).toContain('edict dev  server.ts has failed (code 1)')
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
    child.kill('SIGKILL')
    for (let tries = 0; isAlive(pid) && tries < 50; tries++) await sleep(100)
    expect(isAlive(pid)).toBe(false)
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
