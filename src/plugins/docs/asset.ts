// Assets: the files of the documentation, each with its compressed form and its entity tag.
import Negotiator from 'negotiator'
import { scalarRelease } from './scalar-release.ts'

/** One file of the documentation. */
export interface Asset {
  readonly contentType: string
  /** Identifies the content, for `ETag` and for file names that change with it. */
  readonly tag: string
  plain(): Uint8Array | Promise<Uint8Array>
  /** Returns the compressed content; undefined if the runtime cannot compress. */
  gzip(): Promise<Uint8Array<ArrayBuffer> | undefined>
}

/** The content of a response. */
interface ChosenContent {
  readonly body: Uint8Array
  readonly encoding: 'gzip' | undefined
}

/** Creates an asset from text. It is compressed once, on the first request. */
export async function createTextAsset(contentType: string, text: string): Promise<Asset> {
  const bytes = new TextEncoder().encode(text)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  let gzipped: Promise<Uint8Array<ArrayBuffer>> | undefined
  return {
    contentType,
    tag: toHex(digest.subarray(0, 8)),
    plain: () => bytes,
    async gzip() {
      if (typeof CompressionStream === 'undefined') return undefined
      gzipped ??= collectStream(toStream(bytes).pipeThrough(new CompressionStream('gzip')))
      return gzipped
    },
  }
}

/** Loads the script of Scalar, which is stored compressed. It is loaded late, because it would delay the start. */
export async function loadScalarAsset(): Promise<Asset> {
  const { gzipped } = await import('./scalar.js')
  const text = atob(gzipped)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  let unpacked: Promise<Uint8Array> | undefined
  return {
    contentType: 'text/javascript; charset=utf-8',
    tag: scalarTag,
    // Cached after the first use: if each request unpacked it again, many requests could exhaust the memory.
    plain: () => {
      unpacked ??= collectStream(toStream(bytes).pipeThrough(new DecompressionStream('gzip')))
      return unpacked
    },
    gzip: async () => bytes,
  }
}

/** The tag of Scalar's script, available without loading it. */
export const scalarTag: string = scalarRelease.sha256.slice(0, 16)

/** Chooses the content coding that a client prefers. */
export async function chooseContent(asset: Asset, acceptEncoding: string | undefined): Promise<ChosenContent> {
  const headers = { 'accept-encoding': acceptEncoding ?? 'identity' }
  const [preferred] = new Negotiator({ headers }).encodings(['gzip', 'identity'])
  const gzipped = preferred === 'gzip' ? await asset.gzip() : undefined
  return gzipped === undefined
    ? { body: await asset.plain(), encoding: undefined }
    : { body: gzipped, encoding: 'gzip' }
}

/** Reads a stream to its end. */
async function collectStream(from: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(from as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer())
}

const toStream = (bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> => new Blob([bytes]).stream()

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
