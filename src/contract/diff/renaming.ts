// Names of schemas that do not depend on the order of declarations: where several wanted one name, the first reached has it.
import { byText, canonical } from '../canonical.ts'
import type { Contract } from '../contract.ts'

const ROOT = '#/schemas/'

/** The same contract with numbers behind the names of schemas given in the order in which its sorted form reaches them. */
export function renamed(contract: Contract): Contract {
  const { schemas } = contract
  const groups = new Map<string, string[]>()
  const names = new Map<string, string>()
  const visit = (data: unknown): void => {
    if (typeof data !== 'object' || data === null) return
    const { $ref } = data as { readonly $ref?: unknown }
    if (typeof $ref === 'string' && $ref.startsWith(ROOT)) reach($ref.slice(ROOT.length))
    // Names come before other texts: what a mapping of variants refers to was reached by their list.
    for (const [, value] of Object.entries(data).sort(([a], [b]) => byText(a, b))) visit(value)
  }
  const reach = (name: string): void => {
    if (names.has(name)) return
    const base = wantedName(name, schemas)
    const group = groups.get(base) ?? []
    groups.set(base, [...group, name])
    names.set(name, group.length === 0 ? base : `${base}${group.length + 1}`)
    visit(schemas[name])
  }
  visit(contract.endpoints)
  return canonical(rewritten(contract, names) as Contract)
}

// A number behind a name that is taken without it tells two schemas apart.
function wantedName(name: string, schemas: Contract['schemas']): string {
  const base = name.replace(/\d+$/, '')
  return base !== '' && Object.hasOwn(schemas, base) ? base : name
}

function rewritten(contract: Contract, names: ReadonlyMap<string, string>): unknown {
  const rewrite = (data: unknown): unknown => {
    if (typeof data === 'string' && data.startsWith(ROOT)) return ROOT + (names.get(data.slice(ROOT.length)) ?? data)
    if (Array.isArray(data)) return data.map(rewrite)
    if (typeof data !== 'object' || data === null) return data
    return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, rewrite(value)]))
  }
  const reached = Object.entries(contract.schemas).filter(([name]) => names.has(name))
  const schemas = Object.fromEntries(reached.map(([name, schema]) => [names.get(name), rewrite(schema)]))
  return { ...contract, endpoints: rewrite(contract.endpoints), schemas }
}
