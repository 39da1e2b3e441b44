// The rules of a param of expansions, and the selection that one means. Front ends have `expansions-rules.browser.ts` in its place.
import {
  getSelectableBelow,
  INVALID,
  type KindRules,
  Loading,
  memoize,
  memoizeLatest,
  type Selection,
  shortenName,
} from '../../../../extend.ts'
import type { MediaType, View } from '../../../../index.ts'
import { listCodes, TextReader } from '../../../mapper/extend.ts'
import { type ExpansionsConfig, followRelations, listRelationPaths, type RelationTree } from './relations.ts'

/** The maximum number of characters of a param. */
const MAX_LENGTH = 4096
/** The most texts whose selections are kept: clients choose their number. */
const MAX_TEXTS = 100

/** The rules of a param of expansions; its values are the texts, once they are checked. */
export const expansionsRules: KindRules<ExpansionsConfig> = {
  options: {},
  loader: (config) => (value, loading) => {
    if (typeof value !== 'string')
      return Array.isArray(value)
        ? loading.fail('repeated')
        : loading.fail('type', { expected: 'a string', kind: 'string' })
    if (value.length > MAX_LENGTH) return loading.fail('max-length', { limit: MAX_LENGTH })
    return parseExpansions(value, config, loading) === INVALID ? INVALID : value
  },
  dumper: () => (value) => value,
  jsonSchema: ({ tree }) => ({
    type: 'string',
    description: `The related elements that the response has, separated by commas, each with its options in parentheses: \`$select\` and \`$expand\`. Relations: ${listRelationPaths(
      tree,
    )
      .map((path) => `\`${path.replaceAll('.', '/')}\``)
      .join(', ')}.`,
    maxLength: MAX_LENGTH,
    examples: [...tree.keys()].slice(0, 1),
  }),
  example: ({ tree }) => [...tree.keys()][0],
  mistakes: () => [],
}

/** The part of an element in a response: the selected names, and the expanded relations. */
interface Expansion {
  readonly select: readonly string[] | undefined
  readonly expand: ReadonlyMap<string, Expansion>
}

function parseExpansions(
  text: string,
  { of, tree }: ExpansionsConfig,
  loading: Loading,
): Expansion['expand'] | typeof INVALID {
  const parser = new ExpansionParser(text, loading)
  const expand = parser.parseList(of, tree, '')
  return expand === INVALID || parser.isAtEnd ? expand : parser.failUnexpected()
}

const NAME = /[^,;()$= ]*/y
const SPACES = / */y

class ExpansionParser {
  readonly #tokens: TextReader
  readonly #loading: Loading

  constructor(text: string, loading: Loading) {
    this.#tokens = new TextReader(text)
    this.#loading = loading
  }

  get isAtEnd(): boolean {
    return this.#tokens.isAtEnd
  }

  parseList(of: MediaType | View, tree: RelationTree, path: string): Expansion['expand'] | typeof INVALID {
    const expand = new Map<string, Expansion>()
    const relations = new Map(followRelations(of, tree).map((one) => [one.name, one]))
    do {
      const name = this.#take()
      if (name === '') return this.failUnexpected()
      const field = path + shortenName(name)
      const relation = relations.get(name)
      if (relation === undefined) return this.#failName(field, [...relations.keys()])
      if (expand.has(name)) return this.#loading.fail(listCodes.issues['fields-repeated'], { field })
      const below = this.#skip('(')
        ? this.#parseOptions(relation.shown, relation.below, `${field}/`)
        : { select: undefined, expand: new Map() }
      if (below === INVALID) return INVALID
      expand.set(name, below)
    } while (this.#skip(','))
    return expand
  }

  #parseOptions(of: MediaType | View, tree: RelationTree, path: string): Expansion | typeof INVALID {
    let [select, expand]: [string[] | undefined, Expansion['expand'] | undefined] = [undefined, undefined]
    do {
      if (!this.#skip('$')) return this.failUnexpected()
      const option = this.#take()
      if (!this.#skip('=')) return this.failUnexpected()
      if (option === 'select' && select === undefined) {
        const names = this.#parseNames(of, path)
        if (names === INVALID) return INVALID
        select = names
      } else if (option === 'expand' && expand === undefined) {
        const list = this.parseList(of, tree, path)
        if (list === INVALID) return INVALID
        expand = list
      } else return this.#failName(`${path}$${shortenName(option)}`, ['$select', '$expand'])
    } while (this.#skip(';'))
    return this.#skip(')') ? { select, expand: expand ?? new Map() } : this.failUnexpected()
  }

  #parseNames(of: MediaType | View, path: string): string[] | typeof INVALID {
    const all = getSelectableBelow(of) ?? {}
    const names: string[] = []
    do {
      const name = this.#take()
      if (name === '') return this.failUnexpected()
      if (!Object.hasOwn(all, name)) return this.#failName(path + shortenName(name), Object.keys(all))
      if (names.includes(name))
        return this.#loading.fail(listCodes.issues['fields-repeated'], { field: path + shortenName(name) })
      names.push(name)
    } while (this.#skip(','))
    return names
  }

  failUnexpected(): typeof INVALID {
    return this.#loading.fail(listCodes.issues['fields-syntax'], { at: this.#tokens.characterNumber })
  }

  #failName(field: string, values: readonly string[]): typeof INVALID {
    return this.#loading.fail(listCodes.issues['fields-name'], { field, values: [...values] })
  }

  #take(): string {
    this.#tokens.take(SPACES)
    const name = this.#tokens.take(NAME)
    this.#tokens.take(SPACES)
    return name
  }

  #skip(sign: string): boolean {
    const isSkipped = this.#tokens.skip(sign)
    if (isSkipped) this.#tokens.take(SPACES)
    return isSkipped
  }
}

// --- selection ---------------------------------------------------------------------------

// Plans are cached by selection, so equal requests share one.
const selectionsOf = memoize((config: ExpansionsConfig) => ({
  ofDefault: memoizeLatest((text: string) => selectExpanded(config, undefined, text), MAX_TEXTS),
  ofSelected: memoize((select: Selection) =>
    memoizeLatest((text: string) => selectExpanded(config, select, text), MAX_TEXTS),
  ),
}))

/** Returns the selection that a request means: the selected fields, or else all but relations, and what it expands. */
export function readExpandedSelection(config: ExpansionsConfig, select: Selection | undefined, text = ''): Selection {
  const { ofDefault, ofSelected } = selectionsOf(config)
  return select === undefined ? ofDefault(text) : ofSelected(select)(text)
}

function selectExpanded(config: ExpansionsConfig, select: Selection | undefined, text: string): Selection {
  const parsed = text === '' ? new Map() : parseExpansions(text, config, new Loading('text'))
  const expand = parsed === INVALID ? new Map() : parsed
  const { fields } = toSelection(config.of, config.tree, { select: select && [...select.fields.keys()], expand })
  // Names of structures may have names below them.
  const nested = [...fields].map(
    ([name, below]) => [name, expand.has(name) ? below : select?.fields.get(name)] as const,
  )
  return { fields: new Map(nested) }
}

function toSelection(of: MediaType | View, tree: RelationTree, { select, expand }: Expansion): Selection {
  const names = (select ?? Object.keys(of.core.shown)).filter((name) => !tree.has(name))
  const fields = new Map<string, Selection | undefined>(names.map((name) => [name, undefined]))
  for (const { name, shown, below } of followRelations(of, tree)) {
    const one = expand.get(name)
    if (one !== undefined) fields.set(name, toSelection(shown, below, one))
  }
  return { fields }
}
