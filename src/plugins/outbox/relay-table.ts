// The table of an outbox as relays see it: only one of them moves messages at a time.
import type { OutboxRow } from './outbox-statements.ts'

/** Delivers messages, and returns those that may be removed. */
export type MoveRows = (rows: readonly OutboxRow[]) => Promise<readonly OutboxRow[]>

/** The table of messages, as a relay uses it. */
export interface RelayTable {
  /** Returns whether there is a message of some topics. */
  hasMessages(topics: readonly string[]): Promise<boolean>
  /**
   * Moves the oldest messages of some topics while no other relay moves any, and returns how many there were; undefined if
   * another relay works.
   */
  move(topics: readonly string[], limit: number, move: MoveRows): Promise<number | undefined>
  /** Lets other relays work. */
  release(): Promise<void>
}
