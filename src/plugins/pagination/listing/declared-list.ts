// A list as an action declares it.
import type { Listing } from '../../../extend.ts'
import type { Attribute, Attributes, MediaType, View } from '../../../index.ts'
import type { FilterFieldSettings, RequestedList } from '../../mapper/extend.ts'
import type { OrderingConfig } from '../ordering-config.ts'
import type { PaginationConfig } from '../pagination-config.ts'
import type { ElementForm, ElementNames } from './envelope.ts'
import type { ParamLayout } from './param-layout.ts'
import type { ParamRole } from './param-slots.ts'
import type { ExpansionsConfig, RequestedRelations } from './related/relations.ts'
import type { BodyTemplate } from './templates.ts'

/** The params of a list, and their declarations. */
export interface DeclaredList {
  readonly layout: ParamLayout
  readonly config: PaginationConfig
  readonly order: OrderingConfig | undefined
  readonly convention: ListConvention
  /** The names that lead to the elements in a body; undefined if its declaration does not say where they are. */
  readonly elementsPath: readonly string[] | undefined
}

/** The headers of responses with a list. */
export interface ListHeaders {
  /**
   * Whether the header `Link` has links to other pages; `'counted'` for one to the last page, too, for which the elements are counted.
   * @default `false`
   */
  readonly link?: boolean | 'counted'
  /**
   * Whether the header `Link` also has links that lead to the page itself: from the first page to the first, from the last to the last.
   * @default `true`
   */
  readonly selfLinks?: boolean
  /** The name of the header with the total number of elements, which are then counted. */
  readonly total?: string
}

/** The form of links to pages: paths, or URLs with the scheme and host of the setting `baseUrl`. */
export type LinkForm = 'path' | 'absolute'

/** The settings of a convention, and of the declaration of a list in it, apart from the params. */
export interface ListConvention {
  /** The name of the convention. */
  readonly name: string
  /** The media type of the elements, or the view that is shown. */
  readonly of: MediaType | View
  readonly body: BodyTemplate
  readonly headers: ListHeaders
  readonly links: LinkForm
  /** Whether cursors are the keys of elements. */
  readonly byKey: boolean
  /** Whether the elements are counted for every request. */
  readonly alwaysCounts: boolean
  readonly onExceed: 'refuse' | 'clamp' | undefined
  readonly onZero: 'refuse' | 'default' | 'empty'
  readonly onPageZero: 'refuse' | 'first'
  /** Whether bodies have a cursor for each element. */
  readonly namesElements: boolean
  /** Whether an empty token means none: for the end in a response, and for the first page in a request. */
  readonly emptyTokens: boolean
  /** The name of the elements' type, if the convention has one. */
  readonly type: string
  /** The form of elements, if it differs from their media type. */
  readonly element: ElementForm | undefined
  /** The names of the elements' type and key, and of what they may include. */
  readonly names: ElementNames
  /** The relations that requests may expand. */
  readonly expansions: ExpansionsConfig
  /** Whether it is one element instead of a list. */
  readonly isElement: boolean
  readonly filterBy: Readonly<Record<string, FilterFieldSettings | undefined>>
}

/** A request for a list. */
export interface LinkableRequest {
  readonly params: object
  readonly url: string
  /**
   * The URL that links begin with.
   * @default `url`
   */
  readonly linkUrl?: string
  /** The list that the params ask for, which the plugin has read from them. */
  readonly list?: RequestedElements | undefined
}

/** The list, or the one element, that the params of a convention ask for. */
export interface RequestedElements extends RequestedList {
  /** The related elements, and the fields of each type, that the response has. */
  readonly related?: RequestedRelations
}

/** Writes the body for a page of a list. */
export type WriteListBody = (request: LinkableRequest, page: readonly unknown[]) => unknown

/** The declaration of a convention's param. */
export interface ConventionParamConfig {
  readonly list: DeclaredList
  readonly name: string
  /** The type of the param's values. */
  readonly base: Attribute
  readonly role: ParamRole | 'structure'
  /** Set for the one param that reports on the complete list. */
  readonly reporter: ListReporter | undefined
}

/** The declaration of a condition on one field. */
export interface FieldConditionConfig {
  /** The type of a value alone; undefined if the field is not compared for equality. */
  readonly exact: Attribute | undefined
  /** The type of the values by operator. */
  readonly bounds: Attributes
}

/** The facts about a complete list, for the param that reports them. */
export interface ListReporter {
  /** Returns the mistakes in the declaration. */
  mistakes(): readonly string[]
  /** Writes the body of a page. */
  readonly body: Listing['body']
}
