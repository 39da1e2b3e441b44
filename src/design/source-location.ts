// Where a declaration stands in the sources: a stack is taken when it is made, and written out only for an error.

interface StackHolder {
  readonly stack?: unknown
}

// Of V8, and of runtimes that follow it; elsewhere places are not known.
interface StackCapture {
  captureStackTrace?(holder: object, above: unknown): void
}

/** Remembers the place that called a function, as that of a declaration; `placeOf` tells it, where the runtime can. */
export function rememberSourceLocation(declaration: object, called: unknown): void {
  const held: StackHolder = {}
  ;(Error as StackCapture).captureStackTrace?.(held, called)
  Object.defineProperty(declaration, '~place', { value: () => parseFirstFrame(held.stack) })
}

/** The place of a declaration, such as `/api/src/books.ts:12:3`. */
export const getSourceLocation = (declaration: object): string | undefined =>
  (declaration as { readonly '~place'?: () => string | undefined })['~place']?.()

// A stack may have any form, as programs can set their own.
function parseFirstFrame(stack: unknown): string | undefined {
  if (typeof stack !== 'string') return undefined
  const [, place] = /^\s+at (?:.*\()?((?:file:|[a-zA-Z]:[\\/]|\/).*:\d+:\d+)\)?$/m.exec(stack) ?? []
  return place?.replace(/^file:\/\/(?:\/(?=[a-zA-Z]:))?/, '')
}
