// Operations: every route of a version at its paths, each with its own id.
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import type { Pattern } from '../path/index.ts'
import type { TableEntry } from '../routing/table.ts'
import { VERSION_PARAM, type VersionCarrier } from '../routing/version.ts'
import { requirementText } from '../schema/requires.ts'
import { securityOf } from './authorization.ts'
import { beside } from './beside.ts'
import { type OperationSite, type ParamNote, parametersOf } from './parameters.ts'
import { coversTemplate, Paths, type PathTemplate, templatesOf } from './paths.ts'
import type { ProblemForm } from './problem.ts'
import { paramsBodyOf, requestBodyOf } from './request-body.ts'
import { responsesOf } from './responses.ts'
import { componentName, type SchemaRegistry } from './schema-registry.ts'
import type { Operation, Parameter, PathItem } from './types.ts'

/** Members that policies add to an operation. */
const membersOf = ({ policies }: ResolvedAction, registry: SchemaRegistry): Partial<Operation> =>
  Object.assign({}, ...[...policies.values()].map((policy) => policy.document?.(registry)))

/** The context that operations of one document share. */
export interface OperationsSite {
  readonly registry: SchemaRegistry
  readonly problem: ProblemForm
  readonly validationStatus: number
  readonly version: string | undefined
  readonly carriers: readonly VersionCarrier[]
  notes(action: ResolvedAction): Readonly<Record<string, ParamNote>>
  operation(action: ResolvedAction): Readonly<Record<string, unknown>>
}

// OpenAPI has a member for QUERY from 3.2 on only.
const memberOf = (verb: string): string => (verb === 'QUERY' ? 'x-query' : verb.toLowerCase())

const ANY_VERBS = ['get', 'post', 'put', 'patch', 'delete']

/** Makes the operations of a document. */
export class Operations {
  readonly #site: OperationsSite
  readonly #ids = new Set<string>()
  /** Ids that actions declare: no other operation gets one of them. */
  readonly #declared = new Set<string>()
  readonly #shapes = new Paths()
  readonly #paths: Record<string, PathItem> = {}
  /** Patterns of the routes for one verb, shown or not, by their verbs. */
  readonly #concrete = new Map<string, Pattern[]>()
  /** Hidden actions by their verbs and paths, so that nothing is shown that they answer. */
  readonly #hidden = new Map<string, TableEntry[]>()
  readonly #order = new Map<TableEntry, number>()
  readonly #owners = new Map<Operation, readonly TableEntry[]>()

  constructor(site: OperationsSite) {
    this.#site = site
  }

  /** The operations of some routes by their paths and verbs, of all that are served in the order of their declaration. */
  of(served: readonly TableEntry[], isShown: (entry: TableEntry) => boolean): Readonly<Record<string, PathItem>> {
    const entries = served.filter(isShown)
    // A route for the method comes before ANY, wherever both are declared.
    const any = entries.filter(({ route }) => route.verb === 'ANY')
    const own = entries.filter((entry) => route(entry) !== 'ANY' && route(entry) !== 'CONNECT')
    // Their paths are named before hidden ones could name them.
    for (const entry of [...own, ...any]) this.#placed(entry)
    for (const [order, entry] of served.entries()) this.#order.set(entry, order)
    for (const { action } of entries) if (action.operationId !== undefined) this.#declared.add(action.operationId)
    for (const { route } of served) {
      if (route.verb === 'ANY') continue
      const verb = memberOf(route.verb)
      this.#concrete.set(verb, [...(this.#concrete.get(verb) ?? []), route.pattern])
    }
    for (const entry of served) {
      if (isShown(entry) || route(entry) === 'ANY') continue
      for (const { path } of this.#placed(entry)) {
        const spot = `${memberOf(route(entry))} ${path}`
        this.#hidden.set(spot, [...(this.#hidden.get(spot) ?? []), entry])
      }
    }
    for (const entry of [...own, ...any]) this.#add(entry)
    return this.#paths
  }

  #placed({ route }: TableEntry): PathTemplate[] {
    return templatesOf(route.pattern).map((own) => this.#shapes.place(own))
  }

  #add(entry: TableEntry): void {
    const { action, route } = entry
    const { registry } = this.#site
    const notes = this.#site.notes(action)
    for (const own of templatesOf(route.pattern)) {
      const template = this.#shapes.place(own)
      this.#paths[template.path] ??= {}
      const item = this.#paths[template.path] as PathItem
      const verbs = route.verb === 'ANY' ? this.#leftTo(own) : [memberOf(route.verb)]
      for (const verb of verbs) {
        const known = item[verb]
        const hidden = this.#hidden.get(`${verb} ${template.path}`) ?? []
        if (hidden.some((other) => this.#comesFirst(other, entry))) continue
        const owners = known === undefined ? [] : (this.#owners.get(known) ?? [])
        if (owners.some((owner) => owner.action === action)) continue
        const id = known === undefined ? this.#id(action, route.name ?? route.verb.toLowerCase()) : known.operationId
        const own = this.#operation({ action, route, template, notes, registry }, id)
        const told = `Where the path has another form, it is ${action.endpoint.name} ${action.name}.`
        const made = known === undefined ? own : beside(known, own, told)
        item[verb] = made
        this.#owners.set(made, [...owners, entry])
      }
    }
  }

  /** The verbs that ANY serves at a path: a route for the verb comes first, however exact either is. */
  #leftTo(template: PathTemplate): string[] {
    const isLeft = (verb: string): boolean =>
      this.#concrete.get(verb)?.some((one) => coversTemplate(one, template)) !== true
    // Readers take HEAD for the one of GET, unless it is there.
    return (isLeft('get') ? ANY_VERBS : ['head', ...ANY_VERBS]).filter(isLeft)
  }

  // Of two routes of one verb at one path, the one that is declared first answers, unless its captures take only some values.
  #comesFirst(other: TableEntry, entry: TableEntry): boolean {
    const earlier = (this.#order.get(other) as number) < (this.#order.get(entry) as number)
    return earlier && route(other) === route(entry) && Object.keys(other.route.pattern.options).length === 0
  }

  #operation(place: OperationSite, operationId: string): Operation {
    const { action, registry, route } = place
    const { problem, validationStatus } = this.#site
    const parameters = this.#withVersion(parametersOf(place))
    const requestBody = route.params === 'body' ? paramsBodyOf(place) : requestBodyOf(action, registry)
    const { security = [], ...rest } = membersOf(action, registry)
    const { responses, ...added } = this.#site.operation(action)
    return {
      ...added,
      operationId,
      tags: action.tags,
      ...ruled(texts(action), action),
      ...(action.externalDocs !== undefined && { externalDocs: action.externalDocs }),
      ...(parameters.length > 0 && { parameters }),
      ...(requestBody !== undefined && { requestBody }),
      // Plugins may tell of further responses; those of the declaration stay.
      responses: { ...(responses as Operation['responses']), ...responsesOf(place, problem, validationStatus) },
      ...rest,
      security: securityOf(action, security, registry),
    }
  }

  #id({ endpoint, name, operationId }: ResolvedAction, hint: string): string {
    const base = operationId ?? componentName(`${endpoint.name}.${name}`)
    const isTaken = (id: string): boolean => this.#ids.has(id) || (id !== operationId && this.#declared.has(id))
    let id = isTaken(base) ? `${base}.${componentName(hint)}` : base
    for (let n = 2; isTaken(id); n++) id = `${base}.${componentName(hint)}${n}`
    this.#ids.add(id)
    return id
  }

  #withVersion(parameters: readonly Parameter[]): readonly Parameter[] {
    const own = new Set(parameters.map((one) => `${one.in} ${one.name.toLowerCase()}`))
    return [
      ...parameters,
      ...this.#versionParameters().filter((one) => !own.has(`${one.in} ${one.name.toLowerCase()}`)),
    ]
  }

  #versionParameters(): Parameter[] {
    const { version, carriers } = this.#site
    if (version === undefined) return []
    const rest = {
      ...(carriers.length === 1 && { required: true }),
      description: 'The version of the API.',
      schema: { type: 'string', const: version },
      example: version,
    }
    return [
      ...(carriers.includes('header') ? [{ name: 'X-Api-Version', in: 'header' as const, ...rest }] : []),
      ...(carriers.includes('query') ? [{ name: VERSION_PARAM, in: 'query' as const, ...rest }] : []),
    ]
  }
}

const route = (entry: TableEntry): string => entry.route.verb

// OpenAPI has no schema of all params together.
function ruled<T extends { readonly description?: string }>(texts: T, { requires }: ResolvedAction): T {
  if (requires.length === 0) return texts
  const sentence = `The params must have ${requires.map(requirementText).join(', and ')}.`
  const description = texts.description === undefined ? sentence : `${texts.description}\n\n${sentence}`
  const rules = requires.map(({ '~requires': rule, names }) => ({ [rule]: names }))
  return { ...texts, description, 'x-requires': rules }
}

// Without a title of its own, an action has the first sentence of its description: enough for a list of operations.
function texts(action: ResolvedAction): { summary: string; description?: string } {
  const { name, description = '', endpoint, summary } = action
  if (description.trim() === '') return { summary: summary ?? `${endpoint.name} ${name}` }
  return { summary: summary ?? firstSentence(description), description }
}

function firstSentence(text: string): string {
  const [, first = text] = /^\s*(.+?[.!?])(?:\s|$)/.exec(text) ?? []
  return first.replace(/\s+/g, ' ').trim().replace(/\.$/, '').slice(0, 120)
}
