// The rules of media types and their views, and the mistakes in their declarations.
import type { Attributes, KindRules } from '../schema/attribute.ts'
import { applyOptions } from '../schema/json-schema.ts'
import {
  buildObjectSchema,
  makeObjectDumper,
  makeObjectExample,
  makeObjectLoader,
} from '../schema/structures/object.ts'
import { filterVisible } from '../schema/structures/restrictions.ts'
import { describeValue } from '../util/describe-value.ts'
import {
  accept,
  either,
  type Fields,
  type Flaw,
  formatFlaw,
  isSettings,
  list,
  object,
  record,
  required,
  structure,
  text,
} from '../util/setting-form.ts'
import type { MediaTypeConfig, MediaTypeSpec } from './declare/media-type.ts'
import type { AllExcept, ViewsOf } from './declare/views.ts'
import { isMediaTypeName } from './media-type-name.ts'

/** The rules of media types and their views. */
export const mediaTypeRules: KindRules<MediaTypeConfig> = {
  loader: ({ inputAttributes }, _, rules) => makeObjectLoader(Object.entries(inputAttributes()), rules),
  dumper: ({ outputAttributes }, _, rules) => makeObjectDumper(Object.entries(outputAttributes()), rules),
  narrow: ({ inputAttributes, outputAttributes, ...config }, see) => ({
    ...config,
    inputAttributes: () => filterVisible(inputAttributes(), see),
    outputAttributes: () => filterVisible(outputAttributes(), see),
    owner: {},
  }),
  selectable: getSelectableAttributes,
  isAsync: ({ inputAttributes }, rules) => Object.values(inputAttributes()).some((one) => rules.isAsync(one)),
  jsonSchema(config, options, schemas, rules) {
    const { name, view, inputAttributes, outputAttributes } = config
    const getComplete = schemas.direction === 'input' ? inputAttributes : outputAttributes
    const getAttributes = (): Attributes => (schemas.isPartial ? getSelectableAttributes(config) : getComplete())
    // A media type and its default view show the same attributes, but may differ in the selectable ones.
    const owner = schemas.isPartial ? inputAttributes : config.owner
    const viewName = view === undefined ? undefined : `${name}${view.charAt(0).toUpperCase()}${view.slice(1)}`
    const schemaName = view === undefined || view === 'default' ? name : (viewName as string)
    const reference = schemas.refer(
      schemaName,
      owner,
      () => buildObjectSchema(Object.entries(getAttributes()), schemas, rules),
      viewName,
    )
    return applyOptions(reference, options)
  },
  example: ({ outputAttributes }, options, seed, rules) =>
    options.example ?? makeObjectExample(Object.entries(outputAttributes()), seed, rules),
  mistakes: ({ declared }) =>
    declared === undefined
      ? []
      : findMediaTypeFlaws(declared).map((flaw) => ({ ...flaw, problem: formatFlaw(flaw, 'its declaration') })),
}

// A declared default view is a limit; the implied one leaves out relations for brevity.
function getSelectableAttributes({ declared, inputAttributes, outputAttributes }: MediaTypeConfig): Attributes {
  const views = isSettings(declared?.given) ? declared.given['views'] : undefined
  return isSettings(views) && Object.hasOwn(views, 'default') ? outputAttributes() : inputAttributes()
}

const MEDIA_TYPE_SETTINGS: Fields<MediaTypeSpec<Attributes, ViewsOf<string>>> = {
  identifier: text,
  description: text,
  attributes: required(structure),
  views: record(either(list(text), object<AllExcept>({ except: required(list(text)) }))),
}

function findMediaTypeFlaws({ name, given }: NonNullable<MediaTypeConfig['declared']>): readonly Flaw[] {
  const { flaws } = accept(given, MEDIA_TYPE_SETTINGS)
  const all = flaws.length > 0 ? flaws : findUnknownExceptions(given as MediaTypeSpec<object, ViewsOf<string>>)
  if (isMediaTypeName(name)) return all
  return [...all, { at: '.name', problem: `it is ${describeValue(name)}`, remedy: 'name the media type, such as Blog' }]
}

function findUnknownExceptions({ attributes, views = {} }: MediaTypeSpec<object, ViewsOf<string>>): readonly Flaw[] {
  return Object.entries(views).flatMap(([view, shown]) =>
    'except' in shown
      ? shown.except
          .filter((name) => !Object.hasOwn(attributes, name))
          .map((name) => ({
            at: `.views.${view}`,
            problem: `it leaves out '${name}', which is not an attribute`,
            remedy: `leave out some of: ${Object.keys(attributes).join(', ')}`,
          }))
      : [],
  )
}
