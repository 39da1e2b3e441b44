// JSON Schemas from elsewhere, made part of our documents: their own definitions move into the book of named schemas.
import type { JsonSchema, NamedSchemas } from '../json-schema.ts'

/** Rewrites a foreign schema so that its references lead to named schemas of the document it becomes part of. */
export function rewriteReferences(foreign: JsonSchema, schemas: NamedSchemas): JsonSchema {
  const { $schema: _, $defs, definitions, ...root } = foreign
  const local: Record<string, unknown> = {}
  for (const [at, defs] of Object.entries({ $defs, definitions })) {
    for (const [name, def] of Object.entries((defs ?? {}) as Record<string, unknown>)) local[`#/${at}/${name}`] = def
  }
  const rewrite = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(rewrite)
    if (typeof node !== 'object' || node === null) return node
    const { $ref } = node as { $ref?: unknown }
    const referred = typeof $ref === 'string' ? local[$ref] : undefined
    const owner = $ref === '#' ? root : referred
    const members = Object.entries(node).map(([name, one]) => [name, rewrite(one)])
    if (typeof owner !== 'object' || owner === null) return Object.fromEntries(members)
    const name = /[\w.-]+$/.exec(String($ref))?.[0] ?? 'Recursive'
    return { ...Object.fromEntries(members), ...schemas.refer(name, owner, () => rewrite(owner) as JsonSchema) }
  }
  return rewrite(root) as JsonSchema
}
