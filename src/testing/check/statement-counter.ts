// Counts the database statements that an application sends, by the sources of its plugins or by a function of the test.
import type { Application } from '../../application.ts'

/** Counts statements. */
export class StatementCounter {
  readonly #read: (() => number) | undefined
  readonly #stops: readonly (() => void)[]
  #seen = 0

  constructor({ '~options': options }: Partial<Pick<Application, '~options'>>, read: (() => number) | undefined) {
    const plugins = read === undefined ? (options?.plugins ?? []) : []
    const sources = new Set(plugins.flatMap(({ statements = [] }) => statements))
    this.#stops = [...sources].map((source) =>
      source.observe(() => {
        this.#seen++
      }),
    )
    this.#read = read ?? (sources.size === 0 ? undefined : () => this.#seen)
  }

  /** Whether anything counts statements. */
  get isActive(): boolean {
    return this.#read !== undefined
  }

  /** Returns the number of statements since the application was made. */
  read(): number {
    return this.#read?.() ?? 0
  }

  /** Ends the observation. */
  stop(): void {
    for (const stop of this.#stops) stop()
  }
}
