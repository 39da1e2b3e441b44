// Formats errors for the command line: a sentence and a remedy for known mistakes, a stack for all others.
import { relative } from 'node:path'

/** An error that prints its message without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError'

  constructor(problem: string, remedy: string) {
    super(`${problem}\nRemedy: ${remedy}`)
  }
}

/** Formats an error for the terminal; only an unexpected one includes a stack trace. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'EADDRINUSE') return formatPortInUse(error)
  if (isDefinitionError(error)) return [error.message, ...formatLocations(error)].join('\n')
  if (error instanceof CommandError) return error.message
  return explainConnectionFailure(error)?.message ?? error.stack ?? error.message
}

/** A failed connection, as Node reports it. */
interface FailedConnection {
  readonly code: string
  readonly syscall: string
  readonly address?: string
  readonly hostname?: string
  readonly port?: number
}

// An application may connect to its database, or read its catalogue, while it is loaded.
function explainConnectionFailure(error: Error): CommandError | undefined {
  const failed = findFailedConnection(error)
  if (failed === undefined) return undefined
  const { code, address: ip, hostname, port } = failed
  const address = [ip ?? hostname, port].filter((part) => part !== undefined).join(':')
  return new CommandError(
    `No server responds at ${address}, to which the application connects when it is loaded (${code}).`,
    'start that server, or give the application another address',
  )
}

// Database clients wrap the error as a cause; Node throws an AggregateError when a host name has several addresses.
function findFailedConnection(error: unknown, depth = 0): FailedConnection | undefined {
  if (!(error instanceof Error) || depth > 8) return undefined
  if ('syscall' in error && (error.syscall === 'connect' || error.syscall === 'getaddrinfo'))
    return error as unknown as FailedConnection
  const errors: readonly unknown[] = 'errors' in error && Array.isArray(error.errors) ? error.errors : []
  for (const one of [...errors, error.cause]) {
    const found = findFailedConnection(one, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

interface DefinitionErrorLike extends Error {
  readonly locations?: Readonly<Record<string, string>>
}

// The application may use another copy of this package, so `instanceof` does not work.
function isDefinitionError(error: Error): error is DefinitionErrorLike {
  return error.name === 'DefinitionError' && 'mistakes' in error && Array.isArray(error.mistakes)
}

const formatLocations = ({ locations = {} }: DefinitionErrorLike): string[] =>
  Object.entries(locations).map(([name, file]) => `${name} is declared in ${relative(process.cwd(), file)}`)

const formatPortInUse = (error: Error & { readonly port?: unknown }): string =>
  new CommandError(
    `The port ${error.port} is in use.`,
    'end what uses it, or choose another: --port 0 takes a free one',
  ).message
