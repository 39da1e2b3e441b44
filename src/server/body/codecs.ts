// Maps a payload and a content type to the decoder of its body; loaders receive the decoded value.

import { isEmptyStructure } from '../../design/resolve/payload.ts'
import type { ResolvedPayload } from '../../design/resolve/resolved.ts'
import { FORM_TYPE, isJsonType, MULTIPART_TYPE } from '../../util/media-type.ts'
import { createReason } from '../problem/reasons.ts'
import type { QueryLimits } from '../query/parse-query.ts'
import type { BodySource, RawHeaders } from '../transport.ts'
import { type ContentType, createTypeMatcher, parseContentType } from './content-type.ts'
import {
  type DecodeFault,
  failBodyTooLarge,
  failMalformed,
  failUnsupportedCoding,
  failUnsupportedType,
  mapTransportFault,
} from './decode-fault.ts'
import {
  createFileDecoder,
  createFormDecoder,
  createJsonDecoder,
  createMultipartDecoder,
  createTextDecoder,
  type DecodeBody,
  type DecodeCallback,
  type DecodedBody,
  type DecodeSettings,
} from './decoders.ts'
import { inflateBody, parseCoding } from './inflate.ts'
import { MULTIPART_LIMITS, type MultipartLimits } from './multipart/multipart.ts'

export type { DecodeFault } from './decode-fault.ts'
export type { DecodedBody } from './decoders.ts'

/** The limits of a body: bytes after decompression, pairs and depth of forms, parts of multipart bodies. */
export interface CodecLimits extends QueryLimits, Partial<MultipartLimits> {
  readonly body: number
}

/** Reads the bodies of one action. */
export interface PayloadCodec {
  /** Reads and decodes the body of a request; calls back exactly once and never throws. */
  read(source: BodySource, done: (result: DecodedBody | DecodeFault) => void): void
}

/**
 * Creates the codec of a payload, once per action; `ignores` matches the unknown attributes that are not rejected. If
 * `typed`, a body must have a Content-Type even if it is empty.
 */
export function createPayloadCodec(
  payload: ResolvedPayload,
  limits: CodecLimits,
  ignores?: (name: string) => boolean,
  typed = false,
): PayloadCodec {
  const raw = isEmptyStructure(payload) ? Object.freeze({}) : undefined
  const emptyBody = Object.freeze({ raw, source: 'json' })
  return new BodyCodec({ payload, limits: { ...MULTIPART_LIMITS, ...limits }, ignores, emptyBody, requiresType: typed })
}

// A media type after a comma outside quotes.
const isJoinedHeader = (sent: RawHeaders[string]): boolean =>
  typeof sent !== 'string' ? sent !== undefined : /^[^",]*(?:"[^"]*"[^",]*)*,[ \t]*[^\s"/]+\//.test(sent)

class BodyCodec implements PayloadCodec {
  readonly #settings: DecodeSettings
  readonly #findDecoder: (essence: string) => DecodeBody | undefined

  constructor(settings: DecodeSettings) {
    this.#settings = settings
    this.#findDecoder = createDecoderTable(settings)
  }

  read(source: BodySource, done: DecodeCallback): void {
    const { limits, emptyBody } = this.#settings
    const { headers } = source
    const length = headers['content-length']
    const sent = headers['content-type']
    if (sent === undefined && this.#settings.requiresType) return done(this.#explainRefusal(sent, undefined))
    if (length === '0') return done(emptyBody)
    const type = typeof sent === 'string' ? parseContentType(sent) : undefined
    const decode = type && this.#findDecoder(type.essence)
    // Node returns the first of two headers, and Fetch joins them: a proxy may have used the other one.
    if (source.repeats?.('content-type') ?? (type === undefined && isJoinedHeader(sent)))
      return this.#refuse(source, failMalformed(createReason('type-repeated')), done)
    if (type === undefined || decode === undefined) return this.#refuse(source, this.#explainRefusal(sent, type), done)
    if (Number(length) > limits.body) return done(failBodyTooLarge(limits.body))
    const coding = parseCoding(headers['content-encoding'])
    if (coding === 'identity') decode(source, type, headers, done)
    else if (coding === undefined) done(failUnsupportedCoding())
    else decode(inflateBody(source, coding), type, headers, done)
  }

  #explainRefusal(sent: RawHeaders[string], type: ContentType | undefined): DecodeFault {
    const { consumes: accepted } = this.#settings.payload
    if (sent === undefined) return failUnsupportedType('type-missing', { accepted })
    if (type === undefined) return failUnsupportedType('type-malformed', { accepted })
    return failUnsupportedType('type-unsupported', { type: type.essence, accepted })
  }

  // Without Content-Length and Transfer-Encoding, only reading shows whether there is a body.
  #refuse(source: BodySource, fault: DecodeFault, done: DecodeCallback): void {
    const { headers } = source
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return done(fault)
    source.collect(0, (body) => {
      if (typeof body === 'string') done(body === 'too-large' ? fault : mapTransportFault(body, 0))
      else done(body.length === 0 ? this.#settings.emptyBody : fault)
    })
  }
}

function createSingleDecoder(settings: DecodeSettings): DecodeBody | undefined {
  const { form } = settings.payload
  if (form === 'file') return createFileDecoder(settings)
  return form === 'text' ? createTextDecoder(settings) : undefined
}

function createDecoderTable(settings: DecodeSettings): (essence: string) => DecodeBody | undefined {
  const { form, consumes } = settings.payload
  const isAccepted = createTypeMatcher(consumes)
  const json = createJsonDecoder(settings)
  const others = new Map<string, DecodeBody>()
  // A text body may have any accepted type; a file body may even have JSON's.
  const singleDecoder = createSingleDecoder(settings)
  if (singleDecoder === undefined) {
    others.set(FORM_TYPE, createFormDecoder(settings))
    others.set(MULTIPART_TYPE, createMultipartDecoder(settings))
  }
  return (essence) => {
    if (!isAccepted(essence)) return undefined
    return form !== 'file' && isJsonType(essence) ? json : (singleDecoder ?? others.get(essence))
  }
}
