// Decompresses bodies piece by piece, with the limit counted on the output, which stops decompression bombs.

import { createReason } from '../problem/reasons.ts'
import type { BodyFault, BodySource, RawHeaders } from '../transport.ts'
import { DecodeError, type DecodeFault, failMalformed, failTooLarge, mapThrownFault } from './decode-fault.ts'
import { concatBytes } from './received-file.ts'

/** A body after its content coding was removed. */
export interface ReadableBody {
  collect(limit: number, done: (body: Uint8Array | BodyFault | DecodeFault) => void): void
  pieces(limit: number): AsyncIterable<Uint8Array>
  /** Counts bytes that a reader of pieces buffers until the body is complete. */
  reserveBytes?(bytes: number): void
}

/** The content codings that can be removed from a body. */
export type BodyCoding = 'gzip' | 'deflate'

/** Parses the coding of a body, `identity` for none; returns undefined if it is not supported. */
export function parseCoding(header: RawHeaders[string]): BodyCoding | 'identity' | undefined {
  if (header === undefined) return 'identity'
  const name = String(header).trim().toLowerCase()
  if (name === '' || name === 'identity') return 'identity'
  if (typeof DecompressionStream === 'undefined') return undefined
  if (name === 'gzip' || name === 'x-gzip') return 'gzip'
  return name === 'deflate' ? 'deflate' : undefined
}

/** Returns the decompressed body of a request. */
export function inflateBody(source: BodySource, coding: BodyCoding): ReadableBody {
  const pieces = (limit: number): AsyncGenerator<Uint8Array, void, undefined> =>
    inflatePieces(source.pieces(limit), coding, limit)
  const reserveBytes = (bytes: number): void => source.reserveBytes?.(bytes)
  return {
    pieces,
    reserveBytes,
    collect(limit, done) {
      gatherPieces(pieces(limit), reserveBytes).then(done, (thrown: unknown) => done(mapThrownFault(thrown, limit)))
    },
  }
}

async function gatherPieces(
  pieces: AsyncIterable<Uint8Array>,
  reserveBytes: (bytes: number) => void,
): Promise<Uint8Array> {
  const gathered: Uint8Array[] = []
  for await (const piece of pieces) {
    gathered.push(piece)
    reserveBytes(piece.length)
  }
  return concatBytes(gathered)
}

async function* inflatePieces(
  pieces: AsyncIterable<Uint8Array>,
  coding: BodyCoding,
  limit: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { readable, writable } = new DecompressionStream(coding)
  const reader: ReadableStreamDefaultReader<Uint8Array> = readable.getReader()
  const writer = writable.getWriter()
  const feed = new DecompressorFeed(pieces, writer)
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((): never => {
        throw feed.failed ? feed.reason : new DecodeError(failMalformed(createReason('coding-data', { coding })))
      })
      if (done) return
      size += value.length
      if (size > limit) throw new DecodeError(failTooLarge(createReason('inflated-size', { limit })))
      yield value
    }
  } finally {
    reader.cancel().catch(ignoreError)
    writer.abort().catch(ignoreError)
  }
}

/** Writes the compressed pieces to the decompressor, no faster than it accepts them. */
class DecompressorFeed {
  /** Set when the transport failed, as opposed to the decompressor. */
  failed = false
  reason: unknown

  constructor(pieces: AsyncIterable<Uint8Array>, writer: WritableStreamDefaultWriter<BufferSource>) {
    // The reader receives every fault of the decompressor; here a fault only ends the loop.
    writer.closed.catch(ignoreError)
    this.#feed(pieces, writer).catch(ignoreError)
  }

  async #feed(pieces: AsyncIterable<Uint8Array>, writer: WritableStreamDefaultWriter<BufferSource>): Promise<void> {
    const iterator = pieces[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done, value } = await this.#next(iterator)
        if (done) return await writer.close()
        await writer.ready
        await writer.write(value as Uint8Array<ArrayBuffer>)
      }
    } catch (error) {
      await writer.abort(error)
    } finally {
      await iterator.return?.()
    }
  }

  async #next(iterator: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    try {
      return await iterator.next()
    } catch (error) {
      this.failed = true
      this.reason = error
      throw error
    }
  }
}

function ignoreError(): void {}
