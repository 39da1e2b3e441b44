// The elements of a list that is written one by one: where they come from, some at a time.
import type { ResolvedAction } from '../../design/resolve/resolved.ts'
import type { Exchange, StepOutcome, Step } from '../request/exchange.ts'
import { closeIterable, guardBody, OpenBody } from '../body-stream.ts'

/** Gives elements, some at a time. */
export interface ElementSource {
  next(): Promise<IteratorResult<readonly unknown[], unknown>>
  /** Ends the source; resolves when it has stopped, and never rejects. */
  cancel(): Promise<void>
}

/** The most elements that are taken at once from what has all of them. */
const BATCH_SIZE = 100

type Batch = IteratorResult<readonly unknown[], unknown>

/** The source of what an action gives as elements; undefined for what has none. */
export function openElementSource(body: unknown): ElementSource | undefined {
  // Bytes, and streams of them, are iterable too.
  if (typeof body !== 'object' || body === null || ArrayBuffer.isView(body) || 'getReader' in body) return undefined
  if (isOpened(body)) return body
  // Something that reads many at a time need not make a promise for each of them.
  const { '~batches': batches } = body as { readonly '~batches'?: () => AsyncIterator<readonly unknown[]> }
  if (batches !== undefined) return openIterator(body, batches.call(body), (iterator) => iterator.next())
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

// Its end is known before the last elements are taken: it has closed itself then.
function openCursor(body: object, iterator: Iterator<unknown>): ElementSource {
  let ended = false
  const takeSome = async (): Promise<Batch> => {
    const some: unknown[] = []
    while (!ended && some.length < BATCH_SIZE) {
      const { done, value } = iterator.next()
      if (done === true) ended = true
      else some.push(value)
    }
    return some.length === 0 ? END_OF_ELEMENTS : { done: false, value: some }
  }
  return new OpenBody(body, takeSome, (early) => closeIterable(body, iterator, early && !ended))
}

/** Elements of which the first are read at once: whatever goes wrong before them is answered as any failure. */
class OpenedElements implements ElementSource {
  readonly '~opened' = true
  readonly #source: ElementSource
  #first: Batch | undefined

  constructor(source: ElementSource) {
    this.#source = source
  }

  /** Reads the first elements. */
  async open(): Promise<undefined> {
    this.#first = await this.#source.next()
  }

  /** The first elements, if they have not been taken yet. */
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

  // As every stream is read, and let go of.
  [Symbol.asyncIterator](): AsyncIterator<never> {
    const refused = (): never => {
      throw new TypeError('Elements that have been opened are written as their response declares them')
    }
    return { next: async () => refused(), return: async () => ({ done: true, value: await this.cancel() }) }
  }
}

const isOpened = (body: object): body is OpenedElements => '~opened' in body

/** The first elements of a source that has read them; undefined for any other. */
export const takeFirst = (source: ElementSource): Batch | undefined => (isOpened(source) ? source.take() : undefined)

/** The step of an action whose lists are written element by element. */
export const createElementSteps = ({ responses }: ResolvedAction): readonly Step[] =>
  [...responses.values()].some(({ bodies }) => bodies.some(({ stream }) => stream !== undefined))
    ? [{ name: 'elements', run: openElements }]
    : []

/** Reads the first elements of the current response, before its status is sent. */
function openElements(exchange: Exchange): StepOutcome | Promise<StepOutcome> {
  const { response, compiled, transport } = exchange
  const { body } = response
  if (typeof body !== 'object' || body === null || Array.isArray(body) || transport.method === 'HEAD') return undefined
  if (compiled.responses.get(response.name)?.takesElements(response, exchange) !== true) return undefined
  const source = openElementSource(body)
  if (source === undefined || body === source) return undefined
  exchange.watchClosing(body)
  const opened = new OpenedElements(source)
  // The request owns it from now on: if the deadline passes first, it is closed at once.
  response.body = opened
  exchange.ownBody()
  return opened.open()
}
