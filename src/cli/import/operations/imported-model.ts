// Operations as actions that are going to be written.
import type { LocatedValue } from '../read/located.ts'
import type { Component, AttributeNode, AttributeNodes } from '../schemas/attribute-node.ts'

/** An endpoint: the actions of one tag, or of one first step of paths. */
export interface ImportedEndpoint {
  /** The name in the application and in documents. */
  readonly name: string
  readonly description: string | undefined
  /** The tag of its actions, if it is not the name. */
  readonly tags: readonly string[] | undefined
  readonly externalDocs: unknown
  /** The path that all its routes begin with; `//` for none. */
  readonly prefix: string
  readonly actions: readonly ImportedAction[]
}

/** One operation. */
export interface ImportedAction {
  readonly name: string
  readonly at: LocatedValue
  readonly verb: string
  /** The path of the route, below the prefix of the endpoint. */
  readonly path: string
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly operationId: string | undefined
  /** Tags, if they are not those of the endpoint. */
  readonly tags: readonly string[] | undefined
  readonly externalDocs: unknown
  readonly deprecated: boolean
  readonly params: AttributeNodes
  readonly headers: AttributeNodes
  readonly payload: ImportedPayload | undefined
  readonly responses: ReadonlyMap<string, ImportedResponse>
  readonly security: readonly ImportedAdmission[]
}

/** The body of a request. */
export interface ImportedPayload {
  readonly node: AttributeNode
  /** Given where not all attributes of a component are sent: those that are. */
  readonly inherits: { readonly component: Component; readonly names: readonly string[] } | undefined
  /** Content types that have to be named. */
  readonly consumes: readonly string[] | undefined
}

/** An answer. */
export interface ImportedResponse {
  /** The status of a name that is not built in. */
  readonly status: number | undefined
  readonly description: string | undefined
  readonly bodies: readonly ImportedBody[]
  readonly headers: AttributeNodes
}

/** One form of the body of an answer: an identifier, or a content type with an attribute or a list of a media type. */
export type ImportedBody =
  | string
  | { readonly type: string; readonly node: AttributeNode }
  | { readonly type: string; readonly listOf: Component }

/** A way in: schemes with their scopes that are required together, or everybody. */
export type ImportedAdmission = readonly { readonly scheme: ImportedScheme; readonly scopes: readonly string[] }[] | 'none'

/** A security scheme. */
export interface ImportedScheme {
  readonly name: string
  readonly kind: 'bearer' | 'basic' | 'apiKey' | 'oauth2' | 'openIdConnect'
  readonly options: Readonly<Record<string, unknown>>
  /** Whether it stands for one that edict does not have. */
  readonly isStandIn?: boolean
}
