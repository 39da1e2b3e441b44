// Renames schemas so that their names are independent of the order of declarations: the first one reached gets the bare
// name.

import { compareAscending } from '../../util/compare.ts'
import { toCanonicalData } from '../canonical.ts'
import type { Contract } from '../contract.ts'

const SCHEMAS_ROOT = '#/schemas/'

/** Returns the contract with numbered schema names, counted in the order in which its sorted form reaches them. */
export function renameSchemas(contract: Contract): Contract {
  const { schemas } = contract
  const groups = new Map<string, string[]>()
  const names = new Map<string, string>()
  const visit = (data: unknown): void => {
    if (typeof data !== 'object' || data === null) return
    const { $ref } = data as { readonly $ref?: unknown }
    if (typeof $ref === 'string' && $ref.startsWith(SCHEMAS_ROOT)) reach($ref.slice(SCHEMAS_ROOT.length))
    // A discriminator mapping holds strings, which are not visited: the list of variants reaches its schemas.
    for (const [, value] of Object.entries(data).sort(([a], [b]) => compareAscending(a, b))) visit(value)
  }
  const reach = (name: string): void => {
    if (names.has(name)) return
    const base = getBaseName(name, schemas)
    const group = groups.get(base) ?? []
    groups.set(base, [...group, name])
    names.set(name, group.length === 0 ? base : `${base}${group.length + 1}`)
    visit(schemas[name])
  }
  visit(contract.endpoints)
  return toCanonicalData(rewriteContract(contract, names) as Contract)
}

// A trailing number belongs to the base name unless a schema has the name without it.
function getBaseName(name: string, schemas: Contract['schemas']): string {
  const base = name.replace(/\d+$/, '')
  return base !== '' && Object.hasOwn(schemas, base) ? base : name
}

function rewriteContract(contract: Contract, names: ReadonlyMap<string, string>): unknown {
  const rewrite = (data: unknown): unknown => {
    if (typeof data === 'string' && data.startsWith(SCHEMAS_ROOT))
      return SCHEMAS_ROOT + (names.get(data.slice(SCHEMAS_ROOT.length)) ?? data)
    if (Array.isArray(data)) return data.map(rewrite)
    if (typeof data !== 'object' || data === null) return data
    return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, rewrite(value)]))
  }
  const reached = Object.entries(contract.schemas).filter(([name]) => names.has(name))
  const schemas = Object.fromEntries(reached.map(([name, schema]) => [names.get(name), rewrite(schema)]))
  return { ...contract, endpoints: rewrite(contract.endpoints), schemas }
}
