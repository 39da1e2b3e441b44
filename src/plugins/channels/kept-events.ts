// Builds batches of the events that a server has kept. All carriers decide the same way where events are missing.
import { type Batch, formatPosition, type Position, parsePosition } from './carrier.ts'

/** An event that a carrier has found. */
export interface FoundEvent extends Position {
  readonly text: string
}

/** The position before all others: where a carrier looks for one that a channel never had. */
const BEFORE_ALL: Position = { generation: 0, number: 0 }

/** Parses the position behind which a carrier looks. */
export const toStart = (after: string): Position => parsePosition(after) ?? BEFORE_ALL

/**
 * Builds the batch of a read. `last` is the last position of the channel, and `found` are the first events behind `after`; of
 * all, if `after` is beyond the last. Within a generation, the numbers of events follow each other.
 */
export function buildBatch(after: string, last: Position, found: readonly FoundEvent[]): Batch {
  const position = parsePosition(after)
  const [first] = found
  const begin = first === undefined ? last : { generation: first.generation, number: first.number - 1 }
  const isKnown = position?.generation === begin.generation && position.number === begin.number
  // Events of the next generation are another batch, which begins behind the gap between the two.
  const own = found.filter(({ generation }) => generation === begin.generation)
  return {
    from: isKnown ? after : formatPosition(begin),
    events: own.map((event) => ({ position: formatPosition(event), text: event.text })),
  }
}
