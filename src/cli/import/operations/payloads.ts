// Bodies of requests as payloads: one declaration for all content types that can carry it.
import { isTrue, type Located, member, members, text } from '../read/located.ts'
import {
  below,
  type Component,
  isMedia,
  meantBy,
  type Node,
  type Nodes,
  type ObjectNode,
  withOptions,
} from '../schemas/node.ts'
import type { SchemaReader } from '../schemas/reader.ts'
import type { Payload } from './model.ts'
import { unfiled } from './parameters.ts'

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'

/** The essence of a content type: no parameters, small letters. */
export const essenceOf = (type: string): string => (type.split(';', 1)[0] as string).trim().toLowerCase()

/** Returns whether a content type is one of JSON. */
export const isJson = (type: string): boolean => /^application\/(?:[\w!#$&^.+-]+\+)?json$/.test(essenceOf(type))

interface Form {
  readonly type: string
  readonly at: Located
  readonly schema: Located | undefined
}

/** Reads the body of an operation; undefined if it has none. */
export function payloadOf(operation: Located, schemas: SchemaReader): Payload | undefined {
  const said = member(operation, 'requestBody')
  if (said === undefined) return undefined
  const body = schemas.document.resolve(said)
  const forms = members(member(body, 'content')).map(([type, at]): Form => ({ type, at, schema: member(at, 'schema') }))
  const structured = forms.filter(
    ({ type }) => isJson(type) || essenceOf(type) === FORM || essenceOf(type) === MULTIPART,
  )
  const made = structured.length > 0 ? structure(structured, schemas) : whole(forms, schemas)
  if (made === undefined) return undefined
  const used = new Set(made.forms)
  for (const form of forms) if (!used.has(form)) refuse(form, made.forms, schemas)
  for (const { at } of forms) examplesLost(at, schemas)
  return finished(body, made, schemas)
}

interface Made {
  readonly node: Node
  readonly forms: readonly Form[]
  readonly consumes: readonly string[] | undefined
}

function refuse({ type, at }: Form, kept: readonly Form[], schemas: SchemaReader): void {
  const others = kept.map((form) => `\`${form.type}\``).join(', ')
  schemas.unsaid.add(at, `bodies of \`${type}\` beside ${others}`, 'bodies of this type are rejected')
}

function examplesLost(at: Located, schemas: SchemaReader): void {
  for (const name of ['example', 'examples']) {
    const one = member(at, name)
    if (one !== undefined) schemas.unsaid.add(one, 'examples of whole bodies', EXAMPLES)
  }
}

/** The text that replaces examples of whole bodies. */
export const EXAMPLES = 'examples are made of those of the attributes'

// --- texts and bytes ---------------------------------------------------------------------

function whole(forms: readonly Form[], schemas: SchemaReader): Made | undefined {
  const [first] = forms
  if (first === undefined) return undefined
  const node = first.schema && schemas.node(first.schema)
  const isText = forms.every(({ type }) => essenceOf(type).startsWith('text/')) && meantKind(node) === 'string'
  const { description } = node?.options ?? {}
  const own: Node = isText ? (node as Node) : withOptions({ kind: 'file', at: first.at, options: {} }, { description })
  const isBytes = node === undefined || meantKind(node) === 'file' || meantKind(node) === 'string'
  if (!isText && !isBytes && first.schema !== undefined)
    schemas.unsaid.add(
      first.schema,
      `a schema of bodies of \`${first.type}\``,
      'the body is a file, whose bytes are not checked',
    )
  const types = forms.map(({ type }) => essenceOf(type))
  const consumes = types.includes('*/*') ? undefined : types
  return { node: own, forms, consumes: isText ? types : consumes }
}

const meantKind = (node: Node | undefined): string | undefined => node && meantBy(node).kind

// --- structures --------------------------------------------------------------------------

function structure(forms: readonly Form[], schemas: SchemaReader): Made {
  const order = (form: Form): number => [isJson(form.type), essenceOf(form.type) === MULTIPART, true].indexOf(true)
  const [first] = [...forms].sort((a, b) => order(a) - order(b)) as [Form]
  const base: Node = first.schema === undefined ? anything(first.at) : schemas.node(first.schema)
  const meant = meantBy(base)
  const isNamed = ['object', 'record', 'union', 'any'].includes(meant.kind)
  const carried = forms.filter((form) => isJson(form.type) || isNamed)
  for (const form of carried) if (form !== first) compare(form, first, schemas)
  const types = [...new Set(carried.map(({ type }) => essenceOf(type)))]
  const inParts = types.includes(MULTIPART)
  const parts = inParts ? withParts(base, carried.find(({ type }) => essenceOf(type) === MULTIPART)?.at, schemas) : base
  const node = inParts ? parts : withoutFiles(base, schemas)
  const usual = inParts && holdsFile(node) ? MULTIPART : 'application/json'
  const isUsual = types.length === 1 && types[0] === usual && meantBy(node).kind !== 'string'
  return { node, forms: carried, consumes: isUsual ? undefined : types }
}

// All content types share one schema; a copy of it may still have something to tell.
function compare(form: Form, first: Form, schemas: SchemaReader): void {
  if (isSame(form.schema, first.schema)) {
    if (form.schema !== undefined) schemas.node(form.schema)
    return
  }
  schemas.unsaid.add(
    form.at,
    `a schema of its own for \`${form.type}\``,
    `bodies of this type have the schema of \`${first.type}\``,
  )
}

const anything = (at: Located): Node => ({ kind: 'any', at, options: { nullable: true } })

const isSame = (one: Located | undefined, other: Located | undefined): boolean =>
  JSON.stringify(one?.value) === JSON.stringify(other?.value)

function holdsFile(node: Node, seen: Set<Component> = new Set()): boolean {
  if (node.kind === 'file') return true
  if (node.kind !== 'ref') return below(node).some((one) => holdsFile(one, seen))
  if (seen.has(node.component)) return false
  seen.add(node.component)
  return holdsFile(node.component.node, seen)
}

function withoutFiles(node: Node, schemas: SchemaReader): Node {
  if (!holdsFile(node)) return node
  if (node.kind === 'object') {
    const attributes = [...node.attributes].map(([name, one]) => {
      if (one.kind === 'file') schemas.unsaid.add(one.at, 'bytes within JSON', 'the attribute is a text')
      return [name, withoutFiles(unfiled(one), schemas)] as const
    })
    return { ...node, attributes: new Map(attributes) }
  }
  schemas.unsaid.add(node.at, 'bytes within JSON', 'the attribute is `t.any()`')
  return { kind: 'any', at: node.at, options: {} }
}

// Parts with names are JSON unless their encoding says otherwise, and files have content types.
function withParts(node: Node, at: Located | undefined, schemas: SchemaReader): Node {
  const meant = meantBy(node)
  const encoding = at && member(at, 'encoding')
  if (meant.kind !== 'object') return node
  let changed = false
  const attributes = [...meant.attributes].map(([name, one]): [string, Node] => {
    const part = partOf(one, encoding && member(encoding, name), schemas)
    changed ||= part !== one
    return [name, part]
  })
  if (!changed) return node
  const { required } = node.options
  return withOptions({ ...meant, attributes: new Map(attributes) }, { required })
}

const STRUCTURED = ['object', 'record', 'union']

function partOf(one: Node, encoding: Located | undefined, schemas: SchemaReader): Node {
  const meant = meantBy(one)
  const inner = meant.kind === 'array' ? meantBy(meant.of) : meant
  const types = text(encoding, 'contentType')
    ?.split(',')
    .map((type) => type.trim())
  if (inner.kind === 'file' && types !== undefined && types.some((type) => type !== 'application/octet-stream')) {
    const file = { ...inner, options: { ...inner.options, types } } as Node
    return meant.kind === 'array'
      ? { ...meant, of: file, options: one.options }
      : { ...file, options: { ...one.options, types } }
  }
  if (encoding !== undefined && member(encoding, 'headers') !== undefined)
    schemas.unsaid.add(encoding, 'headers of a part', 'they are left out')
  const style = text(encoding, 'style')
  const isText =
    types?.some((type) => /[/+]json$/.test(type)) ?? (style === undefined && STRUCTURED.includes(inner.kind))
  if (style !== undefined && style !== 'deepObject' && meant.kind === 'array') return delimited(one, meant, style)
  if (!isText || holdsFile(one)) return one
  const { required, description, nullable } = one.options
  return withOptions(
    { kind: 'json', at: one.at, of: withOptions(one, { required: undefined }), options: {} },
    { required, description, nullable },
  )
}

const DELIMITERS: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' }

const delimited = (one: Node, meant: Node, style: string): Node =>
  withOptions({ ...meant, options: { ...meant.options, ...one.options } }, { delimiter: DELIMITERS[style] })

// --- the whole ---------------------------------------------------------------------------

function finished(body: Located, { node, consumes }: Made, schemas: SchemaReader): Payload {
  const description = text(body, 'description')
  const meant = meantBy(node)
  listReadOnly(node, schemas)
  const isWhole = meant.kind !== 'object'
  const readOnly = meant.kind === 'object' ? meant.readOnly : new Set<string>()
  const sent: Nodes = new Map(isWhole ? [] : [...meant.attributes].filter(([name]) => !readOnly.has(name)))
  const needed = [...sent.values()].some(
    ({ options }) => options['required'] === true && options['default'] === undefined,
  )
  const required = isTrue(body, 'required')
  const inherits =
    readOnly.size > 0 && node.kind === 'ref' && isMedia(node.component) && !needsWhole(required, needed, body)
  if (!required && needed && !isWhole)
    schemas.unsaid.add(
      body,
      'a body that may be left out, with attributes that are required',
      'a request without a body is rejected',
    )
  const own = readOnly.size > 0 && !inherits && meant.kind === 'object' ? inline(meant, sent) : node
  const isRequired = required && (isWhole || !needed)
  return {
    node: withOptions(own, {
      required: isRequired || undefined,
      description: description || own.options['description'],
    }),
    inherits: inherits ? { component: node.component, names: [...sent.keys()] } : undefined,
    consumes,
  }
}

// Inherited attributes are a structure without options.
const needsWhole = (required: boolean, needed: boolean, body: Located): boolean =>
  (required && !needed) || text(body, 'description') !== undefined

const inline = (meant: ObjectNode, attributes: Nodes): Node => ({
  ...meant,
  attributes,
  readOnly: new Set(),
  writeOnly: new Set(),
})

function listReadOnly(top: Node, schemas: SchemaReader): void {
  const seen = new Set<Component>()
  const visit = (node: Node, isTop: boolean): void => {
    if (node.kind === 'ref') {
      if (seen.has(node.component)) return
      seen.add(node.component)
      return visit(node.component.node, isTop)
    }
    if (node.kind === 'object' && !isTop)
      for (const name of node.readOnly) {
        const at = node.attributes.get(name)?.at
        if (at !== undefined) schemas.unsaid.add(at, '`readOnly` below the top of a body', 'requests may have it')
      }
    for (const one of below(node)) visit(one, false)
  }
  visit(top, true)
}
