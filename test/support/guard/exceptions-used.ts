// Which exceptions a test file has, and whether its tests still need them.
import type { Exception } from './exceptions.ts'
import type { Found } from './session.ts'

/** A test of the file: its titles, joined by ` > `, and what became of it. */
export interface Ended {
  readonly title: string
  readonly state: string | undefined
}

/** The exceptions of one test file. */
export class OwnExceptions {
  readonly #own: readonly Exception[]
  readonly #used = new Set<Exception>()

  constructor(all: readonly Exception[], file: string) {
    this.#own = all.filter((one) => one.file === file)
  }

  /** Whether a break is meant. */
  allow({ kind, test, text = '' }: Pick<Found, 'kind' | 'test'> & Partial<Pick<Found, 'text'>>): boolean {
    const meant = this.#own.filter(({ kinds, says = '' }) => kinds.includes(kind) && text.includes(says))
    const known = meant.filter((one) => covers(one, test))
    for (const one of known) this.#used.add(one)
    return known.length > 0
  }

  /** The mistakes in the list, once all tests of the file have ended. */
  mistakes(tests: readonly Ended[]): string[] {
    return this.#own.flatMap((one) => {
      const meant = tests.filter(({ title }) => covers(one, title))
      if (meant.length === 0) return [`The exception of ${named(one)} has no test: remove it from the list`]
      // Of tests that were left out or failed, nothing is known.
      const whole = meant.every(({ state }) => state === 'pass')
      return whole && !this.#used.has(one) ? [`Nothing needs the exception of ${named(one)} any more: remove it`] : []
    })
  }
}

const covers = ({ title }: Exception, test: string): boolean => title === undefined || test.includes(title)

const named = ({ file, title = 'all tests' }: Exception): string => `${file} (${title})`
