// Keeps the tutorial in sync with its code, as scripts/snippets.ts does for the guide. Code such as ```ts
// step-2/server.ts#controller comes from the files of the steps. A block such as ```console step-2#refused contains
// commands: the server of that step is started, the commands run in order, and the block must show their output. --write
// fills the blocks.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answered } from '../docs/snippets/support/http.ts'
import { fillPage, formatDifference, type Page, parseRegions } from './snippets.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const file = 'docs/tutorial/README.md'
const CONSOLE = /^```console (step-\d+)#([\w-]+)\n([\s\S]*?)^```$/gm
const MARKS = /^[ \t]*\/\/ #(?:region [\w-]+|endregion)\n/gm

/** Lists the folders of the steps. */
export function listStepFolders(): string[] {
  const names = readdirSync(resolve(root, 'docs/tutorial')).filter((name) => name.startsWith('step-'))
  return names.sort()
}

/** Starts every step, runs the commands of the page against it, and fills the page; the caller writes it. */
export async function checkTutorial(): Promise<Page> {
  const before = readFileSync(resolve(root, file), 'utf8')
  const outputs = await Promise.all(
    listStepFolders().map(async (step) => [step, await collectOutputs(step, before)] as const),
  )
  const shown = new Map(outputs)
  const none: ReadonlyMap<string, string> = new Map()
  return fillPage(file, before, (name) =>
    name.endsWith('.ts') ? readCode(name) : { regions: none, shown: shown.get(name) ?? none },
  )
}

/** Returns the regions of a file of a step; the whole file has an empty name. */
function readCode(name: string): { regions: Map<string, string>; shown: Map<string, string> } | undefined {
  const path = resolve(root, 'docs/tutorial', name)
  if (!existsSync(path)) return undefined
  const text = readFileSync(path, 'utf8')
  return { regions: parseRegions(text).set('', text.replace(MARKS, '').trimEnd()), shown: new Map() }
}

async function collectOutputs(step: string, page: string): Promise<Map<string, string>> {
  const { child, url } = await startServer(step)
  const outputs = new Map<string, string>()
  try {
    for (const [, owner, name, body] of page.matchAll(CONSOLE)) {
      if (owner !== step) continue
      const commands = [...(body as string).matchAll(/^\$ (.+)$/gm)].map(([, command]) => command as string)
      const outputLines: string[] = []
      for (const command of commands) outputLines.push(`$ ${command}\n${await runCommand(command, url)}`.trimEnd())
      outputs.set(name as string, outputLines.join('\n\n'))
    }
  } finally {
    await stopServer(child)
  }
  return outputs
}

/** Starts the server of a step, which prints its URL. */
async function startServer(step: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', `docs/tutorial/${step}/server.ts`], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATABASE_URL: ':memory:', NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const url = await new Promise<string>((listening, failed) => {
    const read = (chunk: Buffer): void => {
      output += chunk
      const found = /^The library is at (http:\/\/localhost:\d+)/m.exec(output)?.[1]
      if (found !== undefined) listening(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => failed(new Error(`${step} ended with ${code}:\n${output}`)))
  })
  return { child, url }
}

function stopServer(child: ChildProcess): Promise<unknown> {
  return new Promise((done) => {
    child.removeAllListeners('exit').once('exit', done)
    child.kill()
  })
}

/** Runs a command of the page: a curl request, or a file. */
function runCommand(command: string, url: string): Promise<string> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  if (words[0] === 'curl') return sendRequest(words.slice(1), url)
  if (command.startsWith('npx tsx ')) return runFile(['--import', 'tsx', words[2] as string, url])
  throw new Error(`The tutorial cannot run: ${command}`)
}

/** Implements the few options of curl that the page uses. */
async function sendRequest(words: readonly string[], url: string): Promise<string> {
  const headers = new Headers()
  let [method, body, target, withHeaders]: [string, string | null, string, boolean] = ['GET', null, '', false]
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string
    const takeValue = (): string => words[++i] ?? ''
    if (word === '-i' || word === '-ig') withHeaders = true
    else if (word === '-X') method = takeValue()
    else if (word === '-H') headers.set(...(takeValue().split(': ') as [string, string]))
    else if (word === '--json') {
      body = takeValue()
      method = method === 'GET' ? 'POST' : method
      headers.set('Content-Type', 'application/json')
    } else if (word.startsWith('localhost:3000')) target = word.replace('localhost:3000', url)
    else if (word !== '-g') throw new Error(`The tutorial cannot use curl with ${word}`)
  }
  const text = await answered(await fetch(target, { method, headers, body }))
  return withHeaders ? text : text.slice(text.indexOf('\n\n') + 2)
}

function runFile(args: readonly string[]): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk
    })
    child.once('exit', (code) =>
      code === 0 ? done(output) : failed(new Error(`${args.join(' ')} ended with ${code}`)),
    )
  })
}

async function main(): Promise<void> {
  const { before, after, problems } = await checkTutorial()
  const write = process.argv.includes('--write')
  if (write) writeFileSync(resolve(root, file), after)
  else if (before !== after) console.error(`${file} differs from its sources:\n${formatDifference(before, after)}`)
  for (const problem of problems) console.error(problem)
  const failed = problems.length > 0 || (before !== after && !write)
  console.log(`tutorial: ${failed ? 'see above' : 'as its steps say'}`)
  process.exitCode = failed ? 1 : 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
