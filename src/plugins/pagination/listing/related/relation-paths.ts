// A param of paths of relations, such as `author,comments.author`: one text with the paths that a list may include.
import { type KindOutline, outlinedAttribute } from '../../../../extend.ts'
import type { Attribute } from '../../../../index.ts'
import { relationPathsRules } from './relation-paths-rules.ts'
import { listRelationPaths, type RelationPathsConfig, type RelationTree } from './relations.ts'

/** Creates the param that accepts the paths of a tree. */
export const createRelationPaths = (tree: RelationTree): Attribute =>
  outlinedAttribute<RelationPathsConfig>(PATHS_KIND, { paths: listRelationPaths(tree) }, {})

const PATHS_KIND: KindOutline<RelationPathsConfig> = {
  name: 'relation-paths',
  write: (value, _, fail) => (Array.isArray(value) ? value.join() : fail('must be a list of paths')),
  ...relationPathsRules,
}
