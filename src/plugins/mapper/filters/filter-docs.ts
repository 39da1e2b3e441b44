// Filters in API documents: a table of the fields with their operators, and an example of each.
import { attributeRules, Dumping, ExampleSeed, formatTable, INVALID } from '../../../extend.ts'
import type { MediaType } from '../../../index.ts'
import { formatAudienceNote } from '../fields/field-paths.ts'
import type { FilterExpression } from './expression.ts'
import type { FilterField, FilterSyntax } from './filter-fields.ts'
import { DEFAULT_MAX_VALUES } from './filter-parser.ts'

/** Formats the filter fields and their operators as a table; empty if there are none. */
export function buildFilterTable(
  fields: ReadonlyMap<string, FilterField>,
  syntax: FilterSyntax,
  mediaType: MediaType,
): string {
  const rows = [...fields].map(([name, field]) => {
    const { elements, wildcards, maxValues } = field
    const operators = [...new Set(field.operators.map(syntax.operator))].map(formatCode).join(' ')
    const notes = [
      ...(operators === '' ? [] : [operators]),
      ...(wildcards ? ['`*` for any text'] : []),
      ...(elements.length > 0
        ? [`of one element: ${elements.map((one) => formatCode(`${name}.${one}(…)`)).join(' ')}`]
        : []),
      ...(maxValues > DEFAULT_MAX_VALUES ? [`up to ${maxValues} values`] : []),
    ].join(', ')
    const example = writeExample(name, fields, syntax)
    return [
      formatCode(name),
      notes + formatAudienceNote(mediaType, name, notes === '' ? '' : ', '),
      example === undefined ? '' : formatCode(example),
    ]
  })
  return rows.length === 0 ? '' : formatTable(['Field', 'Operators', 'Example'], rows)
}

const formatCode = (text: string): string => `\`${text}\``

function writeExample(
  name: string,
  fields: ReadonlyMap<string, FilterField>,
  syntax: FilterSyntax,
): string | undefined {
  const expression = buildExampleCondition(name, fields.get(name) as FilterField, new ExampleSeed())
  const written = expression && syntax.write(expression, fields, new Dumping('unchecked'))
  return written === INVALID ? undefined : written
}

/** Returns an example of a filter: a condition on the first field that supports one. */
export function buildExampleFilter(fields: ReadonlyMap<string, FilterField>, seed: ExampleSeed): FilterExpression {
  for (const [name, field] of fields) {
    const example = buildExampleCondition(name, field, seed)
    if (example !== undefined) return example
  }
  return { op: 'and', of: [] }
}

function buildExampleCondition(
  field: string,
  { attribute, operators: [op] }: FilterField,
  seed: ExampleSeed,
): FilterExpression | undefined {
  if (op === undefined) return undefined
  if (op === '!' || op === '!!') return { op, field }
  if (op === '~=' || op === '!~=' || op === '@=') return { op, field, texts: ['text'] }
  const value = attributeRules.makeExample(attribute, seed.at(field))
  return op === '=' || op === '!=' ? { op, field, any: [{ value }] } : { op, field, value }
}
