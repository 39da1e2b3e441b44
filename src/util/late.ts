// Late values: what lower code uses and higher code provides. A bundle has them only if it has the code that provides them.

/** A value that another module provides when it is loaded. */
export class Late<T> {
  readonly #what: string
  #value: T | undefined

  constructor(what: string) {
    this.#what = what
  }

  /** Sets the value, once and for all. */
  provide(value: T): void {
    this.#value = value
  }

  get isProvided(): boolean {
    return this.#value !== undefined
  }

  /** The value; throws where the module that provides it was not loaded. */
  get value(): T {
    if (this.#value === undefined)
      throw new Error(`${this.#what} are for servers, and this program has the client only`)
    return this.#value
  }
}
