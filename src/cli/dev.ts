// `edict dev`: runs the server, and runs it again whenever one of its files changes.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildCommand, type Command } from '@stricli/core'
import type { CliContext } from './context.ts'
import { firstFile, givenFile } from './find-file.ts'
import { described } from './help.ts'
import { Refusal } from './refusal.ts'
import { paint } from './style.ts'

const places = ['server.ts', 'src/server.ts', 'server.js', 'src/server.js', 'dist/server.js']

/** The command that runs a server while it is written. */
export const dev: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Run the server, again after every change',
    fullDescription: described(
      `Runs the server, and starts it again when a file that it imports has changed. Before that, it drains as it does in
production. After a crash, the next change starts it again. Ctrl+C ends both.`,
      {
        'edict dev': `run the first of ${places.join(', ')}`,
        'PORT=8080 edict dev examples/blog/server.ts': 'run this file',
      },
    ),
  },
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ placeholder: 'file', parse: String, optional: true, brief: 'The file that starts the server' }],
    },
  },
  func: runServer,
})

async function runServer(this: CliContext, _: object, given?: string): Promise<void> {
  const { cwd, process: terminal } = this
  const file = given === undefined ? findServer(cwd) : givenFile(given, cwd, 'the name')
  const name = relative(cwd, file)
  const options = ['--watch', '--watch-preserve-output', ...loaderFor(file, cwd), '--import', crashNotice(name)]
  const colour = paint(terminal.stderr)
  terminal.stderr.write(`${colour('cyan', 'edict dev')}  ${name} starts again when its files change; Ctrl+C ends it\n`)
  // In a group of its own, so that Ctrl+C reaches the server once, through us: a second signal would cut its connections.
  const detached = process.platform !== 'win32'
  const child = spawn(process.execPath, [...options, file], { cwd, stdio: ['ignore', 'inherit', 'inherit'], detached })
  const code = await ended(child)
  if (code !== 0) throw new Refusal(`The server ended with ${code}.`, 'read what it printed above')
}

function findServer(cwd: string): string {
  const found = firstFile(places, cwd) ?? onlyExample(cwd)
  if (found !== undefined) return found
  throw new Refusal(
    `There is no server in ${cwd}: looked for ${places.join(', ')} and a single examples/*/server.ts.`,
    'start edict in the folder of your API, or name the file: edict dev path/to/server.ts',
  )
}

function onlyExample(cwd: string): string | undefined {
  const folder = resolve(cwd, 'examples')
  const [first, ...others] = listed(folder).flatMap((name) => firstFile([`${name}/server.ts`], folder) ?? [])
  return others.length === 0 ? first : undefined
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function loaderFor(file: string, cwd: string): string[] {
  if (!/\.[cm]?tsx?$/.test(file)) return []
  try {
    return ['--import', pathToFileURL(createRequire(resolve(cwd, 'package.json')).resolve('tsx')).href]
  } catch {
    throw new Refusal(`${file} is TypeScript, and tsx is not installed.`, 'npm install --save-dev tsx')
  }
}

// Node says that it failed, but not what happens next. Workers of a server end quietly: the first process replaces them.
function crashNotice(name: string): string {
  const text = `edict dev: ${name} ended with an error; the next change of its files starts it again\n`
  const script = `process.on('exit', (code) => {
    if (code !== 0 && !process.env.NODE_UNIQUE_ID) process.stderr.write(${JSON.stringify(text)})
  })`
  return `data:text/javascript,${encodeURIComponent(script)}`
}

/** Passes signals on until the child has ended; gives its exit code. */
function ended(child: ChildProcess): Promise<number> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  let told = false
  const forward = (signal: NodeJS.Signals): void => {
    told = true
    child.kill(signal)
  }
  for (const signal of signals) process.on(signal, forward)
  return new Promise((end, fail) => {
    child.on('error', fail)
    child.on('exit', (code) => {
      for (const signal of signals) process.off(signal, forward)
      end(told ? 0 : (code ?? 1))
    })
  })
}
