// Error messages of the command line: a sentence and a remedy for known mistakes, a stack for all others.
import { relative } from 'node:path'

/** An error whose message is all that the user needs. */
export class CommandError extends Error {
  override readonly name = 'CommandError'

  constructor(problem: string, remedy: string) {
    super(`${problem}\nRemedy: ${remedy}`)
  }
}

/** Writes an error for the terminal; only an unexpected one has a stack trace. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE') return portInUse(error)
  if (isDefinitionError(error)) return [error.message, ...placesIn(error)].join('\n')
  return error instanceof CommandError ? error.message : (error.stack ?? error.message)
}

interface Mistaken extends Error {
  readonly places?: Readonly<Record<string, string>>
}

// The application may have been declared with another copy of this package, so its class says nothing.
function isDefinitionError(error: Error): error is Mistaken {
  return error.name === 'DefinitionError' && 'mistakes' in error && Array.isArray(error.mistakes)
}

const placesIn = ({ places = {} }: Mistaken): string[] =>
  Object.entries(places).map(([name, place]) => `${name} is declared in ${relative(process.cwd(), place)}`)

const portInUse = (error: Error & { readonly port?: unknown }): string =>
  new CommandError(
    `The port ${error.port} is in use.`,
    'end what uses it, or choose another: --port 0 takes a free one',
  ).message
