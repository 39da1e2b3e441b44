// The contract: all that clients of an application may rely on, as plain data that can be kept in a file and compared.
import type { Terms } from '../design/declare/contract-terms.ts'
import type { AttributeConstraints } from '../schema/attribute.ts'
import type { JsonSchema } from '../schema/json-schema.ts'

/** Everything that an application promises to its clients, as JSON. */
export interface Contract {
  /** The version of this form of description. */
  readonly contract: 1
  readonly title: string
  readonly description?: string
  readonly basePath: string
  /** How requests may carry a version; nothing where no endpoint has one. */
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
  /** The id that generated clients name their functions after, if it is declared. */
  readonly operationId?: string
  readonly nodoc?: true
  readonly routes: readonly RouteContract[]
  readonly params: Readonly<Record<string, InputContract>>
  /** Rules between params, each as JSON Schema. */
  readonly requires?: readonly JsonSchema[]
  readonly headers: Readonly<Record<string, InputContract>>
  readonly payload?: PayloadContract
  /** Names of params that are ignored instead of refused; `*` stands for any run of characters. */
  readonly ignore: readonly string[]
  readonly responses: Readonly<Record<string, ResponseContract>>
  /** The terms of its policies, by policy name. */
  readonly policies: Readonly<Record<string, Terms>>
}

/** One way to reach an action, below the base path. */
export interface RouteContract {
  readonly verb: string
  readonly path: string
  readonly name?: string
  /** The constraints of captures, by capture name. */
  readonly captures?: Readonly<Record<string, string | readonly string[]>>
  /** A pattern of paths that are no paths of the route. */
  readonly except?: string
  /** The route also answers its path with a slash at the end. */
  readonly slash?: true
  /** The content types of the body, where it holds the params. */
  readonly paramsIn?: readonly string[]
}

/** A param or header. */
export interface InputContract {
  /** The kind of attribute, which says how texts are read. */
  readonly kind: string
  readonly in: 'path' | 'query' | 'path or query' | 'header'
  /** It must be sent: it is required, and no default takes its place. */
  readonly required: boolean
  readonly schema: JsonSchema
  readonly unsaid?: Readonly<Record<string, ExtraConstraints>>
  readonly terms?: Terms
}

/** Rules of an attribute that JSON Schema cannot express. */
export interface ExtraConstraints extends AttributeConstraints {
  /** It comes as a text of JSON in a form. */
  readonly json?: true
  /** The default is computed for each request. */
  readonly computed?: true
}

/** The body of an action's requests. */
export interface PayloadContract {
  readonly form: string
  readonly required: boolean
  readonly consumes: readonly string[]
  /** The largest body in bytes, declared files apart. */
  readonly limit: number
  readonly schema: JsonSchema
  readonly unsaid?: Readonly<Record<string, ExtraConstraints>>
}

/** A declared answer. */
export interface ResponseContract {
  readonly status: number
  readonly description?: string
  readonly headers: Readonly<Record<string, HeaderContract>>
  /** Its forms, the first one being what clients get that ask for none. */
  readonly bodies: readonly BodyContract[]
}

/** A header of an answer. */
export interface HeaderContract {
  readonly required: boolean
  readonly schema: JsonSchema
}

/** One form of an answer. */
export interface BodyContract {
  readonly type: string
  /** Whether its CSV is made for spreadsheets, which changes its bytes. */
  readonly spreadsheet?: true
  readonly schema: JsonSchema
  readonly unsaid?: Readonly<Record<string, ExtraConstraints>>
}
