// Streamed answers: pulled from their source as fast as the client takes them.
import type { ServerResponse } from 'node:http'
import type { Answer, StreamBody } from '../../server/transport.ts'

/** Where the pieces of a streamed answer come from. */
export interface Source {
  next(): Promise<{ done?: boolean | undefined; value?: Uint8Array | string | undefined }>
  /** Tells the source that nothing further is wanted; never fails. */
  cancel(): void
}

/** Whether a body is sent as it is produced. */
export function isStream(body: Answer['body']): body is StreamBody {
  return typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
}

/** Opens a stream or an iterable for reading. */
export function sourceOf(body: StreamBody): Source {
  if ('getReader' in body) {
    const reader = body.getReader()
    return { next: () => reader.read(), cancel: () => void reader.cancel().catch(ignore) }
  }
  const iterator = body[Symbol.asyncIterator]()
  return {
    next: () => iterator.next(),
    cancel: () => void Promise.resolve(iterator.return?.()).catch(ignore),
  }
}

/** Lets go of a streamed body that will not be sent. */
export function abandon(body: Answer['body']): void {
  if (!isStream(body)) return
  try {
    sourceOf(body).cancel()
  } catch {
    // Somebody else holds it, who will have to let go of it.
  }
}

/** The answer that a stream is written to. */
export interface Sink {
  readonly response: ServerResponse
  /** Writes the head; called once, before anything else. */
  begin(): void
  /** Whether the head has to wait for the first piece. */
  readonly patient: boolean
  whenGone(callback: () => void): void
}

/** Writes every piece, then ends the response; false if the client went first, failing if the source does. */
export async function pump(source: Source, { response, begin, patient, whenGone }: Sink): Promise<boolean> {
  let gone = false
  let begun = false
  let wake = (): void => {}
  whenGone(() => {
    gone = true
    source.cancel()
    wake()
  })
  response.on('drain', () => wake())
  try {
    if (!patient) begin()
    begun = !patient
    while (!gone) {
      const { done, value } = await source.next()
      if (gone) break
      if (!begun) begin()
      begun = true
      if (done === true) {
        response.end()
        return true
      }
      if (value === undefined) throw new TypeError('A streamed body gave a piece that is neither text nor bytes')
      if (response.write(value)) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } catch (error) {
    if (!gone) {
      source.cancel()
      throw error
    }
  }
  return false
}

function ignore(): void {}
