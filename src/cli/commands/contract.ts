// `edict contract`: prints everything that clients may rely on, as JSON to store and compare.
import { buildCommand, type Command } from '@stricli/core'
import type { CliContext } from '../context.ts'
import { formatDescription } from '../help.ts'
import { type ApplicationFlags, appFlag, loadApplication } from '../load-application.ts'

/** The command that prints the contract. */
export const contractCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Print the contract with clients',
    fullDescription: formatDescription(
      `Prints all that clients may rely on, in every version and hidden actions included, as JSON in a form that does not
depend on the order of declarations: keep it in a file, and compare it with edict diff.`,
      { 'edict contract > contract.json': 'keep what was promised' },
    ),
  },
  parameters: { flags: { app: appFlag } },
  func: printContract,
})

async function printContract(this: CliContext, flags: ApplicationFlags): Promise<void> {
  const app = await loadApplication(flags, this)
  this.process.stdout.write(`${JSON.stringify(app.contract(), null, 2)}\n`)
}
