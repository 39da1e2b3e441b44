// Responses: the values that actions return, their classes, and their declarations.
import { type Attribute, isAttribute } from '../../schema/attribute.ts'
import { isSettings } from '../../util/setting-form.ts'
import { type Collection, isCollection } from './collection.ts'
import { isMediaType, isView, type MediaType, type View } from './media-type.ts'
import { type BuiltinResponse, builtinStatuses, type ResponseClassName } from './status.ts'

/** The header names and values of a response; an array sends the header once for each value. */
export type HeaderBag = Record<string, string | readonly string[]>

/** A body without structure: text, bytes, or a stream of either. */
export type PlainBody = string | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>

/** The description of a body: a media type or view, a list of one, any attribute, or a media type identifier. */
export type BodySpec = AnyAttribute | AnyCollection | string

/** Any attribute, under a name without type arguments, which keeps compiler messages short. */
export interface AnyAttribute extends Attribute {}

/** Any collection, under a name without type arguments. */
export interface AnyCollection extends Collection {}

/** The declaration of one response of an action. */
export interface ResponseSpec {
  /** Describes the response in documents; markdown. */
  readonly description?: string
  /**
   * The status, for a name that is not built in.
   * @see docs/guide/response-names.md
   */
  readonly status?: number
  /** The type of the body. With several types, the client's Accept header selects one, and the first is preferred. */
  readonly mediaType?: BodySpec | readonly BodySpec[]
  /** The Location header must be present and equal this text, or completely match this pattern. */
  readonly location?: string | RegExp
  /**
   * Headers that must be present and match: a text, a pattern for the complete value, an attribute, or true for any
   * value.
   */
  readonly headers?: { readonly [name: string]: string | RegExp | Attribute | true }
}

/** The short and long forms of a declared response. */
export type ResponseDeclaration = true | BodySpec | ResponseSpec | ResponseClass

/** An action's responses by name. */
export type ResponsesSpec = { readonly [N in BuiltinResponse]?: ResponseDeclaration } & {
  readonly [custom: string]: ResponseDeclaration | undefined
}

/** The settings of a new response. */
export interface ResponseInit<B = unknown> {
  /** Header names and values; a list sends the header once for each value. */
  readonly headers?: HeaderBag
  /** The body, as declared by the action. */
  readonly body?: B
  /** Sets the Location header. */
  readonly location?: string
  /** Sets the Content-Type header from a media type, a view, a list of one, or an identifier. */
  readonly mediaType?: MediaType | View | Collection | string
}

/** The response of an action: a declared name, a status, headers and a body. */
export class ActionResponse<out N extends string = string, out B = unknown> {
  readonly name: N
  readonly status: number
  body: B | undefined
  #headers: HeaderBag | undefined

  constructor(name: N, status: number, init?: ResponseInit<B>) {
    this.name = name
    this.status = status
    this.body = init?.body
    if (init === undefined) return
    if (init.headers !== undefined) this.#headers = { ...init.headers }
    if (init.location !== undefined) this.location = init.location
    if (init.mediaType !== undefined) this.mediaType = init.mediaType
  }

  /** The header names and values; they can be read and changed. */
  get headers(): HeaderBag {
    this.#headers ??= {}
    return this.#headers
  }

  set headers(headers: HeaderBag) {
    this.#headers = headers
  }

  /** True when a header was set; reading it does not allocate. */
  get hasHeaders(): boolean {
    return this.#headers !== undefined
  }

  /** The Location header. */
  get location(): string | undefined {
    return joinHeaderValues(this.#headers?.['Location'])
  }

  set location(location: string) {
    this.headers['Location'] = location
  }

  /** The Content-Type header; assigning a media type, view or list sets it to the identifier. */
  get mediaType(): string | undefined {
    return joinHeaderValues(this.#headers?.['Content-Type'])
  }

  set mediaType(mediaType: MediaType | View | Collection | string) {
    this.headers['Content-Type'] = getMediaTypeIdentifier(mediaType)
  }

  get '~response'(): true {
    return true
  }
}

const joinHeaderValues = (value: string | readonly string[] | undefined): string | undefined =>
  value === undefined || typeof value === 'string' ? value : value.join(', ')

/** Returns whether a value is a response, including one created by another copy of this package. */
export const isResponse = (value: unknown): value is ActionResponse =>
  typeof value === 'object' && value !== null && (value as { '~response'?: unknown })['~response'] === true

/** Returns the media type identifier of a body, for `Content-Type`. */
export function getMediaTypeIdentifier(body: BodySpec): string {
  if (typeof body === 'string') return body
  if (isCollection(body)) return body.identifier ?? `${getMediaTypeIdentifier(body.of)};type=collection`
  if (isMediaType(body)) return body.identifier
  if (isView(body)) return body.of.identifier
  return 'application/json'
}

/** A class of responses: create instances with `new`, or use it as the declaration of its own name. */
export interface ResponseClass<N extends string = string, X extends number = number> {
  readonly responseName: N
  readonly spec: ResponseSpec & { readonly status: X }
  new (init?: Omit<ResponseInit, 'body'> & { readonly body?: undefined }): ActionResponse<N, undefined>
  new <B>(init?: ResponseInit<B>): ActionResponse<N, B>
}

export const isResponseClass = (value: unknown): value is ResponseClass =>
  typeof value === 'function' && 'responseName' in value

/** Declares a custom response, which actions list and controllers return. */
export function response<const N extends string, const X extends number = number>(
  name: N,
  spec: ResponseSpec & { readonly status: X },
): ResponseClass<N, X> {
  return class extends ActionResponse<N, never> {
    static readonly responseName: N = name
    static readonly spec = isSettings(spec) ? Object.freeze({ ...spec }) : spec

    constructor(init?: ResponseInit<never>) {
      super(name, spec.status, init)
    }
  } as ResponseClass<N, X>
}

/** One response class for every HTTP status, named after its standard message. */
export const Responses: { readonly [C in ResponseClassName]: ResponseClass<Uncapitalize<C>> } = Object.freeze(
  Object.fromEntries(
    [...builtinStatuses].map(([name, status]) => [
      name.charAt(0).toUpperCase() + name.slice(1),
      response(name, { status }),
    ]),
  ),
) as never

/** Converts every form of a declared response to the long form. */
export function toResponseSpec(declaration: ResponseDeclaration): ResponseSpec {
  if (declaration === true) return {}
  if (isResponseClass(declaration)) return declaration.spec
  if (typeof declaration === 'string' || isCollection(declaration) || isAttribute(declaration))
    return { mediaType: declaration }
  return declaration
}
