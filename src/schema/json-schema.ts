// JSON Schema (2020-12) as data, and the registry of named schemas for recursive and shared types.

import { joinSentences } from '../util/message-text.ts'
import { type AnyOptions, describeDeprecation, formatAudiences } from './attribute-options.ts'

/** A JSON Schema of the 2020-12 dialect. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** The direction of a schema: data that clients send, or data that they receive. */
export type Direction = 'input' | 'output'

interface NamedSchemasOptions {
  readonly named: Map<string, JsonSchema>
  readonly suffix: string
  /** For schemas of partial responses: the schemas of the complete ones. */
  readonly complete?: NamedSchemas
}

/** Collects named schemas, so that shared and recursive types are written once. */
export class NamedSchemas {
  readonly direction: Direction
  readonly named: Map<string, JsonSchema>
  readonly #names = new Map<object, string>()
  readonly #root: string
  readonly #suffix: string
  readonly #complete: NamedSchemas | undefined

  /** With `shared`, the names are added to those of another registry, each with a suffix. */
  constructor(direction: Direction = 'output', root = '#/$defs/', shared?: NamedSchemasOptions) {
    this.direction = direction
    this.#root = root
    this.named = shared?.named ?? new Map()
    this.#suffix = shared?.suffix ?? ''
    this.#complete = shared?.complete
  }

  /** True for partial responses: attributes that clients can leave out of a selection are not required. */
  get isPartial(): boolean {
    return this.#complete !== undefined
  }

  /** The schemas of complete values, below which clients cannot select. */
  get complete(): NamedSchemas {
    return this.#complete ?? this
  }

  /** Whether two owners of one name share it if their schemas are equal; the result can depend on their order. */
  protected readonly sharesEqualSchemas: boolean = false

  /**
   * Returns a reference to a named schema and creates the schema at the first reference. A second owner of a name gets
   * `other`, or a number.
   */
  refer(name: string, owner: object, make: () => JsonSchema, other: string = name): JsonSchema {
    let assigned = this.#names.get(owner)
    if (assigned === undefined) {
      const wanted = name + this.#suffix
      assigned = this.named.has(wanted) ? this.#findFreeName(other + this.#suffix) : wanted
      this.#names.set(owner, assigned)
      this.named.set(assigned, {})
      const schema = make()
      this.named.set(assigned, schema)
      if (this.sharesEqualSchemas && assigned !== wanted && isSameSchema(schema, this.named.get(wanted))) {
        this.named.delete(assigned)
        this.#names.set(owner, wanted)
        assigned = wanted
      }
    }
    return { $ref: `${this.#root}${assigned}` }
  }

  #findFreeName(wanted: string): string {
    let free = wanted
    for (let n = 2; this.named.has(free); n++) free = `${wanted}${n}`
    return free
  }
}

const isSameSchema = (one: JsonSchema, other: JsonSchema | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/**
 * Adds an attribute's description and nullability to the schema of its kind. The attribute itself adds default and
 * example, dumped.
 */
export function applyOptions(
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
    visibleTo && `Visible to ${formatAudiences(visibleTo.audiences)} only.`,
  ]
  described['description'] = joinSentences(description, ...notes)
  return described
}

// `writeOnly` would mean that no response contains it, but a token may be shown once, when it is created. `password`
// hides the input.
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
