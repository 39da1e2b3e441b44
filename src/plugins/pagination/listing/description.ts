// The descriptions that users write: of a convention, and of a list declared with it.
import type { FilterFieldSettings } from '../../mapper/extend.ts'
import type { LinkForm, ListHeaders } from './declared-list.ts'
import type { ElementForm } from './envelope.ts'
import type { BodyTemplate, ElementTemplate, ParamTemplate } from './templates.ts'

/** A convention for lists: the names of its params, and the form of its bodies. */
export interface ConventionDescription<P extends ParamTemplate = ParamTemplate, B extends BodyTemplate = BodyTemplate> {
  /** The name of the convention, for contracts and messages. */
  readonly name: string
  /** The params by name, with the role of each. */
  readonly params: P
  /** The body with the role of each member; `'elements'` for a plain array. */
  readonly body: B
  /**
   * The headers of responses.
   * @default none
   */
  readonly headers?: ListHeaders
  /**
   * The form of links to pages, in bodies and in the header `Link`: a `'path'`, or `'absolute'` with the setting `baseUrl` of the plugin.
   * @default `'path'`
   */
  readonly links?: LinkForm
  /**
   * The form of cursors: an opaque `'text'` from a response, or the `'key'` of an element.
   * @default `'text'`
   */
  readonly cursors?: 'text' | 'key'
  /**
   * The size of a page if neither the request nor the list names one.
   * @default the setting of the plugin
   */
  readonly pageSize?: number
  /**
   * The maximum number of elements of one page, if the list names none.
   * @default the setting of the plugin
   */
  readonly maxItems?: number
  /**
   * The response to a request for more elements than allowed.
   * @default the setting of the plugin
   */
  readonly onExceed?: 'refuse' | 'clamp'
  /**
   * The response to a request for 0 elements: it is refused, or gets a page of the default size, or one without elements.
   * @default `'refuse'`
   */
  readonly onZero?: 'refuse' | 'default' | 'empty'
  /**
   * The response to a request for page 0: it is refused, or gets the first page.
   * @default `'refuse'`
   */
  readonly onPageZero?: 'refuse' | 'first'
  /**
   * The content type of bodies.
   * @default that of a plain structure, or of a collection
   */
  readonly contentType?: string
  /** The form of elements, if it differs from their media type. */
  readonly element?: ElementForm
  /** The body of a response with one element, if the convention has a form for it. */
  readonly elementBody?: ElementTemplate
}

/** The settings of one list, or of all lists of an application. */
export interface ListSettings<F extends string = string, B extends BodyTemplate = BodyTemplate> {
  /**
   * The order of the list if the request names none; `-` before a field is descending.
   * @default that of the key
   */
  readonly order?: readonly (F | `-${F}`)[]
  /**
   * The fields that clients may order by, if the convention has a param for it.
   * @default none
   */
  readonly orderBy?: readonly F[]
  /**
   * The fields that clients may filter by, with their settings, if the convention has a param for it.
   * @default none
   */
  readonly filterBy?: { readonly [N in F]?: FilterFieldSettings }
  /**
   * Whether clients may select the fields of the response, if the convention has a param for it.
   * @default `false`
   */
  readonly fields?: true
  /**
   * The body, which replaces that of the convention.
   * @default that of the convention
   */
  readonly body?: B
  /**
   * The headers, which replace those of the convention.
   * @default those of the convention
   */
  readonly headers?: ListHeaders
  /**
   * The form of links to pages: a `'path'`, or `'absolute'` with the setting `baseUrl` of the plugin.
   * @default that of the convention
   */
  readonly links?: LinkForm
  /**
   * The fields that identify an element.
   * @default the key of the media type's resource, or `['id']`
   */
  readonly key?: readonly F[]
  /**
   * The maximum number of elements of one page.
   * @default the setting of the plugin
   */
  readonly maxItems?: number
  /**
   * The size of a page if the request names none.
   * @default the setting of the plugin
   */
  readonly pageSize?: number
  /**
   * The name of the elements' type, if the convention has one.
   * @default its name in `types`, or the name of the media type in snake case
   */
  readonly type?: string
  /**
   * The names of types by the name of their media type, if the convention has types.
   * @default the names of the media types in snake case
   */
  readonly types?: Readonly<Record<string, string>>
  /**
   * The paths of the related elements that clients may include, such as comments.author, if the convention has a param for it.
   * @default none
   */
  readonly include?: readonly string[]
}

/** The settings of one element. */
export type ElementSettings<F extends string = string> = Pick<
  ListSettings<F>,
  'fields' | 'include' | 'key' | 'type' | 'types'
>
