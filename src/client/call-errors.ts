// Errors that calls throw: for a call that cannot be sent, a response that breaks its declaration, an unsuccessful response.

/** Thrown for a call that its declaration does not allow; nothing was sent. */
export class CallError extends TypeError {
  override readonly name = 'CallError'
}

/** Thrown for an answer that breaks the declaration it was made by. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError'
  readonly response: Response

  constructor(message: string, response: Response) {
    super(message)
    this.response = response
  }
}

/** An answer before the compiler narrows it by name. */
export interface AnyCallResponse {
  readonly name: string
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  readonly problem?: unknown
}

/** Thrown by `ok`, `all` and `pages` for an answer that is no success. */
export class StatusError<out A = AnyCallResponse> extends Error {
  override readonly name = 'StatusError'
  /** The action that was called: `Books.show`. */
  readonly call: string
  /** The answer, as the plain call would have returned it. */
  readonly response: A

  constructor(call: string, answer: A & AnyCallResponse) {
    const { status, name, body, problem = body } = answer
    const detail = (problem as { readonly detail?: unknown } | null | undefined)?.detail
    const called = name === 'failure' && status < 400 ? 'that is not declared' : name
    super(`${call} answered with ${status} ${called}${typeof detail === 'string' ? `: ${detail}` : ''}`)
    this.call = call
    this.response = answer
  }

  get '~status'(): true {
    return true
  }
}

/** The body of a success; any other answer, and one that is not declared, is thrown. */
export function unwrapSuccess(call: string, answer: AnyCallResponse): unknown {
  const { name, status, body } = answer
  if (name === 'failure' || status < 200 || status > 299) throw new StatusError(call, answer)
  return body
}
