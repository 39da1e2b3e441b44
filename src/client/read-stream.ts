// Reads bodies while they arrive: as bytes, or one element per line.
import type { StreamReader } from './call-table.ts'

/** Reads bodies while they arrive. */
export const streamReader: StreamReader = {
  accepts: (type) => (type.startsWith('text/') ? /csv$|-stream$/.test(type) : !/[/+]json$/.test(type)),
  // The body is bound to the signal again, because `fetch` may have dropped it with the collected request.
  body: ({ body }, { signal }) =>
    body && signal.sources.length > 0 ? body.pipeThrough(new TransformStream(), { signal }) : body,
  async *elements(response, call, parse) {
    const decoder = new TextDecoder()
    const reader = streamReader.body(response, call)?.getReader()
    // Runtimes without streams return the body at once.
    let rest = reader === undefined ? await response.text() : ''
    try {
      for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) {
        const lines = (rest + decoder.decode(piece.value, { stream: true })).split('\n')
        rest = lines.pop() as string
        for (const line of lines) yield parse(line)
      }
      for (const line of rest.split('\n')) if (line !== '') yield parse(line)
    } finally {
      await reader?.cancel()
    }
  },
}
