// Compiles an action once into a frozen record of closures; nothing here runs per request.

import { attributeRules } from '../design/attribute-rules.ts'
import type { Stage } from '../design/callback.ts'
import type { AnyController } from '../design/controller.ts'
import type { Need, Needs } from '../design/declare/need.ts'
import { findSelectionParam } from '../design/fields/selection.ts'
import { makeParamsPayload } from '../design/resolve/payload.ts'
import type { ResolvedAction, ResolvedBody, ResolvedPayload, ResolvedRoute } from '../design/resolve/resolved.ts'
import { collectActionAudiences, type Visibility } from '../design/visibility.ts'
import type { Attribute } from '../schema/attribute.ts'
import { makeDefaultFactory } from '../schema/default.ts'
import { loadFasterWhenBusy } from '../schema/loader-code.ts'
import { withRequirements } from '../schema/requirements.ts'
import type { FileOptions } from '../schema/structures/file.ts'
import { makeObjectLoader, object } from '../schema/structures/object.ts'
import type { ApplicationOptions, Plugin } from './application-options.ts'
import { createPayloadCodec } from './body/codecs.ts'
import { withUrlValues } from './query/body-params.ts'
import { createNameMatcher } from './query/name-matcher.ts'
import { createTreeForm } from './query/value-tree.ts'
import { createElementSteps } from './render/element-source.ts'
import { compileResponse } from './render/render.ts'
import type {
  BodyParams,
  CompiledAction,
  CompiledParams,
  CompiledPayload,
  CompiledVariant,
  ParamsCheck,
  Step,
} from './request/exchange.ts'
import { createActionIdentity } from './response/action-identity.ts'
import { createHeadersByType, overlayHeaders } from './response/headers.ts'
import { createReplies } from './response/replies.ts'
import type { BodyCheck } from './response/violation.ts'
import type { Services } from './services.ts'
import { createActionRun, createInvoker } from './steps/action.ts'
import { withCallbacks } from './steps/callbacks.ts'
import { createDeprecationSteps, createSuccessorHooks } from './steps/deprecation.ts'
import { loadBody } from './steps/load-body.ts'
import { compileNeeds } from './steps/needs.ts'
import { compilePolicies } from './steps/policies.ts'
import { compileHeaders } from './steps/request-headers.ts'
import { writeStep } from './steps/send-response.ts'
import { joinSteps, refuseInvalid, validateParams, validatePayload } from './steps/validate.ts'
import { createVisibilitySteps, type VariantCompiler } from './steps/visibility.ts'
import { watchSteps } from './steps/watch-steps.ts'

/** The settings that all actions of one application share. */
export interface CompileSettings {
  readonly services: Services
  readonly ignore: readonly string[]
  readonly bodyLimit: number
  readonly queryPairs: number
  readonly queryDepth: number
  readonly options: ApplicationOptions
  /** Builds the URL path of a route path, in a version of the API. */
  readonly buildPath: (version: string | undefined, path: string) => string
  /** Returns the headers of every response at the path of a route. */
  readonly listRouteHeaders: (action: ResolvedAction, route: ResolvedRoute) => readonly string[]
  /** Returns the declarations that some audiences see; the same object for the same names. */
  readonly visibility: (audiences: readonly string[]) => Visibility
  /** Returns the checks of params that plugins add to the declarations. */
  readonly listParamsChecks: (action: ResolvedAction) => readonly ParamsCheck[]
  /** Returns the checks of bodies that plugins add to the declarations. */
  readonly bodyChecks: (action: ResolvedAction) => readonly BodyCheck[]
}

/** The input of the compiler: an action and one of its routes. */
export interface ActionRoute {
  readonly action: ResolvedAction
  readonly route: ResolvedRoute
}

/** Compiles one action of a controller. */
export function compileAction(
  controller: AnyController,
  { action, route }: ActionRoute,
  settings: CompileSettings,
): CompiledAction {
  const audiences = collectActionAudiences(action)
  const narrowed = audiences.length === 0 ? action : settings.visibility([]).narrowAction(action)
  const compileVariantFor: VariantCompiler = (memberships) =>
    compileVariant(settings.visibility(memberships).narrowAction(action), route, settings)
  return Object.freeze({
    services: settings.services,
    resolved: action,
    definition: controller.definition,
    actionName: `${action.endpoint.name}.${action.name}`,
    reply: createReplies(action),
    bodyLimit: getBodyLimit(action, settings),
    // Before authentication, clients see only public attributes.
    ...compileVariant(narrowed, route, settings),
    ...createHeaderLookups(
      action,
      overlayHeaders(settings.services.baseHeaders, settings.listRouteHeaders(action, route)),
      audiences,
    ),
    ...compileSteps(
      controller,
      { action, route },
      settings,
      createVisibilitySteps(audiences, settings.options.plugins ?? [], compileVariantFor),
    ),
  })
}

/** Compiles the inputs and outputs, which depend on the attributes that a client sees. */
function compileVariant(action: ResolvedAction, route: ResolvedRoute, settings: CompileSettings): CompiledVariant {
  const param = findSelectionParam(action.params)
  const bodyChecks = settings.bodyChecks(action)
  const ignores = createNameMatcher([...settings.ignore, ...action.ignore, ...listPolicyParams(action)])
  return {
    identity: createActionIdentity(action),
    params: compileParams({ action, route }, ignores, settings),
    headers: compileHeaders(action),
    payload:
      action.payload === undefined
        ? null
        : compilePayload(action.payload, ignores, getBodyLimit(action, settings), settings),
    responses: new Map(
      [...action.responses].map(([name, declared]) => [name, compileResponse(declared, param, bodyChecks)]),
    ),
  }
}

/** Assembles the steps of an action, in the order in which a request passes through them. */
function compileSteps(
  { callbacks, implementation }: AnyController,
  { action, route }: ActionRoute,
  { options, buildPath }: CompileSettings,
  visibilitySteps: readonly Step[],
): Pick<CompiledAction, 'steps' | 'responseSteps' | 'responseHooks' | 'recheck'> {
  const actionCallbacks = callbacks.filter(({ actions }) => actions === undefined || actions.includes(action.name))
  const createStage = (name: Stage, ...steps: readonly Step[]): readonly Step[] =>
    withCallbacks(actionCallbacks, name, steps)
  const { admission, before, after, settleHooks, responseHooks, recheck } = compilePolicies(action, options)
  const { plugins = [] } = options
  const needs = compileNeeds(resolveNeeds(action, options))
  const { reached, valid } = createDeprecationSteps(action, plugins)
  const actionStep = { name: 'action', run: createActionRun(createInvoker(implementation, action.name)) }
  return {
    steps: watchSteps(
      [
        // Clients are admitted before the request's inputs are read.
        ...reached,
        ...admission,
        ...visibilitySteps,
        ...createStage('load', ...(action.payload || route.params === 'body' ? [{ name: 'load', run: loadBody }] : [])),
        ...createStage(
          'validate',
          ...joinSteps([
            ...createStage('validate:params', { name: 'validate:params', run: validateParams }),
            ...createStage('validate:payload', { name: 'validate:payload', run: validatePayload }),
            { name: 'validate', run: refuseInvalid },
          ]),
        ),
        ...valid,
        ...needs.steps,
        ...before,
        ...createStage('action', actionStep, ...createElementSteps(action)),
      ],
      plugins,
    ),
    recheck,
    responseSteps: compileResponseSteps([...after, ...createStage('response', writeStep)], plugins),
    responseHooks: [
      ...settleHooks,
      ...needs.responseHooks,
      ...responseHooks,
      ...createSuccessorHooks(action, buildPath),
    ],
  }
}

// Without further steps, a response is written when it is sent.
const compileResponseSteps = (steps: readonly Step[], plugins: readonly Plugin[]): readonly Step[] => {
  const watched = watchSteps(steps, plugins)
  return watched.length === 1 && watched[0] === writeStep ? [] : watched
}

/** Returns the needs of an action, with the replacements of plugins. */
function resolveNeeds(action: ResolvedAction, { plugins = [] }: ApplicationOptions): Needs {
  const replacing = plugins.filter(({ need }) => need !== undefined)
  if (replacing.length === 0) return action.needs
  const entries = Object.entries(action.needs).map(([name, need]): [string, Need] => {
    for (const plugin of replacing) {
      const replacement = plugin.need?.(need, name, action)
      if (replacement !== undefined) return [name, replacement]
    }
    return [name, need]
  })
  return Object.fromEntries(entries)
}

function createHeaderLookups(
  action: ResolvedAction,
  base: readonly string[],
  audiences: readonly string[],
): Pick<CompiledAction, 'headersByType' | 'failureHeaders'> {
  const negotiated = isNegotiated(action) ? ['Vary', 'Accept'] : []
  const headers = overlayHeaders(base, [...negotiated, ...buildPolicyHeaders(action, audiences)])
  const extraHeaders = [...action.policies.values()].flatMap(({ successHeaders = [] }) => successHeaders)
  const failureHeaders = createHeadersByType(headers)
  const byType = extraHeaders.length === 0 ? failureHeaders : createHeadersByType(overlayHeaders(headers, extraHeaders))
  const isEvents = ({ stream }: ResolvedBody): boolean => stream?.as === 'events'
  const eventType = [...action.responses.values()].flatMap(({ bodies }) => bodies).find(isEvents)?.identifier
  if (eventType === undefined) return { headersByType: byType, failureHeaders }
  const eventHeaders = createHeadersByType(overlayHeaders(overlayHeaders(headers, extraHeaders), EVENT_HEADERS))
  return {
    headersByType: (contentType) => (contentType === eventType ? eventHeaders : byType)(contentType),
    failureHeaders,
  }
}

// Nothing may keep events, and nginx must not collect them.
const EVENT_HEADERS = ['Cache-Control', 'no-store', 'X-Accel-Buffering', 'no']

// A query parameter that a policy reads is not a param of the action.
const listPolicyParams = ({ policies }: ResolvedAction): string[] =>
  [...policies.values()].flatMap(({ reads = [] }) => reads)

/**
 * Returns the headers that policies add to every response; a declared Authorization header makes responses differ
 * between callers, too.
 */
function buildPolicyHeaders({ policies, headers }: ResolvedAction, audiences: readonly string[]): readonly string[] {
  const policyHeaders = [...policies.values()].flatMap(({ responseHeaders = [] }) => responseHeaders)
  const readsAuthorization = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  if (!readsAuthorization && audiences.length === 0) return policyHeaders
  const cacheControl = policyHeaders.includes('Cache-Control') ? [] : ['Cache-Control', 'private, no-store']
  return [
    ...cacheControl,
    ...policyHeaders,
    ...(!readsAuthorization || policyHeaders.includes('Authorization') ? [] : ['Vary', 'Authorization']),
  ]
}

// A cache must not serve a client the representation that another one requested.
const isNegotiated = ({ responses }: ResolvedAction): boolean =>
  [...responses.values()].some(({ bodies }) => bodies.length > 1)

function compileParams(
  { action, route }: ActionRoute,
  ignores: (name: string) => boolean,
  settings: CompileSettings,
): CompiledParams {
  const { params, routes } = action
  const entries = Object.entries(params)
  return {
    part: 'params',
    form: createTreeForm(object(params), settings.queryDepth),
    pairs: settings.queryPairs,
    load: loadFasterWhenBusy(
      withRequirements(
        makeObjectLoader(entries, attributeRules, route.params === 'body' ? withUrlValues : undefined),
        action.requires,
      ),
    ),
    defers: entries.some(([, one]) => attributeRules.isAsync(one)),
    ignores,
    checks: settings.listParamsChecks(action),
    body: route.params === 'body' ? compileBodyParams({ action, route }, ignores, settings) : null,
    captures: routes.some(({ pattern }) => pattern.names.length > 0 || pattern.wildcards > 0),
  }
}

function compileBodyParams(
  { action, route }: ActionRoute,
  ignores: (name: string) => boolean,
  { bodyLimit, queryPairs, queryDepth }: CompileSettings,
): BodyParams {
  const limits = { body: action.bodyLimit ?? bodyLimit, pairs: queryPairs, depth: queryDepth }
  const payload = makeParamsPayload(action, route)
  const hasGet = action.routes.some(({ verb, path }) => verb === 'GET' && path === route.path)
  return {
    // RFC 10008, section 2: a QUERY states the type of its content.
    codec: createPayloadCodec(payload, limits, ignores, route.verb === 'QUERY'),
    pageParams: Object.values(action.params).flatMap(({ core }) => core.listing?.parts ?? []),
    getParams: hasGet ? payload.attribute.core.children : undefined,
  }
}

/** Returns the most bytes of a body of an action. */
function getBodyLimit({ bodyLimit, payload }: ResolvedAction, settings: CompileSettings): number {
  if (bodyLimit !== undefined || payload === undefined) return bodyLimit ?? settings.bodyLimit
  return settings.bodyLimit + sumFileSizes(payload.attribute, new Set())
}

// Declared files may have their declared sizes; the application's limit applies to everything else.
function sumFileSizes(attribute: Attribute, seen: Set<Attribute>): number {
  if (seen.has(attribute)) return 0
  seen.add(attribute)
  const { max } = attribute.options as FileOptions & { readonly max?: number }
  if (attribute.core.shape === 'file') return max ?? 0
  const below = Object.values(attribute.core.children).reduce((sum, one) => sum + sumFileSizes(one, seen), 0)
  return attribute.core.shape === 'list' ? below * (max ?? 1) : below
}

function compilePayload(
  payload: ResolvedPayload,
  ignores: (name: string) => boolean,
  limit: number,
  settings: CompileSettings,
): CompiledPayload {
  const { core, options } = payload.attribute
  return {
    part: 'payload',
    codec: createPayloadCodec(
      payload,
      { body: limit, pairs: settings.queryPairs, depth: settings.queryDepth },
      ignores,
    ),
    load: loadFasterWhenBusy(attributeRules.getLoader({ core })),
    defers: attributeRules.isAsync({ core }),
    nullable: options.nullable ?? false,
    required: options.required ?? false,
    initial: makeDefaultFactory(payload.attribute),
    ignores,
  }
}
