// Names of schemas that do not depend on the order of declarations: where several wanted one name, the first reached has it.
import { compareCodeUnits, toCanonicalData } from '../canonical.ts'
import type { Contract } from '../contract.ts'

const SCHEMAS_ROOT = '#/schemas/'

/** The same contract with numbers behind the names of schemas given in the order in which its sorted form reaches them. */
export function renameSchemas(contract: Contract): Contract {
  const { schemas } = contract
  const groups = new Map<string, string[]>()
  const names = new Map<string, string>()
  const visit = (data: unknown): void => {
    if (typeof data !== 'object' || data === null) return
    const { $ref } = data as { readonly $ref?: unknown }
    if (typeof $ref === 'string' && $ref.startsWith(SCHEMAS_ROOT)) reach($ref.slice(SCHEMAS_ROOT.length))
    // Names come before other texts: what a mapping of variants refers to was reached by their list.
    for (const [, value] of Object.entries(data).sort(([a], [b]) => compareCodeUnits(a, b))) visit(value)
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

// A number behind a name that is taken without it tells two schemas apart.
function getBaseName(name: string, schemas: Contract['schemas']): string {
  const base = name.replace(/\d+$/, '')
  return base !== '' && Object.hasOwn(schemas, base) ? base : name
}

function rewriteContract(contract: Contract, names: ReadonlyMap<string, string>): unknown {
  const rewrite = (data: unknown): unknown => {
    if (typeof data === 'string' && data.startsWith(SCHEMAS_ROOT)) return SCHEMAS_ROOT + (names.get(data.slice(SCHEMAS_ROOT.length)) ?? data)
    if (Array.isArray(data)) return data.map(rewrite)
    if (typeof data !== 'object' || data === null) return data
    return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, rewrite(value)]))
  }
  const reached = Object.entries(contract.schemas).filter(([name]) => names.has(name))
  const schemas = Object.fromEntries(reached.map(([name, schema]) => [names.get(name), rewrite(schema)]))
  return { ...contract, endpoints: rewrite(contract.endpoints), schemas }
}
