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
  callable,
  type Fields,
  type Flaw,
  formatFlaw,
  isSettings,
  list,
  record,
  required,
  structure,
  text,
} from '../util/setting-form.ts'
import { suggestName } from '../util/suggest-name.ts'
import { findCallbackFlaws } from './callback.ts'
import { checkCollection } from './declare/collection.ts'
import type { DeferredChecks, MediaDeclaration } from './declare/deferred-checks.ts'
import type { MediaTypeConfig, MediaTypeSpec, Views } from './declare/media-type.ts'
import { createReporter, DefinitionError, type DefinitionMistake, reportFlaws } from './mistakes.ts'
import { rememberSourceLocation } from './source-location.ts'

/** The rules of media types and their views. */
export const mediaTypeRules: KindRules<MediaTypeConfig> = {
  loader: ({ inputAttributes }) => makeObjectLoader(Object.entries(inputAttributes())),
  dumper: ({ outputAttributes }) => makeObjectDumper(Object.entries(outputAttributes())),
  narrow: ({ inputAttributes, outputAttributes, ...config }, see) => ({
    ...config,
    inputAttributes: () => filterVisible(inputAttributes(), see),
    outputAttributes: () => filterVisible(outputAttributes(), see),
    owner: {},
  }),
  selectable: getSelectableAttributes,
  isAsync: ({ inputAttributes }) => Object.values(inputAttributes()).some((one) => one.core.isAsync),
  jsonSchema(config, options, schemas) {
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
      () => buildObjectSchema(Object.entries(getAttributes()), schemas),
      viewName,
    )
    return applyOptions(reference, options)
  },
  example: ({ outputAttributes }, options, seed) =>
    options.example ?? makeObjectExample(Object.entries(outputAttributes()), seed),
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

const MEDIA_TYPE_SETTINGS: Fields<MediaTypeSpec<Attributes, Views>> = {
  identifier: text,
  description: text,
  attributes: required(structure),
  views: record(list(text)),
}

function findMediaTypeFlaws({ name, given }: NonNullable<MediaTypeConfig['declared']>): readonly Flaw[] {
  const { flaws } = accept(given, MEDIA_TYPE_SETTINGS)
  if (isMediaTypeName(name)) return flaws
  return [
    ...flaws,
    { at: '.name', problem: `it is ${describeValue(name)}`, remedy: 'name the media type, such as Blog' },
  ]
}

// Settings of a wrong form are left out: boot reports them together with all other mistakes.
function readMediaType(name: unknown, spec: unknown): MediaDeclaration {
  const { identifier, description, attributes, views }: Partial<Record<string, unknown>> = isSettings(spec) ? spec : {}
  return {
    name: isMediaTypeName(name) ? name : 'MediaType',
    ...(typeof identifier === 'string' && { identifier }),
    ...(typeof description === 'string' && { description }),
    attributes: isSettings(attributes) ? attributes : {},
    ...(isSettings(views) && Object.values(views).every(isNameList) && { views: views as Views }),
  }
}

const isMediaTypeName = (name: unknown): name is string => typeof name === 'string' && /^\w/.test(name)

const isNameList = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string')

/** The checks that declarations run themselves. */
export const declarationChecks: DeferredChecks = {
  failOnView(mediaType, name) {
    const known = [...new Set(['default', ...Object.keys(mediaType.views)])]
    const problem = `${mediaType.name} has no view ${describeValue(name)}`
    const remedy = `declare it in its views, or ${suggestName(String(name), known)}`
    throw new DefinitionError([{ endpoint: '', setting: `${mediaType.name}.views`, problem, remedy }])
  },
  checkCollection,
  failOnBehaviour(endpoint, behaviour) {
    const mistakes: DefinitionMistake[] = []
    reportFlaws('with', callable.check(behaviour), createReporter(mistakes, String(endpoint)))
    throw new DefinitionError(mistakes)
  },
  findCallbackFlaws,
  rememberLocation: rememberSourceLocation,
  readMediaType,
}
