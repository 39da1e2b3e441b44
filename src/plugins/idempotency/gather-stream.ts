// Streams that are recorded: read to their end if that comes soon enough, and passed on as they are otherwise.
import { type StreamSource, openStream } from '../../extend.ts'
import type { StreamBody } from '../../index.ts'

/** The largest stream that is recorded, in bytes. */
const MAX_RECORDED_BYTES = 8 << 20

type SourceChunk = Awaited<ReturnType<StreamSource['next']>>

const TIMED_OUT = Symbol('late')

/** The bytes of a stream; the same stream, with what was read of it, if it is too long or takes more than `patience` milliseconds. */
export async function gatherStream(body: StreamBody, patience: number): Promise<Uint8Array | StreamBody> {
  const source = openStream(body)
  const pieces: Uint8Array[] = []
  let size = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<typeof TIMED_OUT>((resolve) => {
    if (patience > 0) timer = setTimeout(resolve, patience, TIMED_OUT)
  })
  try {
    while (size <= MAX_RECORDED_BYTES) {
      const coming = source.next()
      const piece = await Promise.race([coming, late])
      if (piece === TIMED_OUT) return new PartlyReadStream(pieces, source, coming)
      if (piece.done === true) return joinChunks(pieces, size)
      const bytes = toBytes(piece)
      size += bytes.length
      pieces.push(bytes)
    }
    return new PartlyReadStream(pieces, source, undefined)
  } catch (error) {
    void source.cancel()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** A stream of which the first pieces have been read. */
class PartlyReadStream implements AsyncIterableIterator<Uint8Array | string> {
  readonly #chunks: Uint8Array[]
  readonly #source: StreamSource
  #nextChunk: Promise<SourceChunk> | undefined

  constructor(pieces: Uint8Array[], source: StreamSource, coming: Promise<SourceChunk> | undefined) {
    this.#chunks = pieces
    this.#source = source
    this.#nextChunk = coming
    // Whoever reads it learns of its failure.
    coming?.catch(() => {})
  }

  async next(): Promise<IteratorResult<Uint8Array | string>> {
    const known = this.#chunks.shift()
    if (known !== undefined) return { done: false, value: known }
    const coming = this.#nextChunk ?? this.#source.next()
    this.#nextChunk = undefined
    const piece = await coming
    return piece.done === true ? END_OF_STREAM : { done: false, value: toBytes(piece) }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    await this.#source.cancel()
    return END_OF_STREAM
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

const END_OF_STREAM: IteratorReturnResult<undefined> = { done: true, value: undefined }
const encoder = new TextEncoder()

function toBytes({ value }: SourceChunk): Uint8Array {
  if (typeof value === 'string') return encoder.encode(value)
  if (value instanceof Uint8Array) return value
  throw new TypeError('A streamed body gave a piece that is neither text nor bytes')
}

function joinChunks(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
