// The source location of a declaration: the stack is captured at the declaration, and formatted only for an error.

interface StackHolder {
  readonly stack?: unknown
}

// Available in V8 and compatible runtimes; elsewhere locations are unknown.
interface StackCapture {
  captureStackTrace?(holder: object, above: unknown): void
}

/**
 * Remembers the location of the call of a function as that of a declaration; `getSourceLocation` returns it, if the
 * runtime supports it.
 */
export function rememberSourceLocation(declaration: object, callee: unknown): void {
  const holder: StackHolder = {}
  ;(Error as StackCapture).captureStackTrace?.(holder, callee)
  Object.defineProperty(declaration, '~location', { value: () => parseFirstFrame(holder.stack) })
}

/** Returns the source location of a declaration, such as `/api/src/books.ts:12:3`. */
export const getSourceLocation = (declaration: object): string | undefined =>
  (declaration as { readonly '~location'?: () => string | undefined })['~location']?.()

// A stack may have any form, as programs can set their own.
function parseFirstFrame(stack: unknown): string | undefined {
  if (typeof stack !== 'string') return undefined
  const [, location] = /^\s+at (?:.*\()?((?:file:|[a-zA-Z]:[\\/]|\/).*:\d+:\d+)\)?$/m.exec(stack) ?? []
  return location?.replace(/^file:\/\/(?:\/(?=[a-zA-Z]:))?/, '')
}
