// Replays responses that are already bytes, such as recorded ones: no declaration applies to them.
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

/** Creates a response from a recorded one, which is sent unchanged. */
export const replayResponse = (recorded: RecordedResponse): ActionResponse => new ReplayedResponse(recorded)

/** Returns the raw response of a replayed one, including one of another copy of this package. */
export const getReplayed = (response: object): RawResponse | undefined =>
  (response as Partial<ReplayedResponse>)['~written']
