// Adapts an AWS Lambda event to the neutral request: the path and the query are as the client sent them.
import { type BodyFault, BodyFaultError, joinHeader, type RawHeaders, type Transport } from '../../server/transport.ts'
import type { LambdaEvent } from './event.ts'

const EMPTY_BODY: Uint8Array = new Uint8Array(0)
const encoder = new TextEncoder()

/** One request of a function URL or an HTTP API. */
export class LambdaTransport implements Transport {
  readonly raw: LambdaEvent
  readonly method: string
  readonly url: string
  readonly signal: AbortSignal
  readonly scheme = 'https'
  /** Bytes of the body that have been read. */
  received = 0
  #headers: RawHeaders | undefined

  constructor(event: LambdaEvent, signal: AbortSignal, stripStage: boolean) {
    this.raw = event
    this.signal = signal
    this.method = event.requestContext.http.method
    const path = stripStage ? withoutStage(event) : event.rawPath
    this.url = event.rawQueryString === '' ? path : `${path}?${event.rawQueryString}`
  }

  get address(): string {
    return this.raw.requestContext.http.sourceIp
  }

  get headers(): RawHeaders {
    if (this.#headers === undefined) {
      const headers: Record<string, string> = Object.create(null)
      for (const [name, value] of Object.entries(this.raw.headers))
        if (value !== undefined) joinHeader(headers, name, value)
      const { cookies } = this.raw
      if (cookies !== undefined && cookies.length > 0) headers['cookie'] = cookies.join('; ')
      this.#headers = headers
    }
    return this.#headers
  }

  collect(limit: number, done: (body: Uint8Array | BodyFault) => void): void {
    const { body, isBase64Encoded } = this.raw
    if (body === undefined || body === '') return done(EMPTY_BODY)
    // Four characters encode three bytes; a body that is too large is not decoded.
    if (isBase64Encoded && body.length > (limit + 3) * 2) return done('too-large')
    const bytes = isBase64Encoded ? decodeBase64(body) : encoder.encode(body)
    this.received = bytes.length
    done(bytes.length > limit ? 'too-large' : bytes)
  }

  async *pieces(limit: number): AsyncGenerator<Uint8Array, void, undefined> {
    let complete: Uint8Array | BodyFault = EMPTY_BODY
    this.collect(limit, (body) => {
      complete = body
    })
    if (typeof complete === 'string') throw new BodyFaultError(complete)
    if (complete.length > 0) yield complete
  }
}

/** Returns the path without the stage, with which HTTP APIs prefix it. */
function withoutStage({ rawPath, requestContext: { stage = '$default' } }: LambdaEvent): string {
  const prefix = `/${stage}`
  if (stage === '$default' || !rawPath.startsWith(prefix)) return rawPath
  const rest = rawPath.slice(prefix.length)
  if (rest === '') return '/'
  return rest.startsWith('/') ? rest : rawPath
}

function decodeBase64(text: string): Uint8Array {
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}
