// The plan of all files: the name of everything, and the file that declares it.
import { fileName, Names, typeName, valueName } from '../names.ts'
import type { Action, Endpoint, Scheme } from '../operations/model.ts'
import type { Component, Node } from '../schemas/node.ts'
import { reached } from './order.ts'

/** All that is going to be written. */
export interface Imported {
  readonly title: string
  readonly description: string | undefined
  readonly basePath: string | undefined
  /** Facts about the API: contact, licence, servers. */
  readonly facts: Readonly<Record<string, unknown>>
  readonly endpoints: readonly Endpoint[]
  readonly schemes: readonly Scheme[]
}

/** An endpoint, where it is declared and how it is called in code. */
export interface PlannedEndpoint {
  readonly endpoint: Endpoint
  readonly name: string
  readonly controller: string
  readonly file: string
  /** The components that no other endpoint needs. */
  readonly components: readonly Component[]
}

/** Names and places. */
export interface Plan {
  readonly endpoints: readonly PlannedEndpoint[]
  /** The components that several endpoints need. */
  readonly shared: readonly Component[]
  readonly names: ReadonlyMap<Component | Scheme, string>
}

/** The attributes of an action that may name components. */
function nodesOf({ params, headers, payload, responses }: Action): Node[] {
  const bodies = [...responses.values()].flatMap(({ bodies: all, headers: sent }) => [
    ...sent.values(),
    ...all.flatMap((body): Node[] => {
      if (typeof body === 'string') return []
      if ('node' in body) return [body.node]
      return [{ kind: 'ref', at: body.listOf.at, component: body.listOf, options: {} }]
    }),
  ])
  return [...params.values(), ...headers.values(), ...(payload === undefined ? [] : [payload.node]), ...bodies]
}

/** Plans the files. */
export function planOf({ endpoints, schemes }: Imported): Plan {
  const uses = endpoints.map(({ actions }) => reached(actions.flatMap(nodesOf)))
  const count = (component: Component): number => uses.filter((one) => one.has(component)).length
  const all = [...new Set(uses.flatMap((one) => [...one]))]
  const names = new Map<Component | Scheme, string>()
  const given = new Names()
  for (const one of all) names.set(one, given.give(typeName(one.name, 'Type'), 'Type', 'Model'))
  const types = endpoints.map(({ name }) => given.give(typeName(name, 'Endpoint'), 'Endpoint'))
  for (const one of schemes) names.set(one, given.give(typeName(one.name, 'Scheme'), 'Scheme'))
  const controllers = new Names()
  const files = new Names(new Set(['media-types', 'security']))
  return {
    names,
    shared: all.filter((one) => count(one) > 1),
    endpoints: endpoints.map((endpoint, i) => ({
      endpoint,
      name: types[i] as string,
      controller: controllers.give(valueName(endpoint.name, 'endpoint'), 'Controller'),
      file: files.give(fileName(typeName(endpoint.name, 'Endpoint'))),
      components: [...(uses[i] as Set<Component>)].filter((one) => count(one) === 1),
    })),
  }
}
