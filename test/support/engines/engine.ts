// Database engines in tests, and how a test file is run for one of them.
import { inject } from 'vitest'
import type { Need } from '../../../scripts/machine.ts'
import type { DialectName } from '../../../src/plugins/datastores/sql/sql.ts'
import { describeWith } from '../needs.ts'

/** A database engine that is running. */
export interface Engine {
  readonly name: string
  readonly dialect: DialectName
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

/**
 * An engine that this machine may not have. Tests reach the engine only through `describe`, which skips them visibly where it is
 * missing: no test can open an engine without asking whether it is there.
 */
export class EngineNeed implements Need {
  readonly name: string
  readonly dialect: DialectName
  readonly missing: string | undefined
  readonly #engine: Engine

  constructor(engine: Engine, missing?: string) {
    this.name = engine.name
    this.dialect = engine.dialect
    this.missing = missing
    this.#engine = engine
  }

  /** Describes tests of the engine. */
  describe(tests: (engine: Engine) => void): void {
    describeWith(this, this.name, () => tests(this.#engine))
  }
}

/** Makes the need of an engine whose server was asked for. */
export function needServer(
  engine: Pick<Engine, 'name' | 'dialect'>,
  started: Started,
  createDatabase: (server: string) => Promise<TestDatabase>,
): EngineNeed {
  if ('url' in started) return new EngineNeed({ ...engine, createDatabase: () => createDatabase(started.url) })
  return new EngineNeed({ ...engine, createDatabase: () => Promise.reject(started.missing) }, started.missing)
}

/** A name that no other database has. */
export const freshName = (): string => `edict_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`
