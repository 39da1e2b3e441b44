// Functions from source text that is made at run time: the only place that creates any. Texts of users are constants of
// the source, never parts of it.

/** Source text of functions, and the values that it uses. */
export class GeneratedCode {
  readonly #constants: unknown[] = []
  readonly #names = new Map<unknown, string>()
  readonly #functions: string[] = []
  readonly #written = new Map<unknown, string>()

  /** Returns the name of a value within the source. */
  addConstant(value: unknown): string {
    const known = this.#names.get(value)
    if (known !== undefined) return known
    const name = `k${this.#constants.length}`
    this.#constants.push(value)
    this.#names.set(value, name)
    return name
  }

  /** Adds a function and returns its name. */
  addFunction(parameters: string, body: readonly string[]): string {
    const name = `f${this.#functions.length}`
    this.#functions.push(`function ${name}(${parameters}) {\n${body.join('\n')}\n}`)
    return name
  }

  /** Returns the name of the function that is written for a key, and writes it if there is none. */
  ensureFunction(key: object, write: () => string): string {
    const known = this.#written.get(key)
    if (known !== undefined) return known
    const name = write()
    this.#written.set(key, name)
    return name
  }

  /** Returns the text of a finite number; other values become constants. */
  writeNumber(value: number): string {
    return Number.isFinite(value) ? `(${String(value)})` : this.addConstant(value)
  }

  /** Returns the text that reads or writes a property. */
  writeMember(object: string, name: string): string {
    return isPlainName(name) ? `${object}.${name}` : `${object}[${this.addConstant(name)}]`
  }

  /** Makes the functions and returns one of them; undefined where the runtime makes no code from texts. */
  make<F>(entry: string): F | undefined {
    if (!canGenerate()) return undefined
    const names = this.#constants.map((_, i) => `k${i}`)
    const make = new Function(...names, `'use strict'\n${this.#functions.join('\n')}\nreturn ${entry}`)
    return make(...this.#constants) as F
  }
}

const PLAIN_NAME = /^[A-Za-z_$][A-Za-z0-9_$]{0,63}$/

/** Returns whether a name may stand in source text: an ASCII identifier that does not change a prototype. */
function isPlainName(name: string): boolean {
  return PLAIN_NAME.test(name) && name !== '__proto__'
}

let isAllowed: boolean | undefined

// Content security policies, workers and an option of Node refuse it; trying again would only be reported again.
function canGenerate(): boolean {
  isAllowed ??= tryGenerating()
  return isAllowed
}

function tryGenerating(): boolean {
  try {
    return new Function('return true')() as boolean
  } catch {
    return false
  }
}

/** The number of calls after which a function is worth the time that its code takes to make. */
const CALLS_BEFORE_CODE = 100

/**
 * Replaces a function by its generated code once it has been called often: a cold start makes none, and most actions of
 * a large API are never called. Where no code is made, the function stays.
 */
export function generateWhenBusy<A, B, C, R>(
  run: (a: A, b: B, c: C) => R,
  generate: () => ((a: A, b: B, c: C) => R) | undefined,
): (a: A, b: B, c: C) => R {
  let calls = 0
  let current = runAndCount
  return (a, b, c) => current(a, b, c)

  function runAndCount(a: A, b: B, c: C): R {
    if (++calls === CALLS_BEFORE_CODE) current = generate() ?? run
    return run(a, b, c)
  }
}
