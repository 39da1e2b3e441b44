#!/usr/bin/env node
// The entry point of the command line `edict`. Each command is a file in `commands/`, registered in commands.ts.
import { buildApplication, buildRouteMap, run, text_en } from '@stricli/core'
import { describeError } from './command-error.ts'
import { commands } from './commands.ts'
import type { CliContext, Terminal } from './context.ts'
import { ownPackage } from './own-package.ts'

const cli = buildApplication<CliContext>(
  buildRouteMap({ routes: commands, docs: { brief: 'The tools of edict: declare an HTTP API once.' } }),
  {
    name: 'edict',
    versionInfo: { currentVersion: ownPackage.version },
    scanner: { caseStyle: 'allow-kebab-for-camel' },
    localization: { text: { ...text_en, exceptionWhileRunningCommand: describeError } },
  },
)

const terminal: Terminal = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: process.env }
await run(cli, process.argv.slice(2), { process: terminal, cwd: process.cwd() })
const code = Number(terminal.exitCode ?? 0)
// An application may hold timers and connections that keep the process alive: exit explicitly, after the output is flushed.
// Stricli uses negative codes for invalid arguments; shells expect 2.
process.stdout.write('', () => process.exit(code < 0 ? 2 : code))
