// A selection of fields: which attributes of a media type a client wants, down to those of structures and related ones.
import type { Attribute, AttributeCore, Attributes } from '../../schema/attribute.ts'
import type { Dumper } from '../../schema/dumping.ts'
import { array } from '../../schema/structures/array.ts'
import { structDumper } from '../../schema/structures/object.ts'
import { record } from '../../schema/structures/record.ts'
import { isMediaType, isView, type MediaType, type View } from '../declare/media-type.ts'

/** Wanted fields by their names; undefined below a name stands for everything that the attribute shows by itself. */
export interface Selection {
  readonly fields: ReadonlyMap<string, Selection | undefined>
}

/** The kind of attribute that a param with a selection is of. */
export const SELECTION_KIND = 'fields'

/** What a param with a selection was declared with. */
export interface SelectionConfig {
  /** A view with what it shows, or a media type with what its default view shows if it declares one, else with everything. */
  readonly from: MediaType | View
}

/** A param whose value is a selection, and what it selects from. */
export interface SelectionParam extends SelectionConfig {
  readonly name: string
}

/** The param of an action whose value is a selection. */
export function selectionParam(params: Attributes): SelectionParam | undefined {
  for (const [name, one] of Object.entries(params)) {
    const { declared } = one as Attribute & { readonly declared?: SelectionConfig }
    if (one.kind === SELECTION_KIND && declared !== undefined) return { name, from: declared.from }
  }
  return undefined
}

/** Tells a selection from other values. */
export const isSelection = (value: unknown): value is Selection =>
  typeof value === 'object' && value !== null && 'fields' in value && value.fields instanceof Map

const elementOf = ({ kind, core }: Attribute): Attribute | undefined =>
  kind === 'collection' || kind === 'hash' ? core.children['*'] : undefined

/** The media type or view that a body is of, or that the elements of its list are of. */
export function resourceOf(body: Attribute): MediaType | View | undefined {
  if (isMediaType(body) || isView(body)) return body
  const element = elementOf(body)
  return element === undefined ? undefined : resourceOf(element)
}

/** The media type of which something is a view, or that it is itself. */
export const mediaTypeOf = (resource: MediaType | View): MediaType => (isView(resource) ? resource.of : resource)

/** A body as everything that can be selected of it, whatever its own view; undefined when it is of another media type. */
export function selectableBody(body: Attribute, from: MediaType | View): Attribute | undefined {
  if (isMediaType(body) || isView(body)) return mediaTypeOf(body) === mediaTypeOf(from) ? from : undefined
  const element = elementOf(body)
  const selectable = element === undefined ? undefined : selectableBody(element, from)
  return selectable === undefined ? undefined : listOf(body, selectable)
}

// The same list of other elements.
const listOf = ({ kind, options }: Attribute, element: Attribute): Attribute =>
  kind === 'hash' ? record(element, options as {}) : array(element, options as {})

/**
 * The attributes that can be selected below another: those of its structure, or of the elements of its list. A default view
 * that a media type declares hides the others.
 */
export function selectableBelow(attribute: Attribute): Attributes | undefined {
  const { kind, core } = attribute
  if (core.target !== undefined) return selectableBelow(core.target)
  const element = elementOf(attribute)
  if (element !== undefined) return selectableBelow(element)
  return kind === 'struct' || kind === 'media' ? core.selectable : undefined
}

/** Makes the dumper that shows only what is selected of an attribute, checked as it always is; nothing else leaves. */
export function selectionDumper(attribute: Attribute, selection: Selection): Dumper {
  const { core } = attribute
  if (core.target !== undefined) return selectionDumper(core.target, selection)
  const element = elementOf(attribute)
  if (element !== undefined) return listOf(attribute, narrowed(element, selection)).core.dumper
  const attributes = selectableBelow(attribute)
  return attributes === undefined ? core.dumper : structDumper(selectedEntries(attributes, selection))
}

function selectedEntries(attributes: Attributes, { fields }: Selection): [string, Attribute][] {
  return [...fields].flatMap(([name, below]): [string, Attribute][] => {
    const one = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    if (one === undefined) return []
    return [[name, below === undefined ? one : narrowed(one, below)]]
  })
}

// The same attribute in everything but what it shows: it stays as required and as nullable as it is.
function narrowed(attribute: Attribute, selection: Selection): Attribute {
  const dumper = selectionDumper(attribute, selection)
  const core: AttributeCore = Object.create(attribute.core, { dumper: { value: dumper } })
  return { ...attribute, core }
}
