// The mapper plugin: checks the fields that params may name against the mappings at boot.

import {
  attributeRules,
  createReporter,
  type DefinitionMistake,
  type FieldUse,
  form,
  getDeclaredMediaType,
  getMediaType,
  listShownParts,
  type Plugin,
  type Report,
  type ResolvedAction,
  type ResolvedEndpoint,
  readSettings,
  refuseMistakes,
  type StatementSource,
  toSelectableBody,
} from '../../extend.ts'
import type { MediaType, View } from '../../index.ts'
import type { Datastore } from '../query/query.ts'
import { codes } from './codes.ts'
import { buildFieldTerms } from './field-terms.ts'
import { findField, isOrderable } from './fields/field-paths.ts'
import type { FilterExpression } from './filters/expression.ts'
import { reportIndexes } from './indexes/report.ts'
import type { AnyResource, ListUse, VerifiableResource } from './model/mapping.ts'
import type { Model } from './model/model.ts'
import { buildFieldNotes } from './notes.ts'
import { createOwnWriteHooks } from './own-writes.ts'
import { FieldError } from './plan/comparison.ts'
import { buildFilter, locateColumn, UnfitAggregateError } from './plan/filter-builder.ts'
import { findUnorderedKey } from './plan/query-plan.ts'
import { QueryScope } from './plan/query-scope.ts'
import { recordLinks } from './plan/relations.ts'
import { checkViewCycles } from './plan/view-cycles.ts'
import { checkModel } from './resource/model-check.ts'

/** The options of the mapper. */
export interface MapperOptions {
  /** The resources that the application's actions list; their params are checked at boot. */
  // The empty tuple makes the compiler infer a tuple instead of comparing the element types.
  readonly resources?: readonly AnyResource[] | readonly [] | Readonly<Record<string, AnyResource>>
}

const resourceForm = form.custom(
  'a resource',
  (value) => typeof value === 'object' && value !== null && '~resource' in value,
)

const FIELDS: form.Fields<MapperOptions> = {
  resources: form.either(form.list(resourceForm), form.record(resourceForm)),
}

/** Enables filters and field selection, and checks the params of lists. */
export function mapper(options: MapperOptions = {}): Plugin {
  const { resources = [] } = form.accept(options, FIELDS).value
  const declared = Object.values(resources) as readonly AnyResource[] as readonly VerifiableResource[]
  const models = declared.map((one) => one['~resource'] as Model)
  const datastores = [...new Set(declared.map(({ datastore }) => datastore))]
  const plugin = {
    name: 'mapper',
    codes,
    checkOptions: (report) => {
      readSettings('mapper', options, FIELDS, report)
      for (const model of models) checkModel(model, report)
      recordLinks(models)
    },
    check: (endpoint, report) => checkEndpoint(endpoint, models, report),
    paramNotes: (action) => buildFieldNotes(action, models),
    contract: buildFieldTerms,
    statements: datastores.filter(isObservable),
    tools: { indexes: (application, settings) => reportIndexes(application, declared, settings) },
    enforce: () => ({}),
    ...createOwnWriteHooks(datastores),
    async start({ endpoints }) {
      await Promise.all(datastores.map(async ({ replication }) => replication?.ready()))
      await verifyResources(endpoints, declared)
    },
  } satisfies Plugin
  return Object.freeze({ ...plugin, resourceModels: models } satisfies Plugin & ResourceAwarePlugin)
}

const isObservable = (datastore: Datastore): datastore is Datastore & StatementSource => datastore.observe !== undefined

/** A plugin that has resources. */
interface ResourceAwarePlugin {
  readonly resourceModels: readonly Model[]
}

/** Returns the key of a media type's elements, from the resource that the application passed to its mapper. */
export function findResourceKey(plugins: readonly Plugin[] = [], mediaType: MediaType): readonly string[] | undefined {
  const models = plugins.flatMap((one) =>
    'resourceModels' in one ? (one as Plugin & ResourceAwarePlugin).resourceModels : [],
  )
  return models.find((model) => model.mediaType === getDeclaredMediaType(mediaType))?.key.map(({ name }) => name)
}

function checkEndpoint({ actions }: ResolvedEndpoint, models: readonly Model[], report: Report): void {
  for (const declared of actions.values()) {
    const { name: action, params } = declared
    checkViewCycles(declared, models, report)
    checkSelectedBodies(declared, report)
    for (const [name, { core }] of Object.entries(params)) {
      const used = attributeRules.getFieldsUse({ core })
      if (used === undefined) continue
      const setting = `${action}.params.${name}`
      if (used.param !== name) report(setting, `lists look for a param ${used.param}`, `name it ${used.param}`)
      for (const model of models.filter(({ mediaType }) => mediaType === used.of)) {
        if (used.key === true) reportUnorderedKey(model, setting, report)
        for (const use of used.fields) reportFieldUse(use, model, setting, report)
      }
    }
  }
}

// A selection that reaches no part of a response would do nothing.
function checkSelectedBodies({ name, params, responses }: ResolvedAction, report: Report): void {
  for (const [param, { core }] of Object.entries(params)) {
    const from = core.selectsFrom
    const bodies = [...responses.values()]
      .filter(({ status }) => status < 300)
      .flatMap((response) => response.bodies.flatMap(({ attribute }) => attribute ?? []))
    if (from === undefined || bodies.length === 0 || bodies.some((body) => toSelectableBody(body, from))) continue
    const of = getMediaType(from as MediaType | View)
    const shown = bodies.flatMap((body) => listShownParts(body).filter(({ resource }) => getMediaType(resource) === of))
    const places = shown.map(({ path }) => path.join('.')).join(', ')
    const [problem, remedy] =
      shown.length === 0
        ? [`no response shows ${of.name}, which it selects from`, 'select from the media type of the response']
        : [`it cannot tell which ${of.name} is meant: ${places}`, 'leave it out, or respond with one of them']
    report(`${name}.params.${param}`, problem, remedy)
  }
}

// Only the database shows whether a table matches its declaration.
async function verifyResources(
  endpoints: readonly ResolvedEndpoint[],
  resources: readonly VerifiableResource[],
): Promise<void> {
  const mistakes: DefinitionMistake[] = []
  const uses = [
    ...endpoints.flatMap((endpoint) => listParamUses(endpoint, resources)),
    ...resources.flatMap(listRelationUses),
  ]
  for (const { owner, setting, use, resource } of uses) {
    const found = await resource.verify(use).catch((error: unknown) => error)
    if (found instanceof Error && found.name === 'InexactListError')
      createReporter(mistakes, owner)(setting, found.message, 'declare the tables as the database has them')
  }
  refuseMistakes(mistakes)
}

interface VerifiedUse {
  /** The endpoint or the resource, and the setting in it that uses the field. */
  readonly owner: string
  readonly setting: string
  readonly use: ListUse
  readonly resource: VerifiableResource
}

function listParamUses(
  { name: owner, actions }: ResolvedEndpoint,
  resources: readonly VerifiableResource[],
): VerifiedUse[] {
  return [...actions.values()].flatMap(({ name: action, params }) =>
    Object.entries(params).flatMap(([name, { core }]) => {
      const used = attributeRules.getFieldsUse({ core })
      if (used === undefined) return []
      const setting = `${action}.params.${name}`
      const listed = resources.filter(({ mediaType }) => mediaType === used.of)
      return listed.flatMap((resource) => used.fields.map((use) => ({ owner, setting, use, resource })))
    }),
  )
}

function listRelationUses(resource: VerifiableResource): VerifiedUse[] {
  const { mediaType, nodes } = resource['~resource'] as Model
  const names = [...nodes].flatMap(([name, { type }]) => (type === 'one' ? [name] : []))
  const owner = `resource ${mediaType.name}`
  return names.map((name) => ({ owner, setting: name, use: { name, by: 'showing' }, resource }))
}

/** Throws a FieldError if the field has no column that supports the use. */
function resolveFieldUse({ name: field, by }: FieldUse, model: Model): void {
  const scope = new QueryScope(model.table)
  if (by === 'order') locateColumn(field, model, scope)
  else buildFilter(PROBES[by](field), model, scope)
}

const PROBES: Readonly<Record<Exclude<FieldUse['by'], 'order'>, (field: string) => FilterExpression>> = {
  value: (field) => ({ op: '=', field, any: [] }),
  presence: (field) => ({ op: '!', field }),
  words: (field) => ({ op: '@=', field, texts: [''] }),
  elements: (field) => ({ op: 'any', field, where: { op: 'and', of: [] } }),
}

function reportUnorderedKey(model: Model, setting: string, report: Report): void {
  const found = findUnorderedKey(model)
  if (found === undefined) return
  const problem = `lists of ${model.table.name} end in its key, and ${found.reason} ('${found.column.name}')`
  report(setting, problem, 'give the table a key that has an order')
}

const UNSUPPORTED: Readonly<Partial<Record<FieldUse['by'], readonly [does: string, problem: string, remedy: string]>>> =
  {
    words: ['search', 'and its resource names no index for that', 'name it in the mapping: search: { title: {} }'],
    elements: ['request elements of', 'which is no related list', 'map it with many(…), or leave elements out'],
  }

function reportFieldUse(use: FieldUse, model: Model, setting: string, report: Report): void {
  const field = use.name
  try {
    resolveFieldUse(use, model)
  } catch (error) {
    // The check of its resource reports it.
    if (error instanceof UnfitAggregateError) return
    if (!(error instanceof FieldError)) throw error
    const found = findField(model.mediaType, field)
    const isPlain = found !== undefined && isOrderable(found)
    const without =
      use.by === 'order'
        ? "leave it out of byFields, and set enforceFor: 'all' in an order"
        : 'declare the fields that may be named without it'
    const { unorderedReason: unordered } = error
    const missing = UNSUPPORTED[use.by]
    if (missing !== undefined)
      return report(setting, `requests may ${missing[0]} '${field}', ${missing[1]}`, missing[2])
    if (unordered !== undefined) report(setting, `requests may order by '${field}', and ${unordered}`, without)
    else
      report(
        setting,
        `requests may name '${field}', which has no column in ${model.table.name}`,
        isPlain ? `map it to a column, or ${without}` : 'leave it out',
      )
  }
}
