// Content codings: negotiation by `Accept-Encoding`, and the encoders of the runtime.
import Negotiator from 'negotiator'
import { memoizeLatest } from '../../extend.ts'
import type { StreamBody } from '../../index.ts'
import { encodeStreamBody, type ZlibTransform } from './encode-stream.ts'

/** A content coding. */
export type Coding = 'zstd' | 'br' | 'gzip'

/** The codings in the order of preference among those that a client accepts equally. */
export const CODINGS: readonly Coding[] = ['zstd', 'br', 'gzip']

/** An encoder of bodies. */
export interface BodyEncoder {
  encodeBody(body: string | Uint8Array): Promise<Uint8Array>
  /** Encodes a stream and flushes each chunk before the next is read; undefined if the runtime cannot do that. */
  readonly encodeStream: ((body: StreamBody) => StreamBody) | undefined
}

/** The used parts of `node:zlib`; zstd is available since Node 22.15. */
interface Zlib {
  readonly constants: Readonly<Record<string, number>>
  readonly gzip: CompressFunction
  readonly createGzip: TransformFactory
  readonly brotliCompress: CompressFunction
  readonly createBrotliCompress: TransformFactory
  readonly zstdCompress?: CompressFunction
  readonly createZstdCompress?: TransformFactory
}

// Not imported, so that other runtimes can load this file: Bun and Deno have the module, workers may not.
function getZlib(): Zlib | undefined {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } }
  return process?.getBuiltinModule?.('node:zlib') as Zlib | undefined
}

/** Creates the available encoders of the requested codings. */
export function createEncoders(wanted: readonly Coding[]): ReadonlyMap<Coding, BodyEncoder> {
  const zlib = getZlib()
  const encoders = wanted.flatMap((coding): [Coding, BodyEncoder][] => {
    const nodeEncoder = zlib === undefined ? undefined : createNodeEncoder(coding, zlib)
    const encoder = nodeEncoder ?? (coding === 'gzip' ? createWebEncoder() : undefined)
    return encoder === undefined ? [] : [[coding, encoder]]
  })
  return new Map(encoders)
}

/** Levels that keep up with networks: a higher Brotli quality takes ten times as long and saves a tenth. */
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
  /** The flush mode that sends each chunk of a stream at once. */
  readonly flush: number
}

function findNodeCoding(coding: Coding, zlib: Zlib): NodeCoding | undefined {
  const { gzip, createGzip, brotliCompress, createBrotliCompress, zstdCompress, createZstdCompress } = zlib
  const getConstant = (name: string): number => zlib.constants[name] as number
  if (coding === 'gzip')
    return { compress: gzip, createTransform: createGzip, options: {}, flush: getConstant('Z_SYNC_FLUSH') }
  if (coding === 'br') {
    const options = { params: { [getConstant('BROTLI_PARAM_QUALITY')]: BROTLI_QUALITY } }
    return {
      compress: brotliCompress,
      createTransform: createBrotliCompress,
      options,
      flush: getConstant('BROTLI_OPERATION_FLUSH'),
    }
  }
  if (zstdCompress === undefined || createZstdCompress === undefined) return undefined
  const options = { params: { [getConstant('ZSTD_c_compressionLevel')]: ZSTD_LEVEL } }
  return { compress: zstdCompress, createTransform: createZstdCompress, options, flush: getConstant('ZSTD_e_flush') }
}

function createNodeEncoder(coding: Coding, zlib: Zlib): BodyEncoder | undefined {
  const found = findNodeCoding(coding, zlib)
  if (found === undefined) return undefined
  const { compress, createTransform, options, flush } = found
  return {
    encodeBody: (body) =>
      new Promise((resolve, reject) => {
        compress(body, options, (error, bytes) => (error === null ? resolve(bytes) : reject(error)))
      }),
    encodeStream: (body) => encodeStreamBody(body, () => createTransform({ ...options, flush })),
  }
}

// `CompressionStream` cannot flush each chunk, so only complete bodies are encoded.
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

/**
 * The result of the negotiation: the coding, undefined if none is acceptable, and whether uncompressed bodies are
 * rejected.
 */
export interface CodingChoice {
  readonly coding: Coding | 'identity' | undefined
  readonly rejectsIdentity: boolean
}

// The published types of negotiator lack the second argument.
interface PreferringNegotiator {
  encodings(available: readonly string[], settings: { readonly preferred: readonly string[] }): string[]
}

/** The maximum number of cached `Accept-Encoding` values; browsers send a handful. */
const MAX_CACHED_CHOICES = 64

/** Creates the function that chooses a coding by `Accept-Encoding`. */
export function createCodingChooser(available: readonly Coding[]): (accept: string | undefined) => CodingChoice {
  const all = [...available, 'identity']
  const choose = memoizeLatest((accept: string): CodingChoice => {
    const negotiator: PreferringNegotiator = new Negotiator({ headers: { 'accept-encoding': accept } })
    const accepted = negotiator.encodings(all, { preferred: all })
    return { coding: accepted[0] as CodingChoice['coding'], rejectsIdentity: !accepted.includes('identity') }
  }, MAX_CACHED_CHOICES)
  return (accept) => (accept === undefined ? NO_PREFERENCE : choose(accept))
}

const NO_PREFERENCE: CodingChoice = { coding: 'identity', rejectsIdentity: false }
