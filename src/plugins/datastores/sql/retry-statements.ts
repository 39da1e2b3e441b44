// Retries statements after failures that pass: a transaction rolled back for another, a node that stopped. A write that may
// have been done is not repeated.
import { findInCauses, readErrorDetails } from './classify-error.ts'
import type { SqlClient } from './sql.ts'

/**
 * The effect of a statement that failed for a passing reason: the database has certainly `undone` it or never begun it, or
 * its connection is `lost`, and a write may have been done.
 */
type FailureEffect = 'undone' | 'lost'

/** Returns the effect of a failed statement; undefined if a retry would not help, or would only add load. */
export const findFailureEffect = (error: unknown): FailureEffect | undefined => findInCauses(error, classifyFailure)

function classifyFailure(error: object): FailureEffect | undefined {
  const { codes, message } = readErrorDetails(error)
  for (const code of codes) {
    const effect = FAILURE_EFFECTS.get(code)
    if (effect !== undefined) return effect
    // Any connection exception: the connection was lost while a statement ran.
    if (typeof code === 'string' && /^08[0-9A-Z]{3}$/.test(code)) return 'lost'
  }
  return /^Connection (?:terminated|lost)|^Can't add new command when connection is in closed state/.test(message)
    ? 'lost'
    : undefined
}

const FAILURE_EFFECTS: ReadonlyMap<unknown, FailureEffect> = new Map<unknown, FailureEffect>([
  // PostgreSQL: serialization failures, deadlocks; a server that is read-only, still starting, or out of connections.
  ...pairCodes('undone', '40001', '40P01', '40002', '25006', '57P03', '08001', '08004'),
  // A server that shuts down may have finished the statement, and the response to a commit may be missing.
  ...pairCodes('lost', '40003', '57P01', '57P02', '57P05'),
  // MySQL and MariaDB: deadlocks, including certification failures; read-only servers, nodes outside of their cluster.
  ...pairCodes('undone', 1213, 1047, 1290, 1792, 1836, 4150),
  ...pairCodes('lost', 1053, 1158, 1159, 1160, 1161, 1180, 1927, 2006, 2013),
  // No server listens: nothing was sent.
  ...pairCodes('undone', 'ECONNREFUSED', 2002, 2003, 'P1001'),
  ...pairCodes('lost', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'PROTOCOL_CONNECTION_LOST', 'CONNECTION_CLOSED'),
  ...pairCodes('lost', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'P1017', 45004, 45009, 45013, 45026),
  ...pairCodes('undone', 'P2034'),
])

function pairCodes(effect: FailureEffect, ...codes: readonly (string | number)[]): [unknown, FailureEffect][] {
  return codes.map((code) => [code, effect])
}

/** The milliseconds before each retry, varied by half, so that two transactions in conflict do not collide again. */
const RETRY_DELAYS_MS = [20, 80, 240] as const

/** The intent of a statement: a read can be repeated whatever its effect was. */
export type StatementIntent = 'read' | 'write'

/** Runs work, and retries it after a pause where that is safe and can help; makes four attempts at most. */
export function runWithRetries<V>(intent: StatementIntent, work: () => Promise<V>, attempt = 0): Promise<V> {
  return work().catch((error: unknown) => {
    const pause = RETRY_DELAYS_MS[attempt]
    const effect = pause === undefined ? undefined : findFailureEffect(error)
    if (pause === undefined || effect === undefined || (effect === 'lost' && intent === 'write')) throw error
    return sleep(pause * (0.5 + Math.random())).then(() => runWithRetries(intent, work, attempt + 1))
  })
}

/** Runs statements of a datastore. */
export type RunStatements = <V>(intent: StatementIntent, work: (client: SqlClient) => Promise<V>) => Promise<V>

/** Runs everything on one connection, without retries: it may be in a transaction, of which no part can be repeated. */
export const createDirectRunner =
  (client: SqlClient): RunStatements =>
  (_, work) =>
    work(client)

/** Runs everything on the connections of a pool, with retries where they are safe. */
export const createRetryingRunner =
  (client: SqlClient): RunStatements =>
  (intent, work) =>
    runWithRetries(intent, () => work(client))

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
