// Splits the bytes of a multipart body (RFC 2046, 5.1) into heads and data of parts, independently of how the bytes are
// chunked.
import { createReason, type ProblemReason } from '../../problem/reasons.ts'

/** The next event in a multipart body. */
export type MultipartEvent =
  /** The head of a part: its header lines without the empty line after them. */
  | { readonly kind: 'head'; readonly bytes: Uint8Array }
  /** Some of the current part's data. */
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  /** The current part is complete. */
  | { readonly kind: 'end' }
  /** The body is not valid multipart. */
  | { readonly kind: 'fault'; readonly why: ProblemReason }

type ScannerState = 'preamble' | 'delimited' | 'head' | 'data' | 'epilogue'

const TAB = 9
const LF = 10
const CR = 13
const SPACE = 32
const DASH = 45
const END: MultipartEvent = { kind: 'end' }

/** Takes chunks and returns events; buffers no data beyond the beginning of a possible boundary. */
export class MultipartScanner {
  // CR LF, two dashes and the boundary. Its only CR is the first byte: a failed match never begins within itself.
  readonly #delimiter: Uint8Array
  /**
   * By byte: the distance to the next position where a boundary can end, after a position that has this byte; 0 for the
   * last byte of a boundary.
   */
  readonly #skips: Uint8Array
  readonly #head: Uint8Array
  #headSize = 0
  #state: ScannerState = 'preamble'
  #chunk: Uint8Array = new Uint8Array(0)
  #at = 0
  /**
   * The number of matched bytes of the delimiter (or of a head's two line ends); the body begins as if after a line
   * end.
   */
  #matched = 2
  /** The number of matched bytes that came in earlier chunks, and are data if the match fails. */
  #held = 0
  #pending: MultipartEvent | undefined

  constructor(boundary: string, headLimit: number) {
    this.#delimiter = new TextEncoder().encode(`\r\n--${boundary}`)
    this.#skips = new Uint8Array(256).fill(this.#delimiter.length)
    for (let i = 0; i < this.#delimiter.length; i++)
      this.#skips[this.#delimiter[i] as number] = this.#delimiter.length - 1 - i
    this.#head = new Uint8Array(headLimit)
  }

  /** Whether the last boundary has been read. */
  get closed(): boolean {
    return this.#state === 'epilogue'
  }

  /** Takes the next chunk; the previous one must have been consumed. */
  feed(chunk: Uint8Array): void {
    this.#chunk = chunk
    this.#at = 0
  }

  /** Returns the next event, or undefined when more bytes are needed. */
  next(): MultipartEvent | undefined {
    const pending = this.#pending
    if (pending !== undefined) {
      this.#pending = undefined
      return pending
    }
    while (this.#at < this.#chunk.length) {
      const event = this.#step()
      if (event !== undefined) return event
      if (this.#pending !== undefined) return this.next()
    }
    return undefined
  }

  #step(): MultipartEvent | undefined {
    switch (this.#state) {
      case 'preamble':
      case 'data':
        return this.#search()
      case 'delimited':
        return this.#readAfterDelimiter()
      case 'head':
        return this.#readHead()
      case 'epilogue':
        this.#at = this.#chunk.length
        return undefined
    }
  }

  #search(): MultipartEvent | undefined {
    const chunk = this.#chunk
    const delimiter = this.#delimiter
    const from = this.#at
    let at = from
    while (at < chunk.length && this.#matched < delimiter.length) {
      if (chunk[at] === delimiter[this.#matched]) {
        this.#matched++
        at++
      } else if (this.#held > 0) return this.#release(at - from)
      else {
        // After a failed match, only the byte where it failed can begin another.
        at = this.#findCandidate(this.#matched === 0 ? at + 1 : at)
        this.#matched = 0
      }
    }
    this.#at = at
    const matched = Math.min(this.#matched, at - from)
    const event = this.#createData(chunk.subarray(from, at - matched))
    if (this.#matched < delimiter.length) {
      this.#held += matched
      return event
    }
    if (this.#state === 'data') this.#pending = END
    this.#enter('delimited', 0)
    return event
  }

  /**
   * Returns the index where the next boundary may begin. Looking at the last byte of a candidate skips most candidates
   * by the length of a boundary (Boyer–Moore–Horspool). In the last bytes of a chunk a boundary may only have begun;
   * there the search is for its first byte.
   */
  #findCandidate(from: number): number {
    const chunk = this.#chunk
    const skips = this.#skips
    const last = this.#delimiter.length - 1
    let end = from + last
    while (end < chunk.length) {
      const skip = skips[chunk[end] as number] as number
      if (skip === 0 && chunk[end - last] === CR) return end - last
      end += skip || 1
    }
    const next = chunk.indexOf(CR, Math.max(from, end - last))
    return next < 0 ? chunk.length : next
  }

  // The bytes that looked like the start of a boundary are data of earlier chunks, except the last `since`, which are
  // of this chunk.
  #release(since: number): MultipartEvent | undefined {
    const end = this.#matched - since
    const event = this.#createData(this.#delimiter.subarray(end - this.#held, end))
    this.#enter(this.#state, 0)
    return event
  }

  #createData(bytes: Uint8Array): MultipartEvent | undefined {
    return this.#state === 'data' && bytes.length > 0 ? { kind: 'data', bytes } : undefined
  }

  // A boundary is followed by two dashes, or by padding and a line end. `#matched` is 1 after a dash, 2 after padding,
  // 3 after CR.
  #readAfterDelimiter(): MultipartEvent | undefined {
    const byte = this.#chunk[this.#at++]
    const seen = this.#matched
    if (seen === 0 && byte === DASH) this.#matched = 1
    else if (seen === 1 && byte === DASH) this.#enter('epilogue', 0)
    else if (seen === 3 && byte === LF) this.#enter('head', 2)
    else if (seen % 2 === 0 && (byte === SPACE || byte === TAB)) this.#matched = 2
    else if (seen % 2 === 0 && byte === CR) this.#matched = 3
    else return { kind: 'fault', why: createReason('boundary-line') }
    return undefined
  }

  #readHead(): MultipartEvent | undefined {
    const head = this.#head
    while (this.#at < this.#chunk.length) {
      if (this.#headSize === head.length) {
        return { kind: 'fault', why: createReason('part-head-size', { limit: head.length }) }
      }
      const byte = this.#chunk[this.#at++] as number
      head[this.#headSize++] = byte
      const expected = this.#matched % 2 === 0 ? CR : LF
      if (byte === expected) this.#matched += 1
      else this.#matched = byte === CR ? 1 : 0
      if (this.#matched === 4) {
        const bytes = head.slice(0, Math.max(this.#headSize - 4, 0))
        this.#headSize = 0
        // The empty line may also be the line end of the next boundary: a part need not have any data.
        this.#enter('data', 2)
        return { kind: 'head', bytes }
      }
    }
    return undefined
  }

  #enter(state: ScannerState, matched: number): void {
    this.#state = state
    this.#matched = matched
    this.#held = 0
  }
}
