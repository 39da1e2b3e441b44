// The descriptions that users write: of a convention, and of a list declared with it.
import type { FilterFieldSettings } from '../../lists/extend.ts'
import type { ElementForm } from './envelope.ts'
import type { ListHeaders } from './list.ts'
import type { BodyTemplate, ParamTemplate } from './templates.ts'

/** A convention for lists: the names of its params, and the form of its answers. */
export interface ConventionDescription<P extends ParamTemplate = ParamTemplate, B extends BodyTemplate = BodyTemplate> {
  /** Its name, for contracts and messages. */
  readonly name: string
  /** The params by their names, with the role of each. */
  readonly params: P
  /** The body with the role of each member; `'elements'` for a plain array. */
  readonly body: B
  /**
   * Headers of answers.
   * @default none
   */
  readonly headers?: ListHeaders
  /**
   * How a place is named: by a `'text'` that a response gave out, or by the `'key'` of an element.
   * @default `'text'`
   */
  readonly places?: 'text' | 'key'
  /**
   * How a request for more elements than allowed is answered.
   * @default the setting of the plugin
   */
  readonly onExceed?: 'refuse' | 'clamp'
  /**
   * The content type of bodies.
   * @default that of a plain structure, or of a collection
   */
  readonly contentType?: string
  /** How elements are written, where that is not as their media type says. */
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
   * Another body than that of the convention.
   * @default that of the convention
   */
  readonly body?: B
  /**
   * Other headers than those of the convention.
   * @default those of the convention
   */
  readonly headers?: ListHeaders
  /**
   * The fields that no two elements have in common.
   * @default the key of the media type's resource, or `['id']`
   */
  readonly key?: readonly F[]
  /**
   * The most elements of one part.
   * @default the setting of the plugin
   */
  readonly maxItems?: number
  /**
   * The elements of a part when the request does not say.
   * @default the setting of the plugin
   */
  readonly pageSize?: number
  /**
   * The name of the elements' type, where the convention has one.
   * @default the name of the media type in snake case
   */
  readonly type?: string
}
