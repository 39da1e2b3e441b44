// Creates a mock: an application whose controllers are generated from declarations.
import { type Application, type ApplicationOptions, application } from '../application.ts'
import { type AnyController, controller } from '../design/controller.ts'
import { isEndpoint } from '../design/declare/endpoint.ts'
import type { Policy, PolicySteps } from '../design/declare/policy.ts'
import type { AnyDefinition } from '../design/definition.ts'
import type { ResolvedAction, ResolvedEndpoint } from '../design/resolve/resolved.ts'
import { collectActionAudiences } from '../design/visibility.ts'
import { idempotency } from '../plugins/idempotency/index.ts'
import { mapper } from '../plugins/mapper/index.ts'
import { pagination } from '../plugins/pagination/index.ts'
import { memoryStore } from '../plugins/stores/index.ts'
import type { Plugin } from '../server/application-options.ts'
import { applicationFields } from '../server/boot/option-forms.ts'
import { describeValue } from '../util/describe-value.ts'
import { accept, choice, type Fields, formatFlaw, integerFrom, isSettings, NO_SETTING } from '../util/setting-form.ts'
import { createMockAction, type MockAction, type MockPrincipal } from './actions.ts'
import { findCallerModel } from './callers.ts'
import { ROW_COLUMN } from './entity.ts'
import { EntityRegistry } from './entity-registry.ts'
import { createMark, findMarkWord, type Mark } from './marks.ts'
import { MockStore } from './mock-store.ts'
import { listNotes, type MockNote } from './notes.ts'
import { type MockModel, planMockAction } from './roles.ts'

/** The options of a mock; those of an application are passed on to it. */
export interface MockOptions extends Partial<Omit<ApplicationOptions, 'controllers' | 'verifiers'>> {
  /**
   * The number of elements of each media type.
   * @default 30
   */
  readonly rows?: number
  /**
   * Actions with security require any credentials to be `'present'`, or are `'open'` to all clients.
   * @default `'present'`
   */
  readonly auth?: 'present' | 'open'
}

/** The source of a mock: an application, endpoints, or a module that exports endpoints. */
export type MockSource = Application | readonly unknown[] | Readonly<Record<string, unknown>>

/**
 * Creates an application that responds to every action of some endpoints, and stores written data in memory. Throws a
 * TypeError for invalid `rows` and `auth`, and a DefinitionError for mistakes that `application` reports.
 */
export function mock(source: MockSource, options: MockOptions = {}): Application {
  const { rows = 30, auth = 'present', ...applicationOptions } = checkMockOptions(source, options)
  const sourceOptions = isApplication(source) ? withoutVerifiers(source['~options']) : undefined
  const definitions =
    sourceOptions === undefined
      ? collectEndpoints(source)
      : sourceOptions.controllers.map(({ definition }) => definition)
  const actions = new Map<ResolvedAction, MockAction>()
  const desk: MockDesk = { identify: () => ANY_PRINCIPAL }
  const app = application({
    ...sourceOptions,
    ...applicationOptions,
    plugins: withPlugins(
      applicationOptions.plugins ?? sourceOptions?.plugins ?? [],
      definitions,
      (policy) => policy.mock?.(auth, (credentials) => desk.identify(credentials)) ?? {},
    ),
    controllers: definitions.map((definition) => createController(definition, actions)),
  })
  // `application` throws for declarations with mistakes, so these are valid.
  notesByApplication.set(app, addActions(definitions, { rows, isOpen: auth === 'open' }, actions, desk))
  return app
}

const notesByApplication = new WeakMap<Application, readonly MockNote[]>()

/** Returns what a mock does not keep and what it does not understand; empty for other applications. */
export const describeMock = (app: Application): readonly MockNote[] => notesByApplication.get(app) ?? []

/** Identifies callers, as soon as the entities are known. */
interface MockDesk {
  identify: (credentials: unknown) => MockPrincipal | undefined | Promise<MockPrincipal | undefined>
}

/** The principal of clients that the mock cannot identify. */
const ANY_PRINCIPAL: MockPrincipal = Object.freeze({ id: 1, name: 'Ada Lovelace' })

// A mock replaces the verifiers.
const withoutVerifiers = ({ verifiers: _, ...options }: ApplicationOptions): ApplicationOptions => options

const OWN_FIELDS: Fields<Pick<MockOptions, 'rows' | 'auth'>> = { rows: integerFrom(0), auth: choice('present', 'open') }

// The application validates its own options; `rows`, `auth` and unknown names are checked here.
function checkMockOptions(source: unknown, options: unknown): MockOptions {
  const { verifiers: _, ...fields } = applicationFields
  const { flaws } = accept(options, { ...fields, ...OWN_FIELDS })
  const ownFlaws = flaws.filter(({ at, problem }) => at === '' || problem === NO_SETTING || at.slice(1) in OWN_FIELDS)
  const messages = ownFlaws.map((flaw) => `${formatFlaw(flaw, 'what stands for the options')}: ${flaw.remedy}`)
  if (!Array.isArray(source) && !isApplication(source) && !isSettings(source))
    messages.unshift(
      `there is ${describeValue(source)} to be mocked: give an application, endpoints, or a module of them`,
    )
  if (messages.length > 0) throw new TypeError(`mock: ${messages.join('; ')}`)
  return options as MockOptions
}

/** Finds the endpoints among values and in lists of them, including those of controllers. */
export function collectEndpoints(declared: readonly unknown[] | object): readonly AnyDefinition[] {
  const values: readonly unknown[] = Object.values(declared)
  const inner = values.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  return [...new Set([...values, ...(inner as readonly unknown[])].flatMap(extractDefinition))]
}

function extractDefinition(value: unknown): readonly AnyDefinition[] {
  if (isEndpoint(value)) return [value as AnyDefinition]
  return typeof value === 'object' && value !== null && '~controller' in value
    ? [(value as AnyController).definition]
    : []
}

/** Returns whether a value is an application. */
export const isApplication = (value: unknown): value is Application =>
  typeof value === 'object' && value !== null && '~options' in value && 'handle' in value

// Absolute links of a mock lead to it only if its user names its URL; clients of edict follow them in any case.
const MOCK_URL = 'http://localhost'

// Adds the plugins for params of lists if they are not registered. Replaces the plugins that enforce policies, which
// would need stores and keys.
function withPlugins(
  plugins: readonly Plugin[],
  definitions: readonly AnyDefinition[],
  getSteps: (policy: Policy) => PolicySteps,
): readonly Plugin[] {
  const replaced = plugins.map((plugin) => ({
    ...plugin,
    ...(plugin.enforce !== undefined && createStandIn(getSteps)),
    ...(plugin.audiences !== undefined && { audiences: {} }),
  }))
  const names = new Set(plugins.flatMap(({ name, provides = [] }) => [name, ...provides]))
  const actions = definitions.flatMap((definition) => [...definition.resolve().actions.values()])
  const required = new Set(
    actions.flatMap(({ policies }) => [...policies.values()].flatMap(({ plugin }) => plugin ?? [])),
  )
  const missing = [...required].filter((name) => !names.has(name))
  const audiences = [...new Set(actions.flatMap(collectActionAudiences))]
  return [
    ...missing.map((name) => ({ name, ...createStandIn(getSteps) })),
    ...replaced,
    ...(audiences.length === 0 ? [] : [createAudiencePlugin(audiences)]),
    ...[mapper(), pagination({ baseUrl: MOCK_URL })].filter(({ name }) => !names.has(name)),
  ]
}

// A mock verifies no credentials: clients that send some see everything, others see what is public.
const createAudiencePlugin = (audiences: readonly string[]): Plugin => ({
  name: 'mock audiences',
  audiences: Object.fromEntries(audiences.map((name) => [name, ({ principal }) => principal !== undefined])),
})

// Idempotency keys are kept in memory.
function createStandIn(getSteps: (policy: Policy) => PolicySteps): Required<Pick<Plugin, 'enforce'>> {
  const { enforce } = idempotency(memoryStore())
  return {
    enforce: (policy, action, options) =>
      policy.plugin === 'idempotency'
        ? (enforce?.({ ...policy, settings: { ...(policy.settings as object), within: undefined } }, action, options) ??
          {})
        : getSteps(policy),
  }
}

function createController(definition: AnyDefinition, actions: ReadonlyMap<ResolvedAction, MockAction>): AnyController {
  const functions = Object.keys(definition.spec.actions).map((name): [string, MockAction] => [
    name,
    (params, context) => {
      const action = definition.resolve().actions.get(name) as ResolvedAction
      return (actions.get(action) as MockAction)(params, context)
    },
  ])
  return controller(definition, Object.fromEntries(functions) as never) as unknown as AnyController
}

function addActions(
  definitions: readonly AnyDefinition[],
  { rows, isOpen }: { readonly rows: number; readonly isOpen: boolean },
  to: Map<ResolvedAction, MockAction>,
  desk: MockDesk,
): readonly MockNote[] {
  const endpoints = definitions.map((definition) => definition.resolve())
  const actions = endpoints.flatMap((endpoint) => [...endpoint.actions.values()])
  const model = createMockModel(endpoints, actions)
  const store = new MockStore(model.registry.entities, rows, model.marks)
  const plans = actions.map((action) => planMockAction(action, model))
  for (const plan of plans) to.set(plan.action, createMockAction(plan, store))
  const { callers } = model
  const notes = listNotes(endpoints, plans, model.registry)
  if (callers === undefined) return notes
  desk.identify = async (credentials) => {
    // A key in a header such as Authorization may follow the name of its scheme.
    const sent = typeof credentials === 'string' ? [credentials, credentials.replace(/^\S+ +/, '')] : []
    const [found] = await store.findRows(callers.entity, { [callers.credential]: sent })
    if (found !== undefined) return { ...ANY_PRINCIPAL, row: Number(found[ROW_COLUMN]) }
    return isOpen ? ANY_PRINCIPAL : undefined
  }
  return notes
}

function createMockModel(endpoints: readonly ResolvedEndpoint[], actions: readonly ResolvedAction[]): MockModel {
  const registry = new EntityRegistry(endpoints)
  const callers = findCallerModel(actions, registry)
  if (callers !== undefined) {
    callers.entity.credential = callers.credential
    for (const column of [callers.credential, ...callers.identifying]) callers.entity.unique.add(column)
    for (const [name, attribute] of callers.secrets) callers.entity.addSecret(name, attribute)
  }
  const marks = new Map<string, Mark>()
  for (const action of actions) {
    const word = findMarkWord(action)
    const entity = word === undefined ? undefined : registry.getOwnEntity(action)
    const key = entity && `${entity.table} ${word}`
    if (entity === undefined || word === undefined || key === undefined || marks.has(key)) continue
    const mark = createMark(entity, word)
    if (mark !== undefined) marks.set(key, mark)
  }
  return { registry, actions, callers, marks: [...marks.values()] }
}
