// `edict dev`: runs the server, and runs it again whenever one of its files changes.
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildCommand, type Command } from '@stricli/core'
import { CommandError } from '../command-error.ts'
import type { CliContext } from '../context.ts'
import { Supervisor } from '../dev/supervisor.ts'
import { firstFile, givenFile } from '../find-file.ts'
import { described } from '../help.ts'
import { paint, type Style } from '../terminal/style.ts'

const places = ['server.ts', 'src/server.ts', 'server.js', 'src/server.js', 'dist/server.js']

/** The command that runs a server while it is written. */
export const dev: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Run the server, and restart it after every change',
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
  const { cwd } = this
  const { stderr } = this.process
  const file = given === undefined ? findServer(cwd) : givenFile(given, cwd, 'the name')
  const colour = paint(stderr)
  const say = (style: Style, text: string): boolean => stderr.write(`${colour(style, 'edict dev')}  ${text}\n`)
  const name = relative(cwd, file)
  say('cyan', `${name} starts again when its files change; Ctrl+C ends it`)
  await new Supervisor(file, loaderFor(file, cwd), (event) => {
    if (event.kind === 'changed') return say('cyan', `${relative(cwd, event.file)} has changed: starting again`)
    const how = event.signal ?? `code ${event.code}`
    if (event.code === 0) say('yellow', `${name} has ended; the next change starts it again`)
    else say('red', `${name} has failed (${how}); the next change starts it again`)
  }).run()
}

function findServer(cwd: string): string {
  const found = firstFile(places, cwd) ?? onlyExample(cwd)
  if (found !== undefined) return found
  throw new CommandError(
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
    throw new CommandError(`${file} is TypeScript, and tsx is not installed.`, 'npm install --save-dev tsx')
  }
}
