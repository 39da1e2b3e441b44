// Progress of uploads and downloads: the bytes that have passed, counted as they go.
import type { Around } from './around.ts'

/** How far a body has come. */
export interface Progress {
  readonly direction: 'upload' | 'download'
  /** How many bytes have passed. */
  readonly bytes: number
  /** How many there are, where a Content-Length says so. */
  readonly total: number | undefined
}

/** A function around requests that reports each piece of the bodies of requests and answers. */
export function progress(report: (progress: Progress) => void): Around {
  return async ({ request }, send) => {
    const counted = (body: ReadableStream<Uint8Array>, direction: Progress['direction'], length: string | null) => {
      const total = length === null ? undefined : Number(length)
      let bytes = 0
      return body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(piece, out) {
            bytes += piece.byteLength
            report({ direction, bytes, total })
            out.enqueue(piece)
          },
        }),
      )
    }
    const { body } = request
    const answer = await send(
      body === null
        ? request
        : new Request(request, {
            body: counted(body, 'upload', request.headers.get('Content-Length')),
            duplex: 'half',
          } as RequestInit),
    )
    if (answer.body === null) return answer
    const { status, statusText, headers } = answer
    const passed = counted(answer.body, 'download', headers.get('Content-Length'))
    return new Response(passed, { status, statusText, headers })
  }
}
