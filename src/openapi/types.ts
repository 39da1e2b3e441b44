// OpenAPI 3.1 as data: the parts of it that declarations become.
import type { ApiServer, Contact, ExternalDocs, License } from '../design/metadata.ts'
import type { JsonSchema } from '../schema/json-schema.ts'

/** A document that describes one version of an API. */
export interface OpenapiDocument {
  readonly openapi: '3.1.1'
  readonly info: Info
  readonly servers: readonly ApiServer[]
  readonly tags: readonly TagObject[]
  readonly externalDocs?: ExternalDocs
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: Components
}

/** The facts about an API. */
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
  /** The title; OpenAPI has a member for it from 3.2 on only. */
  readonly 'x-displayName'?: string
  readonly description?: string
  readonly externalDocs?: ExternalDocs
}

/** The operations of one path, by their verbs in lower case. */
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
  /** The ways in; without any, everybody may call. */
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
  /** The schema of its value; a value in another text format has `content` instead. */
  readonly schema?: JsonSchema
  readonly content?: Readonly<Record<string, MediaTypeObject>>
  readonly example?: unknown
}

/** The body of a request. */
export interface RequestBody {
  readonly description?: string
  readonly required: boolean
  readonly content: Readonly<Record<string, MediaTypeObject>>
}

/** One form of a body. */
export interface MediaTypeObject {
  readonly schema?: JsonSchema
  readonly example?: unknown
  readonly encoding?: Readonly<Record<string, EncodingObject>>
}

/** How a form writes one attribute. */
export interface EncodingObject {
  readonly contentType?: string
  readonly style?: string
  readonly explode?: boolean
}

/** An answer. */
export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, HeaderObject>>
  readonly content?: Readonly<Record<string, MediaTypeObject>>
}

/** A header of an answer. */
export interface HeaderObject {
  readonly description?: string
  readonly required?: boolean
  readonly schema: JsonSchema
}
