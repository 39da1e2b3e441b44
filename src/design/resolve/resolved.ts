// Resolved declarations: inherited, merged, renamed. Router, server and documentation read only these.
import type { PathPattern } from '../../path/index.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import type { Deprecation } from '../../schema/attribute-options.ts'
import type { Requirement } from '../../schema/requirements.ts'
import type { AnyEndpoint } from '../declare/endpoint.ts'
import type { MediaType } from '../declare/media-type.ts'
import type { Needs } from '../declare/need.ts'
import type { Policies } from '../declare/policy.ts'
import type { Verb } from '../declare/route.ts'
import type { ExternalDocs } from '../metadata.ts'
import type { DefinitionMistake } from '../mistakes.ts'

/** One route with its whole path below the API's base path. */
export interface ResolvedRoute {
  readonly verb: Verb
  readonly path: string
  readonly pattern: PathPattern
  readonly name: string | undefined
  /** Where the params come from that the path does not capture. */
  readonly params: 'query' | 'body'
  /** The route also answers its path with a slash at the end. */
  readonly slash: boolean
}

/** How the bytes of a body become a payload. */
export type PayloadForm = 'structure' | 'value' | 'text' | 'file'

/** An action's payload with inherited attributes filled in. */
export interface ResolvedPayload {
  readonly attribute: Attribute
  readonly form: PayloadForm
  /** Media types of bodies that are accepted; `type/*` stands for all of a type. */
  readonly consumes: readonly string[]
  /** True when the action or its defaults name the content types, so that those of an application do not count. */
  readonly declared: boolean
  /** True when the payload is not a file and holds some, which only multipart bodies can carry. */
  readonly files: boolean
}

/** One way to write the body of a response. */
export interface ResolvedBody {
  readonly identifier: string
  /** The declaration that renders the body, or each element of a list; undefined for bodies that pass as they are. */
  readonly attribute: Attribute | undefined
  readonly list: boolean
  /** How the elements of a list are written one by one; absent for a list that is one JSON text. */
  readonly stream?: StreamForm
  /** The body of a response for which the action gives none; undefined where leaving it out is a mistake. */
  readonly absent: string | undefined
}

/** The form of a list that is written element by element. */
export interface StreamForm {
  readonly as: 'ndjson' | 'csv'
  /** Whether the CSV is made for spreadsheets. */
  readonly spreadsheet: boolean
}

/** A resolved response, with its status and forms. */
export interface ResolvedResponse {
  readonly name: string
  readonly status: number
  readonly description: string | undefined
  /** The forms of its body, the first being the preferred one; without any it has no body, or is a problem document. */
  readonly bodies: readonly ResolvedBody[]
  /** True for a failure that names no body: it is a problem document. */
  readonly problem: boolean
  readonly location: string | RegExp | undefined
  readonly headers: readonly (readonly [name: string, rule: string | RegExp | Attribute | true])[]
}

/** The words of a declaration for readers of documents. */
interface Documentation {
  readonly summary: string | undefined
  readonly description: string | undefined
  /** The groups that documents list it in. */
  readonly tags: readonly string[]
  readonly externalDocs: ExternalDocs | undefined
}

/** An action with its defaults merged and its parents' params added. */
export interface ResolvedAction extends Documentation {
  readonly endpoint: ResolvedEndpoint
  readonly name: string
  /** The id of its operations, if it declares one. */
  readonly operationId: string | undefined
  readonly nodoc: boolean
  readonly routes: readonly ResolvedRoute[]
  readonly params: Attributes
  /** Rules between the params; those between attributes of the payload are its own. */
  readonly requires: readonly Requirement[]
  readonly payload: ResolvedPayload | undefined
  /** Content types of the body where a route takes the params in it. */
  readonly paramTypes: readonly string[]
  readonly headers: Attributes
  readonly responses: ReadonlyMap<string, ResolvedResponse>
  /** Set where clients should not call it any more. */
  readonly deprecated: Deprecation | undefined
  /** Its policies by their names, in the order in which they run. */
  readonly policies: Policies
  /** Values that it asks for, by their names. */
  readonly needs: Needs
  readonly ignore: readonly string[]
  readonly bodyLimit: number | undefined
}

/** A resolved endpoint, with the mistakes found in its declaration. */
export interface ResolvedEndpoint extends Documentation {
  readonly definition: AnyEndpoint
  readonly name: string
  readonly singular: string
  readonly version: string | undefined
  readonly nodoc: boolean
  readonly mediaType: MediaType | string | undefined
  readonly actions: ReadonlyMap<string, ResolvedAction>
  /** The canonical route and the params it captures. */
  readonly canonical: { readonly route: ResolvedRoute; readonly params: Attributes } | undefined
  readonly mistakes: readonly DefinitionMistake[]
}
