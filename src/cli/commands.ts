// All commands of `edict` in the order of the help.
import type { Command, RouteMap } from '@stricli/core'
import { checkCommand } from './commands/check.ts'
import { clientCommand } from './commands/client.ts'
import { contractCommand } from './commands/contract.ts'
import { devCommand } from './commands/dev.ts'
import { diffCommand } from './commands/diff.ts'
import { docsCommands } from './commands/docs.ts'
import { explainCommand } from './commands/explain.ts'
import { generateCommand } from './commands/generate.ts'
import { importCommand } from './commands/import.ts'
import { indexesCommand } from './commands/indexes.ts'
import { mockCommand } from './commands/mock.ts'
import { newCommand } from './commands/new.ts'
import { openapiCommand } from './commands/openapi.ts'
import { routesCommand } from './commands/routes.ts'
import type { CliContext } from './context.ts'

/** The commands, keyed by name. */
export const commands: Readonly<Record<string, Command<CliContext> | RouteMap<CliContext>>> = {
  new: newCommand,
  generate: generateCommand,
  import: importCommand,
  dev: devCommand,
  check: checkCommand,
  routes: routesCommand,
  explain: explainCommand,
  indexes: indexesCommand,
  openapi: openapiCommand,
  contract: contractCommand,
  diff: diffCommand,
  client: clientCommand,
  docs: docsCommands,
  mock: mockCommand,
}
