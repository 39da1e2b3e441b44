// Decoders of bodies into the input of a payload's loader: JSON, text, forms, multipart bodies, files.
import type { ResolvedPayload } from '../../design/resolve/resolved.ts'
import { Loading } from '../../schema/loading.ts'
import type { FileOptions } from '../../schema/structures/file.ts'
import { isFailed } from '../../util/failed.ts'
import { reasoned } from '../problem/reasons.ts'
import { parseQuery, type QueryLimits } from '../query/parse-query.ts'
import { type RawTree, createTree, TreeWriter, createTreeForm } from '../query/value-tree.ts'
import type { BodyFault, RawHeaders } from '../transport.ts'
import { type ContentType, isReadableCharset } from './content-type.ts'
import { bodyTooLarge, type DecodeFault, failMalformed, mapThrownFault, mapTransportFault, failUnsupportedType } from './decode-fault.ts'
import { BufferedFile, type FileHead, StreamedFile } from './received-file.ts'
import type { ReadableBody } from './inflate.ts'
import { decodeUtf8, getMaxDelimiters, NOT_UTF8, readJson } from './read-json.ts'
import { type MultipartLimits, readMultipart } from './multipart/multipart.ts'

/** A decoded body: what the payload's loader gets. */
export interface DecodedBody {
  /** Undefined when there is no body and the payload is not a structure. */
  readonly raw: unknown
  /** True when values came as text, as in forms. */
  readonly text: boolean
  /** Set when some names had no place in the payload: it holds these issues, and the loader has to go on with it. */
  readonly loading?: Loading
}

/** Called with what a body was decoded into, or why it could not be. */
export type DecodeCallback = (result: DecodedBody | DecodeFault) => void

/** Reads a body of one kind and calls back exactly once. */
export type DecodeBody = (body: ReadableBody, type: ContentType, headers: RawHeaders, done: DecodeCallback) => void

/** The facts about a payload that decoders need. */
export interface DecodeSettings {
  readonly payload: ResolvedPayload
  readonly limits: QueryLimits & MultipartLimits & { readonly body: number }
  readonly ignores: ((name: string) => boolean) | undefined
  /** Whether a request without a Content-Type is refused, whatever its body. */
  readonly requiresType: boolean
  /** The value of an empty body. */
  readonly emptyBody: DecodedBody
}

/** Decodes JSON. */
export function createJsonDecoder(settings: DecodeSettings): DecodeBody {
  const maxSigns = getMaxDelimiters(settings.limits.body)
  return createBufferedDecoder(settings, (bytes) => {
    const result = readJson(bytes, maxSigns)
    return isFailed(result) ? failMalformed(result.fault) : { raw: result.value, text: false }
  })
}

/** Decodes a body that is itself one text. */
export function createTextDecoder(settings: DecodeSettings): DecodeBody {
  return createBufferedDecoder(settings, (bytes) => {
    const raw = decodeUtf8(bytes)
    return raw === undefined ? failMalformed(NOT_UTF8) : { raw, text: true }
  })
}

/** Decodes application/x-www-form-urlencoded. */
export function createFormDecoder(settings: DecodeSettings): DecodeBody {
  const { limits } = settings
  const writerOf = createWriterFactory(settings)
  return createBufferedDecoder(settings, (bytes) => {
    const text = decodeUtf8(bytes)
    if (text === undefined) return failMalformed(NOT_UTF8)
    const writer = writerOf()
    if (parseQuery(text, 0, writer, limits.pairs)) return toDecodedBody(writer.tree, writer.loading)
    return failMalformed(reasoned('form-fields', { limit: limits.pairs }))
  })
}

// RFC 2046, 5.1.1, but for the signs: clients use others too, and none of them does harm.
const BOUNDARY = /^[ -~]{0,69}[!-~]$/

/** Decodes multipart/form-data. */
export function createMultipartDecoder(settings: DecodeSettings): DecodeBody {
  const { payload, limits } = settings
  const closed = payload.form === 'structure'
  const writerOf = createWriterFactory(settings)
  return (body, type, _, done) => {
    const boundary = type.parameters.get('boundary') ?? ''
    if (!BOUNDARY.test(boundary)) return done(failMalformed(reasoned('boundary')))
    const writer = writerOf()
    const pieces = body.pieces(limits.body)
    const keep = (bytes: number): void => body.keep?.(bytes)
    readMultipart({ pieces, keep, boundary, attribute: payload.attribute, closed, writer, limits }).then(
      (fault) => done(fault ?? toDecodedBody(writer.tree, writer.loading)),
      (thrown: unknown) => done(mapThrownFault(thrown, limits.body)),
    )
  }
}

/** Hands the body over as a file: whole, or still arriving. */
export function createFileDecoder({ payload, limits, emptyBody: nothing }: DecodeSettings): DecodeBody {
  const { max = limits.body, stream = false } = payload.attribute.options as FileOptions
  const limit = Math.min(max, limits.body)
  return (body, _, headers, done) => {
    const head: FileHead = { filename: undefined, type: String(headers['content-type']) }
    if (Number(headers['content-length']) > limit) return done(bodyTooLarge(limit))
    if (!stream) {
      return body.collect(limit, (received) => {
        if (isFault(received)) return done(toDecodeFault(received, limit))
        done(received.length === 0 ? nothing : { raw: new BufferedFile(head, [received]), text: false })
      })
    }
    awaitFirstPiece(body.pieces(limit)).then(
      (pieces) => done(pieces === undefined ? nothing : { raw: new StreamedFile(head, pieces), text: false }),
      (thrown: unknown) => done(mapThrownFault(thrown, limit)),
    )
  }
}

function createBufferedDecoder(
  { limits, emptyBody: nothing, payload }: DecodeSettings,
  decode: (bytes: Uint8Array) => DecodedBody | DecodeFault,
): DecodeBody {
  const limit = limits.body
  return (body, type, _, done) => {
    if (!isReadableCharset(type)) return done(failUnsupportedType('charset', { accepted: payload.consumes }))
    body.collect(limit, (received) => {
      if (isFault(received)) return done(toDecodeFault(received, limit))
      done(received.length === 0 ? nothing : decode(received))
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
  return () => new TreeWriter(createTree(), form, new Loading(true, ignores))
}

const toDecodedBody = (raw: RawTree, loading: Loading): DecodedBody =>
  loading.issues === null ? { raw, text: true } : { raw, text: true, loading }

/** Waits for the first piece, because a request need not say beforehand whether it has a body; undefined when it has none. */
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
  let begun = false
  return {
    async next() {
      if (begun) return iterator.next()
      begun = true
      return first
    },
    async return() {
      await iterator.return?.()
      return { done: true, value: undefined }
    },
  }
}
