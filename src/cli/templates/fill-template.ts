// Fills templates in: `{{name}}` stands for a value, and alone in its line for lines with the same indent, or none.
import { readFileSync } from 'node:fs'

/** The values of a template's names. */
export type TemplateValues = Readonly<Record<string, string | readonly string[]>>

/** Reads a template and fills it in. */
export function fillTemplateFile(file: string, values: TemplateValues): string {
  const given = (name: string): string | readonly string[] => {
    const value = values[name]
    if (value === undefined) throw new RangeError(`The template ${file} asks for ${name}, which nothing gives`)
    return value
  }
  return readFileSync(file, 'utf8').replace(
    /^( *)\{\{(\w+)\}\}\n|\{\{(\w+)\}\}/gm,
    (_, indent: string, lines: string | undefined, name: string) => {
      if (lines === undefined) return [given(name)].flat().join('')
      return [given(lines)]
        .flat()
        .map((line) => `${line === '' ? '' : indent}${line}\n`)
        .join('')
    },
  )
}
