// Resolves the declaration of one endpoint; mistakes are collected instead of thrown.
import { type Attribute, type Attributes, isAttribute } from '../../schema/attribute.ts'
import type { Deprecation } from '../../schema/attribute-options.ts'
import { isInherit } from '../../schema/inherit.ts'
import {
  findMandatoryNames,
  findRequirementFlaws,
  findSatisfyingNames,
  formatRequirement,
  type Requirement,
} from '../../schema/requirements.ts'
import { getSplitRule } from '../../schema/structures/array.ts'
import { isJsonText } from '../../schema/structures/json.ts'
import { describeValue } from '../../util/describe-value.ts'
import { toSingularName, toSnakeCase } from '../../util/naming.ts'
import { suggestName } from '../../util/suggest-name.ts'
import type { ActionSettings, ActionSpec } from '../declare/action.ts'
import { type AnyEndpoint, type EndpointSpec, getEndpointMediaType } from '../declare/endpoint.ts'
import { fillInherited } from '../declare/inherited-attributes.ts'
import { isMediaType } from '../declare/media-type.ts'
import { type Needs, resolveNeeds } from '../declare/need.ts'
import { type Policies, resolvePolicies, resolvePoliciesForAction } from '../declare/policy.ts'
import { createReporter, type DefinitionMistake, type Report, readSettings, reportFlaws } from '../mistakes.ts'
import { checkAttributes, checkMediaType } from './check-attributes.ts'
import { checkInheritedAttributes } from './check-inherited.ts'
import { checkConsumes } from './consumes.ts'
import { resolveDeprecation, withDeprecation } from './deprecation.ts'
import { type LimitedInheritance, resolveInheritance } from './parent.ts'
import { getOriginAttributes, resolveParamTypes, resolvePayload } from './payload.ts'
import { resolveResponses } from './resolve-responses.ts'
import { resolveRoutes } from './resolve-routes.ts'
import type { ResolvedAction, ResolvedEndpoint, ResolvedRoute } from './resolved.ts'
import { checkHeaderLists, checkHeaderNames, checkIdentifier, settingForms } from './settings.ts'

/** The settings that all actions of an endpoint share. */
interface EndpointBase {
  readonly endpoint: ResolvedEndpoint
  readonly inherited: LimitedInheritance
  readonly prefix: string
  readonly defaults: ActionSettings
  readonly policies: Policies
  readonly needs: Needs
  readonly deprecated: boolean | Deprecation
  /** The names of all actions. */
  readonly actions: readonly string[]
}

/** Resolves an endpoint's declaration. */
export function resolveEndpoint(
  definition: AnyEndpoint,
  resolve: (endpoint: AnyEndpoint) => ResolvedEndpoint,
): ResolvedEndpoint {
  const name = typeof definition.name === 'string' ? definition.name : describeValue(definition.name)
  const mistakes: DefinitionMistake[] = []
  const report = createReporter(mistakes, name)
  const spec = readSettings('', definition.spec, settingForms.endpoint, report)
  const defaults = readDefaults(spec, report)
  const policies = resolvePolicies(defaults, new Map(), report, 'actionDefaults.')
  const needs = resolveNeeds(defaults.needs, {}, report, 'actionDefaults.')
  checkConsumes({ setting: 'actionDefaults.consumes', types: defaults.consumes }, report)
  const prefix = spec.prefix ?? toSnakeCase(name)
  const inherited = resolveInheritance(definition, spec.parent, resolve, report)
  const actions = new Map<string, ResolvedAction>()
  const endpoint: ResolvedEndpoint = {
    definition,
    name,
    singular: spec.singular ?? toSingularName(name),
    version: spec.version,
    ...pickDocumentation(spec, [name]),
    nodoc: spec.nodoc ?? false,
    mediaType: getEndpointMediaType(spec),
    actions,
    get canonical() {
      return getCanonical(endpoint, spec.canonicalPath ?? 'show')
    },
    mistakes,
  }
  checkEndpoint(definition.name, spec, report)
  const { deprecated = false } = spec
  const names = Object.keys(spec.actions ?? {})
  const base: EndpointBase = { endpoint, inherited, prefix, defaults, policies, needs, deprecated, actions: names }
  for (const [actionName, action] of Object.entries(spec.actions ?? {})) {
    actions.set(actionName, resolveAction(base, actionName, action, createReporter(mistakes, name, actionName)))
  }
  checkRouteNames(endpoint, report)
  return endpoint
}

function checkEndpoint(name: unknown, spec: EndpointSpec, report: Report): void {
  if (typeof name !== 'string' || !/^[A-Za-z]\w*$/.test(name))
    report('name', `${describeValue(name)} is not a name`, 'use letters, digits and _, beginning with a letter')
  const { actions, canonicalPath } = spec
  const mediaType = getEndpointMediaType(spec)
  if (actions !== undefined && Object.keys(actions).length === 0)
    report('actions', 'it is empty', 'declare at least one action')
  if (actions !== undefined && canonicalPath !== undefined && !Object.hasOwn(actions, canonicalPath))
    report('canonicalPath', `there is no action '${canonicalPath}'`, suggestName(canonicalPath, Object.keys(actions)))
  if (isMediaType(mediaType)) checkMediaType(mediaType, report)
  else if (mediaType !== undefined) checkIdentifier('mediaType', mediaType, report)
}

function readDefaults({ actionDefaults }: EndpointSpec, report: Report): ActionSettings {
  const { routing, ...settings }: { readonly routing?: unknown } = actionDefaults ?? {}
  if (routing !== undefined) report('actionDefaults', 'routing cannot be a default', 'move the routes into each action')
  return readSettings('actionDefaults', settings, settingForms.stanzas, report)
}

function checkRouteNames(endpoint: ResolvedEndpoint, report: Report): void {
  const names = new Set<string>()
  for (const action of endpoint.actions.values()) {
    for (const { name } of action.routes) {
      if (name === undefined) continue
      if (names.has(name)) report('routing', `two routes are named '${name}'`, 'give each route its own name')
      names.add(name)
    }
  }
}

function getCanonical({ actions }: ResolvedEndpoint, name: string): ResolvedEndpoint['canonical'] {
  const action = actions.get(name)
  const route = action?.routes[0]
  if (action === undefined || route === undefined) return undefined
  const { names, wildcards } = route.pattern
  const captured = wildcards > 0 ? [...names, 'splat'] : names
  const params = captured.flatMap((one) =>
    Object.hasOwn(action.params, one) ? [[one, action.params[one] as Attribute] as const] : [],
  )
  return { route, params: Object.fromEntries(params) }
}

function resolveAction(base: EndpointBase, name: string, declaration: ActionSpec, report: Report): ResolvedAction {
  const { defaults, endpoint } = base
  const spec = readSettings('', declaration, settingForms.action, report)
  const payload = resolvePayload(endpoint.mediaType, defaults, spec, report)
  const routes = resolveRoutes(spec.routing, getRouteStart(base, payload !== undefined), report)
  const params = { ...defaults.params, ...spec.params }
  checkInheritedAttributes('params', params, endpoint.mediaType, report)
  const own = fillInherited(params, getOriginAttributes(endpoint.mediaType))
  const declared = checkAttributes('params', { ...base.inherited.params, ...own }, report)
  const declaredHeaders = { ...defaults.headers, ...spec.headers }
  const target = {
    endpoint: endpoint.name,
    name,
    verbs: routes.map(({ verb }) => verb),
    headers: Object.keys(declaredHeaders),
  }
  const deprecated = resolveDeprecation(spec.deprecated ?? base.deprecated, base.actions, report)
  const policies = resolvePoliciesForAction(
    withDeprecation(resolvePolicies(spec, base.policies, report), deprecated),
    target,
  )
  const headers = checkAttributes('headers', { ...mergePolicyHeaders(policies), ...declaredHeaders }, report)
  checkHeaders(headers, report)
  checkConsumes({ setting: 'consumes', types: spec.consumes }, report)
  checkCaptures(routes, declared, report)
  checkUnusedDefaults(spec.params ?? {}, routes, report)
  const resolvedParams = withRequiredCaptures(declared, routes)
  const requires = resolveParamRules(defaults, spec, { params: resolvedParams, routes }, report)
  return {
    endpoint,
    name,
    ...pickDocumentation(spec, endpoint.tags),
    operationId: spec.operationId,
    nodoc: endpoint.nodoc || (spec.nodoc ?? false),
    routes,
    params: resolvedParams,
    requires,
    payload,
    paramTypes: resolveParamTypes(routes, spec, report),
    headers,
    responses: resolveActionResponses(endpoint, { ...defaults.responses, ...spec.responses }, policies, report),
    deprecated,
    policies,
    needs: resolveNeeds(spec.needs, base.needs, report),
    ignore: spec.ignore ?? [],
    bodyLimit: spec.bodyLimit,
  }
}

const pickDocumentation = (
  { summary, description, tags, externalDocs }: Partial<Pick<ActionSpec, DocumentationKey>>,
  inherited: readonly string[],
): Pick<ResolvedAction, DocumentationKey> => ({ summary, description, tags: tags ?? inherited, externalDocs })

type DocumentationKey = 'summary' | 'description' | 'tags' | 'externalDocs'

function checkHeaders(headers: Attributes, report: Report): void {
  checkHeaderNames('headers', Object.keys(headers), report)
  checkHeaderLists(headers, report)
}

const getRouteStart = ({ prefix, inherited }: EndpointBase, payload: boolean): Parameters<typeof resolveRoutes>[1] => ({
  prefix,
  parentPath: inherited.path,
  limits: inherited.limits,
  payload,
})

function resolveParamRules(
  defaults: ActionSettings,
  spec: ActionSpec,
  { params, routes }: Pick<ResolvedAction, 'params' | 'routes'>,
  report: Report,
): ResolvedAction['requires'] {
  const requires = [...(defaults.requires?.params ?? []), ...(spec.requires?.params ?? [])]
  const flaws = findRequirementFlaws(requires, params)
  reportFlaws('requires.params', flaws, report)
  if (flaws.length === 0) checkRulesOfRoutes(requires, params, routes, report)
  return requires
}

// A path that captures too many params, whatever else a request sends.
function checkRulesOfRoutes(
  requires: readonly Requirement[],
  params: Attributes,
  routes: readonly ResolvedRoute[],
  report: Report,
): void {
  const mandatory = findMandatoryNames(params)
  for (const route of requires.length === 0 ? [] : routes) {
    const captured = getRequiredCaptures(route)
    if (findSatisfyingNames(requires, new Set([...mandatory, ...captured])) !== undefined) continue
    report(
      'requires.params',
      `the path ${route.path} captures ${captured.map((name) => `'${name}'`).join(', ')}, and no request has ${requires.map(formatRequirement).join(' and ')}`,
      'take the route or one of the rules away',
    )
  }
}

// If an action and its policy declare the same response, the action's declaration applies.
function resolveActionResponses(
  { mediaType }: ResolvedEndpoint,
  declared: NonNullable<ActionSpec['responses']>,
  policies: Policies,
  report: Report,
): ResolvedAction['responses'] {
  if (Object.values(declared).every((declaration) => declaration === undefined))
    report('responses', 'the action lists no response', 'list every response it may return, such as ok: true')
  const policyResponses = [...policies.values()].map(({ declares }) => declares)
  return resolveResponses(mediaType, Object.assign({}, ...policyResponses, declared), report)
}

// Headers that policies read are checked like declared ones.
const mergePolicyHeaders = (policies: Policies): Attributes =>
  Object.assign({}, ...[...policies.values()].map(({ headers }) => headers))

// --- captures --------------------------------------------------------------------

function checkCaptures(routes: readonly ResolvedRoute[], params: Attributes, report: Report): void {
  for (const { path, pattern } of routes) {
    for (const name of pattern.names) {
      if (!Object.hasOwn(params, name)) {
        report(
          'params',
          `the path ${path} captures '${name}', which is not declared`,
          `add ${name} to params, for example t.string()`,
        )
      }
    }
    if (pattern.wildcards > 0 && !isSplat(params['splat'])) {
      report('params', `the path ${path} has wildcards`, 'declare splat: t.array(t.string()) in params')
    }
    for (const name of [...pattern.names, 'splat']) {
      const declared = Object.hasOwn(params, name) ? params[name] : undefined
      if (declared === undefined || (name === 'splat' && pattern.wildcards === 0)) continue
      const conflict = isJsonText(declared) ? 'is t.json' : getSplitRule(declared) && 'has a delimiter'
      if (conflict !== undefined)
        report(`params.${name}`, `it ${conflict}, but the path ${path} captures it`, 'take it from the query')
    }
  }
}

const isSplat = (splat: Attribute | undefined): boolean =>
  splat?.core.shape === 'list' && splat.core.element?.core.scalar === 'string'

// Inherited and shared attributes are not checked: they may have a default for other uses.
function checkUnusedDefaults(own: object, routes: readonly ResolvedRoute[], report: Report): void {
  const declared = own as Readonly<Record<string, unknown>>
  for (const name of listCommonCaptures(routes)) {
    const param = Object.hasOwn(declared, name) ? declared[name] : undefined
    if (!isAttribute(param) || isInherit(param) || param.options.default === undefined) continue
    report(`params.${name}`, 'it has a default, but every path captures it: nothing could ever use it', NO_DEFAULT)
  }
}

const NO_DEFAULT = 'take the default away, or add a route whose path does not capture it'

// A param that every route captures is always present, even if it is not declared as required.
function withRequiredCaptures(params: Attributes, routes: readonly ResolvedRoute[]): Attributes {
  const adjusted: Record<string, Attribute> = { ...params }
  for (const name of listCommonCaptures(routes)) {
    const declared = Object.hasOwn(adjusted, name) ? adjusted[name] : undefined
    if (declared === undefined || declared.options.required === true) continue
    adjusted[name] = declared.core.derive({ required: true })
  }
  return adjusted
}

/** Returns the params that the paths of all routes capture. */
const listCommonCaptures = ([first, ...others]: readonly ResolvedRoute[]): readonly string[] =>
  first === undefined
    ? []
    : getRequiredCaptures(first).filter((name) => others.every((route) => getRequiredCaptures(route).includes(name)))

const getRequiredCaptures = ({ pattern }: ResolvedRoute): readonly string[] =>
  pattern.wildcards > 0 ? [...pattern.required, 'splat'] : pattern.required
