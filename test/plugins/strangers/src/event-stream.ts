// Server-sent events of a declared type: a response format of its own, written on servers and read in browsers.
import type { Attribute } from 'edict'
import { readValue, writeValue } from 'edict/client'

/** The media type to declare: `responses: { ok: EVENT_STREAM }`. */
export const EVENT_STREAM = 'text/event-stream'

/** Writes values as events. */
export async function* writeEvents<A extends Attribute>(
  of: A,
  values: AsyncIterable<A['~type']> | Iterable<A['~type']>,
): AsyncGenerator<string> {
  let id = 0
  for await (const value of values) yield `id: ${++id}\ndata: ${JSON.stringify(writeValue(of, value))}\n\n`
}

/** Reads the values of events from a body that the client gives as a stream. */
export async function* readEvents<A extends Attribute>(
  of: A,
  body: ReadableStream<Uint8Array> | string,
): AsyncGenerator<A['~type']> {
  let rest = ''
  const decoder = new TextDecoder()
  const pieces = typeof body === 'string' ? [body] : chunksOf(body)
  for await (const piece of pieces) {
    rest += typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
    const events = rest.split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) yield readValue(of, JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? 'null'))
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}
