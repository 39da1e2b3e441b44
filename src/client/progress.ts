// Reports the progress of uploads and downloads.
import type { Around } from './around.ts'

/** The progress of a body. */
export interface Progress {
  readonly direction: 'upload' | 'download'
  /** The number of bytes transferred so far. */
  readonly bytes: number
  /** The `Content-Length` of a download; undefined if unknown. */
  readonly total: number | undefined
}

/** Creates a hook that reports each chunk of request and response bodies. */
export function progress(report: (progress: Progress) => void): Around {
  return async ({ request }, send) => {
    const withCount = (body: ReadableStream<Uint8Array>, direction: Progress['direction'], length: string | null) => {
      const total = length === null ? undefined : Number(length)
      let bytes = 0
      return body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(piece, controller) {
            bytes += piece.byteLength
            report({ direction, bytes, total })
            controller.enqueue(piece)
          },
        }),
      )
    }
    // Some browsers do not support request streams: the body is sent as it is, without reports.
    const { body } = request
    const response = await send(
      body && canSendStreams(request.url)
        ? new Request(request, {
            body: withCount(body, 'upload', request.headers.get('Content-Length')),
            duplex: 'half',
          } as RequestInit)
        : request,
    )
    if (!response.body) return response
    const { status, statusText, headers } = response
    const countedBody = withCount(response.body, 'download', headers.get('Content-Length'))
    return new Response(countedBody, { status, statusText, headers })
  }
}

// Browsers send streams over HTTP/2 only, and thus over https only. A browser without support converts the stream to
// text, throws, or does not read `duplex`. Some servers with support do not read `duplex` either.
function canSendStreams(url: string): boolean {
  const isBrowser = 'XMLHttpRequest' in globalThis
  if (isBrowser && url.startsWith('http:')) return false
  let isDuplexRead = false
  const init = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      isDuplexRead = true
      return 'half'
    },
  }
  try {
    const isText = new Request(url, init as RequestInit).headers.has('Content-Type')
    return !isText && (isDuplexRead || !isBrowser)
  } catch {
    return false
  }
}
