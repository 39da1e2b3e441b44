// The plugin: bodies leave in the coding that their client likes best, where that is worth it.
import { form, type OutgoingResponse, type Plugin, problem, type ResolvedAction, reportFlaws } from '../../extend.ts'
import type { RawHeaders } from '../../index.ts'
import { codes } from './codes.ts'
import { type CodingChoice, CODINGS, type Coding, createCodingChooser, type BodyEncoder, createEncoders } from './codings.ts'

/** Options of the plugin `compression`. */
export interface CompressionOptions {
  /**
   * The smallest body in bytes that is compressed; for a text, the number of characters.
   * @default 1024
   */
  readonly threshold?: number
  /**
   * The codings to use, the preferred one first; those that the runtime lacks are skipped.
   * @default `['zstd', 'br', 'gzip']`
   */
  readonly codings?: readonly Coding[]
  /**
   * Further media types to compress, beside texts, JSON, XML, scripts, uncompressed fonts and the like.
   * @default none
   */
  readonly types?: readonly string[]
}

const FIELDS: form.Fields<CompressionOptions> = {
  threshold: form.integerFrom(0),
  codings: form.list(form.choice(...CODINGS)),
  types: form.list(form.name),
}

/** Types whose bodies get smaller; those of images, sounds, films and archives are compressed already. */
const COMPRESSIBLE =
  /^(?:text\/[^;]+|[^;]+\+(?:json|xml|text|yaml)|application\/(?:json|javascript|xml|yaml|toml|sql|graphql|wasm|rtf|(?:x-)?ndjson|jsonl|json-seq|x-www-form-urlencoded|vnd\.ms-fontobject)|font\/(?:ttf|otf)|image\/(?:bmp|svg\+xml))$/

/** Compresses responses according to `Accept-Encoding`. */
export function compression(options: CompressionOptions = {}): Plugin {
  const { value, flaws } = form.accept(options, FIELDS)
  const { threshold = 1024, codings = CODINGS } = value
  const available = createEncoders(codings)
  const choose = createCodingChooser([...available.keys()])
  const types = new Set(value.types?.map((type) => type.toLowerCase()))
  const asked = (headers: RawHeaders): CodingChoice => choose(headers['accept-encoding'] as string | undefined)
  const isWorth = (response: OutgoingResponse): boolean => {
    const [type = ''] = (response.get('Content-Type') ?? '').toLowerCase().split(';')
    return COMPRESSIBLE.test(type.trim()) || types.has(type.trim())
  }
  return Object.freeze({
    name: 'compression',
    codes,
    responseHeaders: ['Vary', 'Accept-Encoding'],
    checkOptions: (report) => reportFlaws('compression', flaws, report),
    // Before anything happens that could not be told of.
    arrival: ({ headers }) =>
      asked(headers).coding === undefined ? problem(codes.failures['no-acceptable-coding']) : undefined,
    answer(response, { headers, method, declaration }) {
      const { coding, rejectsIdentity: insists } = asked(headers)
      const { body } = response
      if (!insists && (typeof body === 'string' || body instanceof Uint8Array) && body.length < threshold) return
      const encoder = coding === undefined || coding === 'identity' ? undefined : available.get(coding)
      if (encoder === undefined || !isEncodable(response) || !(insists || isWorth(response))) return
      return encodeResponse(response, { coding: coding as Coding, encoder, isHead: method === 'HEAD', declaration })
    },
  } satisfies Plugin)
}

const STATUSES_WITHOUT_BODY = new Set([204, 205, 206, 304])

/** Whether the body may be encoded: it has no coding yet, and nothing depends on its bytes. */
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
  const { encoder, isHead: head } = encoding
  if (body === null) return
  if (typeof body === 'string' || body instanceof Uint8Array) {
    markEncoded(response, encoding)
    if (head) {
      response.body = null
      return
    }
    return encoder.encodeBody(body).then((bytes) => {
      response.body = bytes
    })
  }
  if (encoder.encodeStream === undefined) return
  markEncoded(response, encoding)
  // An unread stream is cancelled as it is.
  if (!head) response.body = encoder.encodeStream(body)
}

function markEncoded(response: OutgoingResponse, { coding, declaration }: EncodingContext): void {
  response.set('Content-Encoding', coding)
  response.delete('Content-Length')
  const tag = response.get('ETag')
  if (tag?.startsWith('"')) response.set('ETag', deriveTag(tag, coding, declaration))
}

// The bytes are others, so that a strong tag has to be another one, or a weak one (RFC 9110, section 8.8.3.3).
function deriveTag(tag: string, coding: Coding, declaration: ResolvedAction | undefined): string {
  const coded = declaration !== undefined && [...declaration.policies.values()].some(({ codedTags }) => codedTags)
  return coded ? `${tag.slice(0, -1)};${coding}"` : `W/${tag}`
}
