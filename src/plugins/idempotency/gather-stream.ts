// Buffers streams for recording: reads them to the end if that comes soon enough, and otherwise passes them on.
import { openStream, type StreamSource } from '../../extend.ts'
import type { StreamBody } from '../../index.ts'

/** The largest stream that is recorded, in bytes. */
const MAX_RECORDED_BYTES = 8 << 20

type SourceChunk = Awaited<ReturnType<StreamSource['next']>>

const TIMED_OUT = Symbol('late')

/**
 * Returns the bytes of a stream, or an equivalent stream if it is too long or takes more than `timeout` milliseconds.
 */
export async function gatherStream(body: StreamBody, timeout: number): Promise<Uint8Array | StreamBody> {
  const source = openStream(body)
  const pieces: Uint8Array[] = []
  let size = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const timedOut = new Promise<typeof TIMED_OUT>((resolve) => {
    if (timeout > 0) timer = setTimeout(resolve, timeout, TIMED_OUT)
  })
  try {
    while (size <= MAX_RECORDED_BYTES) {
      const pending = source.next()
      const piece = await Promise.race([pending, timedOut])
      if (piece === TIMED_OUT) return new PartlyReadStream(pieces, source, pending)
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

/** A stream whose first chunks have been read. */
class PartlyReadStream implements AsyncIterableIterator<Uint8Array | string> {
  readonly #chunks: Uint8Array[]
  readonly #source: StreamSource
  #nextChunk: Promise<SourceChunk> | undefined

  constructor(pieces: Uint8Array[], source: StreamSource, pending: Promise<SourceChunk> | undefined) {
    this.#chunks = pieces
    this.#source = source
    this.#nextChunk = pending
    // The reader of the stream receives the rejection.
    pending?.catch(() => {})
  }

  async next(): Promise<IteratorResult<Uint8Array | string>> {
    const buffered = this.#chunks.shift()
    if (buffered !== undefined) return { done: false, value: buffered }
    const pending = this.#nextChunk ?? this.#source.next()
    this.#nextChunk = undefined
    const piece = await pending
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
  let offset = 0
  for (const piece of pieces) {
    all.set(piece, offset)
    offset += piece.length
  }
  return all
}
