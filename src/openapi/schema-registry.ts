// The registry of a document: schemas of both directions and security schemes, each under a unique component name.
import { type JsonSchema, NamedSchemas } from '../schema/json-schema.ts'
import type { OpenapiVersion } from './types.ts'

const COMPONENTS_ROOT = '#/components/schemas/'

class ComponentSchemas extends NamedSchemas {
  protected override readonly sharesEqualSchemas = true

  override refer(name: string, owner: object, make: () => JsonSchema, other: string = name): JsonSchema {
    return super.refer(toComponentName(name), owner, make, toComponentName(other))
  }
}

/** Collects the components that the operations of a document share. */
export class SchemaRegistry {
  /** The version of OpenAPI in which the document is written. */
  readonly openapi: OpenapiVersion
  /** Schemas of responses. */
  readonly output: NamedSchemas = new ComponentSchemas('output', COMPONENTS_ROOT)
  /** Schemas of requests; they differ in required and additional members. */
  readonly input: NamedSchemas = new ComponentSchemas('input', COMPONENTS_ROOT, {
    named: this.output.named,
    suffix: 'Input',
  })
  /** Schemas of payloads, each named after its action. */
  readonly payloads: NamedSchemas = new ComponentSchemas('input', COMPONENTS_ROOT, {
    named: this.output.named,
    suffix: 'Payload',
  })
  /** Schemas of responses from which clients select fields. */
  readonly partial: NamedSchemas = new ComponentSchemas('output', COMPONENTS_ROOT, {
    named: this.output.named,
    suffix: 'Fields',
    complete: this.output,
  })
  readonly #schemes = new Map<object, string>()
  readonly #schemeObjects: Record<string, object> = {}

  constructor(openapi: OpenapiVersion = '3.1') {
    this.openapi = openapi
  }

  /** Returns all named schemas, sorted by name. */
  schemas(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.output.named].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /**
   * Returns the name of a security scheme, and describes it on first use. Schemes of equal names get a numeric suffix.
   */
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

  /** Returns the named security schemes; undefined if there are none. */
  securitySchemes(): Readonly<Record<string, object>> | undefined {
    return this.#schemes.size === 0 ? undefined : this.#schemeObjects
  }
}

/** Replaces the characters that component names of OpenAPI must not contain. */
export const toComponentName = (name: string): string =>
  name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+$/, 'Unnamed')
