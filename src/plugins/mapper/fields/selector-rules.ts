// The rules of a `fields` parameter: its settings, loading and documentation. Front ends have
// `selector-rules.browser.ts` in its place.
import {
  formatTable,
  getMediaType,
  getSelectableBelow,
  INVALID,
  joinSentences,
  type Loader,
  type Selection,
} from '../../../extend.ts'
import type { Attributes, MediaType, View } from '../../../index.ts'
import { acceptSettings, createMistakeFinder, type ListParamConfig, type ListRules } from './list-param.ts'
import { isSelectableName, MAX_SELECTION_LENGTH, readSelection, writeSelection } from './selection-text.ts'

/** The declaration of a `fields` param. */
export interface SelectorConfig extends ListParamConfig {
  /** The view or media type to select from: a media type with a default view is limited to it. */
  readonly from: MediaType | View
}

/** The rules of a `fields` param. */
export const selectorRules: ListRules<SelectorConfig> = {
  portable: () => ({ from: 'edict/mapper/extend', name: 'selectorKind' }),
  options: {},
  accept: (settings, options) => acceptSettings<object>(settings, {}, options),
  narrow: (config, narrowVisible) => ({ ...config, from: narrowVisible(config.from) as SelectorConfig['from'] }),
  loader: createSelectionLoader,
  dumper: () => (value) => writeSelection(value as Selection),
  jsonSchema: ({ from }, { description }) => ({
    type: 'string',
    // The declared description comes first.
    description: joinSentences(description ?? describeSelector(from), describeFields(from)),
    maxLength: MAX_SELECTION_LENGTH,
    // A regular expression cannot count braces; this one rejects the texts that it can.
    pattern: '^[^,{}]+([,{}]+[^,{}]+)*\\}*$',
    examples: [writeSelection(buildExampleSelection(from))],
  }),
  example: ({ from }) => buildExampleSelection(from),
  mistakes: createMistakeFinder(({ from }) =>
    Object.keys(getSelectable(from))
      .filter((name) => !isSelectableName(name))
      .map(
        (name) =>
          `no selection can name '${name}' of ${getMediaType(from).name}, as it is empty or has a comma or brace`,
      ),
  ),
}

const getSelectable = (from: SelectorConfig['from']): Attributes => getSelectableBelow(from) ?? {}

const describeSelector = (from: SelectorConfig['from']): string =>
  `The wanted fields of ${getMediaType(from).name}: comma-separated names, with the fields below a name in braces. The response shows exactly these.`

// Nested fields are listed one level deep, because types may be recursive.
function describeFields(from: SelectorConfig['from']): string {
  const fields = Object.entries(getSelectable(from)).map(
    ([name, one]) => [name, Object.keys(getSelectableBelow(one) ?? {})] as const,
  )
  const nested = fields.filter(([, below]) => below.length > 0)
  const rows = nested.map(([name, below]) => [
    formatCode(name),
    below.map(formatCode).join(' '),
    formatCode(`${name}{${below.slice(0, 2).join(',')}}`),
  ])
  return joinSentences(
    `Fields: ${fields.map(([name]) => formatCode(name)).join(', ')}.`,
    rows.length === 0 ? undefined : formatTable(['Field', 'Fields below it', 'Example'], rows),
  )
}

const formatCode = (text: string): string => `\`${text}\``

/** The maximum number of texts that a parameter caches with their selections. */
const MAX_CACHED = 100

function createSelectionLoader({ from }: SelectorConfig): Loader {
  // Clients repeat a few texts, and plans are cached by selection.
  const cache = new Map<string, Selection>()
  return (value, loading) => {
    if (typeof value !== 'string')
      return Array.isArray(value)
        ? loading.fail('repeated')
        : loading.fail('type', { expected: 'a string', kind: 'string' })
    const cached = cache.get(value)
    if (cached !== undefined) return cached
    const selection = readSelection(value, getSelectable(from), loading)
    if (selection === INVALID) return INVALID
    if (cache.size === MAX_CACHED) cache.delete(cache.keys().next().value as string)
    cache.set(value, selection)
    return selection
  }
}

// One plain field, and one with a nested field, if they exist.
function buildExampleSelection(from: SelectorConfig['from']): Selection {
  const entries = Object.entries(getSelectable(from)).map(([name, one]) => [name, getSelectableBelow(one)] as const)
  const plain = entries.find(([, below]) => below === undefined)
  const nested = entries.find(([, below]) => Object.keys(below ?? {}).length > 0)
  const fields = new Map<string, Selection | undefined>()
  if (plain !== undefined) fields.set(plain[0], undefined)
  if (nested !== undefined) {
    const [name] = Object.keys(nested[1] ?? {})
    fields.set(nested[0], { fields: new Map([[name as string, undefined]]) })
  }
  return { fields }
}
