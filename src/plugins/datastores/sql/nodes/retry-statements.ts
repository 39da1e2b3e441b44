// Statements that another attempt can save: a transaction that gave way to another one, a node that stopped. Nothing is
// sent again that could have been done.
import { findInCauses, readErrorDetails } from '../classify-error.ts'

/**
 * The effect of a statement that failed for a passing reason: the database has certainly `undone` it or never begun it, or
 * its connection is `lost`, and a write may have been done.
 */
type FailureEffect = 'undone' | 'lost'

/** Returns the effect of a failed statement; undefined where another attempt would not help, or would only add to a load. */
export const findFailureEffect = (error: unknown): FailureEffect | undefined => findInCauses(error, classifyFailure)

function classifyFailure(error: object): FailureEffect | undefined {
  const { codes, message } = readErrorDetails(error)
  for (const code of codes) {
    const fate = FAILURE_EFFECTS.get(code)
    if (fate !== undefined) return fate
    // A connection that was lost while something ran on it, by any name.
    if (typeof code === 'string' && /^08[0-9A-Z]{3}$/.test(code)) return 'lost'
  }
  return /^Connection (?:terminated|lost)|^Can't add new command when connection is in closed state/.test(message)
    ? 'lost'
    : undefined
}

const FAILURE_EFFECTS: ReadonlyMap<unknown, FailureEffect> = new Map<unknown, FailureEffect>([
  // PostgreSQL: serialization failures, deadlocks; a server that only reads, still starts, or has no connection left.
  ...pairCodes('undone', '40001', '40P01', '40002', '25006', '57P03', '08001', '08004'),
  // Servers that stop may have done what they were at, and the answer of a commit may be missing.
  ...pairCodes('lost', '40003', '57P01', '57P02', '57P05'),
  // MySQL and MariaDB: deadlocks, which are certification failures too; servers that only read, nodes outside of their cluster.
  ...pairCodes('undone', 1213, 1047, 1290, 1792, 1836, 4150),
  ...pairCodes('lost', 1053, 1158, 1159, 1160, 1161, 1180, 1927, 2006, 2013),
  // No server listens: nothing was sent.
  ...pairCodes('undone', 'ECONNREFUSED', 2002, 2003, 'P1001'),
  ...pairCodes('lost', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'PROTOCOL_CONNECTION_LOST', 'CONNECTION_CLOSED'),
  ...pairCodes('lost', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'P1017', 45004, 45009, 45013, 45026),
  ...pairCodes('undone', 'P2034'),
])

function pairCodes(fate: FailureEffect, ...codes: readonly (string | number)[]): [unknown, FailureEffect][] {
  return codes.map((code) => [code, fate])
}

/** Milliseconds before each further attempt, give or take a half, so that those who met do not meet again. */
const RETRY_DELAYS_MS = [20, 80, 240] as const

/** The intent of a statement: a read can be repeated whatever its effect was. */
export type StatementIntent = 'read' | 'write'

/** Runs work, again after a pause where that is safe and can help, four times at most. */
export function runWithRetries<V>(intent: StatementIntent, work: () => Promise<V>, attempt = 0): Promise<V> {
  return work().catch((error: unknown) => {
    const pause = RETRY_DELAYS_MS[attempt]
    const fate = pause === undefined ? undefined : findFailureEffect(error)
    if (pause === undefined || fate === undefined || (fate === 'lost' && intent === 'write')) throw error
    return sleep(pause * (0.5 + Math.random())).then(() => runWithRetries(intent, work, attempt + 1))
  })
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
