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
import type { Entries, MediaConfig, MediaTypeSpec, Views } from './media-type.ts'

/** The rules of media types and their views. */
export const mediaRules: KindRules<MediaConfig> = {
  loader: (config) => structLoader(config.loaded()),
  dumper: (config) => structDumper(config.shown()),
  narrow(config, see) {
    const seen = (entries: () => Entries) => (): Entries => Object.entries(seenOf(Object.fromEntries(entries()), see))
    const { loaded, shown, selectable } = config
    return { ...config, loaded: seen(loaded), shown: seen(shown), selectable: seen(selectable), owner: {} }
  },
  selectable: (config) => Object.fromEntries(config.selectable()),
  defers: (config) => config.loaded().some(([, one]) => one.core.defers),
  jsonSchema(config, options, schemas) {
    const { loaded, shown, selectable } = config
    const whole = schemas.direction === 'input' ? loaded : shown
    const entries = schemas.selected ? selectable : whole
    // A media type and its default view show the same, and may differ in what can be selected.
    const owner = schemas.selected ? selectable : config.owner
    return describe(
      schemas.refer(config.name, owner, () => structSchema(entries(), schemas), config.viewName),
      options,
    )
  },
  example: (config, options, seed) => options.example ?? structExample(config.shown(), seed),
  mistakes: ({ declared }) =>
    declared === undefined
      ? []
      : flawsOf(declared).map((flaw) => ({ ...flaw, problem: sentence(flaw, 'its declaration') })),
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
