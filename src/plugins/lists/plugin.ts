// The mapper plugin: what params may ask of a resource is checked against its mapping when the application boots.

import { form, type Plugin, type Report, type ResolvedEndpoint, settingsIn } from '../../extend.ts'
import type { Attribute, MediaType } from '../../index.ts'
import { fieldAt, isOrderable, orderableFields } from './fields/field.ts'
import { type FilteringConfig, filterFields } from './filters/field.ts'
import { conditions, FieldError, locate } from './plan/conditions.ts'
import { unorderedKey } from './plan/plan.ts'
import { Scope } from './plan/scope.ts'
import type { AnyResource } from './resource/mapping.ts'
import type { Model } from './resource/model.ts'
import { checkModel } from './resource/model-check.ts'
import { fieldTerms } from './terms.ts'

/** Options of the mapper. */
export interface MapperOptions {
  /** The resources that the application's actions list: what their params may ask for is checked at boot. */
  readonly resources?: readonly AnyResource[] | Readonly<Record<string, AnyResource>>
}

/** What params that name fields were declared with. */
interface FieldsConfig {
  readonly mediaType: MediaType
  readonly byFields?: readonly string[]
  readonly enforceFor?: 'first' | 'all'
  readonly key?: readonly string[]
}

const one = form.tested('a resource', (value) => typeof value === 'object' && value !== null && '~resource' in value)

const FIELDS: form.Fields<MapperOptions> = { resources: form.either(form.list(one), form.record(one)) }

/** Enables filters and field selection, and checks what lists may be asked for. */
export function mapper(options: MapperOptions = {}): Plugin {
  const { resources = [] } = form.accept(options, FIELDS).value
  const models = Object.values(resources).map((one: AnyResource) => one['~resource'] as Model)
  const plugin = {
    name: 'mapper',
    checkOptions: (report) => {
      settingsIn('mapper', options, FIELDS, report)
      for (const model of models) checkModel(model, report)
    },
    check: (endpoint, report) => checkEndpoint(endpoint, models, report),
    contract: fieldTerms,
  } satisfies Plugin
  return Object.freeze({ ...plugin, models } satisfies Plugin & Knowing)
}

/** A plugin that knows resources. */
interface Knowing {
  readonly models: readonly Model[]
}

/** The key of a media type's elements, as the resource of it says that an application has named to its mapper. */
export function keyOfResource(plugins: readonly Plugin[] = [], mediaType: MediaType): readonly string[] | undefined {
  const models = plugins.flatMap((one) => ('models' in one ? (one as Plugin & Knowing).models : []))
  return models.find((model) => model.mediaType === mediaType)?.key.map(({ name }) => name)
}

function checkEndpoint({ actions }: ResolvedEndpoint, models: readonly Model[], report: Report): void {
  for (const { name: action, params } of actions.values()) {
    for (const [name, attribute] of Object.entries(params)) {
      const check = CHECKS[attribute.kind]
      if (check === undefined) continue
      const setting = `${action}.params.${name}`
      if (check.name !== name) report(setting, `lists look for a param ${check.name}`, `name it ${check.name}`)
      const { declared } = attribute as Attribute & { readonly declared: FieldsConfig }
      for (const model of models.filter(({ mediaType }) => mediaType === declared.mediaType)) {
        if (attribute.kind === 'pagination') tellKey(model, setting, report)
        for (const field of check.fields(declared))
          tell(field, model, () => check.resolve(field, model, declared), setting, report)
      }
    }
  }
}

interface Check {
  /** The name that lists look for. */
  readonly name: string
  /** The fields that requests may name. */
  readonly fields: (config: FieldsConfig) => readonly string[]
  /** Throws a FieldError for a field that has no column to do this with. */
  readonly resolve: (field: string, model: Model, config: FieldsConfig) => void
}

const resolveOrder: Check['resolve'] = (field, model) => void locate(field, model, new Scope(model.table))

const resolveFilter: Check['resolve'] = (field, model, config) => {
  const { operators = [] } = filterFields(config as FilteringConfig).get(field) ?? {}
  const compares = operators.some((operator) => operator !== '!' && operator !== '!!')
  conditions(compares ? { op: '=', field, any: [] } : { op: '!', field }, model, new Scope(model.table))
}

const CHECKS: Readonly<Record<string, Check | undefined>> = {
  ordering: {
    name: 'order',
    // Only the first field of an order has to be one of byFields, unless all have to.
    fields: ({ mediaType, byFields = [], enforceFor }) =>
      enforceFor === 'all' ? byFields : [...new Set([...orderableFields(mediaType), ...byFields])],
    resolve: resolveOrder,
  },
  pagination: {
    name: 'pagination',
    fields: ({ mediaType, byFields, key }) => [...(byFields ?? orderableFields(mediaType)), ...(key ?? [])],
    resolve: resolveOrder,
  },
  filtering: {
    name: 'filters',
    fields: (config) => [...filterFields(config as FilteringConfig).keys()],
    resolve: resolveFilter,
  },
}

function tellKey(model: Model, setting: string, report: Report): void {
  const found = unorderedKey(model)
  if (found === undefined) return
  const problem = `lists of ${model.table.name} end in its key, and ${found.reason} ('${found.column.name}')`
  report(setting, problem, 'give the table a key that has an order')
}

function tell(field: string, model: Model, resolve: () => void, setting: string, report: Report): void {
  try {
    resolve()
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    const found = fieldAt(model.mediaType, field)
    const isPlain = found !== undefined && isOrderable(found)
    const { unordered } = error
    report(
      setting,
      unordered === undefined
        ? `requests may name '${field}', which has no column in ${model.table.name}`
        : `requests may order by '${field}', and ${unordered}`,
      unordered !== undefined
        ? 'declare the fields that may be named without it'
        : isPlain
          ? 'map it to a column, or declare the fields that may be named without it'
          : 'leave it out',
    )
  }
}
