// Values drawn from JSON schemas: what a client that knows nothing but a document would send.
import type { OpenapiDocument } from 'edict'
import { anything, clockOf, dayOf, momentOf } from '../declarations/scalars.ts'
import type { Draw } from '../draw.ts'

type Schema = Readonly<Record<string, any>>

/** Draws values from the schemas of one document. */
export class SchemaValues {
  readonly #document: Schema
  readonly #draw: Draw

  constructor(document: OpenapiDocument, draw: Draw) {
    this.#document = document as unknown as Schema
    this.#draw = draw
  }

  /** A value of a schema, nested no deeper than said; it need not fit where only a pattern says what fits. */
  of(schema: Schema = {}, depth = 4): unknown {
    const draw = this.#draw
    if (schema['$ref'] !== undefined) return this.of(this.#at(schema['$ref']), depth)
    if (schema['const'] !== undefined) return schema['const']
    if (schema['enum'] !== undefined) return draw.pick(schema['enum'])
    const examples = schema['examples'] as unknown[] | undefined
    if (examples !== undefined && draw.chance(0.3)) return draw.pick(examples)
    const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
    if (choices !== undefined) return this.of(draw.pick(choices), depth)
    const types = [schema['type']].flat() as (string | undefined)[]
    return this.#typed(draw.pick(types), schema, depth)
  }

  #at(pointer: string): Schema {
    const steps = pointer.slice(2).split('/')
    return (
      steps.reduce((node: any, step) => node?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], this.#document) ?? {}
    )
  }

  #typed(type: string | undefined, schema: Schema, depth: number): unknown {
    const draw = this.#draw
    if (type === 'null') return null
    if (type === 'boolean') return draw.chance(0.5)
    if (type === 'integer')
      return draw.int(schema['minimum'] ?? -50, Math.min(schema['maximum'] ?? 50, (schema['minimum'] ?? -50) + 100))
    if (type === 'number') return draw.int(0, 100) / 4
    if (type === 'string') return this.#text(schema)
    if (type === 'array') {
      const length =
        depth === 0
          ? (schema['minItems'] ?? 0)
          : draw.int(schema['minItems'] ?? 0, Math.min(schema['maxItems'] ?? 3, 3))
      return Array.from({ length }, () => this.of(schema['items'], depth - 1))
    }
    if (type === 'object') return this.#object(schema, depth)
    return anything(draw, 1)
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema, depth: number): unknown {
    const draw = this.#draw
    const names = Object.keys(properties).filter((name) => required.includes(name) || (depth > 0 && draw.chance(0.5)))
    const made = Object.fromEntries(names.map((name) => [name, this.of(properties[name], depth - 1)]))
    if (typeof additionalProperties === 'object' && depth > 0)
      made[draw.word()] = this.of(additionalProperties, depth - 1)
    return made
  }

  #text({ format, minLength = 0, maxLength, pattern }: Schema): string {
    const draw = this.#draw
    if (format === 'date') return dayOf(draw)
    if (format === 'date-time') return momentOf(draw).text
    if (format === 'uuid') return '0f8fad5b-d9cb-469f-a165-70867728950e'
    if (format === 'uri') return `https://example.com/${draw.word()}`
    if (format === 'email') return `${draw.word()}@example.com`
    if (pattern !== undefined)
      return draw.pick([clockOf(draw), String(draw.int(0, 99)), draw.word().toLowerCase(), 'abc-1'])
    return draw.text(draw.int(minLength, Math.min(maxLength ?? minLength + 12, minLength + 12)), 'json')
  }
}
