// The one table from a payload and a content type to the way a body is read; what is decoded here is what loaders see.
import { FORM_TYPE, isJsonType, MULTIPART_TYPE } from '../../design/resolve/consumes.ts'
import { isEmptyStructure } from '../../design/resolve/payload.ts'
import type { ResolvedPayload } from '../../design/resolve/resolved.ts'
import { reasoned } from '../failure/reasons.ts'
import type { QueryLimits } from '../query/query.ts'
import type { RawHeaders, Transport } from '../transport.ts'
import { accepts, type ContentType, parseContentType } from './content-type.ts'
import {
  type Decode,
  type Decoded,
  type DecodeSettings,
  type Done,
  fileDecoder,
  formDecoder,
  jsonDecoder,
  multipartDecoder,
  textDecoder,
} from './decoders.ts'
import {
  bodyTooLarge,
  type DecodeFault,
  malformed,
  transportFault,
  unsupportedCoding,
  unsupportedType,
} from './fault.ts'
import { codingOf, inflated } from './inflate.ts'
import { MULTIPART_LIMITS, type MultipartLimits } from './multipart/multipart.ts'

export type { Decoded } from './decoders.ts'
export type { DecodeFault } from './fault.ts'

/** How much a body may hold: bytes after decompression, pairs and depth of forms, parts of multipart bodies. */
export interface CodecLimits extends QueryLimits, Partial<MultipartLimits> {
  readonly body: number
}

/** Reads the bodies of one action. */
export interface PayloadCodec {
  /** Reads and decodes the body of a request; calls back exactly once and never throws. */
  read(transport: Transport, done: (result: Decoded | DecodeFault) => void): void
}

/**
 * Makes the codec of a payload, once per action; `ignores` names the unknown attributes that are not refused. A body that is
 * `typed` has a Content-Type even if it is empty.
 */
export function payloadCodec(
  payload: ResolvedPayload,
  limits: CodecLimits,
  ignores?: (name: string) => boolean,
  typed = false,
): PayloadCodec {
  const raw = isEmptyStructure(payload) ? Object.freeze({}) : undefined
  const nothing = Object.freeze({ raw, text: false })
  return new Codec({ payload, limits: { ...MULTIPART_LIMITS, ...limits }, ignores, nothing, typed })
}

// A type behind a comma that stands in no quotes.
const isJoined = (sent: RawHeaders[string]): boolean =>
  typeof sent !== 'string' ? sent !== undefined : /^[^",]*(?:"[^"]*"[^",]*)*,[ \t]*[^\s"/]+\//.test(sent)

class Codec implements PayloadCodec {
  readonly #settings: DecodeSettings
  readonly #decoderOf: (essence: string) => Decode | undefined

  constructor(settings: DecodeSettings) {
    this.#settings = settings
    this.#decoderOf = decoderTable(settings)
  }

  read(transport: Transport, done: Done): void {
    const { limits, nothing } = this.#settings
    const { headers } = transport
    const length = headers['content-length']
    const sent = headers['content-type']
    if (sent === undefined && this.#settings.typed) return done(this.#refusal(sent, undefined))
    if (length === '0') return done(nothing)
    const type = typeof sent === 'string' ? parseContentType(sent) : undefined
    const decode = type && this.#decoderOf(type.essence)
    // Node shows the first of two, and Fetch joins them: a proxy may have gone by the other one.
    if (transport.repeats?.('content-type') ?? (type === undefined && isJoined(sent)))
      return this.#refuse(transport, malformed(reasoned('type-repeated')), done)
    if (type === undefined || decode === undefined) return this.#refuse(transport, this.#refusal(sent, type), done)
    if (Number(length) > limits.body) return done(bodyTooLarge(limits.body))
    const coding = codingOf(headers['content-encoding'])
    if (coding === 'identity') decode(transport, type, headers, done)
    else if (coding === undefined) done(unsupportedCoding())
    else decode(inflated(transport, coding), type, headers, done)
  }

  #refusal(sent: RawHeaders[string], type: ContentType | undefined): DecodeFault {
    const { consumes: accepted } = this.#settings.payload
    if (sent === undefined) return unsupportedType('type-missing', { accepted })
    if (type === undefined) return unsupportedType('type-malformed', { accepted })
    return unsupportedType('type-unsupported', { type: type.essence, accepted })
  }

  // Where the headers do not say whether there is a body at all, only reading tells.
  #refuse(transport: Transport, fault: DecodeFault, done: Done): void {
    const { headers } = transport
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return done(fault)
    transport.collect(0, (body) => {
      if (typeof body === 'string') done(body === 'too-large' ? fault : transportFault(body, 0))
      else done(body.length === 0 ? this.#settings.nothing : fault)
    })
  }
}

function wholeDecoder(settings: DecodeSettings): Decode | undefined {
  const { form } = settings.payload
  if (form === 'file') return fileDecoder(settings)
  return form === 'text' ? textDecoder(settings) : undefined
}

function decoderTable(settings: DecodeSettings): (essence: string) => Decode | undefined {
  const { form, consumes } = settings.payload
  const accepted = accepts(consumes)
  const json = jsonDecoder(settings)
  const others = new Map<string, Decode>()
  // A text may come in any type that is accepted, a file even in JSON's.
  const any = wholeDecoder(settings)
  if (any === undefined) {
    others.set(FORM_TYPE, formDecoder(settings))
    others.set(MULTIPART_TYPE, multipartDecoder(settings))
  }
  return (essence) => {
    if (!accepted(essence)) return undefined
    return form !== 'file' && isJsonType(essence) ? json : (any ?? others.get(essence))
  }
}
