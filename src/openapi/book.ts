// The book of a document: schemas of both directions under names that do not collide, and examples that never change.
import type { Attribute } from '../schema/attribute.ts'
import { Dumping } from '../schema/dumping.ts'
import { ExampleSeed } from '../schema/example.ts'
import { INVALID } from '../schema/issue.ts'
import { type JsonSchema, Schemas } from '../schema/json-schema.ts'

const ROOT = '#/components/schemas/'

/** Collects the named schemas of one document. */
export class Book {
  /** Schemas of what clients receive. */
  readonly output: Schemas = new Schemas('output', ROOT)
  /** Schemas of what clients send; they differ in what may be left out and what may be added. */
  readonly input: Schemas = new Schemas('input', ROOT, { named: this.output.named, suffix: 'Input' })

  /** Everything that was named so far, by name. */
  schemas(): Readonly<Record<string, JsonSchema>> {
    const entries = [...this.output.named].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(entries)
  }
}

/** The example of an attribute as JSON; undefined when it has none. */
export function exampleOf(attribute: Attribute, path: string): unknown {
  const example = attribute.core.example(new ExampleSeed(path))
  if (example === undefined || example === null) return example
  const written = attribute.core.dumper(example, new Dumping(false))
  return written === INVALID ? undefined : written
}
