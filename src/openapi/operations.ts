// Builds the operations of a document: every route of a version at its paths, each with a unique id.
import type { ResolvedAction } from '../design/resolve/resolved.ts'
import type { PathPattern } from '../path/index.ts'
import type { TableEntry } from '../routing/route-table.ts'
import { VERSION_PARAM, type VersionCarrier } from '../routing/version.ts'
import { formatRequirement } from '../schema/requirements.ts'
import { resolveSecurity } from './authorization.ts'
import { mergeOperations } from './merge-operations.ts'
import { type OperationText, OperationTexts } from './operation-texts.ts'
import { buildParameters, type OperationContext, type ParamNote } from './parameters.ts'
import { canMatchTemplate, listTemplates, type OpenapiTemplate, TemplateRegistry } from './paths.ts'
import type { ProblemForm } from './problem.ts'
import { buildParamsBody, buildRequestBody } from './request-body.ts'
import { buildResponses } from './responses.ts'
import { type SchemaRegistry, toComponentName } from './schema-registry.ts'
import type { Operation, Parameter, PathItem } from './types.ts'

/** Returns the members that policies add to an operation. */
const collectPolicyMembers = ({ policies }: ResolvedAction, registry: SchemaRegistry): Partial<Operation> =>
  Object.assign({}, ...[...policies.values()].map((policy) => policy.document?.(registry)))

/** The context that operations of one document share. */
export interface OperationsContext {
  readonly registry: SchemaRegistry
  readonly problem: ProblemForm
  readonly validationStatus: number
  readonly version: string | undefined
  readonly carriers: readonly VersionCarrier[]
  notes(action: ResolvedAction): Readonly<Record<string, ParamNote>>
  operation(action: ResolvedAction): Readonly<Record<string, unknown>>
}

const ANY_VERBS = ['get', 'post', 'put', 'patch', 'delete']

/** Builds the operations of a document. */
export class OperationsBuilder {
  readonly #context: OperationsContext
  readonly #ids = new Set<string>()
  /** Ids that actions declare, which no other operation may get. */
  readonly #declared = new Set<string>()
  readonly #texts = new OperationTexts()
  readonly #templates = new TemplateRegistry()
  readonly #paths: Record<string, PathItem> = {}
  /** Patterns of the routes, documented or not, by verb; without ANY. */
  readonly #patternsByVerb = new Map<string, PathPattern[]>()
  /** Undocumented routes by verb and path. Operations that they would handle are left out. */
  readonly #hidden = new Map<string, TableEntry[]>()
  readonly #order = new Map<TableEntry, number>()
  readonly #owners = new Map<Operation, readonly TableEntry[]>()

  constructor(context: OperationsContext) {
    this.#context = context
  }

  /**
   * Builds the operations of the documented routes, by path and verb. `served` lists all routes in the order of
   * declaration.
   */
  build(served: readonly TableEntry[], isShown: (entry: TableEntry) => boolean): Readonly<Record<string, PathItem>> {
    const entries = served.filter(isShown)
    // A route for a verb takes precedence over ANY, regardless of their order.
    const any = entries.filter(({ route }) => route.verb === 'ANY')
    const ofVerb = entries.filter((entry) => getVerb(entry) !== 'ANY' && getVerb(entry) !== 'CONNECT')
    // Documented routes register their paths first, so that hidden ones do not determine the names of captures.
    for (const entry of [...ofVerb, ...any]) this.#registerTemplates(entry)
    for (const [order, entry] of served.entries()) this.#order.set(entry, order)
    this.#texts.reserve(entries)
    for (const { action } of entries) if (action.operationId !== undefined) this.#declared.add(action.operationId)
    for (const { route } of served) {
      if (route.verb === 'ANY') continue
      const verb = this.#toOperationKey(route.verb)
      this.#patternsByVerb.set(verb, [...(this.#patternsByVerb.get(verb) ?? []), route.pattern])
    }
    for (const entry of served) {
      if (isShown(entry) || getVerb(entry) === 'ANY') continue
      for (const { path } of this.#registerTemplates(entry)) {
        const key = `${this.#toOperationKey(getVerb(entry))} ${path}`
        this.#hidden.set(key, [...(this.#hidden.get(key) ?? []), entry])
      }
    }
    for (const entry of [...ofVerb, ...any]) this.#addEntry(entry)
    return this.#paths
  }

  // OpenAPI supports QUERY from version 3.2 on.
  #toOperationKey(verb: string): string {
    return verb === 'QUERY' && this.#context.registry.openapi === '3.1' ? 'x-query' : verb.toLowerCase()
  }

  #registerTemplates({ route }: TableEntry): OpenapiTemplate[] {
    return listTemplates(route.pattern).map((own) => this.#templates.register(own))
  }

  #addEntry(entry: TableEntry): void {
    const { action, route } = entry
    const { registry } = this.#context
    const notes = this.#context.notes(action)
    for (const expanded of listTemplates(route.pattern)) {
      const template = this.#templates.register(expanded)
      this.#paths[template.path] ??= {}
      const item = this.#paths[template.path] as PathItem
      const verbs = route.verb === 'ANY' ? this.#listRemainingVerbs(expanded) : [this.#toOperationKey(route.verb)]
      for (const verb of verbs) {
        const known = item[verb]
        const hidden = this.#hidden.get(`${verb} ${template.path}`) ?? []
        if (hidden.some((other) => this.#comesFirst(other, entry))) continue
        const owners = known === undefined ? [] : (this.#owners.get(known) ?? [])
        if (owners.some((owner) => owner.action === action)) continue
        const id =
          known === undefined
            ? this.#makeOperationId(action, route.name ?? route.verb.toLowerCase())
            : known.operationId
        const texts = this.#texts.build(entry, verb, template.path, known?.summary)
        const built = this.#buildOperation({ action, route, template, notes, registry }, id, texts)
        const note = `Where the path has another form, it is ${action.endpoint.name}.${action.name}.`
        const operation = known === undefined ? built : mergeOperations(known, built, note)
        item[verb] = operation
        this.#owners.set(operation, [...owners, entry])
      }
    }
  }

  /**
   * Returns the verbs that ANY serves at a path. A route for the verb takes precedence, regardless of how specific either
   * is.
   */
  #listRemainingVerbs(template: OpenapiTemplate): string[] {
    const isUnserved = (verb: string): boolean =>
      this.#patternsByVerb.get(verb)?.some((one) => canMatchTemplate(one, template)) !== true
    // HEAD is implied by GET, so it is listed only if GET is served by another route.
    return (isUnserved('get') ? ANY_VERBS : ['head', ...ANY_VERBS]).filter(isUnserved)
  }

  // Of two routes with the same verb and path, the one declared first handles the request, unless it constrains its
  // captures.
  #comesFirst(other: TableEntry, entry: TableEntry): boolean {
    const earlier = (this.#order.get(other) as number) < (this.#order.get(entry) as number)
    return earlier && getVerb(other) === getVerb(entry) && Object.keys(other.route.pattern.options).length === 0
  }

  #buildOperation(context: OperationContext, operationId: string, texts: OperationText): Operation {
    const { action, registry, route } = context
    const { problem, validationStatus } = this.#context
    const parameters = this.#withVersion(buildParameters(context))
    const requestBody = route.params === 'body' ? buildParamsBody(context) : buildRequestBody(action, registry)
    const { security = [], ...rest } = collectPolicyMembers(action, registry)
    const { responses, ...added } = this.#context.operation(action)
    return {
      ...added,
      operationId,
      tags: action.tags,
      ...withParamRules(texts, action),
      ...(action.externalDocs !== undefined && { externalDocs: action.externalDocs }),
      ...(parameters.length > 0 && { parameters }),
      ...(requestBody !== undefined && { requestBody }),
      // Plugins may add responses, but do not replace declared ones.
      responses: { ...(responses as Operation['responses']), ...buildResponses(context, problem, validationStatus) },
      ...rest,
      security: resolveSecurity(action, security, registry),
    }
  }

  #makeOperationId({ endpoint, name, operationId }: ResolvedAction, hint: string): string {
    const base = operationId ?? toComponentName(`${endpoint.name}.${name}`)
    const isTaken = (id: string): boolean => this.#ids.has(id) || (id !== operationId && this.#declared.has(id))
    let id = isTaken(base) ? `${base}.${toComponentName(hint)}` : base
    for (let n = 2; isTaken(id); n++) id = `${base}.${toComponentName(hint)}${n}`
    this.#ids.add(id)
    return id
  }

  #withVersion(parameters: readonly Parameter[]): readonly Parameter[] {
    const existing = new Set(parameters.map((one) => `${one.in} ${one.name.toLowerCase()}`))
    return [
      ...parameters,
      ...this.#buildVersionParameters().filter((one) => !existing.has(`${one.in} ${one.name.toLowerCase()}`)),
    ]
  }

  #buildVersionParameters(): Parameter[] {
    const { version, carriers } = this.#context
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

const getVerb = (entry: TableEntry): string => entry.route.verb

// OpenAPI has no schema for the combination of all params.
function withParamRules<T extends { readonly description?: string }>(texts: T, { requires }: ResolvedAction): T {
  if (requires.length === 0) return texts
  const sentence = `The params must have ${requires.map(formatRequirement).join(', and ')}.`
  const description = texts.description === undefined ? sentence : `${texts.description}\n\n${sentence}`
  const rules = requires.map(({ '~requires': rule, names }) => ({ [rule]: names }))
  return { ...texts, description, 'x-requires': rules }
}
