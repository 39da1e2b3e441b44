// JSON Schema (2020-12) as data, and the book of named schemas that recursive and shared types are put into.

import { joinSentences } from '../util/message-text.ts'
import { type AnyOptions, audienceText, describeDeprecation } from './attribute-options.ts'

/** A JSON Schema of the 2020-12 dialect. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** Which way a schema is read: what a client may send, or what it receives. */
export type Direction = 'input' | 'output'

interface NamedSchemasOptions {
  readonly named: Map<string, JsonSchema>
  readonly suffix: string
  /** Given for schemas of what clients select: those of what they receive whole. */
  readonly complete?: NamedSchemas
}

/** Collects named schemas while others are made, so that shared and recursive types are written once. */
export class NamedSchemas {
  readonly direction: Direction
  readonly named: Map<string, JsonSchema>
  readonly #names = new Map<object, string>()
  readonly #root: string
  readonly #suffix: string
  readonly #complete: NamedSchemas | undefined

  /** With `beside`, the names are added to those of another book, each with its own suffix. */
  constructor(direction: Direction = 'output', root = '#/$defs/', beside?: NamedSchemasOptions) {
    this.direction = direction
    this.#root = root
    this.named = beside?.named ?? new Map()
    this.#suffix = beside?.suffix ?? ''
    this.#complete = beside?.complete
  }

  /** True where clients select what they receive: nothing that can be selected has to be there. */
  get isPartial(): boolean {
    return this.#complete !== undefined
  }

  /** The schemas of what is received as a whole, below which nothing can be selected. */
  get complete(): NamedSchemas {
    return this.#complete ?? this
  }

  /** Whether two owners of one name share it if they have the same schema; which of them do can depend on their order. */
  protected readonly sharesEqualSchemas: boolean = false

  /** Refers to a named schema, making it at the first reference; the second owner of a name gets the other one, or a number. */
  refer(name: string, owner: object, make: () => JsonSchema, other: string = name): JsonSchema {
    let taken = this.#names.get(owner)
    if (taken === undefined) {
      const wanted = name + this.#suffix
      taken = this.named.has(wanted) ? this.#findFreeName(other + this.#suffix) : wanted
      this.#names.set(owner, taken)
      this.named.set(taken, {})
      const made = make()
      this.named.set(taken, made)
      if (this.sharesEqualSchemas && taken !== wanted && isSameSchema(made, this.named.get(wanted))) {
        this.named.delete(taken)
        this.#names.set(owner, wanted)
        taken = wanted
      }
    }
    return { $ref: `${this.#root}${taken}` }
  }

  #findFreeName(wanted: string): string {
    let free = wanted
    for (let n = 2; this.named.has(free); n++) free = `${wanted}${n}`
    return free
  }
}

const isSameSchema = (one: JsonSchema, other: JsonSchema | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Adds an attribute's description and nullability to the schema of its kind; default and example are added, dumped, by the attribute. */
export function describe(
  schema: JsonSchema,
  options: Pick<AnyOptions, 'nullable' | 'description' | 'deprecated' | 'secret' | 'visibleTo'>,
): JsonSchema {
  const described: Record<string, unknown> = options.nullable ? toNullable(schema) : { ...schema }
  const { description, deprecated = false, secret = false, visibleTo } = options
  if (secret) markSecret(described)
  if (description !== undefined) described['description'] = description
  if (deprecated !== false) described['deprecated'] = true
  if (visibleTo !== undefined) described['x-visible-to'] = visibleTo.audiences
  if (deprecated === false && visibleTo === undefined) return described
  const notes = [
    deprecated === false ? undefined : describeDeprecation(deprecated),
    visibleTo && `Visible to ${audienceText(visibleTo.audiences)} only.`,
  ]
  described['description'] = joinSentences(description, ...notes)
  return described
}

// `writeOnly` would say that no answer has it, but a token may be shown once, when it is made. `password` hides what is typed.
function markSecret(schema: Record<string, unknown>): void {
  const { type } = schema
  schema['x-secret'] = true
  if (type === 'string' || (Array.isArray(type) && type[0] === 'string')) schema['format'] ??= 'password'
}

function toNullable(schema: JsonSchema): Record<string, unknown> {
  const { type, enum: values } = schema
  if (typeof type !== 'string' || '$ref' in schema || 'not' in schema || 'allOf' in schema)
    return { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) }
}
