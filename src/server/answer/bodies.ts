// Bodies of responses: projected through their declaration and written once, or passed on as text, bytes and streams.

import {
  isSelection,
  type Selection,
  type SelectionParam,
  selectableBody,
  selected,
} from '../../design/fields/selection.ts'
import type { ResolvedBody } from '../../design/resolve/resolved.ts'
import type { Attribute } from '../../schema/attribute.ts'
import { type Dumper, Dumping, type Writer } from '../../schema/dumping.ts'
import { INVALID, prefixIssues } from '../../schema/issue.ts'
import { JsonBytes } from '../../schema/json/bytes.ts'
import { listWriter, writerOf } from '../../schema/json/writer.ts'
import { any } from '../../schema/structures/any.ts'
import type { Failed } from '../../util/failed.ts'
import { memo } from '../../util/memo.ts'
import type { Exchange } from '../exchange.ts'
import { reportViolation } from '../failure/violations.ts'
import { isStream } from '../stream.ts'
import type { StreamBody } from '../transport.ts'
import { writeElements } from './elements.ts'
import { describeIssues, missingBody, mostChecked, violated } from './judged.ts'
import { type Rendered, type RenderFault, violation, wholeBody } from './rendered.ts'

/** One declared form of a body. */
export interface CompiledBody {
  readonly identifier: string
  /** The identifier without parameters, for comparisons. */
  readonly essence: string
  /** Whether it is a list, whose elements may come one by one. */
  readonly elements: boolean
  /** Writes what an action gave; undefined when it gave nothing. */
  write(body: unknown, exchange: Exchange): Rendered | Failed<RenderFault>
}

/** A media type identifier without its parameters. */
export const essenceOf = (identifier: string): string => (identifier.split(';', 1)[0] as string).trim().toLowerCase()

/** Prepares one declared form of a body; `param` is the one that selects what successful bodies show. */
export function compileBody(
  { identifier, attribute, list, absent, stream }: ResolvedBody,
  param: SelectionParam | undefined,
): CompiledBody {
  const essence = essenceOf(identifier)
  const contentType =
    essence.startsWith('text/') && !identifier.includes('charset') ? `${identifier}; charset=utf-8` : identifier
  if (attribute !== undefined) {
    const select = param === undefined ? null : selectAttribute(attribute, param)
    const shown: SelectAttribute = select ?? (() => attribute)
    const elements = list ? writeElements(contentType, shown, stream) : undefined
    if (stream !== undefined && elements !== undefined) return { identifier, essence, elements: true, write: elements }
    const json = { dump: attribute.core.dumper, select, list, nullable: attribute.options.nullable ?? false }
    return { identifier, essence, elements: list, write: writeJson(identifier, json, elements) }
  }
  if (essence === 'application/json' || essence.endsWith('+json')) {
    const json = writeJson(identifier, { dump: ANY.core.dumper, select: null, list: false, nullable: true })
    return {
      identifier,
      essence,
      elements: false,
      write: (body, exchange) => (isPlain(body) ? { contentType: identifier, body } : json(body, exchange)),
    }
  }
  const write: CompiledBody['write'] = (body, exchange) => writePlain(body ?? absent, contentType, exchange)
  return { identifier, essence, elements: false, write }
}

const ANY = any()

/** Chooses what a body shows for one request. */
type SelectAttribute = (exchange: Exchange) => Attribute

function selectAttribute(body: Attribute, { name, from }: SelectionParam): SelectAttribute | null {
  if (selectableBody(body, from) === undefined) return null
  // Clients repeat the same few selections, and the param gives equal texts the same one.
  const known = new WeakMap<Selection, Attribute>()
  return ({ request }) => {
    const selection = (request.params as Readonly<Record<string, unknown>>)[name]
    if (!isSelection(selection)) return body
    let chosen = known.get(selection)
    if (chosen === undefined) {
      chosen = selectableBody(body, from, selected(from, selection)) as Attribute
      known.set(selection, chosen)
    }
    return chosen
  }
}

/** How values become a body: dumped as declared or as the request selects, one or a list of them. */
interface JsonForm {
  readonly dump: Dumper
  readonly select: SelectAttribute | null
  readonly list: boolean
  readonly nullable: boolean
}

// A list may come element by element in every form, where its action has one for that.
function writeJson(contentType: string, form: JsonForm, elements?: CompiledBody['write']): CompiledBody['write'] {
  const { dump, select } = form
  const writerFor = form.list ? listWriterFor : elementWriterFor
  return (body, exchange) => {
    if (body === undefined) return missingBody(exchange)
    if (isBinary(body)) {
      if (elements !== undefined && isStream(body)) return elements(body, exchange)
      return violation(
        violated(exchange, 'it is bytes or a stream, but a structure is declared; name a mediaType'),
        wholeBody('type', 'is bytes or a stream, but a structure is declared'),
      )
    }
    const dumping = new Dumping(exchange.services.checksBody())
    const chosen = select === null ? dump : select(exchange).core.dumper
    if (!dumping.checks && typeof body === 'object' && body !== null) {
      const bytes = bytesOf(body, writerFor(chosen))
      if (bytes !== undefined) return { contentType, body: bytes }
    }
    const most = mostChecked(exchange)
    const dumped = dumpBody(body, chosen, { ...form, most }, dumping)
    if (dumping.issues !== null) {
      const { broken, findings } = describeIssues(exchange, dumping.issues)
      if (dumped === INVALID || exchange.services.validateResponses === 'always') return violation(broken, ...findings)
      reportViolation(exchange, broken, findings)
    }
    return { contentType, body: JSON.stringify(dumped) }
  }
}

const out = new JsonBytes()
let writing = false
const elementWriterFor = memo((dump: Dumper): Writer => writerOf(dump))
const listWriterFor = memo((dump: Dumper): Writer => listWriter(writerOf(dump), false))

/** The bytes of a body of which every value fits; undefined if it needs a closer check. */
function bytesOf(body: object, write: Writer): Uint8Array | undefined {
  // A getter could have another answer rendered while this one is.
  if (writing) return undefined
  writing = true
  out.reset()
  try {
    return write(body, out, new Dumping(false)) ? out.take() : undefined
  } finally {
    writing = false
  }
}

function dumpBody(body: unknown, dump: Dumper, { list, nullable, most }: JsonForm & Most, dumping: Dumping): unknown {
  if (list) return dumpList(body, dump, dumping, most)
  if (body === null && nullable) return null
  return body === null ? dumping.fail('missing') : dump(body, dumping)
}

/** How many elements of a list are checked in full. */
interface Most {
  readonly most: number
}

function dumpList(body: unknown, dump: Dumper, dumping: Dumping, most: number): unknown {
  if (!Array.isArray(body)) return dumping.fail('type', { expected: 'a list', kind: 'array' })
  const dumped: unknown[] = new Array(body.length)
  let valid = true
  for (let i = 0; i < body.length; i++) {
    if (i === most) dumping.checks = false
    const since = dumping.issues === null ? 0 : dumping.issues.length
    const one: unknown = body[i] === null || body[i] === undefined ? dumping.fail('null') : dump(body[i], dumping)
    if (dumping.issues !== null) prefixIssues(dumping.issues, i, since)
    if (one === INVALID) valid = false
    else dumped[i] = one
  }
  return valid ? dumped : INVALID
}

/** Returns whether a body has no structure: text, bytes or a stream. */
export function isPlain(body: unknown): body is string | Uint8Array | StreamBody {
  return typeof body === 'string' || isBinary(body)
}

/** Returns whether a body is bytes or a stream of them. */
export const isBinary = (body: unknown): body is Uint8Array | StreamBody => body instanceof Uint8Array || isStream(body)

// Text, bytes and streams pass as they are.
function writePlain(body: unknown, contentType: string, exchange: Exchange): Rendered | Failed<RenderFault> {
  if (body === undefined || body === null) return missingBody(exchange)
  if (isPlain(body)) return { contentType, body }
  return violation(
    'the body is a structure, but no JSON media type is declared for it; declare one, or return text, bytes or a stream',
    wholeBody('type', 'is a structure, but no JSON media type is declared'),
  )
}
