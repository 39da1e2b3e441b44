// The rules of media types and their views, and the mistakes in their declarations.
import type { Attributes, KindRules } from '../schema/attribute.ts'
import { describe } from '../schema/json-schema.ts'
import { makeObjectDumper, makeObjectExample, makeObjectLoader, buildObjectSchema } from '../schema/structures/object.ts'
import { filterVisible } from '../schema/structures/restrictions.ts'
import { describeValue } from '../util/describe-value.ts'
import {
  accept,
  callable,
  type Fields,
  type Flaw,
  isSettings,
  list,
  record,
  required,
  formatFlaw,
  structure,
  text,
} from '../util/setting-form.ts'
import { suggestName } from '../util/suggest-name.ts'
import { rememberSourceLocation } from './source-location.ts'
import { DefinitionError, type DefinitionMistake, reporter, reportFlaws } from './mistakes.ts'
import { findCallbackFlaws } from './callback.ts'
import { checkCollection } from './declare/collection.ts'
import type { DeferredChecks, MediaDeclaration } from './declare/deferred-checks.ts'
import type { MediaTypeConfig, MediaTypeSpec, Views } from './declare/media-type.ts'

/** The rules of media types and their views. */
export const mediaTypeRules: KindRules<MediaTypeConfig> = {
  loader: ({ inputAttributes: loaded }) => makeObjectLoader(Object.entries(loaded())),
  dumper: ({ outputAttributes: shown }) => makeObjectDumper(Object.entries(shown())),
  narrow: ({ inputAttributes: loaded, outputAttributes: shown, ...config }, see) => ({
    ...config,
    inputAttributes: () => filterVisible(loaded(), see),
    outputAttributes: () => filterVisible(shown(), see),
    owner: {},
  }),
  selectable: getSelectableAttributes,
  defers: ({ inputAttributes: loaded }) => Object.values(loaded()).some((one) => one.core.defers),
  jsonSchema(config, options, schemas) {
    const { name, view, inputAttributes: loaded, outputAttributes: shown } = config
    const whole = schemas.direction === 'input' ? loaded : shown
    const attributes = (): Attributes => (schemas.isPartial ? getSelectableAttributes(config) : whole())
    // A media type and its default view show the same, and may differ in what can be selected.
    const owner = schemas.isPartial ? loaded : config.owner
    const viewName = view === undefined ? undefined : `${name}${view.charAt(0).toUpperCase()}${view.slice(1)}`
    const called = view === undefined || view === 'default' ? name : (viewName as string)
    const made = schemas.refer(called, owner, () => buildObjectSchema(Object.entries(attributes()), schemas), viewName)
    return describe(made, options)
  },
  example: ({ outputAttributes: shown }, options, seed) => options.example ?? makeObjectExample(Object.entries(shown()), seed),
  mistakes: ({ declared }) =>
    declared === undefined
      ? []
      : findMediaTypeFlaws(declared).map((flaw) => ({ ...flaw, problem: formatFlaw(flaw, 'its declaration') })),
}

// A default view that is declared is a limit; the implied one leaves out relations for brevity.
function getSelectableAttributes({ declared, inputAttributes: loaded, outputAttributes: shown }: MediaTypeConfig): Attributes {
  const views = isSettings(declared?.given) ? declared.given['views'] : undefined
  return isSettings(views) && Object.hasOwn(views, 'default') ? shown() : loaded()
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
  return [...flaws, { at: '.name', problem: `it is ${describeValue(name)}`, remedy: 'name the media type, such as Blog' }]
}

// Settings of a wrong form are left out: boot reports them together with all other mistakes.
function readMediaType(name: unknown, given: unknown): MediaDeclaration {
  const { identifier, description, attributes, views }: Partial<Record<string, unknown>> = isSettings(given)
    ? given
    : {}
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

/** The mistakes that declarations tell themselves. */
export const declarationChecks: DeferredChecks = {
  failOnView(of, name) {
    const known = [...new Set(['default', ...Object.keys(of.views)])]
    const problem = `${of.name} has no view ${describeValue(name)}`
    const remedy = `declare it in its views, or ${suggestName(String(name), known)}`
    throw new DefinitionError([{ endpoint: '', setting: `${of.name}.views`, problem, remedy }])
  },
  checkCollection,
  failOnBehaviour(endpoint, given) {
    const mistakes: DefinitionMistake[] = []
    reportFlaws('with', callable.check(given), reporter(mistakes, String(endpoint)))
    throw new DefinitionError(mistakes)
  },
  findCallbackFlaws,
  rememberLocation: rememberSourceLocation,
  readMediaType,
}
