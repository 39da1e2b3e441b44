// Embeds JSON Schemas of other libraries in our documents: their definitions become named schemas.
import type { JsonSchema, NamedSchemas } from '../json-schema.ts'

/** Rewrites a foreign schema so that its references point to named schemas of the document. */
export function rewriteReferences(foreign: JsonSchema, schemas: NamedSchemas): JsonSchema {
  const { $schema: _, $defs, definitions, ...root } = foreign
  const local: Record<string, unknown> = {}
  for (const [keyword, defs] of Object.entries({ $defs, definitions })) {
    for (const [name, def] of Object.entries((defs ?? {}) as Record<string, unknown>))
      local[`#/${keyword}/${name}`] = def
  }
  const rewrite = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(rewrite)
    if (typeof node !== 'object' || node === null) return node
    const { $ref } = node as { $ref?: unknown }
    const definition = typeof $ref === 'string' ? local[$ref] : undefined
    const owner = $ref === '#' ? root : definition
    const members = Object.entries(node).map(([name, one]) => [name, rewrite(one)])
    if (typeof owner !== 'object' || owner === null) return Object.fromEntries(members)
    const name = /[\w.-]+$/.exec(String($ref))?.[0] ?? 'Recursive'
    return { ...Object.fromEntries(members), ...schemas.refer(name, owner, () => rewrite(owner) as JsonSchema) }
  }
  return rewrite(root) as JsonSchema
}
