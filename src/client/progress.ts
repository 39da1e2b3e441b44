// Progress of uploads and downloads: the bytes that have passed, counted as they go.
import type { Around } from './around.ts'

/** How far a body has come. */
export interface Progress {
  readonly direction: 'upload' | 'download'
  /** How many bytes have passed. */
  readonly bytes: number
  /** How many there are: the Content-Length of a download. Uploads have none. */
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
    // Some browsers have no streams in requests: they send the body as it is, and say nothing.
    const { body } = request
    const answer = await send(
      body && canSendStreams(request.url)
        ? new Request(request, {
            body: counted(body, 'upload', request.headers.get('Content-Length')),
            duplex: 'half',
          } as RequestInit)
        : request,
    )
    if (!answer.body) return answer
    const { status, statusText, headers } = answer
    const passed = counted(answer.body, 'download', headers.get('Content-Length'))
    return new Response(passed, { status, statusText, headers })
  }
}

// Browsers send streams over HTTP/2 only, which they speak with https only. One that cannot send them takes a stream for a text,
// throws, or does not ask for `duplex`; nor do some servers that can.
function canSendStreams(url: string): boolean {
  const isBrowser = 'XMLHttpRequest' in globalThis
  if (isBrowser && url.startsWith('http:')) return false
  let asked = false
  const init = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      asked = true
      return 'half'
    },
  }
  try {
    const isText = new Request(url, init as RequestInit).headers.has('Content-Type')
    return !isText && (asked || !isBrowser)
  } catch {
    return false
  }
}
