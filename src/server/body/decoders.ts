// Decodes bodies into the input of a payload's loader: JSON, text, forms, multipart bodies, files.
import type { ResolvedPayload } from '../../design/resolve/resolved.ts'
import { Loading, type ValueSource } from '../../schema/loading.ts'
import type { FileOptions } from '../../schema/structures/file.ts'
import { isFailed } from '../../util/failed.ts'
import { createReason } from '../problem/reasons.ts'
import { parseQuery, type QueryLimits } from '../query/parse-query.ts'
import { createTree, createTreeForm, type RawTree, TreeWriter } from '../query/value-tree.ts'
import type { BodyFault, RawHeaders } from '../transport.ts'
import { type ContentType, isReadableCharset } from './content-type.ts'
import {
  type DecodeFault,
  failBodyTooLarge,
  failMalformed,
  failUnsupportedType,
  mapThrownFault,
  mapTransportFault,
} from './decode-fault.ts'
import type { ReadableBody } from './inflate.ts'
import { type MultipartLimits, readMultipart } from './multipart/multipart.ts'
import { decodeUtf8, getMaxDelimiters, NOT_UTF8, readJson } from './read-json.ts'
import { BufferedFile, type FileHead, StreamedFile } from './received-file.ts'

/** A decoded body: the input of the payload's loader. */
export interface DecodedBody {
  /** Undefined when there is no body and the payload is not a structure. */
  readonly raw: unknown
  /** The form of the values: text in forms. */
  readonly source: ValueSource
  /** True if no text has U+0000 or a lone surrogate. */
  readonly hasPlainTexts?: boolean
  /** Set when some names do not match the payload: it holds these issues, and the loader must continue with it. */
  readonly loading?: Loading
}

/** Receives a decoded body, or the reason why it could not be decoded. */
export type DecodeCallback = (result: DecodedBody | DecodeFault) => void

/** Reads a body of one type and calls back exactly once. */
export type DecodeBody = (body: ReadableBody, type: ContentType, headers: RawHeaders, done: DecodeCallback) => void

/** The settings of a payload's decoders. */
export interface DecodeSettings {
  readonly payload: ResolvedPayload
  readonly limits: QueryLimits & MultipartLimits & { readonly body: number }
  readonly ignores: ((name: string) => boolean) | undefined
  /** Whether a request without a Content-Type is rejected, regardless of its body. */
  readonly requiresType: boolean
  /** The value of an empty body. */
  readonly emptyBody: DecodedBody
}

/** Creates a decoder of JSON. */
export function createJsonDecoder(settings: DecodeSettings): DecodeBody {
  const maxDelimiters = getMaxDelimiters(settings.limits.body)
  return createBufferedDecoder(settings, (bytes) => {
    const result = readJson(bytes, maxDelimiters)
    return isFailed(result)
      ? failMalformed(result.fault)
      : { raw: result.value, source: 'json', hasPlainTexts: result.hasPlainTexts === true }
  })
}

/** Creates a decoder of a body that is a single text. */
export function createTextDecoder(settings: DecodeSettings): DecodeBody {
  return createBufferedDecoder(settings, (bytes) => {
    const raw = decodeUtf8(bytes)
    return raw === undefined ? failMalformed(NOT_UTF8) : { raw, source: 'text' }
  })
}

/** Creates a decoder of application/x-www-form-urlencoded. */
export function createFormDecoder(settings: DecodeSettings): DecodeBody {
  const { limits } = settings
  const createWriter = createWriterFactory(settings)
  return createBufferedDecoder(settings, (bytes) => {
    const text = decodeUtf8(bytes)
    if (text === undefined) return failMalformed(NOT_UTF8)
    const writer = createWriter()
    if (parseQuery(text, 0, writer, limits.pairs)) return toDecodedBody(writer.tree, writer.loading)
    return failMalformed(createReason('form-fields', { limit: limits.pairs }))
  })
}

// RFC 2046, 5.1.1, but with any printable character: clients use others too, and they are harmless.
const BOUNDARY = /^[ -~]{0,69}[!-~]$/

/** Creates a decoder of multipart/form-data. */
export function createMultipartDecoder(settings: DecodeSettings): DecodeBody {
  const { payload, limits } = settings
  const closed = payload.form === 'structure'
  const createWriter = createWriterFactory(settings)
  return (body, type, _, done) => {
    const boundary = type.parameters.get('boundary') ?? ''
    if (!BOUNDARY.test(boundary)) return done(failMalformed(createReason('boundary')))
    const writer = createWriter()
    const pieces = body.pieces(limits.body)
    const reserveBytes = (bytes: number): void => body.reserveBytes?.(bytes)
    readMultipart({ pieces, reserveBytes, boundary, attribute: payload.attribute, closed, writer, limits }).then(
      (fault) => done(fault ?? toDecodedBody(writer.tree, writer.loading)),
      (thrown: unknown) => done(mapThrownFault(thrown, limits.body)),
    )
  }
}

/** Creates a decoder that returns the body as a file: buffered, or still arriving. */
export function createFileDecoder({ payload, limits, emptyBody }: DecodeSettings): DecodeBody {
  const { max = limits.body, stream = false } = payload.attribute.options as FileOptions
  const limit = Math.min(max, limits.body)
  return (body, _, headers, done) => {
    const head: FileHead = { filename: undefined, type: String(headers['content-type']) }
    if (Number(headers['content-length']) > limit) return done(failBodyTooLarge(limit))
    if (!stream) {
      return body.collect(limit, (received) => {
        if (isFault(received)) return done(toDecodeFault(received, limit))
        done(received.length === 0 ? emptyBody : { raw: new BufferedFile(head, [received]), source: 'json' })
      })
    }
    awaitFirstPiece(body.pieces(limit)).then(
      (pieces) => done(pieces === undefined ? emptyBody : { raw: new StreamedFile(head, pieces), source: 'json' }),
      (thrown: unknown) => done(mapThrownFault(thrown, limit)),
    )
  }
}

function createBufferedDecoder(
  { limits, emptyBody, payload }: DecodeSettings,
  decode: (bytes: Uint8Array) => DecodedBody | DecodeFault,
): DecodeBody {
  const limit = limits.body
  return (body, type, _, done) => {
    if (!isReadableCharset(type)) return done(failUnsupportedType('charset', { accepted: payload.consumes }))
    body.collect(limit, (received) => {
      if (isFault(received)) return done(toDecodeFault(received, limit))
      done(received.length === 0 ? emptyBody : decode(received))
    })
  }
}

type ReadFault = BodyFault | DecodeFault

const isFault = (received: Uint8Array | ReadFault): received is ReadFault =>
  typeof received === 'string' || isFailed(received)

const toDecodeFault = (fault: ReadFault, limit: number): DecodeFault =>
  typeof fault === 'string' ? mapTransportFault(fault, limit) : fault

function createWriterFactory({ payload, limits, ignores }: DecodeSettings): () => TreeWriter {
  const form = createTreeForm(payload.attribute, limits.depth, payload.form === 'structure')
  return () => new TreeWriter(createTree(), form, new Loading('text', ignores))
}

const toDecodedBody = (raw: RawTree, loading: Loading): DecodedBody =>
  loading.issues === null ? { raw, source: 'text' } : { raw, source: 'text', loading }

/**
 * Waits for the first piece, because a request need not declare whether it has a body; returns undefined if it has
 * none.
 */
async function awaitFirstPiece(pieces: AsyncIterable<Uint8Array>): Promise<AsyncIterator<Uint8Array> | undefined> {
  const iterator = pieces[Symbol.asyncIterator]()
  for (;;) {
    const first = await iterator.next()
    if (first.done) return undefined
    if (first.value.length > 0) return prependPiece(first, iterator)
  }
}

function prependPiece(
  first: IteratorResult<Uint8Array>,
  iterator: AsyncIterator<Uint8Array>,
): AsyncIterator<Uint8Array> {
  let started = false
  return {
    async next() {
      if (started) return iterator.next()
      started = true
      return first
    },
    async return() {
      await iterator.return?.()
      return { done: true, value: undefined }
    },
  }
}
