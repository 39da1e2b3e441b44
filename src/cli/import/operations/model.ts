// Operations as actions that are going to be written.
import type { Located } from '../read/located.ts'
import type { Component, Node, Nodes } from '../schemas/node.ts'

/** An endpoint: the actions of one tag, or of one first step of paths. */
export interface Endpoint {
  /** The name in the application and in documents. */
  readonly name: string
  readonly description: string | undefined
  /** The tag of its actions, if it is not the name. */
  readonly tags: readonly string[] | undefined
  readonly externalDocs: unknown
  /** The path that all its routes begin with; `//` for none. */
  readonly prefix: string
  readonly actions: readonly Action[]
}

/** One operation. */
export interface Action {
  readonly name: string
  readonly at: Located
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
  readonly params: Nodes
  readonly headers: Nodes
  readonly payload: Payload | undefined
  readonly responses: ReadonlyMap<string, Response>
  readonly security: readonly Admission[]
}

/** The body of a request. */
export interface Payload {
  readonly node: Node
  /** Given where not all attributes of a component are sent: those that are. */
  readonly inherits: { readonly component: Component; readonly names: readonly string[] } | undefined
  /** Content types that have to be named. */
  readonly consumes: readonly string[] | undefined
}

/** An answer. */
export interface Response {
  /** The status of a name that is not built in. */
  readonly status: number | undefined
  readonly description: string | undefined
  readonly bodies: readonly Body[]
  readonly headers: Nodes
}

/** One form of the body of an answer: an identifier, or a content type with an attribute or a list of a media type. */
export type Body =
  | string
  | { readonly type: string; readonly node: Node }
  | { readonly type: string; readonly listOf: Component }

/** A way in: schemes with their scopes that are required together, or everybody. */
export type Admission = readonly { readonly scheme: Scheme; readonly scopes: readonly string[] }[] | 'none'

/** A security scheme. */
export interface Scheme {
  readonly name: string
  readonly kind: 'bearer' | 'basic' | 'apiKey' | 'oauth2' | 'openIdConnect'
  readonly options: Readonly<Record<string, unknown>>
  /** Whether it stands for one that edict does not have. */
  readonly isStandIn?: boolean
}
