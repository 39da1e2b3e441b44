// Relations of elements: the attributes that are other elements, and the paths by which a list may include them.
import { getMediaType, getResource, isView, type Selection } from '../../../../extend.ts'
import type { Attribute, MediaType, View } from '../../../../index.ts'

/** An attribute that is another element, or a list of them. */
export interface Relation {
  readonly of: MediaType
  /** The media type or the view in which the related elements are shown. */
  readonly shown: MediaType | View
  readonly isMany: boolean
}

/** Returns the relation that an attribute is; undefined for other attributes. */
export function findRelation(attribute: Attribute): Relation | undefined {
  const isMany = attribute.core.shape === 'list'
  const shown = getResource(isMany ? (attribute.core.element as Attribute) : attribute)
  return shown === undefined ? undefined : { of: getMediaType(shown), shown, isMany }
}

/** The related elements, and the fields of each type, that a request asks for. */
export interface RequestedRelations {
  /** The relations that are included; undefined if the request names none. */
  readonly include: RelationTree | undefined
  /** The selected fields by type; a type without them shows its default ones. */
  readonly fields: ReadonlyMap<string, Selection>
}

/** A request for what is shown by default. */
export const NO_REQUEST: RequestedRelations = { include: undefined, fields: new Map() }

/** Relations by name, each with those that follow it. */
export interface RelationTree extends ReadonlyMap<string, RelationTree> {}

const NO_RELATIONS: RelationTree = new Map()

/** Parses paths of relations, such as comments.author, which includes the comments, too. */
export function parseRelationPaths(paths: readonly string[]): RelationTree {
  const root = new Map<string, RelationTree>()
  for (const path of paths) {
    let tree = root
    for (const step of path.split('.')) {
      const below = (tree.get(step) ?? new Map()) as Map<string, RelationTree>
      tree.set(step, below)
      tree = below
    }
  }
  return root
}

/** Lists the paths of a tree, those of inner nodes, too. */
export const listRelationPaths = (tree: RelationTree): readonly string[] =>
  [...tree].flatMap(([name, below]) => [name, ...listRelationPaths(below).map((path) => `${name}.${path}`)])

/** A relation that follows from a path. */
export interface FoundRelation extends Relation {
  readonly name: string
  readonly attribute: Attribute
  /** The relations that are included after it. */
  readonly below: RelationTree
}

/** Lists the relations of a tree that exist below a media type or a view of one. */
export function followRelations(of: MediaType | View, tree: RelationTree): readonly FoundRelation[] {
  // The children of a media type are those of its default view.
  const attributes = isView(of) ? of.core.children : of.attributes
  return [...tree].flatMap(([name, below]) => {
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    const relation = attribute && findRelation(attribute)
    return attribute === undefined || relation === undefined ? [] : [{ ...relation, name, attribute, below }]
  })
}

/** Returns the part of a tree that exists below a media type or a view. */
export const keepRelations = (of: MediaType | View, tree: RelationTree): RelationTree =>
  tree.size === 0
    ? NO_RELATIONS
    : new Map(followRelations(of, tree).map(({ name, shown, below }) => [name, keepRelations(shown, below)]))

/** The declaration of a param of expansions. */
export interface ExpansionsConfig {
  readonly of: MediaType | View
  /** The relations that requests may expand. */
  readonly tree: RelationTree
}

/** The declaration of a param of paths. */
export interface RelationPathsConfig {
  /** The paths that requests may name. */
  readonly paths: readonly string[]
}
