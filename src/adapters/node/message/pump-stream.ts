// Writes streamed responses: pulls them from their source as fast as the client reads them.
import type { Writable } from 'node:stream'
import type { StreamSource } from '../../../server/body-stream.ts'

/** The response that a stream is written to. */
export interface StreamTarget {
  readonly response: Writable
  /** Writes the head; called once, before anything else. */
  writeHead(): void
  /** Whether the head waits for the first piece. */
  readonly waitsForFirstPiece: boolean
  onDisconnect(callback: () => void): void
  /** Receives every piece that was written, if pieces are counted. */
  onWrite?(piece: string | Uint8Array): void
}

/**
 * Writes every piece, then ends the response; returns false if the client disconnected first, throws if the source
 * does.
 */
export async function pumpStream(source: StreamSource, target: StreamTarget): Promise<boolean> {
  const { response, writeHead: begin, waitsForFirstPiece: patient, onDisconnect: whenGone } = target
  let isGone = false
  let hasBegun = false
  let wake = (): void => {}
  whenGone(() => {
    isGone = true
    void source.cancel()
    wake()
  })
  response.on('drain', () => wake())
  try {
    if (!patient) begin()
    hasBegun = !patient
    while (!isGone) {
      const { done, value } = await source.next()
      if (isGone) break
      if (!hasBegun) begin()
      hasBegun = true
      if (done === true) {
        response.end()
        return true
      }
      if (value === undefined) throw new TypeError('A streamed body gave a piece that is neither text nor bytes')
      const canContinue = response.write(value)
      target.onWrite?.(value)
      if (canContinue) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } catch (error) {
    if (!isGone) {
      void source.cancel()
      throw error
    }
  }
  return false
}
