// Every command of `edict` by its name, in the order in which help lists them.
import type { Command, RouteMap } from '@stricli/core'
import { check } from './check.ts'
import type { CliContext } from './context.ts'
import { contract } from './contract.ts'
import { dev } from './dev.ts'
import { diff } from './diff.ts'
import { docs } from './docs.ts'
import { explain } from './explain.ts'
import { generate } from './generate.ts'
import { mock } from './mock.ts'
import { newProject } from './new.ts'
import { openapi } from './openapi.ts'
import { routes } from './routes.ts'

/** The commands. */
export const commands: Readonly<Record<string, Command<CliContext> | RouteMap<CliContext>>> = {
  new: newProject,
  generate,
  dev,
  check,
  routes,
  explain,
  openapi,
  contract,
  diff,
  docs,
  mock,
}
