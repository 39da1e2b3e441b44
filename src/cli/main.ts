#!/usr/bin/env node
// The command line `edict`. A command is one file beside this one; it becomes reachable by a line in commands.ts.
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
// An application may hold timers and connections that would keep the process alive; the output has to leave first.
// A negative code is the library's own refusal of the arguments, for which shells use 2.
process.stdout.write('', () => process.exit(code < 0 ? 2 : code))
