// The plugin `compression`: encodes response bodies in the preferred coding of the client.
import {
  form,
  getEssence,
  type OutgoingResponse,
  type Plugin,
  problem,
  type ResolvedAction,
  reportFlaws,
} from '../../extend.ts'
import type { RawHeaders } from '../../index.ts'
import { codes } from './codes.ts'
import {
  type BodyEncoder,
  CODINGS,
  type Coding,
  type CodingChoice,
  createCodingChooser,
  createEncoders,
} from './codings.ts'

/** The options of `compression`. */
export interface CompressionOptions {
  /**
   * The smallest body in bytes that is compressed; for text, the number of characters.
   * @default 1024
   */
  readonly threshold?: number
  /**
   * The codings to use, in order of preference. Those that the runtime lacks are skipped.
   * @default `['zstd', 'br', 'gzip']`
   */
  readonly codings?: readonly Coding[]
  /**
   * Media types to compress in addition to text, JSON, XML, scripts, uncompressed fonts and similar types.
   * @default none
   */
  readonly types?: readonly string[]
}

const FIELDS: form.Fields<CompressionOptions> = {
  threshold: form.integerFrom(0),
  codings: form.list(form.choice(...CODINGS)),
  types: form.list(form.name),
}

/** Types that compress well; images, audio, video and archives are compressed already. */
const COMPRESSIBLE =
  /^(?:text\/[^;]+|[^;]+\+(?:json|xml|text|yaml)|application\/(?:json|javascript|xml|yaml|toml|sql|graphql|wasm|rtf|(?:x-)?ndjson|jsonl|json-seq|x-www-form-urlencoded|vnd\.ms-fontobject)|font\/(?:ttf|otf)|image\/(?:bmp|svg\+xml))$/

/** Compresses responses according to `Accept-Encoding`. */
export function compression(options: CompressionOptions = {}): Plugin {
  const { value, flaws } = form.accept(options, FIELDS)
  const { threshold = 1024, codings = CODINGS } = value
  const available = createEncoders(codings)
  const choose = createCodingChooser([...available.keys()])
  const types = new Set(value.types?.map((type) => type.toLowerCase()))
  const readChoice = (headers: RawHeaders): CodingChoice => choose(headers['accept-encoding'] as string | undefined)
  const isCompressible = (response: OutgoingResponse): boolean => {
    const type = getEssence(response.get('Content-Type') ?? '')
    return COMPRESSIBLE.test(type) || types.has(type)
  }
  return Object.freeze({
    name: 'compression',
    codes,
    responseHeaders: ['Vary', 'Accept-Encoding'],
    checkOptions: (report) => reportFlaws('compression', flaws, report),
    // Rejects the request before it has an effect.
    arrival: ({ headers }) =>
      readChoice(headers).coding === undefined ? problem(codes.failures['no-acceptable-coding']) : undefined,
    response(response, { headers, method, declaration }) {
      const { coding, rejectsIdentity } = readChoice(headers)
      const { body } = response
      if (!rejectsIdentity && (typeof body === 'string' || body instanceof Uint8Array) && body.length < threshold)
        return
      const encoder = coding === undefined || coding === 'identity' ? undefined : available.get(coding)
      if (encoder === undefined || !isEncodable(response) || !(rejectsIdentity || isCompressible(response))) return
      return encodeResponse(response, { coding: coding as Coding, encoder, isHead: method === 'HEAD', declaration })
    },
  } satisfies Plugin)
}

const STATUSES_WITHOUT_BODY = new Set([204, 205, 206, 304])

/** Returns whether the body may be encoded: it has no coding yet, and nothing depends on its bytes. */
function isEncodable(response: OutgoingResponse): boolean {
  if (response.body === null || STATUSES_WITHOUT_BODY.has(response.status)) return false
  if ((response.get('Content-Encoding') ?? 'identity') !== 'identity') return false
  if (response.get('Content-Digest') !== undefined) return false
  return !/(?:^|[\s,])no-transform(?:[\s,]|$)/i.test(response.get('Cache-Control') ?? '')
}

interface EncodingContext {
  readonly coding: Coding
  readonly encoder: BodyEncoder
  readonly isHead: boolean
  readonly declaration: ResolvedAction | undefined
}

function encodeResponse(response: OutgoingResponse, encoding: EncodingContext): void | Promise<void> {
  const { body } = response
  const { encoder, isHead } = encoding
  if (body === null) return
  if (typeof body === 'string' || body instanceof Uint8Array) {
    markEncoded(response, encoding)
    if (isHead) {
      response.body = null
      return
    }
    return encoder.encodeBody(body).then((bytes) => {
      response.body = bytes
    })
  }
  if (encoder.encodeStream === undefined) return
  markEncoded(response, encoding)
  // The stream of a HEAD response is not read; it is cancelled as it is.
  if (!isHead) response.body = encoder.encodeStream(body)
}

function markEncoded(response: OutgoingResponse, { coding, declaration }: EncodingContext): void {
  response.set('Content-Encoding', coding)
  response.delete('Content-Length')
  const tag = response.get('ETag')
  if (tag?.startsWith('"')) response.set('ETag', deriveTag(tag, coding, declaration))
}

// The bytes differ, so a strong tag must change or become weak (RFC 9110, section 8.8.3.3).
function deriveTag(tag: string, coding: Coding, declaration: ResolvedAction | undefined): string {
  const hasCodedTags =
    declaration !== undefined && [...declaration.policies.values()].some(({ codedTags }) => codedTags)
  return hasCodedTags ? `${tag.slice(0, -1)};${coding}"` : `W/${tag}`
}
