// Reads multipart/form-data while it arrives: fields and files go into the same tree as the names of a query.

import type { Attribute } from '../../../schema/attribute.ts'
import { getChildAttribute } from '../../../schema/children.ts'
import type { FileOptions } from '../../../schema/structures/file.ts'
import { isJsonText, stringifyJsonTexts } from '../../../schema/structures/json.ts'
import { isFailed } from '../../../util/failed.ts'
import { measureJson } from '../../../util/json/measure-json.ts'
import { MAX_JSON_DEPTH } from '../../../util/json/parse-json.ts'
import { isJsonType } from '../../../util/media-type.ts'
import { createReason, type ProblemReason } from '../../problem/reasons.ts'
import { splitName, type TreeWriter } from '../../query/value-tree.ts'
import { isReadableCharset } from '../content-type.ts'
import { DecodeError, type DecodeFault, failMalformed, failTooLarge } from '../decode-fault.ts'
import { decodeUtf8, getMaxDelimiters, type JsonResult, NOT_UTF8, readJson } from '../read-json.ts'
import { BufferedFile, concatBytes, DEFAULT_FILE_TYPE, type FileHead, StreamedFile } from '../received-file.ts'
import { type PartHead, parsePartHead } from './part-head.ts'
import { type MultipartEvent, MultipartScanner } from './scanner.ts'

/** The limits of a multipart body, in addition to the limit of all its bytes. */
export interface MultipartLimits {
  readonly parts: number
  /** The most bytes of a part's header lines. */
  readonly head: number
  /** The most bytes of a value that is not a file. */
  readonly field: number
}

/** The default limits of multipart bodies. */
export const MULTIPART_LIMITS: MultipartLimits = Object.freeze({ parts: 200, head: 8192, field: 1024 * 1024 })

/** A multipart body with the payload it is read into. */
export interface MultipartSource {
  readonly pieces: AsyncIterable<Uint8Array>
  /** Counts bytes that are buffered until the body is complete. */
  readonly reserveBytes?: (bytes: number) => void
  readonly boundary: string
  /** The attribute of the payload: it distinguishes files from fields, and limits the size of each file. */
  readonly attribute: Attribute
  /** Whether only the names of the attribute's children are valid: the data of other parts is discarded. */
  readonly closed: boolean
  readonly writer: TreeWriter
  readonly limits: MultipartLimits
}

/** Reads parts into the tree, to the end or up to the file that is streamed; returns the fault, if there is one. */
export async function readMultipart(source: MultipartSource): Promise<DecodeFault | undefined> {
  const input = new MultipartInput(source)
  const parts = new PartReader(source)
  let streaming = false
  try {
    for (let event = await input.next(); event !== undefined; event = input.readReady() ?? (await input.next())) {
      const result = parts.take(event)
      if (result === undefined) continue
      if (isFailed(result)) return result
      streaming = true
      source.writer.set(result.head.name, new StreamedFile(toFileHead(result.head), streamRest(input, result)))
      return undefined
    }
    return undefined
  } finally {
    if (!streaming) await input.stop()
  }
}

/** The events of a body; events of a chunk that has already arrived cost no promise. */
class MultipartInput {
  readonly #pieces: AsyncIterator<Uint8Array>
  readonly #scanner: MultipartScanner
  #empty = true

  constructor({ pieces, boundary, limits }: MultipartSource) {
    this.#pieces = pieces[Symbol.asyncIterator]()
    this.#scanner = new MultipartScanner(boundary, limits.head)
  }

  readReady(): MultipartEvent | undefined {
    return this.#scanner.next()
  }

  /** Returns the next event, or undefined at the end of a complete or empty body. */
  async next(): Promise<MultipartEvent | undefined> {
    for (;;) {
      const event = this.#scanner.next()
      if (event !== undefined) return event
      const piece = await this.#pieces.next()
      if (piece.done) return this.#scanner.closed || this.#empty ? undefined : UNFINISHED
      if (piece.value.length > 0) this.#empty = false
      this.#scanner.feed(piece.value)
    }
  }

  async stop(): Promise<void> {
    await this.#pieces.return?.()
  }
}

const UNFINISHED: MultipartEvent = { kind: 'fault', why: createReason('multipart-short') }

/** A part whose data is arriving. */
interface OpenPart {
  readonly head: PartHead
  readonly kind: 'file' | 'json' | 'text' | 'unknown'
  readonly declared: Attribute | undefined
  readonly limit: number
  readonly pieces: Uint8Array[]
  size: number
}

class PartReader {
  readonly #source: MultipartSource
  #count = 0
  #jsonDelimiters = 0
  #part: OpenPart | undefined

  constructor(source: MultipartSource) {
    this.#source = source
  }

  /** Handles the next event; returns its fault, or the part that is streamed. */
  take(event: MultipartEvent): DecodeFault | OpenPart | undefined {
    if (event.kind === 'fault') return failMalformed(event.why)
    if (event.kind === 'head') return this.#begin(event.bytes)
    const part = this.#part as OpenPart
    return event.kind === 'data' ? this.#keep(part, event.bytes) : this.#finish(part)
  }

  #begin(bytes: Uint8Array): DecodeFault | OpenPart | undefined {
    const { limits, attribute, closed } = this.#source
    if (++this.#count > limits.parts) return failMalformed(createReason('multipart-parts', { limit: limits.parts }))
    const head = parsePartHead(bytes)
    if (isFailed(head)) return failMalformed(head.fault)
    const declared = findPartAttribute(attribute, splitName(head.name), closed)
    const kind = declared === null ? 'unknown' : classifyPart(head, declared)
    const { max = Number.POSITIVE_INFINITY, stream } = (declared?.options ?? {}) as FileOptions
    const others = kind === 'unknown' ? Number.POSITIVE_INFINITY : limits.field
    const limit = kind === 'file' ? max : others
    this.#part = { head, kind, declared: declared ?? undefined, limit, pieces: [], size: 0 }
    return kind === 'file' && stream === true ? this.#part : undefined
  }

  #keep(part: OpenPart, bytes: Uint8Array): DecodeFault | undefined {
    part.size += bytes.length
    if (part.size > part.limit) return failPartTooLarge(part)
    if (part.kind === 'unknown') return undefined
    part.pieces.push(bytes)
    this.#source.reserveBytes?.(bytes.length)
    return undefined
  }

  #finish({ head, kind, declared, pieces, size }: OpenPart): DecodeFault | undefined {
    const { writer } = this.#source
    if (kind === 'unknown') writer.set(head.name, '')
    else if (kind === 'file') {
      if (head.filename !== '' || size > 0) writer.set(head.name, new BufferedFile(toFileHead(head), pieces))
    } else {
      if (head.type !== undefined && !isReadableCharset(head.type))
        return failMalformed(createReason('part-charset', { part: head.name }))
      const read = kind === 'json' ? this.#readJson(concatBytes(pieces)) : readText(concatBytes(pieces))
      if (isFailed(read)) return failUnreadablePart(head.name, read.fault)
      if (kind === 'text') writer.setText(head.name, read.value as string)
      else writer.set(head.name, writer.form.hasJsonTexts ? stringifyJsonTexts(declared, read.value) : read.value)
    }
    return undefined
  }

  // All JSON parts of a body share the limit of one JSON body.
  #readJson(bytes: Uint8Array): JsonResult {
    const maxDelimiters = getMaxDelimiters(this.#source.limits.field)
    const read = readJson(bytes, maxDelimiters, this.#jsonDelimiters)
    this.#jsonDelimiters += measureJson(bytes, maxDelimiters, MAX_JSON_DEPTH).delimiters
    return read
  }
}

const failPartTooLarge = ({ head, limit }: OpenPart): DecodeFault =>
  failTooLarge(createReason('part-size', { part: head.name, limit }))

const failUnreadablePart = (part: string, { detail, reason }: ProblemReason): DecodeFault =>
  failMalformed(createReason('part-value', { part, why: detail, reason: reason.code, ...reason.values }))

function readText(bytes: Uint8Array): JsonResult {
  const value = decodeUtf8(bytes)
  return value === undefined ? { fault: NOT_UTF8 } : { value }
}

const toFileHead = ({ filename, typeText }: PartHead): FileHead => ({
  filename: filename || undefined,
  type: typeText ?? DEFAULT_FILE_TYPE,
})

// Browsers name a JSON Blob "blob": unless a file is declared, the type decides.
function classifyPart({ filename, type }: PartHead, declared: Attribute | undefined): 'file' | 'json' | 'text' {
  const json = type !== undefined && isJsonType(type.essence)
  // The attribute parses the JSON, and reports the position of an error as it does for a query.
  if (declared !== undefined && isJsonText(declared) && (filename === undefined || json)) return 'text'
  if (declared?.core.shape === 'file' ? filename !== undefined || type !== undefined : filename !== undefined && !json)
    return 'file'
  return json ? 'json' : 'text'
}

/** Returns the attribute that a name leads to; undefined where any name is valid, null where the name is unknown. */
function findPartAttribute(
  payload: Attribute,
  steps: readonly string[],
  closed: boolean,
): Attribute | undefined | null {
  if (closed && !Object.hasOwn(payload.core.children, steps[0] as string)) return null
  let found: Attribute | undefined = payload
  for (const step of steps) found = found && getChildAttribute(found, step)
  if (found !== undefined && isJsonText(found)) return found
  // The elements of a list arrive one by one, under the name of the list.
  return found?.core.children['*'] ?? found
}

async function* streamRest(input: MultipartInput, part: OpenPart): AsyncGenerator<Uint8Array, void, undefined> {
  let ended = false
  try {
    for (let event = await input.next(); event !== undefined; event = await input.next()) {
      if (event.kind === 'data' && !ended) {
        part.size += event.bytes.length
        if (part.size > part.limit) throw new DecodeError(failPartTooLarge(part))
        yield event.bytes
      } else if (event.kind === 'end') ended = true
      else
        throw new DecodeError(
          failMalformed(event.kind === 'fault' ? event.why : createReason('part-last', { part: part.head.name })),
        )
    }
  } finally {
    await input.stop()
  }
}
