// Converts request bodies to payloads: one declaration for all content types that can carry it.

import { FORM_TYPE, getEssence, isJsonType, MULTIPART_TYPE } from '../../../util/media-type.ts'
import { getMember, getText, isTrueMember, type LocatedValue, listMembers } from '../read/located.ts'
import {
  type AttributeNode,
  type AttributeNodes,
  type Component,
  getChildNodes,
  isMediaComponent,
  type ObjectNode,
  resolveNode,
  withOptions,
} from '../schemas/attribute-node.ts'
import type { SchemaReader } from '../schemas/schema-reader.ts'
import type { ImportedPayload } from './imported-model.ts'
import { replaceFileNode } from './parameters.ts'

interface BodyContent {
  readonly type: string
  readonly at: LocatedValue
  readonly schema: LocatedValue | undefined
}

/** Reads the body of an operation; returns undefined when it has none. */
export function readPayload(operation: LocatedValue, schemas: SchemaReader): ImportedPayload | undefined {
  const requestBody = getMember(operation, 'requestBody')
  if (requestBody === undefined) return undefined
  const body = schemas.document.resolve(requestBody)
  const forms = listMembers(getMember(body, 'content')).map(
    ([type, at]): BodyContent => ({ type, at, schema: getMember(at, 'schema') }),
  )
  const structured = forms.filter(
    ({ type }) => isJsonType(getEssence(type)) || getEssence(type) === FORM_TYPE || getEssence(type) === MULTIPART_TYPE,
  )
  const draft = structured.length > 0 ? readStructuredPayload(structured, schemas) : readRawPayload(forms, schemas)
  if (draft === undefined) return undefined
  const used = new Set(draft.forms)
  for (const form of forms) if (!used.has(form)) reportRejected(form, draft.forms, schemas)
  for (const { at } of forms) reportExamples(at, schemas)
  return finishPayload(body, draft, schemas)
}

interface DraftPayload {
  readonly node: AttributeNode
  readonly forms: readonly BodyContent[]
  readonly consumes: readonly string[] | undefined
}

function reportRejected({ type, at }: BodyContent, accepted: readonly BodyContent[], schemas: SchemaReader): void {
  const others = accepted.map((form) => `\`${form.type}\``).join(', ')
  schemas.unsupported.add(at, `bodies of \`${type}\` in addition to ${others}`, 'bodies of this type are rejected')
}

function reportExamples(at: LocatedValue, schemas: SchemaReader): void {
  for (const name of ['example', 'examples']) {
    const one = getMember(at, name)
    if (one !== undefined) schemas.unsupported.add(one, 'examples of whole bodies', EXAMPLES_REPLACED)
  }
}

/** The text that replaces examples of whole bodies. */
export const EXAMPLES_REPLACED = 'examples are made of those of the attributes'

// --- texts and bytes ---------------------------------------------------------------------

function readRawPayload(forms: readonly BodyContent[], schemas: SchemaReader): DraftPayload | undefined {
  const [first] = forms
  if (first === undefined) return undefined
  const node = first.schema && schemas.readNode(first.schema)
  const isText = forms.every(({ type }) => getEssence(type).startsWith('text/')) && getResolvedKind(node) === 'string'
  const { description } = node?.options ?? {}
  const own: AttributeNode = isText
    ? (node as AttributeNode)
    : withOptions({ kind: 'file', at: first.at, options: {} }, { description })
  const isBytes = node === undefined || getResolvedKind(node) === 'file' || getResolvedKind(node) === 'string'
  if (!isText && !isBytes && first.schema !== undefined)
    schemas.unsupported.add(
      first.schema,
      `a schema of bodies of \`${first.type}\``,
      'the body is a file, whose bytes are not checked',
    )
  const types = forms.map(({ type }) => getEssence(type))
  const consumes = types.includes('*/*') ? undefined : types
  return { node: own, forms, consumes: isText ? types : consumes }
}

const getResolvedKind = (node: AttributeNode | undefined): string | undefined => node && resolveNode(node).kind

// --- structures --------------------------------------------------------------------------

function readStructuredPayload(forms: readonly BodyContent[], schemas: SchemaReader): DraftPayload {
  const getRank = (form: BodyContent): number =>
    [isJsonType(getEssence(form.type)), getEssence(form.type) === MULTIPART_TYPE, true].indexOf(true)
  const [first] = [...forms].sort((a, b) => getRank(a) - getRank(b)) as [BodyContent]
  const base: AttributeNode = first.schema === undefined ? createAnyNode(first.at) : schemas.readNode(first.schema)
  const resolved = resolveNode(base)
  const isNamed = ['object', 'record', 'union', 'any'].includes(resolved.kind)
  const carried = forms.filter((form) => isJsonType(getEssence(form.type)) || isNamed)
  for (const form of carried) if (form !== first) compareSchemas(form, first, schemas)
  const types = [...new Set(carried.map(({ type }) => getEssence(type)))]
  const inParts = types.includes(MULTIPART_TYPE)
  const parts = inParts
    ? withParts(base, carried.find(({ type }) => getEssence(type) === MULTIPART_TYPE)?.at, schemas)
    : base
  const node = inParts ? parts : withoutFiles(base, schemas)
  const defaultType = inParts && hasFile(node) ? MULTIPART_TYPE : 'application/json'
  const isDefault = types.length === 1 && types[0] === defaultType && resolveNode(node).kind !== 'string'
  return { node, forms: carried, consumes: isDefault ? undefined : types }
}

// All content types share one schema; identical copies are still read, to report their contents.
function compareSchemas(form: BodyContent, first: BodyContent, schemas: SchemaReader): void {
  if (JSON.stringify(form.schema?.value) === JSON.stringify(first.schema?.value)) {
    if (form.schema !== undefined) schemas.readNode(form.schema)
    return
  }
  schemas.unsupported.add(
    form.at,
    `a schema of its own for \`${form.type}\``,
    `bodies of this type have the schema of \`${first.type}\``,
  )
}

const createAnyNode = (at: LocatedValue): AttributeNode => ({ kind: 'any', at, options: { nullable: true } })

function hasFile(node: AttributeNode, seen: Set<Component> = new Set()): boolean {
  if (node.kind === 'file') return true
  if (node.kind !== 'ref') return getChildNodes(node).some((one) => hasFile(one, seen))
  if (seen.has(node.component)) return false
  seen.add(node.component)
  return hasFile(node.component.node, seen)
}

function withoutFiles(node: AttributeNode, schemas: SchemaReader): AttributeNode {
  if (!hasFile(node)) return node
  if (node.kind === 'object') {
    const attributes = [...node.attributes].map(([name, one]) => {
      if (one.kind === 'file') schemas.unsupported.add(one.at, 'bytes within JSON', 'the attribute is a text')
      return [name, withoutFiles(replaceFileNode(one), schemas)] as const
    })
    return { ...node, attributes: new Map(attributes) }
  }
  schemas.unsupported.add(node.at, 'bytes within JSON', 'the attribute is `t.any()`')
  return { kind: 'any', at: node.at, options: {} }
}

// Object parts are JSON unless `encoding` states otherwise; file parts have content types.
function withParts(node: AttributeNode, at: LocatedValue | undefined, schemas: SchemaReader): AttributeNode {
  const resolved = resolveNode(node)
  const encoding = at && getMember(at, 'encoding')
  if (resolved.kind !== 'object') return node
  let changed = false
  const attributes = [...resolved.attributes].map(([name, one]): [string, AttributeNode] => {
    const part = readPart(one, encoding && getMember(encoding, name), schemas)
    changed ||= part !== one
    return [name, part]
  })
  if (!changed) return node
  const { required } = node.options
  return withOptions({ ...resolved, attributes: new Map(attributes) }, { required })
}

const STRUCTURED_KINDS = ['object', 'record', 'union']

function readPart(one: AttributeNode, encoding: LocatedValue | undefined, schemas: SchemaReader): AttributeNode {
  const resolved = resolveNode(one)
  const inner = resolved.kind === 'array' ? resolveNode(resolved.of) : resolved
  const types = getText(encoding, 'contentType')
    ?.split(',')
    .map((type) => type.trim())
  if (inner.kind === 'file' && types !== undefined && types.some((type) => type !== 'application/octet-stream')) {
    const file = { ...inner, options: { ...inner.options, types } } as AttributeNode
    return resolved.kind === 'array'
      ? { ...resolved, of: file, options: one.options }
      : { ...file, options: { ...one.options, types } }
  }
  if (encoding !== undefined && getMember(encoding, 'headers') !== undefined)
    schemas.unsupported.add(encoding, 'headers of a part', 'they are left out')
  const style = getText(encoding, 'style')
  const isText =
    types?.some((type) => /[/+]json$/.test(type)) ?? (style === undefined && STRUCTURED_KINDS.includes(inner.kind))
  if (style !== undefined && style !== 'deepObject' && resolved.kind === 'array')
    return withDelimiter(one, resolved, style)
  if (!isText || hasFile(one)) return one
  const { required, description, nullable } = one.options
  return withOptions(
    { kind: 'json', at: one.at, of: withOptions(one, { required: undefined }), options: {} },
    { required, description, nullable },
  )
}

const DELIMITERS: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' }

const withDelimiter = (one: AttributeNode, resolved: AttributeNode, style: string): AttributeNode =>
  withOptions({ ...resolved, options: { ...resolved.options, ...one.options } }, { delimiter: DELIMITERS[style] })

// --- the whole ---------------------------------------------------------------------------

function finishPayload(body: LocatedValue, { node, consumes }: DraftPayload, schemas: SchemaReader): ImportedPayload {
  const description = getText(body, 'description')
  const resolved = resolveNode(node)
  reportReadOnly(node, schemas)
  const isNotObject = resolved.kind !== 'object'
  const readOnly = resolved.kind === 'object' ? resolved.readOnly : new Set<string>()
  const sent: AttributeNodes = new Map(
    isNotObject ? [] : [...resolved.attributes].filter(([name]) => !readOnly.has(name)),
  )
  const needed = [...sent.values()].some(
    ({ options }) => options['required'] === true && options['default'] === undefined,
  )
  const required = isTrueMember(body, 'required')
  const inherits =
    readOnly.size > 0 &&
    node.kind === 'ref' &&
    isMediaComponent(node.component) &&
    !isWholeNeeded(required, needed, body)
  if (!required && needed && !isNotObject)
    schemas.unsupported.add(
      body,
      'a body that may be left out, with attributes that are required',
      'a request without a body is rejected',
    )
  const own = readOnly.size > 0 && !inherits && resolved.kind === 'object' ? inlineObject(resolved, sent) : node
  const isRequired = required && (isNotObject || !needed)
  return {
    node: withOptions(own, {
      required: isRequired || undefined,
      description: description || own.options['description'],
    }),
    inherits: inherits ? { component: node.component, names: [...sent.keys()] } : undefined,
    consumes,
  }
}

// Inherited attributes form an object without options.
const isWholeNeeded = (required: boolean, needed: boolean, body: LocatedValue): boolean =>
  (required && !needed) || getText(body, 'description') !== undefined

const inlineObject = (resolved: ObjectNode, attributes: AttributeNodes): AttributeNode => ({
  ...resolved,
  attributes,
  readOnly: new Set(),
  writeOnly: new Set(),
})

function reportReadOnly(top: AttributeNode, schemas: SchemaReader): void {
  const seen = new Set<Component>()
  const visit = (node: AttributeNode, isTop: boolean): void => {
    if (node.kind === 'ref') {
      if (seen.has(node.component)) return
      seen.add(node.component)
      return visit(node.component.node, isTop)
    }
    if (node.kind === 'object' && !isTop)
      for (const name of node.readOnly) {
        const at = node.attributes.get(name)?.at
        if (at !== undefined) schemas.unsupported.add(at, '`readOnly` below the top of a body', 'requests may have it')
      }
    for (const one of getChildNodes(node)) visit(one, false)
  }
  visit(top, true)
}
