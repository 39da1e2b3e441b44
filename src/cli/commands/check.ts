// `edict check`: builds the application without serving it, to find all mistakes in its declarations.
import { buildCommand, type Command } from '@stricli/core'
import type { CliContext } from '../context.ts'
import { formatDescription } from '../help.ts'
import { type ApplicationFlags, appFlag, loadApplication } from '../load-application.ts'

/** The command that checks declarations. */
export const checkCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Find mistakes in the declarations',
    fullDescription: formatDescription(
      `Puts the application together as a server would, and prints all mistakes of its declarations, each with its location
and a remedy. Ends with 1 if there is any.`,
      { 'edict check': 'before a commit, or in CI' },
    ),
  },
  parameters: { flags: { app: appFlag } },
  func: runCheck,
})

async function runCheck(this: CliContext, flags: ApplicationFlags): Promise<void> {
  // Mistakes are thrown together; `describeError` prints them.
  const app = await loadApplication(flags, this)
  for (const version of app.versions) app.openapi(version)
  const actions = app.endpoints.reduce((sum, endpoint) => sum + endpoint.actions.size, 0)
  const counts = [
    formatCount(app.endpoints.length, 'endpoint'),
    formatCount(actions, 'action'),
    formatCount(app.routes().length, 'route'),
  ]
  const versions = app.versions.filter((version) => version !== undefined)
  const served =
    versions.length === 0 ? '' : ` in ${versions.length === 1 ? 'version' : 'versions'} ${versions.join(', ')}`
  this.process.stdout.write(`${app.title}: ${counts.join(', ')}${served}; no mistakes.\n`)
}

const formatCount = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
