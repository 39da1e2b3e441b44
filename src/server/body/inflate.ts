// Compressed bodies: decompressed piece by piece, with the limit counted on what comes out, so that a bomb stays small.

import { reasoned } from '../failure/reasons.ts'
import type { BodyFault, RawHeaders, Transport } from '../transport.ts'
import { DecodeError, type DecodeFault, malformed, thrownFault, tooLarge } from './fault.ts'
import { join } from './file.ts'

/** A body after its content coding was removed. */
export interface Body {
  collect(limit: number, done: (body: Uint8Array | BodyFault | DecodeFault) => void): void
  pieces(limit: number): AsyncIterable<Uint8Array>
  /** Counts bytes that a reader of pieces keeps until the body is there. */
  keep?(bytes: number): void
}

/** The content codings that can be removed from a body. */
export type Coding = 'gzip' | 'deflate'

/** The coding of a body, `identity` for none; undefined when it is not supported. */
export function codingOf(header: RawHeaders[string]): Coding | 'identity' | undefined {
  if (header === undefined) return 'identity'
  const name = String(header).trim().toLowerCase()
  if (name === '' || name === 'identity') return 'identity'
  if (typeof DecompressionStream === 'undefined') return undefined
  if (name === 'gzip' || name === 'x-gzip') return 'gzip'
  return name === 'deflate' ? 'deflate' : undefined
}

/** The decompressed body of a request. */
export function inflated(transport: Transport, coding: Coding): Body {
  const pieces = (limit: number): AsyncGenerator<Uint8Array, void, undefined> =>
    inflate(transport.pieces(limit), coding, limit)
  const keep = (bytes: number): void => transport.keep?.(bytes)
  return {
    pieces,
    keep,
    collect(limit, done) {
      gather(pieces(limit), keep).then(done, (thrown: unknown) => done(thrownFault(thrown, limit)))
    },
  }
}

async function gather(pieces: AsyncIterable<Uint8Array>, keep: (bytes: number) => void): Promise<Uint8Array> {
  const gathered: Uint8Array[] = []
  for await (const piece of pieces) {
    gathered.push(piece)
    keep(piece.length)
  }
  return join(gathered)
}

async function* inflate(
  pieces: AsyncIterable<Uint8Array>,
  coding: Coding,
  limit: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { readable, writable } = new DecompressionStream(coding)
  const reader: ReadableStreamDefaultReader<Uint8Array> = readable.getReader()
  const writer = writable.getWriter()
  const feeding = new Feeding(pieces, writer)
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((): never => {
        throw feeding.failed ? feeding.reason : new DecodeError(malformed(reasoned('coding-data', { coding })))
      })
      if (done) return
      size += value.length
      if (size > limit) throw new DecodeError(tooLarge(reasoned('inflated-size', { limit })))
      yield value
    }
  } finally {
    reader.cancel().catch(ignore)
    writer.abort().catch(ignore)
  }
}

/** Moves the compressed pieces into the decompressor, no faster than it takes them. */
class Feeding {
  /** Set when the transport failed, as opposed to the decompressor. */
  failed = false
  reason: unknown

  constructor(pieces: AsyncIterable<Uint8Array>, writer: WritableStreamDefaultWriter<BufferSource>) {
    // The reader gets every fault of the decompressor; here a fault only ends the loop.
    writer.closed.catch(ignore)
    this.#feed(pieces, writer).catch(ignore)
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

function ignore(): void {}
