// The types of the parts of OpenAPI 3.1 and 3.2 that documents use.
import type { ApiServer, Contact, ExternalDocs, License } from '../design/metadata.ts'
import type { JsonSchema } from '../schema/json-schema.ts'

/** A version of OpenAPI in which documents are written. */
export type OpenapiVersion = '3.1' | '3.2'

/** The form of a document. */
export interface OpenapiOptions {
  /**
   * The version of OpenAPI. 3.2 describes streams by their elements, has a member for QUERY, and nests tags.
   * @default `'3.1'`
   */
  readonly openapi?: OpenapiVersion
}

/** A document that describes one version of an API. */
export interface OpenapiDocument {
  readonly openapi: '3.1.1' | '3.2.0'
  readonly info: Info
  readonly servers: readonly ApiServer[]
  readonly tags: readonly TagObject[]
  readonly externalDocs?: ExternalDocs
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: Components
}

/** The metadata of an API. */
interface Info {
  readonly title: string
  readonly version: string
  readonly description?: string
  readonly termsOfService?: string
  readonly contact?: Contact
  readonly license?: License
}

/** A group of operations. */
export interface TagObject {
  readonly name: string
  /** The title, before OpenAPI 3.2. */
  readonly 'x-displayName'?: string
  /** The title, from OpenAPI 3.2 on. */
  readonly summary?: string
  readonly description?: string
  readonly externalDocs?: ExternalDocs
  /** The tag that this one is a part of, from OpenAPI 3.2 on. */
  readonly parent?: string
  /** The use of the tag, from OpenAPI 3.2 on. */
  readonly kind?: string
}

/** The operations of one path, by lowercase verb. */
export type PathItem = { [verb: string]: Operation }

/** The components that operations share. */
interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly securitySchemes?: Readonly<Record<string, object>>
}

/** One action at one path. */
export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly externalDocs?: ExternalDocs
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, ResponseObject>>
  /** The alternative security requirements; empty if anonymous clients may call the operation. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

/** An input in the path, the query or a header. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly deprecated?: boolean
  readonly description?: string
  readonly style?: string
  readonly explode?: boolean
  /** The schema of the value; a value in another format, such as JSON text, has `content` instead. */
  readonly schema?: JsonSchema
  readonly content?: Readonly<Record<string, MediaTypeObject>>
  readonly example?: unknown
}

/** A request body. */
export interface RequestBody {
  readonly description?: string
  readonly required: boolean
  readonly content: Readonly<Record<string, MediaTypeObject>>
}

/** One representation of a body. */
export interface MediaTypeObject {
  readonly schema?: JsonSchema
  /** The schema of each element of a stream, from OpenAPI 3.2 on. */
  readonly itemSchema?: JsonSchema
  readonly example?: unknown
  /** Examples whose text differs from their data, from OpenAPI 3.2 on. */
  readonly examples?: Readonly<Record<string, ExampleObject>>
  readonly encoding?: Readonly<Record<string, EncodingObject>>
}

/** An example as data and as it is sent. */
interface ExampleObject {
  readonly dataValue: unknown
  readonly serializedValue: string
}

/** The encoding of one attribute in a form. */
export interface EncodingObject {
  readonly contentType?: string
  readonly style?: string
  readonly explode?: boolean
}

/** A response. */
export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, HeaderObject>>
  readonly content?: Readonly<Record<string, MediaTypeObject>>
}

/** A response header. */
export interface HeaderObject {
  readonly description?: string
  readonly required?: boolean
  readonly schema: JsonSchema
}
