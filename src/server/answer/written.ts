// Responses that are bytes already, such as one that was recorded: no declaration is asked about them.
import { ActionResponse } from '../../design/declare/response.ts'
import type { Answer } from '../transport.ts'

/** A written response: status, headers and body. */
export interface WrittenAnswer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | Uint8Array | null
}

class WrittenResponse extends ActionResponse<string, unknown> {
  readonly '~written': Answer

  constructor({ status, headers, body }: WrittenAnswer) {
    super('written', status)
    this['~written'] = { status, headers: headers.flat(), body }
  }
}

/** Makes a response from a written one, which is sent unchanged. */
export const writtenResponse = (answer: WrittenAnswer): ActionResponse => new WrittenResponse(answer)

/** The answer of such a response, also of one from another copy of this package. */
export const writtenOf = (response: object): Answer | undefined => (response as Partial<WrittenResponse>)['~written']
