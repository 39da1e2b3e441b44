// Content codings: which a client accepts, in which order, and what encodes them on this runtime.
import Negotiator from 'negotiator'
import type { StreamBody } from '../../index.ts'
import { encodeStreamBody, type ZlibTransform } from './encode-stream.ts'

/** A content coding. */
export type Coding = 'zstd' | 'br' | 'gzip'

/** The codings in the order in which they are preferred where a client likes them alike. */
export const CODINGS: readonly Coding[] = ['zstd', 'br', 'gzip']

/** Encodes bodies. */
export interface BodyEncoder {
  encodeBody(body: string | Uint8Array): Promise<Uint8Array>
  /** Encodes a stream, each piece of which reaches the client before the next; undefined where that cannot be done. */
  readonly encodeStream: ((body: StreamBody) => StreamBody) | undefined
}

/** The parts of `node:zlib` that are used; zstd is there since Node 22.15. */
interface Zlib {
  readonly constants: Readonly<Record<string, number>>
  readonly gzip: CompressFunction
  readonly createGzip: TransformFactory
  readonly brotliCompress: CompressFunction
  readonly createBrotliCompress: TransformFactory
  readonly zstdCompress?: CompressFunction
  readonly createZstdCompress?: TransformFactory
}

// Not imported, so that other runtimes can load this file: Bun and Deno have the module, workers may have none.
function getZlib(): Zlib | undefined {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } }
  return process?.getBuiltinModule?.('node:zlib') as Zlib | undefined
}

/** The encoders of this runtime. */
export function createEncoders(wanted: readonly Coding[]): ReadonlyMap<Coding, BodyEncoder> {
  const zlib = getZlib()
  const made = wanted.flatMap((coding): [Coding, BodyEncoder][] => {
    const own = zlib === undefined ? undefined : createNodeEncoder(coding, zlib)
    const encoder = own ?? (coding === 'gzip' ? createWebEncoder() : undefined)
    return encoder === undefined ? [] : [[coding, encoder]]
  })
  return new Map(made)
}

/** Qualities at which answers are made as fast as networks take them: beyond, Brotli takes ten times as long for a tenth less. */
const BROTLI_QUALITY = 4
const ZSTD_LEVEL = 3

type CompressFunction = (
  body: string | Uint8Array,
  options: object,
  done: (error: Error | null, bytes: Uint8Array) => void,
) => void
type TransformFactory = (options: object) => ZlibTransform

interface NodeCoding {
  readonly compress: CompressFunction
  readonly createTransform: TransformFactory
  readonly options: object
  /** The flush mode that sends each piece of a stream at once. */
  readonly flush: number
}

function findNodeCoding(coding: Coding, zlib: Zlib): NodeCoding | undefined {
  const { gzip, createGzip, brotliCompress, createBrotliCompress, zstdCompress, createZstdCompress } = zlib
  const constant = (name: string): number => zlib.constants[name] as number
  if (coding === 'gzip') return { compress: gzip, createTransform: createGzip, options: {}, flush: constant('Z_SYNC_FLUSH') }
  if (coding === 'br') {
    const options = { params: { [constant('BROTLI_PARAM_QUALITY')]: BROTLI_QUALITY } }
    return { compress: brotliCompress, createTransform: createBrotliCompress, options, flush: constant('BROTLI_OPERATION_FLUSH') }
  }
  if (zstdCompress === undefined || createZstdCompress === undefined) return undefined
  const options = { params: { [constant('ZSTD_c_compressionLevel')]: ZSTD_LEVEL } }
  return { compress: zstdCompress, createTransform: createZstdCompress, options, flush: constant('ZSTD_e_flush') }
}

function createNodeEncoder(coding: Coding, zlib: Zlib): BodyEncoder | undefined {
  const found = findNodeCoding(coding, zlib)
  if (found === undefined) return undefined
  const { compress: whole, createTransform: stream, options, flush } = found
  return {
    encodeBody: (body) =>
      new Promise((resolve, reject) => {
        whole(body, options, (error, bytes) => (error === null ? resolve(bytes) : reject(error)))
      }),
    encodeStream: (body) => encodeStreamBody(body, () => stream({ ...options, flush })),
  }
}

// Its stream cannot be made to send each piece at once, so that only whole bodies are encoded.
function createWebEncoder(): BodyEncoder | undefined {
  if (typeof CompressionStream === 'undefined') return undefined
  return {
    encodeStream: undefined,
    async encodeBody(body) {
      const stream = new Blob([body as BlobPart]).stream().pipeThrough(new CompressionStream('gzip'))
      return new Uint8Array(await new Response(stream).arrayBuffer())
    },
  }
}

/** The coding that a client wants: one, none, or none that the server has; and whether it rejects bodies without a coding. */
export interface CodingChoice {
  readonly coding: Coding | 'identity' | undefined
  readonly rejectsIdentity: boolean
}

// Its published types do not know the second argument.
interface PreferringNegotiator {
  encodings(available: readonly string[], settings: { readonly preferred: readonly string[] }): string[]
}

/** How many texts of `Accept-Encoding` are kept; browsers send a handful. */
const MAX_CACHED_CHOICES = 64

/** Makes the choice of a coding by `Accept-Encoding`. */
export function createCodingChooser(available: readonly Coding[]): (accept: string | undefined) => CodingChoice {
  const kept = new Map<string, CodingChoice>()
  const all = [...available, 'identity']
  const choose = (accept: string): CodingChoice => {
    const negotiator: PreferringNegotiator = new Negotiator({ headers: { 'accept-encoding': accept } })
    const accepted = negotiator.encodings(all, { preferred: all })
    return { coding: accepted[0] as CodingChoice['coding'], rejectsIdentity: !accepted.includes('identity') }
  }
  return (accept) => {
    if (accept === undefined) return NO_PREFERENCE
    const known = kept.get(accept) ?? choose(accept)
    if (kept.size < MAX_CACHED_CHOICES) kept.set(accept, known)
    return known
  }
}

const NO_PREFERENCE: CodingChoice = { coding: 'identity', rejectsIdentity: false }
