// The long help of commands: a description and examples.

/** Formats the description of a command, followed by examples: the command to type and its purpose. */
export function formatDescription(text: string, examples: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(examples).map(({ length }) => length))
  const lines = Object.entries(examples).map(([typed, purpose]) => `  ${typed.padEnd(width)}  ${purpose}`)
  return [text, '', 'Examples:', ...lines].join('\n')
}
