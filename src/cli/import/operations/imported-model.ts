// The model of imported operations, from which files are rendered.
import type { LocatedValue } from '../read/located.ts'
import type { AttributeNode, AttributeNodes, Component } from '../schemas/attribute-node.ts'

/** An endpoint: the actions of one tag, or of one first path segment. */
export interface ImportedEndpoint {
  /** The name in the application and in documents. */
  readonly name: string
  readonly description: string | undefined
  /** The tag of the actions, when it differs from the name. */
  readonly tags: readonly string[] | undefined
  readonly externalDocs: unknown
  /** The common prefix of all routes; `//` for none. */
  readonly prefix: string
  readonly actions: readonly ImportedAction[]
}

/** One operation. */
export interface ImportedAction {
  readonly name: string
  readonly at: LocatedValue
  readonly verb: string
  /** The path of the route, relative to the prefix of the endpoint. */
  readonly path: string
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly operationId: string | undefined
  /** The tags, when they differ from those of the endpoint. */
  readonly tags: readonly string[] | undefined
  readonly externalDocs: unknown
  readonly deprecated: boolean
  readonly params: AttributeNodes
  readonly headers: AttributeNodes
  readonly payload: ImportedPayload | undefined
  readonly responses: ReadonlyMap<string, ImportedResponse>
  readonly security: readonly ImportedSecurityRequirement[]
}

/** The body of a request. */
export interface ImportedPayload {
  readonly node: AttributeNode
  /** The component and the inherited names, when requests omit some attributes of the component. */
  readonly inherits: { readonly component: Component; readonly names: readonly string[] } | undefined
  /** Content types, when they are not the default. */
  readonly consumes: readonly string[] | undefined
}

/** A response. */
export interface ImportedResponse {
  /** The status, when the name is not built in. */
  readonly status: number | undefined
  readonly description: string | undefined
  readonly bodies: readonly ImportedBody[]
  readonly headers: AttributeNodes
}

/** One body of a response: an identifier, or a content type with an attribute or a list of a media type. */
export type ImportedBody =
  | string
  | { readonly type: string; readonly node: AttributeNode }
  | { readonly type: string; readonly listOf: Component }

/** One alternative of `security`: schemes with scopes that are required together, or `'none'` for anonymous access. */
export type ImportedSecurityRequirement =
  | readonly { readonly scheme: ImportedScheme; readonly scopes: readonly string[] }[]
  | 'none'

/** A security scheme. */
export interface ImportedScheme {
  readonly name: string
  readonly kind: 'bearer' | 'basic' | 'http' | 'apiKey' | 'oauth2' | 'openIdConnect'
  readonly options: Readonly<Record<string, unknown>>
  /** Whether it replaces a scheme that edict does not support. */
  readonly isStandIn?: boolean
}
