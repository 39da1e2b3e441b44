// The chunks of a body that wait: small ones are put together, because each by itself costs a hundred times its size.

/** Chunks below this size are copied. */
const SMALL = 1024
const BLOCK = 8 * 1024

/** A queue of chunks. */
export class Chunks {
  readonly #whole: Uint8Array[] = []
  #block: Uint8Array | undefined
  #used = 0

  push(chunk: Uint8Array): void {
    if (chunk.length >= SMALL || (this.#whole.length === 0 && this.#block === undefined)) {
      this.#close()
      this.#whole.push(chunk)
      return
    }
    if (this.#block !== undefined && this.#used + chunk.length > BLOCK) this.#close()
    this.#block ??= new Uint8Array(BLOCK)
    this.#block.set(chunk, this.#used)
    this.#used += chunk.length
  }

  /** Takes the first chunk out. */
  shift(): Uint8Array | undefined {
    if (this.#whole.length === 0) this.#close()
    return this.#whole.shift()
  }

  /** All chunks in one. */
  joined(): Uint8Array {
    this.#close()
    const [first] = this.#whole
    return first !== undefined && this.#whole.length === 1 ? first : Buffer.concat(this.#whole)
  }

  #close(): void {
    if (this.#block === undefined) return
    this.#whole.push(this.#block.subarray(0, this.#used))
    this.#block = undefined
    this.#used = 0
  }
}
