// `edict explain`: prints the steps of a request to one action in order.
import { buildCommand, type Command } from '@stricli/core'
import type { Api } from '../../server/create-server.ts'
import type { Explanation } from '../../server/explain.ts'
import { CommandError } from '../command-error.ts'
import type { CliContext } from '../context.ts'
import { formatDescription } from '../help.ts'
import { type ApplicationFlags, appFlag, loadApplication } from '../load-application.ts'
import { createPainter } from '../terminal/style.ts'

/** The command that prints the steps of an action. */
export const explainCommand: Command<CliContext> = buildCommand({
  docs: {
    brief: 'Print the steps of a request to an action',
    fullDescription: formatDescription(
      'Prints what a request to an action goes through, from its arrival to its end: stages, policies, needs, callbacks and plugins.',
      { 'edict explain Books.show': 'print the steps of one action' },
    ),
  },
  parameters: {
    flags: { app: appFlag },
    positional: {
      kind: 'tuple',
      parameters: [{ placeholder: 'Endpoint.action', parse: String, brief: 'The endpoint and the action' }],
    },
  },
  func: printSteps,
})

async function printSteps(this: CliContext, flags: ApplicationFlags, action: string): Promise<void> {
  const app = await loadApplication(flags, this)
  const { stdout } = this.process
  const colour = createPainter(stdout)
  stdout.write(
    getExplanations(app, action)
      .map((one) => formatExplanation(one, colour))
      .join('\n'),
  )
}

function getExplanations(app: Api, action: string): readonly Explanation[] {
  try {
    return app.explain(action)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const [problem, remedy] = error.message.split(': ') as [string, string]
    throw new CommandError(`${problem}.`, remedy)
  }
}

function formatExplanation({ action, version, points }: Explanation, colour: ReturnType<typeof createPainter>): string {
  let number = 0
  const lines = points.flatMap(({ point, steps }) => [
    ...(steps.length === 0 ? [] : [colour('bold', point)]),
    ...steps.map((step) => {
      number++
      return `  ${String(number).padStart(2)}  ${step}`
    }),
  ])
  return `${[colour('cyan', version === undefined ? action : `${action} (${version})`), ...lines].join('\n')}\n`
}
