// The contract: everything that clients of an application may rely on, as plain data that can be saved and compared.
import type { Terms } from '../design/declare/contract-terms.ts'
import type { AttributeConstraints } from '../schema/attribute.ts'
import type { JsonSchema } from '../schema/json-schema.ts'

/** Everything that an application promises to its clients, as JSON. */
export interface Contract {
  /** The version of the contract format. */
  readonly contract: 1
  readonly title: string
  readonly description?: string
  readonly basePath: string
  /** The carriers of the version in a request; empty if no endpoint has a version. */
  readonly versionWith: readonly string[]
  /** The status of a request that does not match its declaration. */
  readonly validationStatus: number
  /** The media type of problem documents. */
  readonly problems: string
  readonly limits: { readonly queryPairs: number; readonly queryDepth: number }
  readonly endpoints: readonly EndpointContract[]
  /** Named schemas, to which others refer as `#/schemas/Name`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>
}

/** An endpoint in one version. */
export interface EndpointContract {
  readonly name: string
  readonly version?: string
  readonly summary?: string
  readonly description?: string
  readonly nodoc?: true
  readonly actions: Readonly<Record<string, ActionContract>>
}

/** The requests that clients can send to one action, and its responses. */
export interface ActionContract {
  readonly summary?: string
  readonly description?: string
  /** The declared operation id, after which generated clients name their functions. */
  readonly operationId?: string
  readonly nodoc?: true
  readonly routes: readonly RouteContract[]
  readonly params: Readonly<Record<string, InputContract>>
  /** Rules between params, each as JSON Schema. */
  readonly requires?: readonly JsonSchema[]
  readonly headers: Readonly<Record<string, InputContract>>
  readonly payload?: PayloadContract
  /** Names of params that are ignored instead of rejected; `*` matches any characters. */
  readonly ignore: readonly string[]
  readonly responses: Readonly<Record<string, ResponseContract>>
  /** The terms of its policies, by policy name. */
  readonly policies: Readonly<Record<string, Terms>>
}

/** A route to an action, below the base path. */
export interface RouteContract {
  readonly verb: string
  readonly path: string
  readonly name?: string
  /** The constraints of captures, by capture name. */
  readonly captures?: Readonly<Record<string, string | readonly string[]>>
  /** A pattern of paths that the route does not match. */
  readonly except?: string
  /** Whether the route also matches its path with a trailing slash. */
  readonly slash?: true
  /** The content types of the body if it carries the params. */
  readonly paramsIn?: readonly string[]
}

/** A param or header. */
export interface InputContract {
  /** The kind of attribute, which determines how strings are parsed. */
  readonly kind: string
  readonly in: 'path' | 'query' | 'path or query' | 'header'
  /** Whether it must be sent: it is required and has no default. */
  readonly required: boolean
  readonly schema: JsonSchema
  readonly extraConstraints?: Readonly<Record<string, ExtraConstraints>>
  readonly terms?: Terms
}

/** Rules of an attribute that JSON Schema cannot express. */
export interface ExtraConstraints extends AttributeConstraints {
  /** Whether a form carries it as JSON text. */
  readonly json?: true
  /** The default is computed for each request. */
  readonly computed?: true
}

/** The body of an action's requests. */
export interface PayloadContract {
  readonly form: string
  readonly required: boolean
  readonly consumes: readonly string[]
  /** The largest body in bytes, not counting declared files. */
  readonly limit: number
  readonly schema: JsonSchema
  readonly extraConstraints?: Readonly<Record<string, ExtraConstraints>>
}

/** A declared response. */
export interface ResponseContract {
  readonly status: number
  readonly description?: string
  readonly headers: Readonly<Record<string, HeaderContract>>
  /** The representations of the body. The first is the default. */
  readonly bodies: readonly BodyContract[]
}

/** A response header. */
export interface HeaderContract {
  readonly required: boolean
  readonly schema: JsonSchema
}

/** An event of a stream: its data. */
export interface EventContract {
  readonly schema: JsonSchema
  readonly extraConstraints?: Readonly<Record<string, ExtraConstraints>>
}

/** One representation of a response body. */
export interface BodyContract {
  readonly type: string
  /** Whether its CSV is escaped for spreadsheets, which changes the bytes. */
  readonly spreadsheet?: true
  /** The events of a stream, by name. */
  readonly events?: Readonly<Record<string, EventContract>>
  readonly schema: JsonSchema
  readonly extraConstraints?: Readonly<Record<string, ExtraConstraints>>
}
