// The files of a generated resource, filled in from `templates/resource`: its design, its controller, its test and its table.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resourceTemplates } from '../own-package.ts'
import { column, declaration, type GivenAttribute } from './attributes.ts'
import type { Names } from './names.ts'

/** The files of a resource, by their paths in the project. */
export function resourceFiles(names: Names, attributes: readonly GivenAttribute[]): Record<string, string> {
  const values = valuesOf(names, attributes)
  return {
    [`src/design/${names.file}.ts`]: fill('design', values),
    [`src/controllers/${names.file}.ts`]: fill('controller', values),
    [`test/${names.file}.test.ts`]: fill('test', values),
  }
}

/** The table of a resource. */
export function tableText(names: Names, attributes: readonly GivenAttribute[]): string {
  return `\n${fill('table', valuesOf(names, attributes))}`
}

type Values = Readonly<Record<string, string | readonly string[]>>

function valuesOf(names: Names, attributes: readonly GivenAttribute[]): Values {
  const first = attributes[0] as GivenAttribute
  const each = (line: (attribute: GivenAttribute) => string): string[] => attributes.map((one) => `${line(one)},`)
  const sample = (which: 0 | 1): string =>
    attributes.map(({ name, kind }) => `${name}: ${kind.values[which]}`).join(', ')
  const anOne = `${/^[aeiou]/.test(names.one) ? 'an' : 'a'} ${names.one}`
  return {
    ...names,
    anOne,
    AnOne: `A${anOne.slice(1)}`,
    first: first.name,
    wrong: first.kind.wrong,
    firstValues: sample(0),
    secondValues: sample(1),
    fields: ['id', ...attributes.map(({ name }) => name)].map((name) => `'${name}'`).join(', '),
    declarations: each((one) => `${one.name}: ${declaration(one)}`),
    columns: each((one) => `${one.name}: ${column(one)}`),
    filters: each(({ name, kind }) => `${name}: ${kind.type === 'string' ? '{ wildcards: true }' : '{}'}`),
    inherited: each(({ name }) => `${name}: inherit`),
    inheritedOptional: each(({ name, nullable }) => `${name}: inherit${nullable ? '' : '({ required: false })'}`),
  }
}

/** Fills a template in: `{{name}}` stands for a value, and alone in its line for a list of lines with the same indent. */
function fill(template: string, values: Values): string {
  const text = readFileSync(join(resourceTemplates, `${template}.ts.txt`), 'utf8')
  return text.replace(/^( *)\{\{(\w+)\}\}$|\{\{(\w+)\}\}/gm, (_, indent = '', lines, name) => {
    const value = values[lines ?? name]
    if (value === undefined)
      throw new RangeError(`The template ${template} asks for ${lines ?? name}, which nothing gives`)
    return typeof value === 'string' ? indent + value : value.map((line) => indent + line).join('\n')
  })
}
