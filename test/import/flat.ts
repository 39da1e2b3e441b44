// Schemas as a judge reads them: every `$ref` followed, every `allOf` merged, both dialects in one form.
type Data = Readonly<Record<string, any>>

/** A document, as data. */
export type Document = Data

/** A schema, where it stands. */
export interface At {
  readonly value: any
  readonly pointer: string
}

/** The rules of a schema, in one form for both versions of OpenAPI. */
export interface Said {
  readonly places: readonly string[]
  readonly types: readonly string[] | undefined
  readonly nullable: boolean
  readonly words: Readonly<Record<string, any>>
  readonly properties: ReadonlyMap<string, readonly At[]>
  readonly required: ReadonlySet<string>
  readonly items: readonly At[]
  readonly others: At | undefined
  readonly choices: readonly At[]
  readonly notNull: boolean
}

const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')

/** The value at a place below another. */
export const below = ({ value, pointer }: At, ...steps: readonly string[]): At => ({
  value: steps.reduce((one, step) => one?.[step], value),
  pointer: pointer + steps.map((step) => `/${escaped(step)}`).join(''),
})

/** Follows references. */
export function resolved(document: Document, at: At): At {
  let found = at
  while (typeof found.value?.$ref === 'string') {
    const steps = found.value.$ref
      .slice(2)
      .split('/')
      .map((step: string) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    found = below({ value: document, pointer: '#' }, ...steps)
  }
  return found
}

const isNull = (schema: any): boolean =>
  schema?.type === 'null' || (Array.isArray(schema?.enum) && schema.enum.every((one: unknown) => one === null))

const known = new WeakMap<Document, Map<string, Said>>()

/** Reads a schema that consists of several. */
export function said(document: Document, sources: readonly At[]): Said {
  const all = known.get(document) ?? new Map<string, Said>()
  known.set(document, all)
  const key = sources.map(({ pointer }) => pointer).join()
  const read = all.get(key) ?? reading(document, sources)
  all.set(key, read)
  return read
}

function reading(document: Document, sources: readonly At[]): Said {
  const old = String(document['openapi']).startsWith('3.0')
  const all: At[] = []
  let nullable = false
  const seen = new Set<string>()
  const collect = (at: At): void => {
    if (seen.has(at.pointer) || typeof at.value !== 'object' || at.value === null) return
    seen.add(at.pointer)
    all.push(at)
    for (const word of ['oneOf', 'anyOf'])
      if (Array.isArray(at.value[word])) {
        const members = at.value[word].map((_: unknown, i: number) => below(at, word, String(i)))
        const others = members.filter((one: At) => !isNull(resolved(document, one).value))
        if (others.length < members.length) nullable = true
        if (others.length === 1) collect(others[0]!)
      }
    for (const i of (at.value.allOf ?? []).keys()) collect(below(at, 'allOf', String(i)))
    if (typeof at.value.$ref === 'string') collect(resolved(document, at))
  }
  for (const one of sources) collect(one)
  let types: string[] | undefined
  const words: Record<string, any> = {}
  const properties = new Map<string, At[]>()
  const items: At[] = []
  const choices: At[] = []
  const required = new Set<string>()
  let others: At | undefined
  let notNull = false
  for (const at of all) {
    const { type, nullable: own, ...rest } = at.value
    if (old && own === true) nullable = true
    if (type !== undefined) types = narrowed(types, [type].flat())
    for (const [word, value] of Object.entries<any>(limits(rest))) {
      if (word === 'properties') {
        words[word] = true
        for (const name of Object.keys(value)) {
          if (!properties.has(name)) properties.set(name, [])
          properties.get(name)!.push(below(at, word, name))
        }
      } else if (word === 'items') items.push(below(at, word))
      else if (word === 'required') for (const name of value) required.add(name)
      else if (word === 'additionalProperties') others ??= below(at, word)
      else if (word === 'not' && value?.type === 'null') notNull = true
      else if (word === 'oneOf' || word === 'anyOf') {
        if (
          value.filter((_: any, i: number) => !isNull(resolved(document, below(at, word, String(i))).value)).length > 1
        )
          choices.push(below(at, word))
      } else if (word === 'not') choices.push(below(at, word))
      else if (word === 'const') words['enum'] = intersected(words['enum'], [value])
      else if (word === 'enum') words['enum'] = intersected(words['enum'], value)
      else if (MOST.has(word)) words[word] = Math.max(words[word] ?? value, value)
      else if (LEAST.has(word)) words[word] = Math.min(words[word] ?? value, value)
      else if (word !== '$ref' && word !== 'allOf') words[word] ??= value
    }
  }
  if (types?.includes('null')) nullable = true
  const places = all.map(({ pointer }) => pointer)
  const rest = types?.filter((type) => type !== 'null')
  return { places, types: rest, nullable, words, properties, required, items, others, choices, notNull }
}

const MOST = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'])
const LEAST = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'])

const intersected = (known: unknown[] | undefined, more: unknown[]): unknown[] =>
  known === undefined ? more : known.filter((one) => more.includes(one))

function narrowed(known: string[] | undefined, more: string[]): string[] {
  if (known === undefined) return more
  const fits = (type: string): boolean => more.includes(type) || (type === 'integer' && more.includes('number'))
  const both = known.filter(fits)
  return more.includes('integer') && known.includes('number') ? [...both, 'integer'] : both
}

function limits(schema: Data): Data {
  const made: Record<string, any> = { ...schema }
  for (const [plain, excluded] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof made[excluded] !== 'boolean') continue
    if (made[excluded]) {
      made[excluded] = made[plain]
      delete made[plain]
    } else delete made[excluded]
  }
  return made
}
