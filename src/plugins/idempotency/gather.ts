// Streams that are recorded: read to their end if that comes soon enough, and passed on as they are otherwise.
import { type Source, sourceOf } from '../../extend.ts'
import type { StreamBody } from '../../index.ts'

/** The largest stream that is recorded, in bytes. */
const MOST = 8 << 20

type Piece = Awaited<ReturnType<Source['next']>>

const LATE = Symbol('late')

/** The bytes of a stream; the same stream, with what was read of it, if it is too long or takes more than `patience` milliseconds. */
export async function gather(body: StreamBody, patience: number): Promise<Uint8Array | StreamBody> {
  const source = sourceOf(body)
  const pieces: Uint8Array[] = []
  let size = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<typeof LATE>((resolve) => {
    if (patience > 0) timer = setTimeout(resolve, patience, LATE)
  })
  try {
    while (size <= MOST) {
      const coming = source.next()
      const piece = await Promise.race([coming, late])
      if (piece === LATE) return new Rest(pieces, source, coming)
      if (piece.done === true) return joined(pieces, size)
      const bytes = bytesOf(piece)
      size += bytes.length
      pieces.push(bytes)
    }
    return new Rest(pieces, source, undefined)
  } catch (error) {
    void source.cancel()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** A stream of which the first pieces have been read. */
class Rest implements AsyncIterableIterator<Uint8Array | string> {
  readonly #pieces: Uint8Array[]
  readonly #source: Source
  #coming: Promise<Piece> | undefined

  constructor(pieces: Uint8Array[], source: Source, coming: Promise<Piece> | undefined) {
    this.#pieces = pieces
    this.#source = source
    this.#coming = coming
    // Whoever reads it learns of its failure.
    coming?.catch(() => {})
  }

  async next(): Promise<IteratorResult<Uint8Array | string>> {
    const known = this.#pieces.shift()
    if (known !== undefined) return { done: false, value: known }
    const coming = this.#coming ?? this.#source.next()
    this.#coming = undefined
    const piece = await coming
    return piece.done === true ? END : { done: false, value: bytesOf(piece) }
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    await this.#source.cancel()
    return END
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}

const END: IteratorReturnResult<undefined> = { done: true, value: undefined }
const encoder = new TextEncoder()

function bytesOf({ value }: Piece): Uint8Array {
  if (typeof value === 'string') return encoder.encode(value)
  if (value instanceof Uint8Array) return value
  throw new TypeError('A streamed body gave a piece that is neither text nor bytes')
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
