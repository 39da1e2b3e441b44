// Two OpenAPI documents compared by their meaning: the differences that a reader of the first would find in the second.
import { type At, below, type Document, resolved, type Said, said } from './flat.ts'

/** A difference: what it is, and the places in the first document that it is about. */
export interface Difference {
  readonly what: string
  readonly places: readonly string[]
}

type Way = 'input' | 'output' | 'path'

const SAFE = Number.MAX_SAFE_INTEGER
const VERBS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
/** The failures that edict adds to whatever is declared. */
const ADDED = new Set(['400', '401', '403', '406', '413', '415', 'default'])

/** Compares the original document with the one of the application that was imported from it. */
export function compareDocuments(first: Document, second: Document): Difference[] {
  return new Comparison(first, second).documents()
}

/** Those differences that none of the places tells: they, something above them, or a word of theirs. */
export function untold(differences: readonly Difference[], places: ReadonlySet<string>): Difference[] {
  const parents = new Set([...places].map((place) => place.slice(0, place.lastIndexOf('/'))))
  const isTold = (place: string): boolean => {
    if (parents.has(place)) return true
    for (let at = place; at.length > 1; at = at.slice(0, at.lastIndexOf('/'))) if (places.has(at)) return true
    return false
  }
  return differences.filter((one) => !one.places.some(isTold))
}

class Comparison {
  readonly first: Document
  readonly second: Document
  readonly found: Difference[] = []
  readonly seen = new Set<string>()
  /** The descriptions of the parameters whose schemas are compared: what a schema says may be said there. */
  above = ''
  /** Whether these parameters are deprecated. */
  old = false

  constructor(first: Document, second: Document) {
    this.first = first
    this.second = second
  }

  tell(what: string, ...places: readonly string[]): void {
    this.found.push({ what, places })
  }

  documents(): Difference[] {
    const [one, other] = [this.first, this.second]
    if (one['info'].title !== other['info'].title) this.tell('title', '#/info/title')
    if ((one['info'].description || undefined) !== other['info'].description)
      this.tell('description', '#/info/description')
    for (const name of Object.keys(one['info']))
      if (!(name in other['info']) || (name === 'version' && other['info'].version !== one['info'].version))
        this.tell(`info ${name}`, `#/info/${name}`)
    const addressOf = ({ url, variables = {} }: any): string =>
      url.replace(/\{([^{}]*)\}/g, (_: string, name: string) => variables[name]?.default ?? name)
    const servers = (document: Document): string[] =>
      (document['servers'] ?? []).map((one: any) => addressOf(one).replace(/(.)\/$/, '$1'))
    for (const [i, url] of servers(one).entries())
      if (!servers(other).includes(url)) this.tell('a server', `#/servers/${i}`)
    const base = (document: Document): string =>
      new URL(addressOf(document['servers']?.[0] ?? { url: '/' }), 'http://x').pathname.replace(/\/$/, '')
    if (base(one) !== base(other)) this.tell(`base path ${base(one)}: ${base(other)}`, '#/servers/0')
    this.paths()
    return this.found
  }

  paths(): void {
    const shape = (path: string): string => decodeURIComponent(path).replace(/\{[^{}]*\}/g, '{}')
    const paths = new Map(Object.keys(this.second['paths']).map((path) => [shape(path), path]))
    const root: At = { value: this.first, pointer: '#' }
    for (const path of Object.keys(this.first['paths'] ?? {})) {
      const at = resolved(this.first, below(root, 'paths', path))
      for (const verb of Object.keys(at.value).filter((one) => VERBS.includes(one))) {
        const name = paths.get(shape(path))
        const made = name === undefined ? undefined : this.second['paths'][name][verb]
        if (made === undefined) this.tell('no such operation', below(at, verb).pointer)
        else this.operation(at, below(at, verb), { value: made, pointer: `#/${name}/${verb}` }, name!)
      }
    }
    const known = new Set(Object.keys(this.first['paths'] ?? {}).map(shape))
    for (const path of Object.keys(this.second['paths']))
      if (!known.has(shape(path))) this.tell(`an added path ${path}`)
  }

  operation(item: At, one: At, other: At, path: string): void {
    const { summary, description, deprecated = false } = one.value
    for (const [name, was] of Object.entries({ summary: summary?.trim(), description: description?.trim() }))
      if (was && was !== other.value[name]?.trim()) this.tell(name, `${one.pointer}/${name}`)
    for (const name of ['operationId', 'tags', 'externalDocs'])
      if (one.value[name] !== undefined && JSON.stringify(one.value[name]) !== JSON.stringify(other.value[name]))
        this.tell(`${name} ${one.value[name]} and ${other.value[name]}`, `${one.pointer}/${name}`)
    if (deprecated !== (other.value.deprecated ?? false)) this.tell('deprecated', one.pointer)
    this.parameters(item, one, other, path)
    this.requestBody(one, other)
    this.responses(one, other)
    this.security(one, other)
  }

  // --- parameters -----------------------------------------------------------------------

  parameters(item: At, one: At, other: At, path: string): void {
    const listed = (owner: At, document: Document): At[] =>
      (owner.value.parameters ?? []).map((_: unknown, i: number) =>
        resolved(document, below(owner, 'parameters', String(i))),
      )
    const own = new Map<string, At>()
    for (const at of [...listed(item, this.first), ...listed(one, this.first)].flatMap((each) => this.spread(each)))
      own.set(`${at.value.in} ${String(at.value.name).toLowerCase()}`, at)
    const made = new Map(
      listed(other, this.second).map((at) => [`${at.value.in} ${String(at.value.name).toLowerCase()}`, at]),
    )
    for (const [key, at] of own) {
      if (/^header (accept|content-type|authorization)$/.test(key)) continue
      const same = made.get(key) ?? made.get(key.replace(/\[\]$/, '')) ?? this.part(made, key)
      made.delete(key)
      if (same === undefined) {
        const parts = [...made.keys()].filter((name) => name.startsWith(`${key}[`))
        for (const name of parts) made.delete(name)
        if (parts.length === 0) this.tell(`no parameter ${key}`, at.pointer)
        continue
      }
      if ((at.value.required ?? false) !== (same.value.required ?? false)) this.tell(`required of ${key}`, at.pointer)
      if ((at.value.deprecated ?? false) !== (same.value.deprecated ?? false))
        this.tell(`deprecated of ${key}`, at.pointer)
      const text = at.value.description?.trim()
      if (text && !same.value.description?.includes(text)) this.tell(`description of ${key}`, at.pointer)
      this.style(key, at, same)
      this.above = `${at.value.description} ${same.value.description}`
      this.old = at.value.deprecated === true
      this.schemas([this.schemaOf(at)], [this.schemaOf(same)], key.startsWith('path') ? 'path' : 'input')
      this.above = ''
      this.old = false
    }
    for (const key of made.keys()) {
      if ([...own.keys()].some((name) => name.startsWith(`${key}[`))) continue
      const isCaptured = key.startsWith('path ') && path.toLowerCase().includes(`{${key.slice(5)}}`)
      if (!isCaptured) this.tell(`an added parameter ${key}`, one.pointer)
    }
  }

  // Each property of an object in the style `form` is a parameter of its own.
  spread(at: At): At[] {
    const { in: place, style = 'form', explode = style === 'form', content, required } = at.value
    if (place !== 'query' || style !== 'form' || !explode || content) return [at]
    const schema = said(this.first, [below(at, 'schema')])
    if (schema.types?.join() !== 'object' || schema.properties.size === 0) return [at]
    return [...schema.properties].map(([name, [one]]) => ({
      value: { in: 'query', name, schema: one!.value, required: required === true && schema.required.has(name) },
      pointer: one!.pointer,
    }))
  }

  // `a[b]` may be a part of `a`, written with the style that means the same.
  part(made: ReadonlyMap<string, At>, key: string): At | undefined {
    const [, whole = '', name = ''] = /^(.*)\[([^[\]]*)\]$/.exec(key) ?? []
    const at = made.get(whole)
    if (at?.value.style !== 'deepObject') return undefined
    const { properties, required } = said(this.second, [below(at, 'schema')])
    const own = [...properties].find(([one]) => one.toLowerCase() === name)
    if (own === undefined) return undefined
    const schema = own[1][0]!
    const { description = at.value.description } = said(this.second, [schema]).words
    const isRequired = at.value.required === true && required.has(own[0])
    return {
      value: { ...schema.value, schema: schema.value, description, required: isRequired },
      pointer: schema.pointer,
    }
  }

  schemaOf(at: At): At {
    const [type] = Object.keys(at.value.content ?? {})
    if (type !== undefined) return below(at, 'content', type, 'schema')
    return below(at, 'schema')
  }

  style(key: string, one: At, other: At): void {
    const styleOf = (document: Document, at: At): string => {
      const { types } = said(document, [this.schemaOf(at)])
      const isStructure = types?.some((type) => type === 'array' || type === 'object') ?? false
      if (!isStructure || at.value.in !== 'query' || at.value.content) return ''
      const { style = 'form', explode = style === 'form' } = at.value
      return `${style} ${style === 'deepObject' || explode}`
    }
    const [was, is] = [styleOf(this.first, one), styleOf(this.second, other)]
    if (was !== is) this.tell(`style of ${key}: ${was} and ${is}`, one.pointer, this.schemaOf(one).pointer)
    if (Boolean(one.value.content) !== Boolean(other.value.content)) this.tell(`content of ${key}`, one.pointer)
  }

  // --- bodies ---------------------------------------------------------------------------

  requestBody(one: At, other: At): void {
    if (one.value.requestBody === undefined) {
      if (other.value.requestBody !== undefined) this.tell('an added body', one.pointer)
      return
    }
    const body = resolved(this.first, below(one, 'requestBody'))
    const made = below(other, 'requestBody')
    if (made.value === undefined) return this.tell('no body', body.pointer)
    if ((body.value.required ?? false) !== (made.value.required ?? false))
      this.tell('required of the body', body.pointer)
    if (body.value.description && !made.value.description?.includes(body.value.description.trim()))
      this.tell('description of the body', body.pointer)
    this.contents(body, made, 'input')
  }

  contents(one: At, other: At, way: Way): void {
    const plain = (type: string): string => type.replace(/\s*;\s*charset=.*$/i, '')
    const made = new Map(
      Object.keys(other.value.content ?? {}).map((type) => [plain(type), below(other, 'content', type)]),
    )
    for (const type of Object.keys(one.value.content ?? {})) {
      const at = below(one, 'content', type)
      const same = made.get(plain(type)) ?? (way === 'input' ? made.get(plain(type).toLowerCase()) : undefined)
      made.delete(plain(type))
      if (same === undefined) this.tell(`no content ${type}`, at.pointer, below(at, 'schema').pointer)
      else this.content(type, at, same, way)
    }
    for (const type of made.keys())
      if (type !== 'application/problem+json') this.tell(`added content ${type}`, one.pointer, `${one.pointer}/content`)
  }

  content(type: string, one: At, other: At, way: Way): void {
    const [was, is] = [below(one, 'schema'), below(other, 'schema')]
    if (/json|form/.test(type)) return this.schemas([was], [is], way)
    const { types = [], words } = said(this.first, [was])
    const isBinary = words['format'] === 'binary' || words['contentEncoding'] === 'binary'
    if (was.value === undefined || (types.join() === 'string' && (isBinary || type.startsWith('text/')))) return
    this.schemas([was], [is], way)
  }

  // --- responses ------------------------------------------------------------------------

  responses(one: At, other: At): void {
    const made = new Set(Object.keys(other.value.responses))
    for (const status of Object.keys(one.value.responses ?? {}).filter((name) => !name.startsWith('x-'))) {
      const at = resolved(this.first, below(one, 'responses', status))
      const same = below(other, 'responses', status)
      if (status === 'default' && Object.keys(at.value.content ?? {}).join() === 'application/problem+json') continue
      if (same.value === undefined || status === 'default') {
        this.tell(`no response ${status}`, at.pointer)
        continue
      }
      made.delete(status)
      if (at.value.description && !same.value.description.includes(at.value.description))
        this.tell(`description of ${status}`, at.pointer)
      this.headers(at, same)
      if (status !== '204') this.contents(at, same, 'output')
    }
    for (const status of made)
      if (!ADDED.has(status)) this.tell(`an added response ${status}`, one.pointer, `${one.pointer}/responses/default`)
  }

  headers(one: At, other: At): void {
    const made = new Map(
      Object.keys(other.value.headers ?? {}).map((name) => [name.toLowerCase(), below(other, 'headers', name)]),
    )
    for (const name of Object.keys(one.value.headers ?? {})) {
      if (name.toLowerCase() === 'content-type') continue
      const at = resolved(this.first, below(one, 'headers', name))
      const same = made.get(name.toLowerCase())
      made.delete(name.toLowerCase())
      if (same === undefined) this.tell(`no header ${name}`, at.pointer)
      else {
        // Of several answers with one status, not every one has it.
        if (
          (at.value.required ?? false) !== (same.value.required ?? false) &&
          !other.value.description.includes('Or: ')
        )
          this.tell(`required of the header ${name}`, at.pointer)
        if (at.value.description && at.value.description !== same.value.description)
          this.tell(`description of the header ${name}`, at.pointer)
        this.schemas([this.schemaOf(at)], [this.schemaOf(same)], 'output')
      }
    }
    for (const name of made.keys())
      if (!/^(deprecation|sunset|link|vary|cache-control|www-authenticate)$/.test(name))
        this.tell(`an added header ${name}`, one.pointer)
  }

  security(one: At, other: At): void {
    const ways = (document: Document, list: readonly any[]): string[] =>
      list.map((way) =>
        Object.entries<any>(way)
          .map(([name, scopes]) => {
            const scheme = sorted(document['components'].securitySchemes[name])
            return JSON.stringify([scheme, scopes], (_, value) =>
              value?.flows ? { ...value, flows: Object.keys(value.flows).sort() } : value,
            )
          })
          .sort()
          .join(' '),
      )
    const was = ways(this.first, one.value.security ?? this.first['security'] ?? [])
    const is = ways(this.second, other.value.security ?? [])
    const open = (list: string[]): string => (list.every((way) => way === '') ? '' : list.join(' | '))
    if (open(was) !== open(is))
      this.tell(
        `security ${open(was)} and ${open(is)}`,
        ...was.map((_, i) => `${one.pointer}/security/${i}`),
        ...Object.keys(this.first['components']?.securitySchemes ?? {}).map((name) => schemePlace(name)),
        '#/security/0',
      )
  }

  // --- schemas --------------------------------------------------------------------------

  schemas(ones: readonly At[], others: readonly At[], way: Way): void {
    const key = `${way} ${ones.map((at) => at.pointer)} ${others.map((at) => at.pointer)}`
    if (this.seen.has(key)) return
    this.seen.add(key)
    const [one, other] = [said(this.first, ones), said(this.second, others)]
    const tell = (what: string): void => this.tell(`${what} (${way})`, ...one.places, ...ones.map((at) => at.pointer))
    const was = kindOf(one)
    const is = kindOf(other)
    if (was !== is) return tell(`${was} is ${is}`)
    if (was !== 'anything' && one.nullable !== other.nullable) tell(`nullable: ${one.nullable} and ${other.nullable}`)
    this.words(one, other, way, tell)
    if (was === 'array') this.schemas(one.items, other.items, way)
    if (was === 'record' && typeof one.others?.value === 'object' && typeof other.others?.value === 'object')
      this.schemas([one.others], [other.others], way)
    if (was === 'object') this.structures(one, other, way, tell)
    if (was === 'choice') this.choices(one, other, way, tell)
  }

  words(one: Said, other: Said, way: Way, tell: (what: string) => void): void {
    const [was, is] = [facts(one), facts(other)]
    // No text in a path is empty.
    if (way === 'path' && is['min'] === 1) is['min'] = was['min']
    // A pattern without repetition is a limit itself.
    if (was['pattern'] && !/[*+]|\{\d+,\}/.test(was['pattern']) && was['max'] === undefined) delete is['max']
    for (const name of new Set([...Object.keys(was), ...Object.keys(is)]))
      if (JSON.stringify(was[name]) !== JSON.stringify(is[name]))
        tell(`${name}: ${JSON.stringify(was[name])} and ${JSON.stringify(is[name])}`)
    const text = (one.words['description'] || one.words['title'])?.trim()
    if (text && ![other.words['description'] ?? '', this.above].some((one) => one.includes(text)))
      tell(`description "${text.slice(0, 40)}"`)
    // A deprecated parameter says so itself; its schema may say it too.
    const isOld = (words: Readonly<Record<string, unknown>>): boolean => words['deprecated'] === true || this.old
    if (isOld(one.words) !== isOld(other.words)) tell('deprecated')
    if (way === 'input' && JSON.stringify(one.words['default']) !== JSON.stringify(dated(one, other)['default']))
      tell('default')
  }

  structures(one: Said, other: Said, way: Way, tell: (what: string) => void): void {
    const hidden = way === 'input' ? 'readOnly' : 'writeOnly'
    const shown = [...one.properties].filter(
      ([, all]) => !all.some((at) => said(this.first, [at]).words[hidden] === true),
    )
    const names = new Set(shown.map(([name]) => name))
    for (const [name, all] of shown) {
      const same = other.properties.get(name)
      if (same === undefined) this.tell(`no property ${name} (${way})`, ...all.map((at) => at.pointer), ...one.places)
      else this.schemas(all, same, way)
      const initial = said(this.first, all).words['default'] !== undefined && way === 'input'
      const needed = one.required.has(name) && !(initial && other.properties.has(name))
      if (same !== undefined && needed !== other.required.has(name))
        this.tell(`required of ${name} (${way})`, ...all.map((at) => at.pointer), ...one.places)
    }
    for (const name of other.properties.keys())
      if (!names.has(name) && !one.required.has(name))
        this.tell(
          `an added property ${name} (${way})`,
          ...(one.properties.get(name) ?? []).map((at) => at.pointer),
          ...one.places,
        )
    if (one.others !== undefined && one.others.value !== false && way === 'input') tell('additionalProperties')
  }

  choices(one: Said, other: Said, way: Way, tell: (what: string) => void): void {
    const name = other.words['discriminator']?.propertyName
    const [was, is] = [this.variants(this.first, one, name), this.variants(this.second, other, name)]
    if (was.size === 0 || [...was.keys()].sort().join() !== [...is.keys()].sort().join())
      return tell(`variants ${[...was.keys()]} and ${[...is.keys()]}`)
    for (const [tag, at] of was) {
      const [own, made] = [said(this.first, [at]), said(this.second, [is.get(tag)!])]
      const rest = (all: Said): Said => ({
        ...all,
        properties: new Map([...all.properties].filter(([key]) => key !== name)),
        required: new Set([...all.required].filter((key) => key !== name)),
      })
      this.structures(rest(own), rest(made), way, tell)
    }
  }

  variants(document: Document, { choices, words }: Said, name: string): Map<string, At> {
    const [choice] = choices
    const members = (choice?.value ?? []).map((_: unknown, i: number) => below(choice!, String(i))) as At[]
    const found = new Map<string, At>()
    const { mapping = {} } = words['discriminator'] ?? {}
    for (const at of members) {
      const target = resolved(document, at)
      const mapped = Object.keys(mapping).filter((tag) =>
        [at.value.$ref, at.value.$ref?.split('/').at(-1)].includes(mapping[tag]),
      )
      const own = said(document, [at]).properties.get(name)
      const values = own === undefined ? undefined : said(document, own).words['enum']
      const tags = mapped.length > 0 ? mapped : (values ?? [target.pointer.split('/').at(-1)])
      for (const tag of tags) found.set(tag, at)
    }
    return found
  }
}

function kindOf({ types, words, properties, items, others, choices, required }: Said): string {
  const isConstants = choices.some(
    ({ value }) => Array.isArray(value) && value.every((one: any) => 'const' in one || 'enum' in one),
  )
  if (choices.some(({ pointer }) => /oneOf|anyOf/.test(pointer)) && !isConstants && properties.size === 0)
    return 'choice'
  if (types !== undefined && types.length > 1) return 'several'
  const [type] = types ?? []
  if (type === 'object' || (type === undefined && (properties.size > 0 || others !== undefined))) {
    const isRecord = properties.size === 0 && required.size === 0 && others?.value !== false && !('properties' in words)
    return isRecord ? 'record' : 'object'
  }
  if (type !== undefined) return type === 'number' && words['multipleOf'] === 1 ? 'integer' : type
  if (items.length > 0) return 'array'
  if (words['enum'] !== undefined) return typeof words['enum'].find((one: unknown) => one !== null)
  return 'anything'
}

function facts(one: Said): Record<string, any> {
  const { words, choices } = one
  const constants = choices.find(({ value }) => Array.isArray(value) && value.every((each: any) => 'const' in each))
  const listed = words['enum'] ?? constants?.value.map((each: any) => each.const)
  if (listed !== undefined) return { enum: [...new Set(listed.filter((value: unknown) => value !== null))].sort() }
  const kind = kindOf(one)
  const { format, pattern, minLength, maxLength, minItems, maxItems, minProperties, maxProperties } = words
  if (kind === 'integer') return integerFacts(words)
  if (kind === 'number')
    return {
      min: words['minimum'],
      max: words['maximum'],
      above: words['exclusiveMinimum'],
      below: words['exclusiveMaximum'],
      multipleOf: words['multipleOf'],
      format: format === 'double' ? undefined : format,
    }
  if (kind === 'array') return { min: minItems || undefined, max: maxItems, unique: words['uniqueItems'] || undefined }
  if (kind === 'record') return { min: minProperties || undefined, max: maxProperties }
  if (kind !== 'string') return {}
  const isBytes =
    format === 'binary' || words['contentEncoding'] === 'binary' || words['contentMediaType'] !== undefined
  if (isBytes) return { bytes: true }
  // A moment has a pattern of its own in requests.
  const isMoment = format === 'date-time'
  return {
    format,
    pattern: isMoment || pattern === undefined ? undefined : whole(pattern),
    min: minLength || undefined,
    max: isMoment ? undefined : maxLength,
  }
}

function integerFacts(words: Said['words']): Record<string, any> {
  const own = words['format'] === 'int32' ? [-(2 ** 31), 2 ** 31 - 1] : [-SAFE, SAFE]
  const above = words['exclusiveMinimum']
  const under = words['exclusiveMaximum']
  const format = ['int32'].includes(words['format']) ? undefined : words['format']
  return {
    min: Math.max(own[0]!, words['minimum'] ?? own[0]!, above === undefined ? own[0]! : Math.floor(above) + 1),
    max: Math.min(own[1]!, words['maximum'] ?? own[1]!, under === undefined ? own[1]! : Math.ceil(under) - 1),
    multipleOf: words['multipleOf'] === 1 ? undefined : words['multipleOf'],
    format,
  }
}

// `^…$` around the whole, with or without a group.
function whole(pattern: string): string {
  const [, inner] = /^\^\(\?:([\s\S]*)\)\$$/.exec(pattern) ?? /^\^([\s\S]*)\$$/.exec(pattern) ?? []
  return inner ?? `[\\s\\S]*${pattern.replace(/^\^|\$$/g, '')}[\\s\\S]*`
}

// The same moment may be written in several ways.
function dated({ words }: Said, other: Said): Record<string, any> {
  if (words['format'] !== 'date-time' || words['default'] === undefined) return other.words
  const same = new Date(words['default']).getTime() === new Date(other.words['default']).getTime()
  return same ? { default: words['default'] } : other.words
}

function sorted(value: any): any {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).filter((name) => !name.startsWith('x-'))
  return Object.fromEntries(names.sort().map((name) => [name, sorted(value[name])]))
}

const schemePlace = (name: string): string =>
  `#/components/securitySchemes/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
