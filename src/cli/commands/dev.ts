// `edict dev`: runs the server, and restarts it when one of its files changes.
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildCommand, type Command } from '@stricli/core'
import { CommandError } from '../command-error.ts'
import type { CliContext } from '../context.ts'
import { Supervisor } from '../dev/supervisor.ts'
import { findFirstFile, resolveFileArgument } from '../find-file.ts'
import { formatDescription } from '../help.ts'
import { createPainter, type TextStyle } from '../terminal/style.ts'

const SERVER_FILES = ['server.ts', 'src/server.ts', 'server.js', 'src/server.js', 'dist/server.js']

/** The command that runs a server during development. */
export const devCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Run the server, and restart it after every change',
    fullDescription: formatDescription(
      `Runs the server, and starts it again when a file that it imports has changed. Before that, it drains as it does in
production. After a crash, the next change starts it again. Ctrl+C ends both.`,
      {
        'edict dev': `run the first of ${SERVER_FILES.join(', ')}`,
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

async function runServer(this: CliContext, _: object, argument?: string): Promise<void> {
  const { cwd } = this
  const { stderr } = this.process
  const file = argument === undefined ? findServer(cwd) : resolveFileArgument(argument, cwd, 'the name')
  const colour = createPainter(stderr)
  const print = (style: TextStyle, text: string): boolean => stderr.write(`${colour(style, 'edict dev')}  ${text}\n`)
  const name = relative(cwd, file)
  print('cyan', `${name} starts again when its files change; Ctrl+C ends it`)
  await new Supervisor(file, findLoader(file, cwd), (event) => {
    if (event.kind === 'changed') return print('cyan', `${relative(cwd, event.file)} has changed: starting again`)
    const reason = event.signal ?? `code ${event.code}`
    if (event.code === 0) print('yellow', `${name} has ended; the next change starts it again`)
    else print('red', `${name} has failed (${reason}); the next change starts it again`)
  }).run()
}

function findServer(cwd: string): string {
  const found = findFirstFile(SERVER_FILES, cwd) ?? findOnlyExample(cwd)
  if (found !== undefined) return found
  throw new CommandError(
    `There is no server in ${cwd}: looked for ${SERVER_FILES.join(', ')} and a single examples/*/server.ts.`,
    'start edict in the folder of your API, or name the file: edict dev path/to/server.ts',
  )
}

function findOnlyExample(cwd: string): string | undefined {
  const folder = resolve(cwd, 'examples')
  const [first, ...others] = listFolder(folder).flatMap((name) => findFirstFile([`${name}/server.ts`], folder) ?? [])
  return others.length === 0 ? first : undefined
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function findLoader(file: string, cwd: string): string[] {
  if (!/\.[cm]?tsx?$/.test(file)) return []
  try {
    return ['--import', pathToFileURL(createRequire(resolve(cwd, 'package.json')).resolve('tsx')).href]
  } catch {
    throw new CommandError(`${file} is TypeScript, and tsx is not installed.`, 'npm install --save-dev tsx')
  }
}
