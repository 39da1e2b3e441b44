// Content codings: which a client accepts, in which order, and what encodes them on this runtime.
import Negotiator from 'negotiator'
import type { StreamBody } from '../../index.ts'
import { encodedPieces, type Transform } from './pieces.ts'

/** A content coding. */
export type Coding = 'zstd' | 'br' | 'gzip'

/** The codings in the order in which they are preferred where a client likes them alike. */
export const CODINGS: readonly Coding[] = ['zstd', 'br', 'gzip']

/** Encodes bodies. */
export interface Encoder {
  whole(body: string | Uint8Array): Promise<Uint8Array>
  /** Encodes a stream, each piece of which reaches the client before the next; undefined where that cannot be done. */
  readonly stream: ((body: StreamBody) => StreamBody) | undefined
}

/** The parts of `node:zlib` that are used; zstd is there since Node 22.15. */
interface Zlib {
  readonly constants: Readonly<Record<string, number>>
  readonly gzip: Whole
  readonly createGzip: Made
  readonly brotliCompress: Whole
  readonly createBrotliCompress: Made
  readonly zstdCompress?: Whole
  readonly createZstdCompress?: Made
}

// Not imported, so that other runtimes can load this file: Bun and Deno have the module, workers may have none.
function zlibOf(): Zlib | undefined {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } }
  return process?.getBuiltinModule?.('node:zlib') as Zlib | undefined
}

/** The encoders of this runtime. */
export function encoders(wanted: readonly Coding[]): ReadonlyMap<Coding, Encoder> {
  const zlib = zlibOf()
  const made = wanted.flatMap((coding): [Coding, Encoder][] => {
    const own = zlib === undefined ? undefined : nodeEncoder(coding, zlib)
    const encoder = own ?? (coding === 'gzip' ? webEncoder() : undefined)
    return encoder === undefined ? [] : [[coding, encoder]]
  })
  return new Map(made)
}

/** Qualities at which answers are made as fast as networks take them: beyond, Brotli takes ten times as long for a tenth less. */
const BROTLI_QUALITY = 4
const ZSTD_LEVEL = 3

type Whole = (
  body: string | Uint8Array,
  options: object,
  done: (error: Error | null, bytes: Uint8Array) => void,
) => void
type Made = (options: object) => Transform

interface NodeCoding {
  readonly whole: Whole
  readonly stream: Made
  readonly options: object
  /** The flush mode that sends each piece of a stream at once. */
  readonly flush: number
}

function nodeCoding(coding: Coding, zlib: Zlib): NodeCoding | undefined {
  const { gzip, createGzip, brotliCompress, createBrotliCompress, zstdCompress, createZstdCompress } = zlib
  const constant = (name: string): number => zlib.constants[name] as number
  if (coding === 'gzip') return { whole: gzip, stream: createGzip, options: {}, flush: constant('Z_SYNC_FLUSH') }
  if (coding === 'br') {
    const options = { params: { [constant('BROTLI_PARAM_QUALITY')]: BROTLI_QUALITY } }
    return { whole: brotliCompress, stream: createBrotliCompress, options, flush: constant('BROTLI_OPERATION_FLUSH') }
  }
  if (zstdCompress === undefined || createZstdCompress === undefined) return undefined
  const options = { params: { [constant('ZSTD_c_compressionLevel')]: ZSTD_LEVEL } }
  return { whole: zstdCompress, stream: createZstdCompress, options, flush: constant('ZSTD_e_flush') }
}

function nodeEncoder(coding: Coding, zlib: Zlib): Encoder | undefined {
  const found = nodeCoding(coding, zlib)
  if (found === undefined) return undefined
  const { whole, stream, options, flush } = found
  return {
    whole: (body) =>
      new Promise((resolve, reject) => {
        whole(body, options, (error, bytes) => (error === null ? resolve(bytes) : reject(error)))
      }),
    stream: (body) => encodedPieces(body, () => stream({ ...options, flush })),
  }
}

// Its stream cannot be made to send each piece at once, so that only whole bodies are encoded.
function webEncoder(): Encoder | undefined {
  if (typeof CompressionStream === 'undefined') return undefined
  return {
    stream: undefined,
    async whole(body) {
      const stream = new Blob([body as BlobPart]).stream().pipeThrough(new CompressionStream('gzip'))
      return new Uint8Array(await new Response(stream).arrayBuffer())
    },
  }
}

/** The coding that a client wants: one, none, or none that the server has; and whether it rejects bodies without a coding. */
export interface Choice {
  readonly coding: Coding | 'identity' | undefined
  readonly insists: boolean
}

// Its published types do not know the second argument.
interface Preferring {
  encodings(available: readonly string[], settings: { readonly preferred: readonly string[] }): string[]
}

/** How many texts of `Accept-Encoding` are kept; browsers send a handful. */
const MAX_KEPT = 64

/** Makes the choice of a coding by `Accept-Encoding`. */
export function chooser(available: readonly Coding[]): (accept: string | undefined) => Choice {
  const kept = new Map<string, Choice>()
  const all = [...available, 'identity']
  const choose = (accept: string): Choice => {
    const negotiator: Preferring = new Negotiator({ headers: { 'accept-encoding': accept } })
    const accepted = negotiator.encodings(all, { preferred: all })
    return { coding: accepted[0] as Choice['coding'], insists: !accepted.includes('identity') }
  }
  return (accept) => {
    if (accept === undefined) return NOTHING_ASKED
    const known = kept.get(accept) ?? choose(accept)
    if (kept.size < MAX_KEPT) kept.set(accept, known)
    return known
  }
}

const NOTHING_ASKED: Choice = { coding: 'identity', insists: false }
