// Every command of `edict` by its name, in the order in which help lists them.
import type { Command, RouteMap } from '@stricli/core'
import { check } from './commands/check.ts'
import { client } from './commands/client.ts'
import { contract } from './commands/contract.ts'
import { dev } from './commands/dev.ts'
import { diff } from './commands/diff.ts'
import { docs } from './commands/docs.ts'
import { explain } from './commands/explain.ts'
import { generate } from './commands/generate.ts'
import { importOpenapi } from './commands/import.ts'
import { indexes } from './commands/indexes.ts'
import { mock } from './commands/mock.ts'
import { newProject } from './commands/new.ts'
import { openapi } from './commands/openapi.ts'
import { routes } from './commands/routes.ts'
import type { CliContext } from './context.ts'

/** The commands. */
export const commands: Readonly<Record<string, Command<CliContext> | RouteMap<CliContext>>> = {
  new: newProject,
  generate,
  import: importOpenapi,
  dev,
  check,
  routes,
  explain,
  indexes,
  openapi,
  contract,
  diff,
  client,
  docs,
  mock,
}
