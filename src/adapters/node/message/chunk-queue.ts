// Queues the chunks of a body: small ones are merged, because each chunk by itself costs a hundred times its size.

/** Chunks below this size are copied. */
const MAX_COPIED_BYTES = 1024
const BLOCK_SIZE = 8 * 1024

/** A queue of chunks. */
export class ChunkQueue {
  readonly #chunks: Uint8Array[] = []
  #block: Uint8Array | undefined
  #usedBytes = 0

  push(chunk: Uint8Array): void {
    if (chunk.length >= MAX_COPIED_BYTES || (this.#chunks.length === 0 && this.#block === undefined)) {
      this.#closeBlock()
      this.#chunks.push(chunk)
      return
    }
    if (this.#block !== undefined && this.#usedBytes + chunk.length > BLOCK_SIZE) this.#closeBlock()
    this.#block ??= new Uint8Array(BLOCK_SIZE)
    this.#block.set(chunk, this.#usedBytes)
    this.#usedBytes += chunk.length
  }

  /** Removes and returns the first chunk. */
  shift(): Uint8Array | undefined {
    if (this.#chunks.length === 0) this.#closeBlock()
    return this.#chunks.shift()
  }

  /** Concatenates all chunks. */
  concat(): Uint8Array {
    this.#closeBlock()
    const [first] = this.#chunks
    return first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
  }

  #closeBlock(): void {
    if (this.#block === undefined) return
    this.#chunks.push(this.#block.subarray(0, this.#usedBytes))
    this.#block = undefined
    this.#usedBytes = 0
  }
}
