// Streamed answers: pulled from their source as fast as the client takes them.
import type { Writable } from 'node:stream'
import type { StreamSource } from '../../../server/body-stream.ts'

/** The answer that a stream is written to. */
export interface StreamTarget {
  readonly response: Writable
  /** Writes the head; called once, before anything else. */
  begin(): void
  /** Whether the head has to wait for the first piece. */
  readonly patient: boolean
  whenGone(callback: () => void): void
  /** Receives every piece that was written, if pieces are counted. */
  wrote?(piece: string | Uint8Array): void
}

/** Writes every piece, then ends the response; false if the client went first, failing if the source does. */
export async function pumpStream(source: StreamSource, sink: StreamTarget): Promise<boolean> {
  const { response, begin, patient, whenGone } = sink
  let gone = false
  let begun = false
  let wake = (): void => {}
  whenGone(() => {
    gone = true
    void source.cancel()
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
      const goesOn = response.write(value)
      sink.wrote?.(value)
      if (goesOn) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } catch (error) {
    if (!gone) {
      void source.cancel()
      throw error
    }
  }
  return false
}
