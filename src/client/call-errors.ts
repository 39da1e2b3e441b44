// The errors of calls: an invalid call, a response that breaks its declaration, an unsuccessful response.

/** Thrown for a call that its declaration does not allow. Nothing was sent. */
export class CallError extends TypeError {
  override readonly name = 'CallError'
}

/** Thrown for a response that breaks its declaration. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError'
  readonly response: Response

  constructor(message: string, response: Response) {
    super(message)
    this.response = response
  }
}

/** A response before TypeScript narrows it by name. */
export interface AnyCallResponse {
  readonly name: string
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  readonly problem?: unknown
}

/** Thrown by `ok`, `all` and `pages` for an unsuccessful response. */
export class StatusError<out A = AnyCallResponse> extends Error {
  override readonly name = 'StatusError'
  /** The called action, such as `Books.show`. */
  readonly call: string
  /** The response, as the plain call returns it. */
  readonly response: A

  constructor(call: string, response: A & AnyCallResponse) {
    const { status, name, body, problem = body } = response
    const detail = (problem as { readonly detail?: unknown } | null | undefined)?.detail
    const label = name === 'failure' && status < 400 ? 'that is not declared' : name
    super(`${call} responded with ${status} ${label}${typeof detail === 'string' ? `: ${detail}` : ''}`)
    this.call = call
    this.response = response
  }

  get '~status'(): true {
    return true
  }
}

/** Returns the body of a successful response; throws for any other and for an undeclared one. */
export function unwrapSuccess(call: string, response: AnyCallResponse): unknown {
  const { name, status, body } = response
  if (name === 'failure' || status < 200 || status > 299) throw new StatusError(call, response)
  return body
}
