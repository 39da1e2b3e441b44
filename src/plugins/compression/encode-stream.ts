// A stream that is encoded piece by piece: each is sent before the next is read, and a disconnect takes effect at once.
import { openStream } from '../../extend.ts'
import type { StreamBody } from '../../index.ts'

/** A transform of `node:zlib` that flushes after each piece. */
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

/** Encodes a stream; the transform is made on the first read. */
export const encodeStreamBody = (body: StreamBody, transform: () => ZlibTransform): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => createIterator(body, transform()),
})

// No generator: what is returned to one waits until its last piece has come.
function createIterator(body: StreamBody, encoding: ZlibTransform): AsyncIterator<Uint8Array, undefined> {
  const source = openStream(body)
  const made: Uint8Array[] = []
  let over = false
  const ended = new Promise<void>((resolve, reject) => {
    encoding.on('data', (piece) => made.push(piece))
    encoding.on('end', resolve)
    encoding.on('error', reject)
  })
  // It is looked at in the end, or not at all.
  ended.catch(() => {})
  const give = async (): Promise<ChunkResult> => {
    while (made.length === 0 && !over) {
      const { done, value } = await source.next()
      if (over) return DONE
      if (done === true) {
        over = true
        encoding.end()
        await ended
      } else await writeChunk(encoding, value as Uint8Array | string)
    }
    const piece = made.shift()
    return piece === undefined ? DONE : { done: false, value: piece }
  }
  return {
    next: give,
    async return() {
      over = true
      made.length = 0
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
