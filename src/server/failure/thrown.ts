// What was thrown, for logs and plugins: it may be anything, even something that throws when it is looked at.
import { withoutValues } from '../../util/database-error.ts'

/** Whether an error was thrown. */
export function isError(thrown: unknown): boolean {
  try {
    return thrown instanceof Error
  } catch {
    return false
  }
}

/** Says in a line what was thrown. */
export function describeThrown(thrown: unknown): string {
  try {
    return thrown instanceof Error
      ? `${thrown.name}: ${thrown.message}`
      : `A value that is not an Error was thrown: ${String(thrown)}`
  } catch {
    return 'A value that cannot be described was thrown'
  }
}

/**
 * What was thrown as an error that can be read, without values of database statements: one that cannot be read would cost
 * the whole entry of a log.
 */
export function loggable(thrown: unknown): Error {
  try {
    if (thrown instanceof Error && typeof `${thrown.name}${thrown.message}${thrown.stack}` === 'string')
      return withoutValues(thrown)
  } catch {
    // It is described instead.
  }
  return new Error(describeThrown(thrown))
}
