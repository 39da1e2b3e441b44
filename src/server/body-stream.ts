// Reads bodies that are sent as they are produced, and closes each exactly once, whether it is sent or not.
import type { StreamBody } from './transport.ts'

/** The pieces of a streamed body, one after the other. */
export interface StreamSource {
  next(): Promise<{ done?: boolean | undefined; value?: Uint8Array | string | undefined }>
  /** Closes the source, once; resolves when it has stopped, and never rejects. */
  cancel(): Promise<void>
}

/** Returns whether a body is sent as it is produced. */
export function isStreamBody(body: unknown): body is StreamBody {
  return typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body)
}

/** Bodies that a reader has opened, and will close, or that have been closed. */
const openedBodies = new WeakSet<object>()

/** Bodies that are not sent, by the stream that replaced them: it may read them until it ends. */
const replacedBodies = new WeakMap<object, unknown[]>()

/** The functions that report a body that could not be closed. */
const reporters = new WeakMap<object, (error: unknown) => void>()

/** The log message for a body that could not be closed. */
export const CLOSE_FAILED = 'The body of a response could not be closed'

/** Registers a function that receives errors of closing a body. */
export function reportClosing(body: unknown, report: (error: unknown) => void): void {
  if (typeof body === 'object' && body !== null) reporters.set(body, report)
}

/** A body that is being read: it is closed when it has ended, when it fails, or when its reader gives up. */
export class OpenBody<P extends { readonly done?: boolean | undefined }> {
  readonly #body: object
  readonly #read: () => Promise<P>
  readonly #close: (early: boolean) => unknown
  #closing: Promise<void> | undefined
  #failure: unknown

  /** Opens a body; `close` is called once, and receives whether the body was left before its end. */
  constructor(body: object, read: () => Promise<P>, close: (early: boolean) => unknown) {
    openedBodies.add(body)
    this.#body = body
    this.#read = read
    this.#close = close
  }

  async next(): Promise<P> {
    try {
      const piece = await this.#read()
      if (piece.done === true) void this.#end(false)
      return piece
    } catch (error) {
      this.#failure = error
      void this.cancel()
      throw error
    }
  }

  cancel(): Promise<void> {
    return this.#end(true)
  }

  #end(early: boolean): Promise<void> {
    if (this.#closing === undefined) {
      this.#closing = closeQuietly(
        this.#body,
        () => this.#close(early),
        (error) => error === this.#failure,
      )
      releaseReplaced(this.#body)
    }
    return this.#closing
  }
}

/** Opens a stream or an iterable for reading. */
export function openStream(body: StreamBody): StreamSource {
  if ('getReader' in body) {
    const reader = body.getReader()
    return new OpenBody<ReadableStreamReadResult<Uint8Array>>(
      body,
      () => reader.read(),
      (early) => (early ? reader.cancel() : undefined),
    )
  }
  const iterator = body[Symbol.asyncIterator]()
  guardBody(body)
  return new OpenBody(
    body,
    () => iterator.next(),
    (early) => closeIterable(body, iterator, early),
  )
}

/** Closes an iterable and its iterator, if reading stopped before the end. */
export function closeIterable(
  body: object,
  iterator: { return?(): unknown },
  early: boolean,
): Promise<unknown> | unknown {
  if (isNodeStream(body)) return destroyStream(body)
  const returned = early ? iterator.return?.() : undefined
  const dispose = findDisposer(body, iterator)
  return dispose === undefined ? returned : Promise.resolve(returned).finally(dispose)
}

// Some runtimes have no `Symbol.asyncDispose`. Built-in iterators return when they are disposed of.
const { asyncDispose: ASYNC_DISPOSE, dispose: DISPOSE } = Symbol as {
  readonly asyncDispose?: symbol
  readonly dispose?: symbol
}

function findDisposer(
  body: object,
  iterator: (object & { return?(): unknown }) | undefined,
): (() => unknown) | undefined {
  if (body === iterator && iterator.return !== undefined) return undefined
  for (const key of [ASYNC_DISPOSE, DISPOSE]) {
    const found: unknown = key === undefined ? undefined : Reflect.get(body, key)
    if (typeof found === 'function') return () => found.call(body) as unknown
  }
  return undefined
}

interface NodeStream {
  pipe(): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  destroy(): unknown
}

// `instanceof` would not recognise stream packages, and this file must not depend on Node.
function isNodeStream(body: object): body is NodeStream {
  const { pipe, on, destroy } = body as Partial<NodeStream>
  return typeof destroy === 'function' && typeof pipe === 'function' && typeof on === 'function'
}

function destroyStream(body: NodeStream): void {
  guardBody(body)
  closing.add(body)
  body.destroy()
}

const guardedBodies = new WeakSet<object>()

/** Node streams that are being closed: their errors now arrive as events. */
const closing = new WeakSet<object>()

/** Keeps a waiting body from ending the process: a Node stream that fails without an `error` listener does. */
export function guardBody(body: unknown): void {
  if (typeof body !== 'object' || body === null || guardedBodies.has(body) || !isNodeStream(body)) return
  guardedBodies.add(body)
  body.on('error', (error) => {
    if (closing.has(body)) reporters.get(body)?.(error)
  })
}

/** Closes a body that is not sent, of any type: it may hold a file, a connection or a cursor. */
export function releaseBody(body: unknown): void {
  if (typeof body !== 'object' || body === null || openedBodies.has(body)) return
  const close = findCloser(body)
  if (close === undefined) return
  openedBodies.add(body)
  guardBody(body)
  void closeQuietly(body, close)
  releaseReplaced(body)
}

/** Returns whether a written structure may need closing: a cursor or a file may have the attributes of a structure. */
// This runs for every structure that is sent, so it must be fast.
export const mayNeedClosing = (body: object): boolean =>
  'close' in body ||
  'then' in body ||
  'arrayBuffer' in body ||
  Symbol.iterator in body ||
  (ASYNC_DISPOSE !== undefined && ASYNC_DISPOSE in body) ||
  (DISPOSE !== undefined && DISPOSE in body)

/** Records that a body replaces another: closes the other, unless the new body is a stream that may still read it. */
export function replaceBody(before: unknown, after: unknown): void {
  if (before === after || typeof before !== 'object' || before === null || openedBodies.has(before)) return
  if (!isStreamBody(after)) return releaseBody(before)
  if (findCloser(before) === undefined) return
  guardBody(before)
  watchOpening(before)
  const report = reporters.get(before)
  if (report !== undefined) reportClosing(after, report)
  replacedBodies.set(after, [...(replacedBodies.get(after) ?? []), before])
}

function releaseReplaced(body: object): void {
  const before = replacedBodies.get(body)
  if (before === undefined) return
  replacedBodies.delete(body)
  for (const one of before) releaseBody(one)
}

/** Returns a function that closes an unopened body; undefined for a body that holds nothing. */
function findCloser(body: object): (() => unknown) | undefined {
  try {
    return buildCloser(body)
  } catch {
    // The body throws when its properties are read.
    return undefined
  }
}

function buildCloser(body: object): (() => unknown) | undefined {
  if ('getReader' in body) return () => cancelStream(body as ReadableStream)
  if (Symbol.asyncIterator in body) {
    const { [Symbol.asyncIterator]: open } = body as AsyncIterable<unknown>
    return () => closeUnread(body, open)
  }
  if (isFetchResponse(body)) return () => cancelStream(body.body)
  // A body that was not awaited: its rejection would end the process. Other thenables may be queries that `then` runs.
  if (body instanceof Promise) return () => body.then(releaseBody)
  const dispose = findDisposer(body, undefined)
  if (dispose !== undefined) return dispose
  if (isHandle(body)) return () => body.close()
  if (!(Symbol.iterator in body) || Array.isArray(body) || ArrayBuffer.isView(body)) return undefined
  return () => closeUnread(body, (body as Iterable<unknown>)[Symbol.iterator])
}

function closeUnread(body: object, open: () => { return?(): unknown }): unknown {
  if (isNodeStream(body)) return destroyStream(body)
  const dispose = findDisposer(body, body)
  return dispose === undefined ? open.call(body).return?.() : dispose()
}

// A locked stream is closed by its reader.
const cancelStream = (stream: ReadableStream | null): unknown =>
  stream?.locked === false ? stream.cancel() : undefined

function isFetchResponse(body: object): body is Response {
  const { status, arrayBuffer } = body as Partial<Response>
  return typeof status === 'number' && typeof arrayBuffer === 'function' && 'body' in body
}

// A file handle or a cursor. An element may have a `close` method with another meaning, which must not be called.
const isHandle = (body: object): body is { close(): unknown } => {
  const { fd, close, next, read } = body as Readonly<Partial<Record<'fd' | 'close' | 'next' | 'read', unknown>>>
  if (typeof close !== 'function') return false
  return typeof fd === 'number' || typeof next === 'function' || typeof read === 'function'
}

// A stream that wraps an iterable opens it on its first read, and closes it afterwards. Streams themselves track
// whether they have been read or closed.
function watchOpening(body: object): void {
  const open: unknown = Reflect.get(body, Symbol.asyncIterator)
  if (typeof open !== 'function' || 'getReader' in body || isNodeStream(body)) return
  // Reading it does not dispose of it.
  if (findDisposer(body, body) !== undefined) return
  Reflect.defineProperty(body, Symbol.asyncIterator, {
    configurable: true,
    writable: true,
    value(this: unknown): unknown {
      openedBodies.add(body)
      return open.call(this) as unknown
    },
  })
}

async function closeQuietly(
  body: object,
  close: () => unknown,
  isExpected: (error: unknown) => boolean = () => false,
): Promise<void> {
  try {
    await close()
  } catch (error) {
    if (!isExpected(error)) reporters.get(body)?.(error)
  }
}
