// Keeps the tutorial true, as scripts/snippets.ts does for the guide. Code such as ```ts step-2/server.ts#controller comes
// from the files of the steps. A block such as ```console step-2#refused has commands: the server of that step is started,
// they are sent to it in their order, and what comes back is what the block must show. --write fills the blocks.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answered } from '../docs/snippets/support/http.ts'
import { difference, fill, type Page, regionsOf } from './snippets.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const file = 'docs/tutorial/README.md'
const CONSOLE = /^```console (step-\d+)#([\w-]+)\n([\s\S]*?)^```$/gm
const MARKS = /^[ \t]*\/\/ #(?:region [\w-]+|endregion)\n/gm

/** The folders of the steps. */
export function stepFolders(): string[] {
  const names = readdirSync(resolve(root, 'docs/tutorial')).filter((name) => name.startsWith('step-'))
  return names.sort()
}

/** Starts every step, sends what the page says to it, and fills the page; nothing is written. */
export async function checkTutorial(): Promise<Page> {
  const before = readFileSync(resolve(root, file), 'utf8')
  const outputs = await Promise.all(stepFolders().map(async (step) => [step, await outputsOf(step, before)] as const))
  const shown = new Map(outputs)
  const none: ReadonlyMap<string, string> = new Map()
  return fill(file, before, (name) =>
    name.endsWith('.ts') ? codeOf(name) : { regions: none, shown: shown.get(name) ?? none },
  )
}

/** The regions of a file of a step; the whole file has no name. */
function codeOf(name: string): { regions: Map<string, string>; shown: Map<string, string> } | undefined {
  const path = resolve(root, 'docs/tutorial', name)
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, 'utf8')
  return { regions: regionsOf(text).set('', text.replace(MARKS, '').trimEnd()), shown: new Map() }
}

async function outputsOf(step: string, page: string): Promise<Map<string, string>> {
  const { child, url } = await start(step)
  const outputs = new Map<string, string>()
  try {
    for (const [, of, name, body] of page.matchAll(CONSOLE)) {
      if (of !== step) continue
      const commands = [...(body as string).matchAll(/^\$ (.+)$/gm)].map(([, command]) => command as string)
      const told: string[] = []
      for (const command of commands) told.push(`$ ${command}\n${await carriedOut(command, url)}`.trimEnd())
      outputs.set(name as string, told.join('\n\n'))
    }
  } finally {
    await ended(child)
  }
  return outputs
}

/** Starts the server of a step, which says where it listens. */
async function start(step: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', `docs/tutorial/${step}/server.ts`], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATABASE_URL: ':memory:', NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const url = await new Promise<string>((listening, failed) => {
    const hear = (chunk: Buffer): void => {
      said += chunk
      const found = /^The library is at (http:\/\/localhost:\d+)/m.exec(said)?.[1]
      if (found !== undefined) listening(found)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', (code) => failed(new Error(`${step} ended with ${code}:\n${said}`)))
  })
  return { child, url }
}

function ended(child: ChildProcess): Promise<unknown> {
  return new Promise((done) => {
    child.removeAllListeners('exit').once('exit', done)
    child.kill()
  })
}

/** Does what a command of the page says: a request of curl, or a file that is run. */
function carriedOut(command: string, url: string): Promise<string> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  if (words[0] === 'curl') return requested(words.slice(1), url)
  if (command.startsWith('npx tsx ')) return run(['--import', 'tsx', words[2] as string, url])
  throw new Error(`The tutorial cannot run: ${command}`)
}

/** The few options of curl that the page uses. */
async function requested(words: readonly string[], url: string): Promise<string> {
  const headers = new Headers()
  let [method, body, target, whole]: [string, string | null, string, boolean] = ['GET', null, '', false]
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string
    const value = (): string => words[++i] ?? ''
    if (word === '-i' || word === '-ig') whole = true
    else if (word === '-X') method = value()
    else if (word === '-H') headers.set(...(value().split(': ') as [string, string]))
    else if (word === '--json') {
      body = value()
      method = method === 'GET' ? 'POST' : method
      headers.set('Content-Type', 'application/json')
    } else if (word.startsWith('localhost:3000')) target = word.replace('localhost:3000', url)
    else if (word !== '-g') throw new Error(`The tutorial cannot use curl with ${word}`)
  }
  const text = await answered(await fetch(target, { method, headers, body }))
  return whole ? text : text.slice(text.indexOf('\n\n') + 2)
}

function run(args: readonly string[]): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk
    })
    child.once('exit', (code) => (code === 0 ? done(said) : failed(new Error(`${args.join(' ')} ended with ${code}`))))
  })
}

async function main(): Promise<void> {
  const { before, after, problems } = await checkTutorial()
  const write = process.argv.includes('--write')
  if (write) writeFileSync(resolve(root, file), after)
  else if (before !== after) console.error(`${file} differs from its sources:\n${difference(before, after)}`)
  for (const problem of problems) console.error(problem)
  const failed = problems.length > 0 || (before !== after && !write)
  console.log(`tutorial: ${failed ? 'see above' : 'as its steps say'}`)
  process.exitCode = failed ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
