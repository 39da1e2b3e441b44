// Plans all files: the name of everything, and the file that declares it.
import { NameRegistry, toFileName, toTypeName, toValueName } from '../identifiers.ts'
import type { ImportedAction, ImportedEndpoint, ImportedScheme } from '../operations/imported-model.ts'
import type { AttributeNode, Component } from '../schemas/attribute-node.ts'
import { collectReachable } from './declaration-order.ts'

/** The imported API, ready to be rendered. */
export interface ImportedApi {
  readonly title: string
  readonly description: string | undefined
  readonly basePath: string | undefined
  /** Metadata of the API: contact, licence, servers. */
  readonly metadata: Readonly<Record<string, unknown>>
  readonly endpoints: readonly ImportedEndpoint[]
  readonly schemes: readonly ImportedScheme[]
}

/** An endpoint with its file and its names in code. */
export interface PlannedEndpoint {
  readonly endpoint: ImportedEndpoint
  readonly name: string
  readonly controller: string
  readonly file: string
  /** The components that no other endpoint needs. */
  readonly components: readonly Component[]
}

/** The names and files of everything. */
export interface FilePlan {
  readonly endpoints: readonly PlannedEndpoint[]
  /** The components that several endpoints need. */
  readonly shared: readonly Component[]
  readonly names: ReadonlyMap<Component | ImportedScheme, string>
}

/** Returns the attributes of an action that may name components. */
function collectNodes({ params, headers, payload, responses }: ImportedAction): AttributeNode[] {
  const bodies = [...responses.values()].flatMap(({ bodies: all, headers: sent }) => [
    ...sent.values(),
    ...all.flatMap((body): AttributeNode[] => {
      if (typeof body === 'string') return []
      if ('node' in body) return [body.node]
      return [{ kind: 'ref', at: body.listOf.at, component: body.listOf, options: {} }]
    }),
  ])
  return [...params.values(), ...headers.values(), ...(payload === undefined ? [] : [payload.node]), ...bodies]
}

/** Plans the files. */
export function planFiles({ endpoints, schemes }: ImportedApi): FilePlan {
  const uses = endpoints.map(({ actions }) => collectReachable(actions.flatMap(collectNodes)))
  const countUses = (component: Component): number => uses.filter((one) => one.has(component)).length
  const all = [...new Set(uses.flatMap((one) => [...one]))]
  const names = new Map<Component | ImportedScheme, string>()
  const registry = new NameRegistry()
  for (const one of all) names.set(one, registry.reserve(toTypeName(one.name, 'Type'), 'Type', 'Model'))
  const types = endpoints.map(({ name }) => registry.reserve(toTypeName(name, 'Endpoint'), 'Endpoint'))
  for (const one of schemes) names.set(one, registry.reserve(toTypeName(one.name, 'Scheme'), 'Scheme'))
  const controllers = new NameRegistry()
  const files = new NameRegistry(new Set(['media-types', 'security']))
  return {
    names,
    shared: all.filter((one) => countUses(one) > 1),
    endpoints: endpoints.map((endpoint, i) => ({
      endpoint,
      name: types[i] as string,
      controller: controllers.reserve(toValueName(endpoint.name, 'endpoint'), 'Controller'),
      file: files.reserve(toFileName(toTypeName(endpoint.name, 'Endpoint'))),
      components: [...(uses[i] as Set<Component>)].filter((one) => countUses(one) === 1),
    })),
  }
}
