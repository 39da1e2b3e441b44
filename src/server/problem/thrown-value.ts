// Thrown values, for logs and plugins: they may be anything, even objects whose getters throw.
import { redactDatabaseError } from '../../util/database-error.ts'

/** Whether an error was thrown. */
export function isError(thrown: unknown): boolean {
  try {
    return thrown instanceof Error
  } catch {
    return false
  }
}

/** Describes a thrown value in one line. */
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
 * Makes a thrown value an error that can be read, without values of database statements: an unreadable one would cost the
 * whole log entry.
 */
export function toLoggableError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error && typeof `${thrown.name}${thrown.message}${thrown.stack}` === 'string')
      return redactDatabaseError(thrown)
  } catch {
    // It is described instead.
  }
  return new Error(describeThrown(thrown))
}
