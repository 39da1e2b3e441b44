// The descriptions that users write: of a convention, and of a list declared with it.
import type { FilterFieldSettings } from '../../mapper/extend.ts'
import type { ElementForm } from './envelope.ts'
import type { ListHeaders } from './declared-list.ts'
import type { BodyTemplate, ParamTemplate } from './templates.ts'

/** A convention for lists: the names of its params, and the form of its bodies. */
export interface ConventionDescription<P extends ParamTemplate = ParamTemplate, B extends BodyTemplate = BodyTemplate> {
  /** Its name, for contracts and messages. */
  readonly name: string
  /** The params by their names, with the role of each. */
  readonly params: P
  /** The body with the role of each member; `'elements'` for a plain array. */
  readonly body: B
  /**
   * The headers of responses.
   * @default none
   */
  readonly headers?: ListHeaders
  /**
   * The form of cursors: an opaque `'text'` from a response, or the `'key'` of an element.
   * @default `'text'`
   */
  readonly cursors?: 'text' | 'key'
  /**
   * The response to a request for more elements than allowed.
   * @default the setting of the plugin
   */
  readonly onExceed?: 'refuse' | 'clamp'
  /**
   * The response to a request for 0 elements: it is refused, or gets a page of the default size.
   * @default `'refuse'`
   */
  readonly onZero?: 'refuse' | 'default'
  /**
   * The content type of bodies.
   * @default that of a plain structure, or of a collection
   */
  readonly contentType?: string
  /** The form of elements, if it differs from their media type. */
  readonly element?: ElementForm
}

/** Settings of one list, or of all lists of an application. */
export interface ListSettings<F extends string = string, B extends BodyTemplate = BodyTemplate> {
  /**
   * The order of the list when the request names none; `-` before a field is descending.
   * @default that of the key
   */
  readonly order?: readonly (F | `-${F}`)[]
  /**
   * The fields that clients may order by, where the convention has a param for it.
   * @default none
   */
  readonly orderBy?: readonly F[]
  /**
   * The fields that clients may filter by, with their settings, where the convention has a param for it.
   * @default none
   */
  readonly filterBy?: { readonly [N in F]?: FilterFieldSettings }
  /**
   * Lets clients choose the fields that are shown, where the convention has a param for it.
   * @default `false`
   */
  readonly fields?: true
  /**
   * The body, in place of that of the convention.
   * @default that of the convention
   */
  readonly body?: B
  /**
   * The headers, in place of those of the convention.
   * @default those of the convention
   */
  readonly headers?: ListHeaders
  /**
   * The fields that identify an element.
   * @default the key of the media type's resource, or `['id']`
   */
  readonly key?: readonly F[]
  /**
   * The most elements of one page.
   * @default the setting of the plugin
   */
  readonly maxItems?: number
  /**
   * The size of a page if the request names none.
   * @default the setting of the plugin
   */
  readonly pageSize?: number
  /**
   * The name of the elements' type, where the convention has one.
   * @default the name of the media type in snake case
   */
  readonly type?: string
}
