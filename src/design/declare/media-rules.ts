// The rules of media types and their views, and the mistakes in their declarations.
import type { Attributes, KindRules } from '../../schema/attribute.ts'
import { describe } from '../../schema/json-schema.ts'
import { structDumper, structExample, structLoader, structSchema } from '../../schema/structures/object.ts'
import { seenOf } from '../../schema/structures/seen.ts'
import { described } from '../../util/described.ts'
import {
  accept,
  callable,
  type Fields,
  type Flaw,
  isStructure,
  list,
  record,
  required,
  sentence,
  structure,
  text,
} from '../../util/form.ts'
import { instead } from '../../util/nearest.ts'
import { rememberPlace } from '../place.ts'
import { DefinitionError, type DefinitionMistake, reporter, reportFlaws } from '../resolve/mistakes.ts'
import { callbackFlaws } from './callback.ts'
import { checkCollection } from './collection.ts'
import type { Deferred, MediaDeclaration } from './deferred.ts'
import type { MediaConfig, MediaTypeSpec, Views } from './media-type.ts'

/** The rules of media types and their views. */
export const mediaRules: KindRules<MediaConfig> = {
  loader: ({ loaded }) => structLoader(Object.entries(loaded())),
  dumper: ({ shown }) => structDumper(Object.entries(shown())),
  narrow: ({ loaded, shown, ...config }, see) => ({
    ...config,
    loaded: () => seenOf(loaded(), see),
    shown: () => seenOf(shown(), see),
    owner: {},
  }),
  selectable: selectableOf,
  defers: ({ loaded }) => Object.values(loaded()).some((one) => one.core.defers),
  jsonSchema(config, options, schemas) {
    const { name, view, loaded, shown } = config
    const whole = schemas.direction === 'input' ? loaded : shown
    const attributes = (): Attributes => (schemas.selected ? selectableOf(config) : whole())
    // A media type and its default view show the same, and may differ in what can be selected.
    const owner = schemas.selected ? loaded : config.owner
    const viewName = view === undefined ? undefined : `${name}${view.charAt(0).toUpperCase()}${view.slice(1)}`
    const called = view === undefined || view === 'default' ? name : (viewName as string)
    const made = schemas.refer(called, owner, () => structSchema(Object.entries(attributes()), schemas), viewName)
    return describe(made, options)
  },
  example: ({ shown }, options, seed) => options.example ?? structExample(Object.entries(shown()), seed),
  mistakes: ({ declared }) =>
    declared === undefined
      ? []
      : flawsOf(declared).map((flaw) => ({ ...flaw, problem: sentence(flaw, 'its declaration') })),
}

// A default view that is declared is a limit; the implied one leaves out relations for brevity.
function selectableOf({ declared, loaded, shown }: MediaConfig): Attributes {
  const views = isStructure(declared?.given) ? declared.given['views'] : undefined
  return isStructure(views) && Object.hasOwn(views, 'default') ? shown() : loaded()
}

const SETTINGS: Fields<MediaTypeSpec<Attributes, Views>> = {
  identifier: text,
  description: text,
  attributes: required(structure),
  views: record(list(text)),
}

function flawsOf({ name, given }: NonNullable<MediaConfig['declared']>): readonly Flaw[] {
  const { flaws } = accept(given, SETTINGS)
  if (isName(name)) return flaws
  return [...flaws, { at: '.name', problem: `it is ${described(name)}`, remedy: 'name the media type, such as Blog' }]
}

// Settings of a wrong form are left out: boot reports them together with all other mistakes.
function mediaTypeIn(name: unknown, given: unknown): MediaDeclaration {
  const { identifier, description, attributes, views }: Partial<Record<string, unknown>> = isStructure(given)
    ? given
    : {}
  return {
    name: isName(name) ? name : 'MediaType',
    ...(typeof identifier === 'string' && { identifier }),
    ...(typeof description === 'string' && { description }),
    attributes: isStructure(attributes) ? attributes : {},
    ...(isStructure(views) && Object.values(views).every(isNames) && { views: views as Views }),
  }
}

const isName = (name: unknown): name is string => typeof name === 'string' && /^\w/.test(name)

const isNames = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string')

/** The mistakes that declarations tell themselves. */
export const declarationMistakes: Deferred = {
  noView(of, name) {
    const known = [...new Set(['default', ...Object.keys(of.views)])]
    const problem = `${of.name} has no view ${described(name)}`
    const remedy = `declare it in its views, or ${instead(String(name), known)}`
    throw new DefinitionError([{ endpoint: '', setting: `${of.name}.views`, problem, remedy }])
  },
  checkCollection,
  noBehaviour(endpoint, given) {
    const mistakes: DefinitionMistake[] = []
    reportFlaws('with', callable.check(given), reporter(mistakes, String(endpoint)))
    throw new DefinitionError(mistakes)
  },
  callbackFlaws,
  remember: rememberPlace,
  mediaTypeIn,
}
