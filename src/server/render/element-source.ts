// Reads the elements of a list that is written one by one, in batches.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import { closeIterable, guardBody, OpenBody } from '../body-stream.ts'
import type { Exchange, Step, StepOutcome } from '../request/exchange.ts'

/** Returns elements in batches. */
export interface ElementSource {
  next(): Promise<IteratorResult<readonly unknown[], unknown>>
  /** Whether a batch has all elements that are there: what follows has yet to happen. */
  readonly isLive?: boolean | undefined
  /** Ends the source; resolves when it has stopped, and never rejects. */
  cancel(): Promise<void>
}

/** The most elements that are taken at once from a synchronous iterable. */
const BATCH_SIZE = 100

/** An iterator over batches; a live one gives all elements that are there at once. */
type BatchIterator = AsyncIterator<readonly unknown[]> & { readonly isLive?: boolean }

type Batch = IteratorResult<readonly unknown[], unknown>

/** Opens the elements that an action returned; returns undefined for a value without elements. */
export function openElementSource(body: unknown): ElementSource | undefined {
  // Bytes, and streams of them, are iterable too.
  if (typeof body !== 'object' || body === null || ArrayBuffer.isView(body) || 'getReader' in body) return undefined
  if (isOpened(body)) return body
  // A source that reads in batches need not create a promise for each element.
  const { '~batches': batches } = body as { readonly '~batches'?: () => BatchIterator }
  if (batches !== undefined) {
    const iterator = batches.call(body)
    const source = openIterator(body, iterator, (one) => one.next())
    return iterator.isLive === true ? Object.assign(source, { isLive: true }) : source
  }
  if (Symbol.asyncIterator in body) {
    guardBody(body)
    return openIterator(body, (body as AsyncIterable<unknown>)[Symbol.asyncIterator](), async (iterator) => {
      const { done, value } = await iterator.next()
      return done === true ? END_OF_ELEMENTS : { done: false, value: [value] }
    })
  }
  if (!(Symbol.iterator in body)) return undefined
  return openCursor(body, (body as Iterable<unknown>)[Symbol.iterator]())
}

const END_OF_ELEMENTS: IteratorReturnResult<undefined> = { done: true, value: undefined }

const openIterator = <I extends { return?(): unknown }>(
  body: object,
  iterator: I,
  next: (iterator: I) => Promise<Batch>,
): ElementSource =>
  new OpenBody(
    body,
    () => next(iterator),
    (early) => closeIterable(body, iterator, early),
  )

// The end is known before the last elements are taken: the iterator has closed itself by then.
function openCursor(body: object, iterator: Iterator<unknown>): ElementSource {
  let ended = false
  const readBatch = async (): Promise<Batch> => {
    const batch: unknown[] = []
    while (!ended && batch.length < BATCH_SIZE) {
      const { done, value } = iterator.next()
      if (done === true) ended = true
      else batch.push(value)
    }
    return batch.length === 0 ? END_OF_ELEMENTS : { done: false, value: batch }
  }
  return new OpenBody(body, readBatch, (early) => closeIterable(body, iterator, early && !ended))
}

/** Elements whose first batch is read in advance: an error before it becomes a normal failure response. */
class OpenedElements implements ElementSource {
  readonly '~opened' = true
  readonly #source: ElementSource
  #first: Batch | undefined

  constructor(source: ElementSource) {
    this.#source = source
  }

  get isLive(): boolean | undefined {
    return this.#source.isLive
  }

  /** Reads the first batch. */
  async open(): Promise<undefined> {
    this.#first = await this.#source.next()
  }

  /** Returns the first batch, if it has not been taken yet. */
  take(): Batch | undefined {
    const first = this.#first
    this.#first = undefined
    return first
  }

  next(): ReturnType<ElementSource['next']> {
    const first = this.take()
    return first === undefined ? this.#source.next() : Promise.resolve(first)
  }

  cancel(): Promise<void> {
    return this.#source.cancel()
  }

  // Every stream is read and released through its iterator.
  [Symbol.asyncIterator](): AsyncIterator<never> {
    const refuse = (): never => {
      throw new TypeError('Elements that have been opened are written as their response declares them')
    }
    return { next: async () => refuse(), return: async () => ({ done: true, value: await this.cancel() }) }
  }
}

const isOpened = (body: object): body is OpenedElements => '~opened' in body

/** Returns the first batch of a source that has read it; undefined for any other source. */
export const takeFirst = (source: ElementSource): Batch | undefined => (isOpened(source) ? source.take() : undefined)

/** Returns the step of an action whose lists are written element by element. */
export const createElementSteps = ({ responses }: ResolvedAction): readonly Step[] =>
  [...responses.values()].some(({ bodies }) => bodies.some(({ stream }) => stream !== undefined))
    ? [{ name: 'elements', run: openElements }]
    : []

/** Reads the first batch of the current response, before its status is sent. */
function openElements(exchange: Exchange): StepOutcome | Promise<StepOutcome> {
  const { response, compiled, transport } = exchange
  const { body } = response
  if (typeof body !== 'object' || body === null || Array.isArray(body) || transport.method === 'HEAD') return undefined
  if (compiled.responses.get(response.name)?.takesElements(response, exchange) !== true) return undefined
  const source = openElementSource(body)
  if (source === undefined || body === source) return undefined
  exchange.logClosingErrors(body)
  const opened = new OpenedElements(source)
  // The exchange owns the source from now on: if the deadline passes first, it is closed at once.
  response.body = opened
  exchange.ownBody()
  return opened.open()
}
