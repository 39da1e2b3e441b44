// Reading the body of a node:http request: whole, or piece by piece; both within a limit and without destroying the
// connection on a fault, because the answer still has to go out on it.
import type { IncomingMessage } from 'node:http'
import { type BodyFault, BodyFaultError } from '../../server/transport.ts'
import type { Connection } from './connection.ts'

/** The body of a request that has none. */
export const nothing: Uint8Array = new Uint8Array(0)

/** Reads the whole body and calls back once; a single chunk is handed over as it came. */
export function collectBody(
  { raw, connection }: { raw: IncomingMessage; connection: Connection },
  limit: number,
  done: (body: Uint8Array | BodyFault) => void,
): void {
  let first: Uint8Array | undefined
  let rest: Uint8Array[] | undefined
  let total = 0
  let settled = false
  const settle = (fault?: BodyFault): void => {
    if (settled) return
    settled = true
    raw.off('data', onData)
    if (connection.reader === settle) connection.reader = undefined
    if (fault !== undefined) raw.pause()
    done(fault ?? (rest === undefined ? (first ?? nothing) : Buffer.concat(rest, total)))
  }
  const onData = (chunk: Uint8Array): void => {
    total += chunk.length
    if (total > limit) settle('too-large')
    else if (first === undefined) first = chunk
    else if (rest === undefined) rest = [first, chunk]
    else rest.push(chunk)
  }
  connection.reader = settle
  raw.on('data', onData)
  raw.on('end', () => settle())
  // Comes after 'end' as well; without it the client has gone.
  raw.on('close', () => settle('aborted'))
}

/** Reads the body piece by piece, no faster than the pieces are taken. */
export async function* bodyPieces(
  { raw, connection }: { raw: IncomingMessage; connection: Connection },
  limit: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let fault: BodyFault | undefined
  let total = 0
  let wake = (): void => {}
  const notify = (): void => wake()
  const fail = (why: BodyFault): void => {
    fault ??= why
    wake()
  }
  connection.reader = fail
  raw.on('readable', notify).on('end', notify).on('close', notify)
  try {
    while (fault === undefined) {
      const piece: Uint8Array | null = raw.read()
      if (piece !== null) {
        total += piece.length
        if (total > limit) fault = 'too-large'
        else yield piece
      } else if (raw.readableEnded) return
      else if (raw.destroyed) fault = 'aborted'
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
    throw new BodyFaultError(fault)
  } finally {
    if (connection.reader === fail) connection.reader = undefined
    raw.off('readable', notify).off('end', notify).off('close', notify)
  }
}
