// Events that go to many streams: each is written once for each way of seeing it.
import { hasBrand } from '../brand.ts'

/** An event that many streams send. It must not change. */
export class SharedEvent {
  readonly '~sharedEvent' = true
  readonly event: string
  readonly data: unknown
  readonly id: string
  /** Its texts, by the type that each was written with: clients of other audiences see other attributes. */
  readonly texts: Map<object, string> = new Map()

  constructor(event: string, data: unknown, id: string) {
    this.event = event
    this.data = data
    this.id = id
  }
}

/** Returns whether a value is a shared event; it may come from another copy of this package. */
export const isSharedEvent = (value: unknown): value is SharedEvent => hasBrand(value, '~sharedEvent')
