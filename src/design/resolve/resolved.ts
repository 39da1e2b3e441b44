// Resolved declarations: inherited, merged, renamed. Router, server and documentation read only these.
import type { PathPattern } from '../../path/index.ts'
import type { Attribute, Attributes } from '../../schema/attribute.ts'
import type { Deprecation } from '../../schema/attribute-options.ts'
import type { Requirement } from '../../schema/requirements.ts'
import type { ListFormat } from '../declare/collection.ts'
import type { AnyEndpoint } from '../declare/endpoint.ts'
import type { EventSettings } from '../declare/events.ts'
import type { MediaType } from '../declare/media-type.ts'
import type { Needs } from '../declare/need.ts'
import type { Policies } from '../declare/policy.ts'
import type { Verb } from '../declare/route.ts'
import type { ExternalDocs } from '../metadata.ts'
import type { DefinitionMistake } from '../mistakes.ts'

/** One route with its complete path below the API's base path. */
export interface ResolvedRoute {
  readonly verb: Verb
  readonly path: string
  readonly pattern: PathPattern
  readonly name: string | undefined
  /** The source of the params that the path does not capture. */
  readonly params: 'query' | 'body'
  /** Whether the route also matches its path with a trailing slash. */
  readonly slash: boolean
}

/** The conversion of a body's bytes to a payload. */
export type PayloadForm = 'structure' | 'value' | 'text' | 'file'

/** An action's payload, including inherited attributes. */
export interface ResolvedPayload {
  readonly attribute: Attribute
  readonly form: PayloadForm
  /** The accepted media types of bodies; `type/*` matches all of a type. */
  readonly consumes: readonly string[]
  /** True when the action or its defaults declare the content types, so that those of the application do not apply. */
  readonly declared: boolean
  /** True when the payload is not a file but contains files, which only multipart bodies can carry. */
  readonly files: boolean
}

/** One representation of a response body. */
export interface ResolvedBody {
  readonly identifier: string
  /** The declaration that renders the body, or each element of a list; undefined for bodies that are sent unchanged. */
  readonly attribute: Attribute | undefined
  readonly list: boolean
  /** The format of a list that is written element by element; absent for a list in one JSON text. */
  readonly stream?: StreamForm
  /** The body of a response for which the action returns none; undefined if leaving it out is a mistake. */
  readonly absent: string | undefined
}

/** The format of a list that is written element by element. */
export interface StreamForm extends Partial<EventSettings> {
  readonly as: Exclude<ListFormat, 'json'>
  /** Whether the CSV is intended for spreadsheets. */
  readonly spreadsheet: boolean
}

/** A resolved response, with its status and bodies. */
export interface ResolvedResponse {
  readonly name: string
  readonly status: number
  readonly description: string | undefined
  /** The representations of its body, the preferred one first; without any it has no body, or is a problem document. */
  readonly bodies: readonly ResolvedBody[]
  /** True for a failure without a declared body: it is a problem document. */
  readonly problem: boolean
  readonly location: string | RegExp | undefined
  readonly headers: readonly (readonly [name: string, rule: string | RegExp | Attribute | true])[]
}

/** The texts of a declaration for documents. */
interface Documentation {
  readonly summary: string | undefined
  readonly description: string | undefined
  /** Its groups in documents. */
  readonly tags: readonly string[]
  readonly externalDocs: ExternalDocs | undefined
}

/** An action with its defaults merged and the params of its parents added. */
export interface ResolvedAction extends Documentation {
  readonly endpoint: ResolvedEndpoint
  readonly name: string
  /** The declared id of its operations. */
  readonly operationId: string | undefined
  readonly nodoc: boolean
  readonly routes: readonly ResolvedRoute[]
  readonly params: Attributes
  /** The rules between the params; those between attributes of the payload are part of the payload. */
  readonly requires: readonly Requirement[]
  readonly payload: ResolvedPayload | undefined
  /** The content types of the body for routes that take the params in it. */
  readonly paramTypes: readonly string[]
  readonly headers: Attributes
  readonly responses: ReadonlyMap<string, ResolvedResponse>
  /** Set if the action is deprecated. */
  readonly deprecated: Deprecation | undefined
  /** Its policies by name, in the order in which they run. */
  readonly policies: Policies
  /** The values that it requests, by name. */
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
