// Finds the addresses of elements: as an endpoint with a media type and a parent declares them, or else as they follow from the
// paths and the responses of its actions.
import { type AnyEndpoint, getParentEndpoint } from '../design/declare/endpoint.ts'
import type { MediaType } from '../design/declare/media-type.ts'
import type { AnyDefinition } from '../design/definition.ts'
import { findEndpointType } from '../design/resolve/endpoint-type.ts'
import { resolveInheritance } from '../design/resolve/parent.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../design/resolve/resolved.ts'
import type { Attributes } from '../schema/attribute.ts'
import { findListedType, findShownType } from './body-elements.ts'
import { hasVerb, type PathResource, ResourceIndex } from './resource-index.ts'

/** The address of the elements of a media type: the params of their path, and that of their parent. */
export interface ElementAddress {
  readonly mediaType: MediaType
  /** The params that identify the parent. */
  readonly inherited: readonly string[]
  /** The params that identify an element below its parent. */
  readonly key: readonly string[]
  /** The declarations of these params. */
  readonly params: Attributes
  /** The attributes that hold the key under other names. */
  readonly keyAttributes: Readonly<Record<string, string>>
  readonly parent: ElementAddress | undefined
  /** Whether there is a path for one element: with its key, or without one for the only element below its parent. */
  readonly isPath: boolean
}

const resolveEndpoint = (endpoint: AnyEndpoint): ResolvedEndpoint => (endpoint as AnyDefinition).resolve()

/** The addresses of some endpoints. */
export class ElementAddresses {
  /** The endpoints with their parents, the parents first. */
  readonly endpoints: readonly ResolvedEndpoint[]
  readonly all: readonly ElementAddress[]
  readonly #index: ResourceIndex
  readonly #ofEndpoints = new Map<ResolvedEndpoint, ElementAddress | undefined>()
  readonly #ofCreations = new Map<MediaType, ElementAddress>()
  readonly #ofResources = new Map<PathResource, ElementAddress>()

  constructor(endpoints: readonly ResolvedEndpoint[]) {
    this.endpoints = [...new Set(endpoints.flatMap(listLineage))]
    const actions = this.endpoints.flatMap((endpoint) => [...endpoint.actions.values()])
    this.#index = new ResourceIndex(actions, (action) => {
      const mediaType = findListedType(action)
      return mediaType && { action, mediaType }
    })
    const inPaths = this.#index.resources.map((resource) => this.#getResourceAddress(resource))
    // Paths tell the key of an element from those of the elements above; an endpoint that declares nothing does not.
    const known = new Set<MediaType | undefined>(inPaths.map(({ mediaType }) => mediaType))
    const found = this.endpoints
      .filter((endpoint) => isDeclared(endpoint) || !known.has(findEndpointType(endpoint)))
      .flatMap((endpoint) => this.#getEndpointAddress(endpoint) ?? [])
    this.all = [...new Set([...found, ...inPaths])]
  }

  /** Returns the address that an action is about; undefined if nothing says so. */
  get(action: ResolvedAction): ElementAddress | undefined {
    if (isDeclared(action.endpoint)) return this.#getEndpointAddress(action.endpoint)
    const resource = this.#index.get(action)
    if (resource !== undefined) return this.#getResourceAddress(resource)
    return this.#getEndpointAddress(action.endpoint) ?? this.#getCreationAddress(action)
  }

  /** Returns the actions on the elements of a path that an action belongs to, if its endpoint does not say what it is about. */
  getResource(action: ResolvedAction): PathResource | undefined {
    return isDeclared(action.endpoint) ? undefined : this.#index.getOwn(action)
  }

  #getEndpointAddress(endpoint: ResolvedEndpoint): ElementAddress | undefined {
    if (!this.#ofEndpoints.has(endpoint)) this.#ofEndpoints.set(endpoint, this.#describeEndpoint(endpoint))
    return this.#ofEndpoints.get(endpoint)
  }

  #describeEndpoint(endpoint: ResolvedEndpoint): ElementAddress | undefined {
    const mediaType = findEndpointType(endpoint)
    if (mediaType === undefined) return undefined
    const { parent } = endpoint.definition.spec
    const { route, params = {} } = endpoint.canonical ?? {}
    const inherited = getInheritedNames(endpoint)
    const key = (route?.pattern.names ?? []).filter((name) => !inherited.includes(name))
    const alias = `${endpoint.singular}_id`
    return {
      mediaType,
      inherited,
      key,
      params,
      keyAttributes: key.includes(alias) ? { [alias]: 'id' } : {},
      parent: parent && this.#getEndpointAddress(resolveEndpoint(getParentEndpoint(parent))),
      isPath: key.length > 0,
    }
  }

  // An element that a POST creates and shows is kept, even if no path leads to it, as to accounts.
  #getCreationAddress(action: ResolvedAction): ElementAddress | undefined {
    const isCreation = hasVerb(action, 'POST') && [...action.responses.values()].some(({ status }) => status === 201)
    const mediaType = isCreation ? findShownType(action) : undefined
    if (mediaType === undefined) return undefined
    const none = { inherited: [], key: [], params: {}, keyAttributes: {}, parent: undefined, isPath: false }
    const address = this.#ofCreations.get(mediaType) ?? { mediaType, ...none }
    this.#ofCreations.set(mediaType, address)
    return address
  }

  #getResourceAddress(resource: PathResource): ElementAddress {
    if (isDeclared(resource.endpoint)) {
      const declared = this.#getEndpointAddress(resource.endpoint)
      if (declared?.mediaType === resource.mediaType) return declared
    }
    const known = this.#ofResources.get(resource)
    if (known !== undefined) return known
    const { mediaType, inherited, key, keyAttributes, show, remove, updates, list } = resource
    const parent = this.#index.getParent(resource)
    const address: ElementAddress = {
      mediaType,
      inherited,
      key,
      params: { ...list?.action.params, ...(show ?? remove ?? updates[0])?.params },
      keyAttributes,
      parent: parent && this.#getResourceAddress(parent),
      isPath: true,
    }
    this.#ofResources.set(resource, address)
    return address
  }
}

// A declared address takes precedence over one that follows from paths.
const isDeclared = ({ mediaType }: ResolvedEndpoint): boolean => mediaType !== undefined

function listLineage(endpoint: ResolvedEndpoint): readonly ResolvedEndpoint[] {
  const { parent } = endpoint.definition.spec
  if (parent === undefined) return [endpoint]
  return [...listLineage(resolveEndpoint(getParentEndpoint(parent))), endpoint]
}

/** Returns the params that an endpoint inherits from its parents, in the order of the parent's path. */
export const getInheritedNames = ({ definition }: ResolvedEndpoint): readonly string[] =>
  Object.keys(resolveInheritance(definition, definition.spec.parent, resolveEndpoint, () => undefined).params)
