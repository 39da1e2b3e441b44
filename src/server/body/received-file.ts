// Files that clients sent: in memory, or still arriving.
import type { UploadedFile } from '../../schema/structures/file.ts'

/** The metadata that a client sends with a file. */
export interface FileHead {
  readonly filename: string | undefined
  /** Its content type as sent. */
  readonly type: string
}

/** The content type of a file sent without one (RFC 2046, 4.5.1). */
export const DEFAULT_FILE_TYPE = 'application/octet-stream'

/** A file in memory, in the pieces in which it arrived. */
export class BufferedFile implements UploadedFile {
  readonly '~file' = true
  readonly filename: string | undefined
  readonly type: string
  readonly size: number
  readonly #pieces: readonly Uint8Array[]

  constructor({ filename, type }: FileHead, pieces: readonly Uint8Array[]) {
    this.filename = filename
    this.type = type
    this.size = sumSizes(pieces)
    this.#pieces = pieces
  }

  async bytes(): Promise<Uint8Array> {
    return concatBytes(this.#pieces)
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(concatBytes(this.#pieces))
  }

  stream(): ReadableStream<Uint8Array> {
    return toStream(this.#pieces[Symbol.iterator]())
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    yield* this.#pieces
  }
}

/** A file that is read from the transport on demand, once. */
export class StreamedFile implements UploadedFile {
  readonly '~file' = true
  readonly filename: string | undefined
  readonly type: string
  #size = 0
  #ended = false
  #pieces: AsyncIterator<Uint8Array> | undefined

  constructor({ filename, type }: FileHead, pieces: AsyncIterator<Uint8Array>) {
    this.filename = filename
    this.type = type
    this.#pieces = pieces
  }

  get size(): number | undefined {
    return this.#ended ? this.#size : undefined
  }

  async bytes(): Promise<Uint8Array> {
    const pieces: Uint8Array[] = []
    for await (const piece of this.#read()) pieces.push(piece)
    return concatBytes(pieces)
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes())
  }

  stream(): ReadableStream<Uint8Array> {
    return toStream(this.#read())
  }

  [Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    return this.#read()
  }

  #read(): AsyncGenerator<Uint8Array, void, undefined> {
    const pieces = this.#pieces
    if (pieces === undefined) throw new TypeError('The file has been read: it is a stream and can be read only once.')
    this.#pieces = undefined
    return this.#count({ [Symbol.asyncIterator]: () => pieces })
  }

  async *#count(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of pieces) {
      this.#size += piece.length
      yield piece
    }
    this.#ended = true
  }
}

function sumSizes(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((size, piece) => size + piece.length, 0)
}

/** Joins pieces into one array; a single piece is returned as it is. */
export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0] as Uint8Array
  const joined = new Uint8Array(sumSizes(pieces))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}

// The stream is pulled on demand: the transport sets the pace, and an unread file costs nothing.
function toStream(pieces: Iterator<Uint8Array> | AsyncIterator<Uint8Array>): ReadableStream<Uint8Array> {
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return?.()
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

/**
 * Returns the last segment of the file name that a client sent, without control characters: never a path (RFC 7578,
 * 4.2).
 */
export function sanitizeFilename(sent: string): string {
  const last = sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const name = last.replace(/[\u0000-\u001f\u007f]/g, '')
  return name === '.' || name === '..' ? '' : name
}
