// The parameter `fields`: which attributes of a media type the answer shows, down to those of related ones.

import {
  INVALID,
  type Loader,
  type MistakenType,
  mediaTypeOf,
  type Selection,
  selectableBelow,
  selectionOf,
  joinSentences,
  formatTable,
} from '../../../extend.ts'
import type { Attribute, Attributes, MediaType, Options, View } from '../../../index.ts'
import {
  acceptSettings,
  type EndpointMark,
  isMediaTypeOrView,
  type ListKind,
  type ListParamConfig,
  type ListRules,
  createMistakeFinder,
  createListParam,
  type NotMediaType,
  refuseDeclaration,
  createMisdeclaredParam,
} from './list-param.ts'
import { isSelectableName, MAX_SELECTION_LENGTH, readSelection, writeSelection } from './selection-text.ts'

/** Declares a `fields` parameter. */
export const FieldSelector: {
  /** The wanted fields of a view, or of a media type, whose own default view is a limit; answers of it show exactly these. */
  for<D extends MediaType | View | EndpointMark>(
    from: D,
    options?: Pick<Options<Selection>, 'description'>,
  ): D extends EndpointMark ? MistakenType<NotMediaType> : Attribute<Selection, false>
} = Object.freeze({
  for(from: MediaType | View, options?: object) {
    return isMediaTypeOrView(from) ? createListParam(selectorKind, { from }, undefined, options) : createMisdeclaredParam(selectorKind, from)
  },
}) as never

interface SelectorConfig extends ListParamConfig {
  /** A view with what it shows, or a media type with what its default view shows if it declares one, else with everything. */
  readonly from: MediaType | View
}

/** The kind of a `fields` param. */
export const selectorKind: ListKind<SelectorConfig> = {
  name: 'fields',
  needs: 'mapper',
  projects: ({ from }) => from,
  // Callers may give fields as a list of paths.
  write: (value) => writeSelection(Array.isArray(value) ? selectionOf(value) : (value as Selection)),
  rules: {},
}

/** The rules of a `fields` param. */
export const selectorRules: ListRules<SelectorConfig> = {
  options: {},
  accept: (settings, options) => acceptSettings<object>(settings, {}, options),
  refuse: (given) => refuseDeclaration(given, 'a media type, or a view of one'),
  narrow: (config, see) => ({ ...config, from: see(config.from) as SelectorConfig['from'] }),
  loader: createSelectionLoader,
  dumper: () => (value) => writeSelection(value as Selection),
  jsonSchema: ({ from }, { description }) => ({
    type: 'string',
    // The param's own description comes first.
    description: joinSentences(description ?? describeSelector(from), describeFields(from)),
    maxLength: MAX_SELECTION_LENGTH,
    // No regular expression counts braces; this one refuses what can be refused without.
    pattern: '^[^,{}]+([,{}]+[^,{}]+)*\\}*$',
    examples: [writeSelection(buildExampleSelection(from))],
  }),
  example: ({ from }) => buildExampleSelection(from),
  mistakes: createMistakeFinder(({ from }) =>
    Object.keys(getSelectable(from))
      .filter((name) => !isSelectableName(name))
      .map(
        (name) =>
          `no selection can name '${name}' of ${mediaTypeOf(from).name}, as it is empty or has a comma or brace`,
      ),
  ),
}

const getSelectable = (from: SelectorConfig['from']): Attributes => selectableBelow(from) ?? {}

const describeSelector = (from: SelectorConfig['from']): string =>
  `The wanted fields of ${mediaTypeOf(from).name}: comma-separated names, with the fields below a name in braces. The response shows exactly these.`

// Those below are named one level deep: recursive types have no end.
function describeFields(from: SelectorConfig['from']): string {
  const fields = Object.entries(getSelectable(from)).map(
    ([name, one]) => [name, Object.keys(selectableBelow(one) ?? {})] as const,
  )
  const wide = fields.filter(([, below]) => below.length > 0)
  const rows = wide.map(([name, below]) => [
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

/** How many texts a parameter remembers with what they select. */
const MAX_CACHED = 100

function createSelectionLoader({ from }: SelectorConfig): Loader {
  // Clients send the same few texts again and again, and what is made for a selection is kept with it.
  const remembered = new Map<string, Selection>()
  return (value, loading) => {
    if (typeof value !== 'string')
      return Array.isArray(value)
        ? loading.fail('repeated')
        : loading.fail('type', { expected: 'a string', kind: 'string' })
    const known = remembered.get(value)
    if (known !== undefined) return known
    const selection = readSelection(value, getSelectable(from), loading)
    if (selection === INVALID) return INVALID
    if (remembered.size === MAX_CACHED) remembered.delete(remembered.keys().next().value as string)
    remembered.set(value, selection)
    return selection
  }
}

// One plain field, and one with a field below it, where there are such.
function buildExampleSelection(from: SelectorConfig['from']): Selection {
  const entries = Object.entries(getSelectable(from)).map(([name, one]) => [name, selectableBelow(one)] as const)
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
