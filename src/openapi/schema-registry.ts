// The registry of a document: schemas of both directions and security schemes, each under a name that OpenAPI allows once.
import { type JsonSchema, NamedSchemas } from '../schema/json-schema.ts'

const COMPONENTS_ROOT = '#/components/schemas/'

class ComponentSchemas extends NamedSchemas {
  protected override readonly sharesEqualSchemas = true

  override refer(name: string, owner: object, make: () => JsonSchema, other: string = name): JsonSchema {
    return super.refer(toComponentName(name), owner, make, toComponentName(other))
  }
}

/** Collects what the operations of one document share, by name. */
export class SchemaRegistry {
  /** Schemas of what clients receive. */
  readonly output: NamedSchemas = new ComponentSchemas('output', COMPONENTS_ROOT)
  /** Schemas of what clients send; they differ in what may be left out and what may be added. */
  readonly input: NamedSchemas = new ComponentSchemas('input', COMPONENTS_ROOT, { named: this.output.named, suffix: 'Input' })
  /** Schemas of whole payloads, each under the name of its action. */
  readonly payloads: NamedSchemas = new ComponentSchemas('input', COMPONENTS_ROOT, { named: this.output.named, suffix: 'Payload' })
  /** Schemas of what clients may select of what they receive. */
  readonly partial: NamedSchemas = new ComponentSchemas('output', COMPONENTS_ROOT, {
    named: this.output.named,
    suffix: 'Fields',
    complete: this.output,
  })
  readonly #schemes = new Map<object, string>()
  readonly #schemeObjects: Record<string, object> = {}

  /** Everything that was named so far, in the order of names. */
  schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.output.named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** The name of a security scheme, which is described at the first time; two schemes of one name get different ones. */
  scheme(owner: object, wanted: string, make: () => object): string {
    const known = this.#schemes.get(owner)
    if (known !== undefined) return known
    const base = toComponentName(wanted)
    let name = base
    for (let n = 2; Object.hasOwn(this.#schemeObjects, name); n++) name = `${base}${n}`
    this.#schemes.set(owner, name)
    this.#schemeObjects[name] = make()
    return name
  }

  /** The security schemes that were named so far; undefined when there is none. */
  securitySchemes(): Readonly<Record<string, object>> | undefined {
    return this.#schemes.size === 0 ? undefined : this.#schemeObjects
  }
}

/** A name in the characters that components of OpenAPI, and addresses, may have. */
export const toComponentName = (name: string): string => name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+$/, 'Unnamed')
