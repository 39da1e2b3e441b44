// An answer and the application that gave it; without any judge, so that servers under test load little.
import type { OpenapiDocument } from '../../../src/openapi/types.ts'

/** A body that passes through as it is made: its head is judged, and nothing holds up or copies what follows. */
export const STREAM: unique symbol = Symbol.for('edict.test.stream') as never

/** The body of an answer. */
export type Body = string | Uint8Array | typeof STREAM | null

/** The request. */
export interface Asked {
  readonly method: string
  readonly url: string
  /** The header X-Api-Version. */
  readonly version: string | undefined
}

/** An answer with the request line it belongs to. */
export interface Answered extends Asked {
  readonly status: number
  /** Names and values alternate. */
  readonly headers: readonly string[]
  readonly body: Body
}

/** The documents of an application. */
export interface Documents {
  /** The documents that its readers get. */
  readonly shown: readonly OpenapiDocument[]
  /** The same of the actions that are not shown. */
  readonly hidden: readonly OpenapiDocument[]
}
