// Fills in templates: `{{name}}` is replaced by a value; alone on its line, by any number of lines with the same indent.
import { readFileSync } from 'node:fs'

/** The values of a template, keyed by name. */
export type TemplateValues = Readonly<Record<string, string | readonly string[]>>

/** Reads a template file and fills it in. */
export function fillTemplateFile(file: string, values: TemplateValues): string {
  const getValue = (name: string): string | readonly string[] => {
    const value = values[name]
    if (value === undefined) throw new RangeError(`The template ${file} uses ${name}, which nothing gives`)
    return value
  }
  return readFileSync(file, 'utf8').replace(
    /^( *)\{\{(\w+)\}\}\n|\{\{(\w+)\}\}/gm,
    (_, indent: string, lines: string | undefined, name: string) => {
      if (lines === undefined) return [getValue(name)].flat().join('')
      return [getValue(lines)]
        .flat()
        .map((line) => `${line === '' ? '' : indent}${line}\n`)
        .join('')
    },
  )
}
