// Flattens a schema and its `allOf`: merges keywords and collects properties.
import { CommandError } from '../../command-error.ts'
import { getRef, type SourceDocument } from '../read/document.ts'
import { getLocationKey, type LocatedValue, listElements, listMembers } from '../read/located.ts'
import type { UnsupportedList } from '../unsupported.ts'
import { isNullSchema } from './listed-values.ts'

/** A schema without `$ref` and `allOf`; a property may have several schemas. */
export interface FlatSchema {
  readonly at: LocatedValue
  /** The keywords with their locations; reading a keyword removes it. */
  readonly keywords: Map<string, LocatedValue>
  readonly properties: ReadonlyMap<string, readonly LocatedValue[]>
  readonly required: ReadonlySet<string>
  readonly items: readonly LocatedValue[]
  /** The lists of `oneOf` and `anyOf` with at least two schemas, and the schemas of `not`, in order. */
  readonly choices: readonly LocatedValue[]
  /** The allowed types without null; undefined for all. */
  readonly types: readonly string[] | undefined
  readonly nullable: boolean
}

/** Keywords that do not constrain values. */
export const ANNOTATION_KEYWORDS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'nullable',
  'externalDocs',
  'xml',
  '$comment',
])

const MAX_DEPTH = 100

/** Merges several schemas that must all hold into one. */
export function flattenSchemas(
  sources: readonly LocatedValue[],
  document: SourceDocument,
  unsupported: UnsupportedList,
): FlatSchema {
  const flattener = new SchemaFlattener(document, unsupported)
  for (const one of sources) flattener.add(one, 0)
  return flattener.build(sources[0] as LocatedValue)
}

const KEYWORD_MERGERS: Readonly<Record<string, (one: never, other: never) => unknown>> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  minProperties: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
  maxProperties: Math.min,
  enum: (one: readonly unknown[], other: readonly unknown[]) => one.filter((value) => other.includes(value)),
  uniqueItems: (one: boolean, other: boolean) => one || other,
}

class SchemaFlattener {
  readonly #document: SourceDocument
  readonly #unsupported: UnsupportedList
  readonly #keywords = new Map<string, LocatedValue>()
  readonly #properties = new Map<string, LocatedValue[]>()
  readonly #required = new Set<string>()
  readonly #items: LocatedValue[] = []
  readonly #choices: LocatedValue[] = []
  readonly #seen = new Set<string>()
  #types: readonly string[] | undefined
  #allowsNull = false

  constructor(document: SourceDocument, unsupported: UnsupportedList) {
    this.#document = document
    this.#unsupported = unsupported
  }

  add(one: LocatedValue, depth: number): void {
    if (depth > MAX_DEPTH)
      throw new CommandError(
        `The schema at ${this.#document.formatLocation(one)} is combined of more than ${MAX_DEPTH} levels.`,
        'combine fewer schemas',
      )
    if (this.#seen.has(getLocationKey(one))) return
    this.#seen.add(getLocationKey(one))
    const later: LocatedValue[] = []
    for (const [name, value] of readKeywords(one)) this.#addKeyword(name, value, later)
    const ref = getRef(one)
    // Annotations of a schema take precedence over those of the schemas it combines or refers to.
    for (const inner of later) this.add(inner, depth + 1)
    if (ref !== undefined) this.add(this.#document.resolve(one), depth + 1)
  }

  build(at: LocatedValue): FlatSchema {
    const types = this.#types?.filter((type) => type !== 'null')
    return {
      at,
      keywords: this.#keywords,
      properties: this.#properties,
      required: this.#required,
      items: this.#items,
      choices: this.#choices,
      types,
      nullable: this.#allowsNull || (this.#types?.includes('null') ?? false),
    }
  }

  #addKeyword(name: string, one: LocatedValue, later: LocatedValue[]): void {
    const { value } = one
    if (name === '$ref') return
    if (name === 'allOf') later.push(...listElements(one))
    else if (name === 'type') this.#narrowTypes(value)
    else if (name === 'nullable') this.#allowsNull ||= value === true && this.#document.dialect === '3.0'
    else if (name === 'required')
      for (const { value: required } of listElements(one)) this.#required.add(String(required))
    else if (name === 'items') this.#items.push(one)
    else if (name === 'properties') this.#addProperties(one)
    else if (name === 'oneOf' || name === 'anyOf') this.#addChoice(one, later)
    else if (name === 'not') this.#choices.push(one)
    else if (name === 'const') this.#mergeKeyword('enum', { ...one, value: [value] })
    else this.#mergeKeyword(name, one)
  }

  #narrowTypes(value: unknown): void {
    const types = (Array.isArray(value) ? value : [value]).map(String)
    const known = this.#types
    if (known === undefined) this.#types = types
    else if (types.includes('integer') && known.includes('number')) this.#types = ['integer']
    else if (!(known.includes('integer') && types.includes('number')))
      this.#types = known.filter((type) => types.includes(type))
  }

  #addProperties(one: LocatedValue): void {
    for (const [name, property] of listMembers(one)) {
      const known = this.#properties.get(name)
      if (known === undefined) this.#properties.set(name, [property])
      else known.push(property)
    }
  }

  // A choice of one schema is that schema; an alternative of null makes it nullable.
  #addChoice(one: LocatedValue, later: LocatedValue[]): void {
    const all = listElements(one)
    const others = all.filter((each) => !isNullSchema(this.#document.resolve(each)))
    if (others.length < all.length) this.#allowsNull = true
    if (others.length === 1) later.push(others[0] as LocatedValue)
    else if (others.length > 1) this.#choices.push(one)
  }

  #mergeKeyword(name: string, one: LocatedValue): void {
    const known = this.#keywords.get(name)
    if (known === undefined) return void this.#keywords.set(name, one)
    if (
      ANNOTATION_KEYWORDS.has(name) ||
      name.startsWith('x-') ||
      JSON.stringify(known.value) === JSON.stringify(one.value)
    )
      return
    const merger = Object.hasOwn(KEYWORD_MERGERS, name) ? KEYWORD_MERGERS[name] : undefined
    if (merger !== undefined) {
      this.#keywords.set(name, { ...known, value: merger(known.value as never, one.value as never) })
      return
    }
    if (name === 'additionalProperties' && one.value === false) this.#keywords.set(name, one)
    else this.#unsupported.add(one, `\`${name}\` of several schemas in one \`allOf\``, 'the first of them is kept')
  }
}

// In OpenAPI 3.0 `exclusiveMinimum` is a boolean next to `minimum`; in 3.1 it is the limit itself.
function readKeywords(one: LocatedValue): Iterable<[name: string, value: LocatedValue]> {
  const all = new Map(listMembers(one))
  for (const [limit, excluded] of LIMIT_KEYWORDS) {
    const [bound, flag] = [all.get(limit), all.get(excluded)]
    if (typeof flag?.value !== 'boolean') continue
    all.delete(excluded)
    if (!flag.value || bound === undefined) continue
    all.delete(limit)
    all.set(excluded, bound)
  }
  return all
}

const LIMIT_KEYWORDS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const
