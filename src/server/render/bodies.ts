// Renders response bodies: projects them through their declaration and writes them once, or passes on text, bytes and
// streams.

import { attributeRules } from '../../design/attribute-rules.ts'
import {
  isSelection,
  type Selection,
  type SelectionParam,
  selectFields,
  toSelectableBody,
} from '../../design/fields/selection.ts'
import type { ResolvedBody } from '../../design/resolve/resolved.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { type Dumper, Dumping, type JsonWriter } from '../../schema/dumping.ts'
import { INVALID, prefixIssues } from '../../schema/issue.ts'
import { getWriter, makeListWriter } from '../../schema/json/writer.ts'
import { writeFasterWhenBusy } from '../../schema/json/writer-code.ts'
import { any } from '../../schema/structures/any.ts'
import type { Failed } from '../../util/failed.ts'
import { JsonBuffer } from '../../util/json/json-buffer.ts'
import { getEssence, isJsonType } from '../../util/media-type.ts'
import { memoize } from '../../util/memoize.ts'
import { isStreamBody } from '../body-stream.ts'
import { reportViolation } from '../failure/violations.ts'
import type { Exchange } from '../request/exchange.ts'
import { createBodyFinding, createViolation, type RenderedBody, type RenderFault } from '../response/render-result.ts'
import type { StreamBody } from '../transport.ts'
import { describeIssues, describeViolation, failMissingBody, getCheckLimit } from './body-violations.ts'
import { createElementBodyWriter } from './element-stream.ts'

/** One declared media type of a body. */
export interface CompiledBody {
  readonly identifier: string
  /** The identifier without parameters, for comparisons. */
  readonly essence: string
  /** Whether it is a list, whose elements may be written one by one; the first event of a stream may come at any time. */
  readonly elements: boolean
  /** Writes the body that an action returned; fails if it is undefined. */
  write(body: unknown, exchange: Exchange): RenderedBody | Failed<RenderFault>
}

/** Compiles one declared media type of a body; `param` selects the fields of successful bodies. */
export function compileBody(
  { identifier, attribute, list, absent, stream }: ResolvedBody,
  param: SelectionParam | undefined,
): CompiledBody {
  const essence = getEssence(identifier)
  // Events are always UTF-8.
  const needsCharset = essence.startsWith('text/') && stream?.as !== 'events' && !identifier.includes('charset')
  const contentType = needsCharset ? `${identifier}; charset=utf-8` : identifier
  if (attribute !== undefined) {
    const select = param === undefined ? null : createSelector(attribute, param)
    const getAttribute: AttributeSelector = select ?? (() => attribute)
    const elements = list ? createElementBodyWriter(contentType, getAttribute, stream) : undefined
    if (stream !== undefined && elements !== undefined)
      return { identifier, essence, elements: stream.as !== 'events', write: elements }
    const json = {
      dump: attributeRules.getDumper(attribute),
      select,
      list,
      nullable: attribute.options.nullable ?? false,
    }
    return { identifier, essence, elements: list, write: createJsonWriter(identifier, json, elements) }
  }
  if (isJsonType(essence)) {
    const json = createJsonWriter(identifier, {
      dump: attributeRules.getDumper(ANY_VALUE),
      select: null,
      list: false,
      nullable: true,
    })
    return {
      identifier,
      essence,
      elements: false,
      write: (body, exchange) => (isUnstructured(body) ? { contentType: identifier, body } : json(body, exchange)),
    }
  }
  const write: CompiledBody['write'] = (body, exchange) => writeUnstructured(body ?? absent, contentType, exchange)
  return { identifier, essence, elements: false, write }
}

const ANY_VALUE = any()

/** Returns the attribute that describes a body for one request. */
type AttributeSelector = (exchange: Exchange) => Attribute

function createSelector(body: Attribute, { name, from }: SelectionParam): AttributeSelector | null {
  if (toSelectableBody(body, from) === undefined) return null
  // Clients repeat the same few selections, and the param parses equal texts to the same object.
  const select = memoize(
    (selection: Selection) => toSelectableBody(body, from, selectFields(from, selection)) as Attribute,
  )
  return ({ request }) => {
    const sent = (request.params as Readonly<Record<string, unknown>>)[name]
    // A list may show other fields than one param names.
    const selection = (request.list as ListFields | undefined)?.projection?.selection ?? sent
    return isSelection(selection) ? select(selection) : body
  }
}

/** The fields of a list that a plugin has read from the params of a request. */
interface ListFields {
  readonly projection?: { readonly selection?: unknown }
}

/** The options of writing JSON: declared or selected attributes, one value or a list. */
interface JsonForm {
  readonly dump: Dumper
  readonly select: AttributeSelector | null
  readonly list: boolean
  readonly nullable: boolean
}

// A list may be written element by element in every format, if its action declares a streamed one.
function createJsonWriter(
  contentType: string,
  form: JsonForm,
  elements?: CompiledBody['write'],
): CompiledBody['write'] {
  const { dump, select } = form
  const getJsonWriter = form.list ? getListWriter : getElementWriter
  return (body, exchange) => {
    if (body === undefined) return failMissingBody(exchange)
    if (isBinaryBody(body)) {
      if (elements !== undefined && isStreamBody(body)) return elements(body, exchange)
      return createViolation(
        describeViolation(exchange, 'it is bytes or a stream, but a structure is declared; name a mediaType'),
        createBodyFinding('type', 'is bytes or a stream, but a structure is declared'),
      )
    }
    const dumping = new Dumping(exchange.services.shouldCheckBody() ? 'checked' : 'unchecked')
    const chosen = select === null ? dump : attributeRules.getDumper(select(exchange))
    if (!dumping.checks && typeof body === 'object' && body !== null) {
      const bytes = writeBytes(body, getJsonWriter(chosen))
      if (bytes !== undefined) return { contentType, body: bytes }
    }
    const maxChecked = getCheckLimit(exchange)
    const dumped = dumpBody(body, chosen, { ...form, maxChecked }, dumping)
    if (dumping.issues !== null) {
      const { broken: text, findings } = describeIssues(exchange, dumping.issues)
      if (dumped === INVALID || exchange.services.validateResponses === 'always')
        return createViolation(text, ...findings)
      reportViolation(exchange, text, findings)
    }
    return { contentType, body: JSON.stringify(dumped) }
  }
}

const out = new JsonBuffer()
let writing = false
const getElementWriter = memoize((dump: Dumper): JsonWriter => writeFasterWhenBusy(getWriter(dump)))
const getListWriter = memoize(
  (dump: Dumper): JsonWriter => writeFasterWhenBusy(makeListWriter(getWriter(dump), 'refused')),
)

/** Returns the bytes of a body whose values all match; undefined if it needs a detailed check. */
function writeBytes(body: object, write: JsonWriter): Uint8Array | undefined {
  // A getter could render another response while this one is being written.
  if (writing) return undefined
  writing = true
  out.reset()
  try {
    return write(body, out, new Dumping('unchecked')) ? out.take() : undefined
  } finally {
    writing = false
  }
}

function dumpBody(
  body: unknown,
  dump: Dumper,
  { list, nullable, maxChecked }: JsonForm & CheckLimit,
  dumping: Dumping,
): unknown {
  if (list) return dumpList(body, dump, dumping, maxChecked)
  if (body === null && nullable) return null
  return body === null ? dumping.fail('missing') : dump(body, dumping)
}

/** The number of elements of a list that are checked in full. */
interface CheckLimit {
  readonly maxChecked: number
}

function dumpList(body: unknown, dump: Dumper, dumping: Dumping, maxChecked: number): unknown {
  if (!Array.isArray(body)) return dumping.fail('type', { expected: 'a list', kind: 'array' })
  const dumped: unknown[] = new Array(body.length)
  let valid = true
  for (let i = 0; i < body.length; i++) {
    if (i === maxChecked) dumping.checks = false
    const since = dumping.issues === null ? 0 : dumping.issues.length
    const element: unknown = body[i] === null || body[i] === undefined ? dumping.fail('null') : dump(body[i], dumping)
    if (dumping.issues !== null) prefixIssues(dumping.issues, i, since)
    if (element === INVALID) valid = false
    else dumped[i] = element
  }
  return valid ? dumped : INVALID
}

/** Returns whether a body has no structure: text, bytes or a stream. */
export function isUnstructured(body: unknown): body is string | Uint8Array | StreamBody {
  return typeof body === 'string' || isBinaryBody(body)
}

/** Returns whether a body is bytes or a stream of them. */
export const isBinaryBody = (body: unknown): body is Uint8Array | StreamBody =>
  body instanceof Uint8Array || isStreamBody(body)

// Text, bytes and streams are sent unchanged.
function writeUnstructured(body: unknown, contentType: string, exchange: Exchange): RenderedBody | Failed<RenderFault> {
  if (body === undefined || body === null) return failMissingBody(exchange)
  if (isUnstructured(body)) return { contentType, body }
  return createViolation(
    'the body is a structure, but no JSON media type is declared for it; declare one, or return text, bytes or a stream',
    createBodyFinding('type', 'is a structure, but no JSON media type is declared'),
  )
}
