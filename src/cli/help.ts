// The long help of commands: a description, and examples.

/** Writes the description of a command, with examples at its end: what to type, and what for. */
export function formatDescription(text: string, examples: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(examples).map(({ length }) => length))
  const lines = Object.entries(examples).map(([typed, purpose]) => `  ${typed.padEnd(width)}  ${purpose}`)
  return [text, '', 'Examples:', ...lines].join('\n')
}
