// The logger interface: the few methods that the framework calls; a pino logger implements it.

/** A logger: structured fields first, then a message. */
export interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** A logger that writes warnings and errors to the console, one JSON line each. */
export const consoleLogger: Logger = Object.freeze({
  info() {},
  warn: (fields: object, message: string) => console.warn(formatLine('warn', fields, message)),
  error: (fields: object, message: string) => console.error(formatLine('error', fields, message)),
})

function formatLine(level: string, fields: object, message: string): string {
  const errors = new Set<unknown>()
  return JSON.stringify({ level, time: new Date().toISOString(), ...fields, message }, (_, value: unknown) => {
    if (typeof value === 'bigint') return String(value)
    if (!(value instanceof Error)) return value
    // Chains of causes may be circular.
    if (errors.has(value)) return String(value)
    errors.add(value)
    return { name: value.name, message: value.message, stack: value.stack, cause: value.cause }
  })
}

/** Wraps a logger so that it never throws: a broken logger must not break a request. */
export function guardLogger(logger: Logger): Logger {
  const guard =
    (level: 'info' | 'warn' | 'error') =>
    (fields: object, message: string): void => {
      try {
        logger[level](fields, message)
      } catch {
        // There is nowhere left to report it.
      }
    }
  return { info: guard('info'), warn: guard('warn'), error: guard('error') }
}
