// Database engines in tests, and how a test file is run for one of them.
import { inject } from 'vitest'
import type { DialectName } from '../../../src/plugins/lists/datastores/sql/sql.ts'
import { describeWith } from '../needs.ts'

/** A database engine that is running. */
export interface Engine {
  readonly name: string
  readonly dialect: DialectName
  /** Why it cannot be used on this machine. */
  readonly missing?: string
  /** Makes an empty database that compares texts by their code points. */
  createDatabase(): Promise<TestDatabase>
}

/** A database of one test. */
export interface TestDatabase {
  /** The URL that clients connect to. */
  readonly url: string
  /** Runs statements that give nothing. */
  run(...statements: readonly string[]): Promise<void>
  /** Removes it; connections to it must be closed before. */
  close(): Promise<void>
}

/** How a server that was started for the whole run is reached, or why it was not. */
export type Started = { readonly url: string } | { readonly missing: string }

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where test files ask for servers: see global-setup.ts. */
    engines: string
  }
}

/** Asks for a server; it is started when the first test file of a run does. */
export async function ask(server: string): Promise<Started> {
  const answer = await fetch(`${inject('engines')}/${server}`)
  if (!answer.ok) throw new Error(`${server} did not start: ${await answer.text()}`)
  return (await answer.json()) as Started
}

/** Describes tests of an engine. */
export function describeEngine(engine: Engine, tests: () => void): void {
  describeWith({ name: engine.name, missing: engine.missing }, engine.name, tests)
}

/** A name that no other database has. */
export const freshName = (): string => `edict_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`
