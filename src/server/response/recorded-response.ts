// Responses that are bytes already, such as one that was recorded: no declaration is asked about them.
import { ActionResponse } from '../../design/declare/action-response.ts'
import type { RawResponse } from '../transport.ts'

/** A written response: status, headers and body. */
export interface RecordedResponse {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | Uint8Array | null
}

class ReplayedResponse extends ActionResponse<string, unknown> {
  readonly '~written': RawResponse

  constructor({ status, headers, body }: RecordedResponse) {
    super('written', status)
    this['~written'] = { status, headers: headers.flat(), body }
  }
}

/** Makes a response from a written one, which is sent unchanged. */
export const replayResponse = (answer: RecordedResponse): ActionResponse => new ReplayedResponse(answer)

/** The answer of such a response, also of one from another copy of this package. */
export const getReplayed = (response: object): RawResponse | undefined => (response as Partial<ReplayedResponse>)['~written']
