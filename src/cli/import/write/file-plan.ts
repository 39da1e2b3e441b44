// The plan of all files: the name of everything, and the file that declares it.
import { toFileName, NameRegistry, toTypeName, toValueName } from '../identifiers.ts'
import type { ImportedAction, ImportedEndpoint, ImportedScheme } from '../operations/imported-model.ts'
import type { Component, AttributeNode } from '../schemas/attribute-node.ts'
import { collectReachable } from './declaration-order.ts'

/** All that is going to be written. */
export interface ImportedApi {
  readonly title: string
  readonly description: string | undefined
  readonly basePath: string | undefined
  /** Facts about the API: contact, licence, servers. */
  readonly facts: Readonly<Record<string, unknown>>
  readonly endpoints: readonly ImportedEndpoint[]
  readonly schemes: readonly ImportedScheme[]
}

/** An endpoint, where it is declared and how it is called in code. */
export interface PlannedEndpoint {
  readonly endpoint: ImportedEndpoint
  readonly name: string
  readonly controller: string
  readonly file: string
  /** The components that no other endpoint needs. */
  readonly components: readonly Component[]
}

/** Names and places. */
export interface FilePlan {
  readonly endpoints: readonly PlannedEndpoint[]
  /** The components that several endpoints need. */
  readonly shared: readonly Component[]
  readonly names: ReadonlyMap<Component | ImportedScheme, string>
}

/** The attributes of an action that may name components. */
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
  const count = (component: Component): number => uses.filter((one) => one.has(component)).length
  const all = [...new Set(uses.flatMap((one) => [...one]))]
  const names = new Map<Component | ImportedScheme, string>()
  const given = new NameRegistry()
  for (const one of all) names.set(one, given.reserve(toTypeName(one.name, 'Type'), 'Type', 'Model'))
  const types = endpoints.map(({ name }) => given.reserve(toTypeName(name, 'Endpoint'), 'Endpoint'))
  for (const one of schemes) names.set(one, given.reserve(toTypeName(one.name, 'Scheme'), 'Scheme'))
  const controllers = new NameRegistry()
  const files = new NameRegistry(new Set(['media-types', 'security']))
  return {
    names,
    shared: all.filter((one) => count(one) > 1),
    endpoints: endpoints.map((endpoint, i) => ({
      endpoint,
      name: types[i] as string,
      controller: controllers.reserve(toValueName(endpoint.name, 'endpoint'), 'Controller'),
      file: files.reserve(toFileName(toTypeName(endpoint.name, 'Endpoint'))),
      components: [...(uses[i] as Set<Component>)].filter((one) => count(one) === 1),
    })),
  }
}
