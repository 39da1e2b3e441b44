// Encodes a stream chunk by chunk: each is sent before the next is read, and a disconnect takes effect at once.
import { openStream, type StreamSource } from '../../extend.ts'
import type { StreamBody } from '../../index.ts'

/** A transform of `node:zlib` that flushes after each chunk. */
export interface ZlibTransform {
  write(piece: Uint8Array | string, done: (error?: Error | null) => void): unknown
  end(): unknown
  destroy(): unknown
  on(event: 'data', listener: (piece: Uint8Array) => void): unknown
  on(event: 'end', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

type ChunkResult = IteratorResult<Uint8Array, undefined>

const DONE: ChunkResult = { done: true, value: undefined }

/** Encodes a stream; the transform is created on the first read. */
export const encodeStreamBody = (body: StreamBody, transform: () => ZlibTransform): AsyncIterable<Uint8Array> => ({
  // The body is opened first: a transform for one that cannot be opened would never be destroyed.
  [Symbol.asyncIterator]: () => createIterator(openStream(body), transform()),
})

// Not a generator: `return()` of a generator waits until its pending chunk arrives.
function createIterator(source: StreamSource, encoding: ZlibTransform): AsyncIterator<Uint8Array, undefined> {
  const encoded: Uint8Array[] = []
  let isDone = false
  const ended = new Promise<void>((resolve, reject) => {
    encoding.on('data', (piece) => encoded.push(piece))
    encoding.on('end', resolve)
    encoding.on('error', reject)
  })
  // The rejection is handled when the stream ends. If it never does, it is ignored.
  ended.catch(() => {})
  const readNext = async (): Promise<ChunkResult> => {
    while (encoded.length === 0 && !isDone) {
      const { done, value } = await source.next()
      if (isDone) return DONE
      if (done === true) {
        isDone = true
        encoding.end()
        await ended
      } else await writeChunk(encoding, value as Uint8Array | string)
    }
    const chunk = encoded.shift()
    return chunk === undefined ? DONE : { done: false, value: chunk }
  }
  return {
    next: readNext,
    async return() {
      isDone = true
      encoded.length = 0
      encoding.destroy()
      await source.cancel()
      return DONE
    },
  }
}

const writeChunk = (encoding: ZlibTransform, piece: Uint8Array | string): Promise<void> =>
  new Promise((resolve, reject) => {
    encoding.write(piece, (error) => (error ? reject(error) : resolve()))
  })
