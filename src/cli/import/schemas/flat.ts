// A schema together with all that its `allOf` adds, as one: keywords are merged, properties collected.
import { CommandError } from '../../command-error.ts'
import { type Document, refOf } from '../read/document.ts'
import { elements, keyOf, type Located, members } from '../read/located.ts'
import type { UnsaidList } from '../unsaid.ts'
import { isNullSchema } from './values.ts'

/** A schema without `$ref` and `allOf`; the same property may be described in several places. */
export interface Flat {
  readonly at: Located
  /** Keywords that hold, each at the place that says so; those that were used are taken out. */
  readonly keywords: Map<string, Located>
  readonly properties: ReadonlyMap<string, readonly Located[]>
  readonly required: ReadonlySet<string>
  readonly items: readonly Located[]
  /** Lists of `oneOf` and `anyOf` with two schemas or more, and schemas of `not`, in their order. */
  readonly choices: readonly Located[]
  /** Types that are allowed, null not among them; undefined for all. */
  readonly types: readonly string[] | undefined
  readonly nullable: boolean
}

/** Keywords that say nothing about values. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
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

/** Makes one schema of several that must all hold. */
export function flatten(sources: readonly Located[], document: Document, unsaid: UnsaidList): Flat {
  const work = new Flattening(document, unsaid)
  for (const one of sources) work.add(one, 0)
  return work.result(sources[0] as Located)
}

const MERGERS: Readonly<Record<string, (one: never, other: never) => unknown>> = {
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

class Flattening {
  readonly #document: Document
  readonly #unsaid: UnsaidList
  readonly #keywords = new Map<string, Located>()
  readonly #properties = new Map<string, Located[]>()
  readonly #required = new Set<string>()
  readonly #items: Located[] = []
  readonly #choices: Located[] = []
  readonly #seen = new Set<string>()
  #types: readonly string[] | undefined
  #saysNull = false

  constructor(document: Document, unsaid: UnsaidList) {
    this.#document = document
    this.#unsaid = unsaid
  }

  add(one: Located, depth: number): void {
    if (depth > MAX_DEPTH)
      throw new CommandError(
        `The schema at ${this.#document.place(one)} is combined of more than ${MAX_DEPTH} levels.`,
        'combine fewer schemas',
      )
    if (this.#seen.has(keyOf(one))) return
    this.#seen.add(keyOf(one))
    const later: Located[] = []
    for (const [name, value] of keywordsOf(one)) this.#keyword(name, value, later)
    const ref = refOf(one)
    // The words of a schema come before those of what it refers to.
    for (const inner of later) this.add(inner, depth + 1)
    if (ref !== undefined) this.add(this.#document.resolve(one), depth + 1)
  }

  result(at: Located): Flat {
    const types = this.#types?.filter((type) => type !== 'null')
    return {
      at,
      keywords: this.#keywords,
      properties: this.#properties,
      required: this.#required,
      items: this.#items,
      choices: this.#choices,
      types,
      nullable: this.#saysNull || (this.#types?.includes('null') ?? false),
    }
  }

  #keyword(name: string, one: Located, later: Located[]): void {
    const { value } = one
    if (name === '$ref') return
    if (name === 'allOf') later.push(...elements(one))
    else if (name === 'type') this.#type(value)
    else if (name === 'nullable') this.#saysNull ||= value === true && this.#document.dialect === '3.0'
    else if (name === 'required') for (const { value: required } of elements(one)) this.#required.add(String(required))
    else if (name === 'items') this.#items.push(one)
    else if (name === 'properties') this.#addProperties(one)
    else if (name === 'oneOf' || name === 'anyOf') this.#choice(one, later)
    else if (name === 'not') this.#choices.push(one)
    else if (name === 'const') this.#merge('enum', { ...one, value: [value] })
    else this.#merge(name, one)
  }

  #type(value: unknown): void {
    const types = (Array.isArray(value) ? value : [value]).map(String)
    const known = this.#types
    if (known === undefined) this.#types = types
    else if (types.includes('integer') && known.includes('number')) this.#types = ['integer']
    else if (!(known.includes('integer') && types.includes('number')))
      this.#types = known.filter((type) => types.includes(type))
  }

  #addProperties(one: Located): void {
    for (const [name, property] of members(one)) {
      const known = this.#properties.get(name)
      if (known === undefined) this.#properties.set(name, [property])
      else known.push(property)
    }
  }

  // A choice of one schema is that schema, and null beside it is said by the attribute.
  #choice(one: Located, later: Located[]): void {
    const all = elements(one)
    const others = all.filter((each) => !isNullSchema(this.#document.resolve(each)))
    if (others.length < all.length) this.#saysNull = true
    if (others.length === 1) later.push(others[0] as Located)
    else if (others.length > 1) this.#choices.push(one)
  }

  #merge(name: string, one: Located): void {
    const known = this.#keywords.get(name)
    if (known === undefined) return void this.#keywords.set(name, one)
    if (ANNOTATIONS.has(name) || name.startsWith('x-') || same(known.value, one.value)) return
    const merger = Object.hasOwn(MERGERS, name) ? MERGERS[name] : undefined
    if (merger !== undefined) {
      this.#keywords.set(name, { ...known, value: merger(known.value as never, one.value as never) })
      return
    }
    if (name === 'additionalProperties' && one.value === false) this.#keywords.set(name, one)
    else this.#unsaid.add(one, `\`${name}\` of several schemas in one \`allOf\``, 'the first of them is kept')
  }
}

// OpenAPI 3.0 says with true that a limit is excluded, 3.1 says the limit itself.
function keywordsOf(one: Located): Iterable<[name: string, value: Located]> {
  const all = new Map(members(one))
  for (const [limit, excluded] of LIMITS) {
    const [least, flag] = [all.get(limit), all.get(excluded)]
    if (typeof flag?.value !== 'boolean') continue
    all.delete(excluded)
    if (!flag.value || least === undefined) continue
    all.delete(limit)
    all.set(excluded, least)
  }
  return all
}

const LIMITS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
