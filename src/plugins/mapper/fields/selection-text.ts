// Selections as text, such as `id,author{name}`: parsed against the available attributes, and written.
import { getSelectableBelow, INVALID, type Loading, type Selection, shortenName } from '../../../extend.ts'
import type { Attribute, Attributes } from '../../../index.ts'
import { codes } from '../codes.ts'
import { TextReader } from '../text-reader.ts'

/** The maximum number of characters of a selection. */
export const MAX_SELECTION_LENGTH = 4096
/** The maximum depth of braces, and the maximum number of names. */
const MAX_DEPTH = 8
const MAX_NAMES = 200

/** Parses a selection of some attributes, and reports the first mistake. */
export function readSelection(text: string, attributes: Attributes, loading: Loading): Selection | typeof INVALID {
  if (text.length > MAX_SELECTION_LENGTH) return loading.fail('max-length', { limit: MAX_SELECTION_LENGTH })
  return new SelectionParser(text, loading).parse(attributes)
}

/** Writes a selection as request text. */
export function writeSelection({ fields }: Selection): string {
  return [...fields]
    .map(([name, below]) => (below === undefined ? name : `${name}{${writeSelection(below)}}`))
    .join(',')
}

/** Returns whether a selection can contain the name of an attribute. */
export const isSelectableName = (name: string): boolean => /^[^,{}]+$/.test(name)

const NAME = /[^,{}]*/y

class SelectionParser {
  readonly #tokens: TextReader
  readonly #loading: Loading
  #names = 0

  constructor(text: string, loading: Loading) {
    this.#tokens = new TextReader(text)
    this.#loading = loading
  }

  parse(attributes: Attributes): Selection | typeof INVALID {
    const selection = this.#parseList(attributes, '', 0)
    return selection === INVALID || this.#tokens.isAtEnd ? selection : this.#failUnexpected()
  }

  #parseList(attributes: Attributes, path: string, depth: number): Selection | typeof INVALID {
    const fields = new Map<string, Selection | undefined>()
    for (;;) {
      const name = this.#tokens.take(NAME)
      if (name === '') return this.#failUnexpected()
      const field = path + shortenName(name)
      const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
      if (++this.#names > MAX_NAMES) return this.#loading.fail(codes.issues['fields-names'], { limit: MAX_NAMES })
      if (attribute === undefined)
        return this.#loading.fail(codes.issues['fields-name'], { field, values: Object.keys(attributes) })
      if (fields.has(name)) return this.#loading.fail(codes.issues['fields-repeated'], { field })
      const below = this.#tokens.skip('{') ? this.#parseNested(attribute, field, depth + 1) : undefined
      if (below === INVALID) return INVALID
      fields.set(name, below)
      if (!this.#tokens.skip(',')) return Object.freeze({ fields })
    }
  }

  #parseNested(attribute: Attribute, field: string, depth: number): Selection | typeof INVALID {
    const attributes = getSelectableBelow(attribute)
    if (attributes === undefined) return this.#loading.fail(codes.issues['fields-below'], { field })
    if (depth > MAX_DEPTH) return this.#loading.fail('depth', { limit: MAX_DEPTH })
    const selection = this.#parseList(attributes, `${field}.`, depth)
    return selection === INVALID || this.#tokens.skip('}') ? selection : this.#failUnexpected()
  }

  #failUnexpected(): typeof INVALID {
    return this.#loading.fail(codes.issues['fields-syntax'], { at: this.#tokens.characterNumber })
  }
}
